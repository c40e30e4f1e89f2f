// Missing values, and unknowns that are not negative: what a run reports, recomputed by plain loops.
#include "core/session/runs.hpp"
#include "tensor/read.hpp"

namespace tyto::session {

namespace {

/// The IL-2 responses with 0 where a value is missing, and 1 where there is one.
struct Responses {
  Table x, observed;
};
Responses responses() {
  const tensor::Dense file = tensor::read_tensor(TYTO_SOURCE_DIR "/share/data/il2_response.npy", {});
  const double* values = file.view().as<double>();
  Responses r{{file.extents(), {values, values + file.size()}}, {file.extents(), {}}};
  for (double& v : r.x.values) {
    r.observed.values.push_back(std::isnan(v) ? 0 : 1);
    if (std::isnan(v)) v = 0;
  }
  return r;
}

const std::string il2 = "data: {X: {file: " TYTO_SOURCE_DIR "/share/data/il2_response.npy, missing: nan}}\n";

void check_never_rises(const Result& r) {
  for (std::size_t k = 1; k < r.history.size(); ++k)
    if (r.history[k].start == r.history[k - 1].start)
      BOOST_TEST(r.history[k].objective <= r.history[k - 1].objective * (1 + 1e-12), "sweep " << r.history[k].sweep);
}

/// Noisy data of non-negative factors, some of whose best factors would be negative.
Table mixed(unsigned seed) {
  Table x = of_rank({6, 5, 4}, 3, seed, 0.4);
  return x;
}

double least(const Result& r) {
  double smallest = 0;
  for (const std::string& name : r.unknowns)
    for (const double v : r.array(name).values) smallest = std::min(smallest, v);
  return smallest;
}

/// How often the text is among the warnings.
auto count_of(const Result& r, const std::string& warning) { return std::count(r.warnings.begin(), r.warnings.end(), warning); }

constexpr const char* all_nonnegative = "unknowns: {\"*\": {nonnegative: true}}\n";

}  // namespace

BOOST_AUTO_TEST_SUITE(constraints)

BOOST_AUTO_TEST_CASE(missing_values_have_no_weight) {
  const Responses data = responses();
  BOOST_TEST(std::count(data.observed.values.begin(), data.observed.values.end(), 0.0) == 192);
  const double expected[] = {0.402609, 0.318245, 0.23634};
  for (int rank = 1; rank <= 3; ++rank) {
    const Result r = checked(cp_als(rank, il2 + "solver: {starts: 10, max_sweeps: 1500}\n"), data.x, &data.observed);
    BOOST_TEST(std::abs(r.relative_error - expected[rank - 1]) < 1e-5, "rank " << rank << ": " << r.relative_error);
    check_never_rises(r);
    const Table model = model_of(r);
    double objective = 0;
    for (std::size_t k = 0; k < model.values.size(); ++k)
      if (data.observed.values[k] > 0) objective += std::pow(data.x.values[k] - model.values[k], 2) / 2;
    BOOST_TEST(close(r.objective, objective, 1e-9));
  }
}

BOOST_AUTO_TEST_CASE(missing_values_are_left_out_of_the_weights_too) {
  const std::string folder = fresh_folder("missing");
  Table x = of_rank({4, 3, 5}, 2, 3, 0.1), w = plain::random({4, 3, 5}, 8), weights = w;
  for (double& v : w.values) v = std::abs(v);
  weights.values = w.values;
  Table holes = x;
  for (const std::size_t k : {std::size_t{7}, std::size_t{31}})
    holes.values[k] = std::nan(""), x.values[k] = 0, weights.values[k] = 0;
  const std::string yaml =
      "data: {X: {file: " + written(folder, "x", holes) + ", missing: nan, weights: {file: " + written(folder, "w", w) + "}}}\n";
  for (const char* precision : {"f64", "f32"}) {
    const std::string run = yaml + "execution: {precision: " + precision + "}\nsolver: {max_sweeps: 20, tolerance: 0}\n";
    const Result r = cp_als(2, run).run();
    BOOST_TEST(close(r.relative_error, relative_error(x, model_of(r), &weights), precision[1] == '3' ? 1e-4 : 1e-6));
  }
}

BOOST_AUTO_TEST_CASE(data_that_are_whole_are_planned_without_weights) {
  const Table x = of_rank({4, 3, 5}, 2, 3);
  const std::string folder = fresh_folder("whole");
  const std::string file = "data: {X: {file: " + written(folder, "x", x) + ", missing: ";
  BOOST_TEST(cp_als(2, file + "nan}}\n").explain() == cp_als(2, file + "error}}\n").explain());
}

BOOST_AUTO_TEST_CASE(factors_are_not_negative_and_the_error_never_rises) {
  for (unsigned seed = 1; seed <= 5; ++seed) {
    const Table x = mixed(seed);
    for (const std::string ridge : {"", ", ridge: 0.01"}) {
      const std::string unknowns = "unknowns: {\"*\": {nonnegative: true" + ridge + "}}\n";
      const Result r = checked(x, 3, unknowns + "solver: {max_sweeps: 200, tolerance: 1e-12}\n");
      BOOST_TEST(least(r) == 0);
      if (ridge.empty()) check_never_rises(r);
    }
  }
}

BOOST_AUTO_TEST_CASE(more_components_than_the_data_need_are_singular_equations_and_do_no_harm) {
  const Table x = of_rank({3, 3, 3}, 1, 5);
  const Result r = checked(cp_als(x, 6, std::string(all_nonnegative) + "solver: {max_sweeps: 60, tolerance: 0}\n"), x);
  check_never_rises(r);
  BOOST_TEST(least(r) == 0);
}

BOOST_AUTO_TEST_CASE(masks_and_bounds_go_together) {
  const Responses data = responses();
  const Result r = checked(cp_als(2, il2 + all_nonnegative + "solver: {max_sweeps: 100}\n"), data.x, &data.observed);
  check_never_rises(r);
  BOOST_TEST(least(r) == 0);
}

BOOST_AUTO_TEST_CASE(executors_and_precisions_agree) {
  const Table x = mixed(2);
  const std::string run = std::string(all_nonnegative) + "solver: {max_sweeps: 15, tolerance: 0}\nexecution: ";
  const Result plain = cp_als(x, 3, run + "{executor: reference}\n").run(), fast = cp_als(x, 3, run + "{executor: cpu}\n").run(),
               single = cp_als(x, 3, run + "{precision: f32}\n").run();
  BOOST_TEST(close(plain.relative_error, fast.relative_error, 1e-10));
  BOOST_TEST(close(plain.relative_error, single.relative_error, 1e-4));
  BOOST_TEST(least(single) == 0);
}

BOOST_AUTO_TEST_CASE(starts_are_brought_within_the_bounds) {
  const Table x = mixed(3);
  const std::string solver = "solver: {max_sweeps: 0, init: random-normal}\n";
  const Result free = cp_als(x, 2, solver).run(), bounded = cp_als(x, 2, std::string(all_nonnegative) + solver).run();
  const std::vector<double>&a = free.array("A_1").values, &b = bounded.array("A_1").values;
  BOOST_TEST(*std::min_element(a.begin(), a.end()) < 0);
  for (std::size_t k = 0; k < a.size(); ++k) BOOST_TEST(b[k] == std::abs(a[k]));
}

/// |x - max(0, x - s g)| / |x| with s = |x|^2 / |X|^2 and g by plain loops, the largest of all factors.
double kkt_by_hand(const Table& x, const Result& r) {
  const Table model = model_of(r);
  const auto rank = static_cast<std::size_t>(r.array("A_0").extents[1]);
  double largest = 0;
  for (std::size_t mode = 0; mode < 3; ++mode) {
    const std::vector<double>& a = r.array(r.unknowns[mode]).values;
    std::vector<double> slope(a.size(), 0);
    for (std::size_t i = 0, k = 0; i < static_cast<std::size_t>(x.extents[0]); ++i)
      for (std::size_t j = 0; j < static_cast<std::size_t>(x.extents[1]); ++j)
        for (std::size_t l = 0; l < static_cast<std::size_t>(x.extents[2]); ++l, ++k) {
          const std::size_t at[] = {i, j, l};
          for (std::size_t c = 0; c < rank; ++c) {
            double others = 1;
            for (std::size_t n = 0; n < 3; ++n)
              if (n != mode) others *= r.array(r.unknowns[n]).values[at[n] * rank + c];
            slope[at[mode] * rank + c] += (model.values[k] - x.values[k]) * others;
          }
        }
    const double norm = plain::norm(a), length = norm * norm / std::pow(plain::norm(x.values), 2);
    double sum = 0;
    for (std::size_t k = 0; k < a.size(); ++k) sum += std::pow(std::min(a[k], length * slope[k]), 2);
    largest = std::max(largest, std::sqrt(sum) / norm);
  }
  return largest;
}

double reported_kkt(const std::string& folder) {
  const std::string text = text_of_file(folder + "/result.json"), key = "\"kkt_residual\": ";
  const std::size_t at = text.find(key);
  return at == std::string::npos ? -1 : std::stod(text.substr(at + key.size()));
}

BOOST_AUTO_TEST_CASE(the_kkt_residual_is_that_of_the_factors_and_falls) {
  const Table x = mixed(4);
  const std::string folder = fresh_folder("kkt");
  double before = 1;
  for (const std::string sweeps : {"2", "20", "2000"}) {
    const std::string output = "output: {directory: " + folder + ", overwrite: true}\n";
    const Result r = cp_als(x, 2, all_nonnegative + output + "solver: {tolerance: 0, max_sweeps: " + sweeps + "}\n").run();
    const double reported = reported_kkt(folder);
    BOOST_TEST(std::abs(reported - kkt_by_hand(x, r)) <= 1e-9 * before + 1e-15);
    BOOST_TEST(reported < before);
    before = reported;
  }
  BOOST_TEST(before < 1e-7);
  BOOST_TEST(text_of_file(folder + "/report.html").find("KKT residual") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(runs_without_bounds_have_no_kkt_residual) {
  const std::string folder = fresh_folder("no_kkt");
  cp_als(mixed(4), 2, "output: {directory: " + folder + ", overwrite: true}\n").run();
  BOOST_TEST(reported_kkt(folder) == -1);
}

BOOST_AUTO_TEST_CASE(a_gradient_tolerance_counts_only_slopes_that_lead_inside) {
  const Result r =
      cp_als(mixed(4), 2, std::string(all_nonnegative) + "solver: {tolerance: 0, gradient_tolerance: 1e-7, max_sweeps: 5000}\n")
          .run();
  BOOST_TEST((r.outcome.stop == Stop::converged));
  BOOST_TEST(r.sweeps < 5000);
}

/// Two factors that are not negative, a third that is free, and data below zero: from a positive start the first factor is 0, and
/// so is all else from then on.
BOOST_AUTO_TEST_CASE(components_locked_at_zero_are_named_and_start_anew) {
  Table x = of_rank({5, 4, 3}, 2, 11);
  for (double& v : x.values) v = -std::abs(v);
  const Result r = checked(x, 2, "unknowns: {A_0: {nonnegative: true}, A_1: {nonnegative: true}}\nsolver: {max_sweeps: 200}\n");
  BOOST_TEST(count_of(r, "components 0, 1 are locked at zero after sweep 1: they start anew") == 1);
  BOOST_TEST(r.relative_error < 0.9);
  check_never_rises(r);
  const Result above =
      checked(times(x, -1), 2, "unknowns: {A_0: {nonnegative: true}, A_1: {nonnegative: true}}\nsolver: {max_sweeps: 200}\n");
  BOOST_TEST(std::abs(r.relative_error - above.relative_error) < 0.1);
}

BOOST_AUTO_TEST_CASE(components_that_nothing_needs_are_left_at_zero) {
  Table x = of_rank({5, 4, 3}, 2, 11);
  for (double& v : x.values) v = -std::abs(v);
  const Result r = checked(x, 2, std::string(all_nonnegative));  // 0 is the best
  BOOST_TEST(r.relative_error == 1);
  BOOST_TEST(count_of(r, "components 0, 1 are locked at zero after sweep 1: they start anew") == 1);
  BOOST_TEST(r.sweeps < 10);  // no start after start
}

BOOST_AUTO_TEST_CASE(bounds_follow_the_scale_of_the_data) {
  const Table x = times(mixed(5), 1e-170);
  const std::string yaml = "unknowns: {A_0: {nonnegative: true}}\nsolver: {max_sweeps: 30}\n", folder = fresh_folder("scale");
  const Result small = cp_als(3, "data: {X: {file: " + written(folder, "x", x) + ", scale: auto}}\n" + yaml).run(),
               same = cp_als(times(x, 1e170), 3, yaml).run();
  BOOST_TEST(close(small.relative_error, same.relative_error, 1e-6));
  for (const double v : small.array("A_0").values) BOOST_TEST(v >= 0);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace tyto::session
