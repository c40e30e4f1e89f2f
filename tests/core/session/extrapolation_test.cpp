// Alternating sweeps that are extrapolated: the objective never rises, the minimum is that of plain sweeps, a swamp takes fewer.
#include "core/session/runs.hpp"

namespace tyto::session {

namespace {

/// Components so nearly parallel that plain sweeps crawl: columns of a factor have cosines of about 0.95.
Table nearly_parallel(const std::vector<std::int64_t>& extents, std::int64_t rank) {
  const std::string modes = std::string("ijklmn").substr(0, extents.size());
  std::vector<Table> tables;
  for (std::size_t n = 0; n < extents.size(); ++n) {
    const auto seed = static_cast<unsigned>(n);
    const Table common = plain::random({extents[n]}, 40 + seed);
    tables.push_back(plain::random({extents[n], rank}, 60 + seed));
    for (std::size_t e = 0; e < tables[n].values.size(); ++e)
      tables[n].values[e] = common.values[e / static_cast<std::size_t>(rank)] + 0.25 * tables[n].values[e];
  }
  std::vector<plain::Factor> factors;
  for (std::size_t n = 0; n < extents.size(); ++n) factors.push_back({tables[n], std::string{modes[n], 'r'}});
  return plain::contract(factors, modes);
}

/// The sweep of the first start that brings the relative error to this value; far more than any limit if none does.
std::int64_t sweeps_to(const Result& r, double error) {
  for (const Progress& row : r.history)
    if (row.start == 0 && row.relative_error <= error) return row.sweep;
  return std::int64_t{1} << 40;
}

/// But for rounding, which is all that is left of an exact fit.
bool never_rises(const Result& r) {
  for (std::size_t k = 1; k < r.history.size(); ++k) {
    const Progress &before = r.history[k - 1], &now = r.history[k];
    const double whole = r.history[0].objective / (r.history[0].relative_error * r.history[0].relative_error);
    if (now.start == before.start && now.objective > before.objective * (1 + 1e-9) + 1e-24 * whole) return false;
  }
  return true;
}

double column(const Progress& row, const std::string& name) {
  for (const auto& [known, value] : row.columns)
    if (known == name) return value;
  throw std::logic_error("no column " + name);
}

const std::string plainly = "solver: {max_sweeps: 2000, tolerance: 1e-14, extrapolation: false, starts: 3}\n",
                  further = "solver: {max_sweeps: 2000, tolerance: 1e-14, extrapolation: true, starts: 3}\n";

}  // namespace

BOOST_AUTO_TEST_SUITE(extrapolated_sweeps)

BOOST_AUTO_TEST_CASE(a_swamp_takes_fewer_sweeps) {
  const std::vector<std::pair<std::vector<std::int64_t>, double>> cases{{{8, 9, 10}, 0.5}, {{5, 6, 4, 5}, 0.7}};
  for (const auto& [extents, part] : cases) {
    const Table x = nearly_parallel(extents, 3);
    const Result without = cp_als(x, 3, plainly).run(), with = cp_als(x, 3, further).run();
    for (const double error : {1e-3, 1e-4}) {
      const auto few = static_cast<double>(sweeps_to(with, error)), many = static_cast<double>(sweeps_to(without, error));
      BOOST_TEST(few < part * many, few << " and " << many << " sweeps to " << error);
    }
    BOOST_TEST(never_rises(with));
    BOOST_TEST(close(with.relative_error, relative_error(x, model_of(with)), 1e-6));
    bool was_extrapolated = false;
    for (const Progress& row : with.history) was_extrapolated = was_extrapolated || column(row, "extrapolation") > 0.5;
    BOOST_TEST(was_extrapolated);
  }
}

BOOST_AUTO_TEST_CASE(the_minimum_is_that_of_plain_sweeps) {
  const std::string folder = fresh_folder("extrapolated");
  for (const auto& extents : {std::vector<std::int64_t>{6, 7}, {5, 6, 4}, {3, 4, 2, 5}}) {
    const Table x = of_rank(extents, 2, 8, 0.1);
    Table mask = plain::random(extents, 17);
    for (double& v : mask.values) v = v > -0.5 ? 1 : 0;
    for (const std::string& more :
         {std::string(), "data: {X: {mask: {file: " + written(folder, "mask", mask) + "}}}\n",
          std::string("unknowns: {\"*\": {ridge: 0.01}}\n"), std::string("unknowns: {\"*\": {nonnegative: true}}\n")}) {
      const Result without = cp_als(x, 2, more + plainly).run(), with = cp_als(x, 2, more + further).run();
      const double accuracy = more.find("ridge") == std::string::npos ? 1e-8 : 1e-6;  // norms even out slowly under a small ridge
      BOOST_TEST(close(with.objective, without.objective, accuracy), more << with.objective << " and " << without.objective);
      BOOST_TEST(never_rises(with), more);
      if (more.find("nonnegative") == std::string::npos) continue;
      for (const std::string& name : with.unknowns)
        for (const double v : with.array(name).values) BOOST_TEST(v >= 0);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_sweep_that_was_undone_is_no_sign_of_convergence) {
  const Table x = nearly_parallel({8, 9, 10}, 3);
  const Result r = cp_als(x, 3, "solver: {max_sweeps: 3000, tolerance: 1e-7, extrapolation: true}\n").run();
  std::int64_t undone = 0;
  for (std::size_t k = 1; k < r.history.size(); ++k)
    if (r.history[k].objective == r.history[k - 1].objective) {
      ++undone;
      BOOST_TEST(k + 1 < r.history.size());
      BOOST_TEST(column(r.history[k], "extrapolation") > 0);
      if (k + 1 < r.history.size()) BOOST_TEST(column(r.history[k + 1], "extrapolation") == 0);
    }
  BOOST_TEST(undone > 0);
}

BOOST_AUTO_TEST_CASE(fixed_unknowns_stay_and_single_precision_works) {
  const std::string folder = fresh_folder("extrapolated_fixed");
  const Table x = of_rank({4, 5, 3}, 2, 3), known = plain::random({5, 2}, 4);
  const Result fixed =
      cp_als(x, 2, "unknowns: {A_1: {fixed: true, init: {file: " + written(folder, "known", known) + "}}}\n" + further).run();
  BOOST_TEST(fixed.array("A_1").values == known.values, boost::test_tools::per_element());
  BOOST_TEST(never_rises(fixed));
  const Result single = cp_als(x, 2, "execution: {precision: f32}\n" + further).run();
  BOOST_TEST(single.relative_error < 1e-5);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace tyto::session
