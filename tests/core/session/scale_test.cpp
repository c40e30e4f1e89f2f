// Data far from one, starts far from each other.
#include "core/session/runs.hpp"

namespace tyto::session {

BOOST_AUTO_TEST_SUITE(scale)

BOOST_AUTO_TEST_CASE(huge_and_tiny_data_fit_as_well_as_moderate_data) {
  const Table x = of_rank({4, 5, 3}, 2, 41, 0.1);
  const Result moderate = checked(x, 2, "");
  for (const double factor : {1e200, 1e-200, 1e305, 1e-290}) {
    const Table far = times(x, factor);
    const Result r = cp_als(far, 2, "data: {X: {scale: auto}}").run();
    BOOST_TEST(std::abs(r.relative_error - moderate.relative_error) <= 1e-7, factor);
    BOOST_TEST(close(r.relative_error, relative_error(far, model_of(r)), 1e-6));
    BOOST_TEST(is_finite(r));
    BOOST_TEST(r.objective == r.history.back().objective);
  }
}

BOOST_AUTO_TEST_CASE(a_power_of_two_changes_no_digit_of_the_error) {
  const Table x = of_rank({4, 5, 3}, 2, 41, 0.1);
  const std::string yaml = "data: {X: {scale: auto}}\nsolver: {max_sweeps: 4}";
  const Result a = cp_als(x, 2, yaml).run(), b = cp_als(times(x, std::ldexp(1.0, 700)), 2, yaml).run();
  BOOST_TEST(a.relative_error == b.relative_error);
  BOOST_TEST(model_of(b).values == times(model_of(a), std::ldexp(1.0, 700)).values);
}

BOOST_AUTO_TEST_CASE(objectives_are_in_the_units_of_the_data_wherever_they_are_told) {
  const Table x = times(of_rank({4, 5, 3}, 2, 41, 0.1), std::ldexp(1.0, 100));
  std::vector<double> told;
  Session session = cp_als(x, 2, "data: {X: {scale: auto}}\nsolver: {max_sweeps: 3, tolerance: 0}");
  session.on_progress([&](const Progress& p) { told.push_back(p.objective); });
  const Result r = session.run();
  BOOST_REQUIRE(r.history.size() == 3U);
  for (std::size_t k = 0; k < 3; ++k) BOOST_TEST(r.history[k].objective == told[k]);
  BOOST_TEST(r.objective == told.back());
  const double length = r.relative_error * plain::norm(x.values);
  BOOST_TEST(close(r.objective / (length * length / 2), 1, 1e-9));
}

BOOST_AUTO_TEST_CASE(the_best_of_several_starts_is_kept_where_the_objective_fits_no_double) {
  const Table x = times(plain::random({3, 4, 3}, 42), 1e250);
  const Result r = cp_als(x, 2, "data: {X: {scale: auto}}\nsolver: {starts: 6, max_sweeps: 30, tolerance: 0}").run();
  std::map<int, double> last;
  for (const Progress& row : r.history) last[row.start] = row.relative_error;
  BOOST_REQUIRE(last.size() == 6U);
  for (const auto& [start, error] : last) BOOST_TEST(r.relative_error <= error);
  BOOST_TEST(r.relative_error == last[r.best_start]);
}

BOOST_AUTO_TEST_CASE(without_scale_the_norm_and_the_remedy_are_named) {
  const Table huge = times(plain::filled({2, 2}, 1), 1e200), tiny = times(plain::filled({2, 2}, 1), 1e-200);
  check_error(
      "text: the squared norm of X overflows\n"
      "  expected  a norm between 3e-151 and 3e+150\n"
      "  found     |X| = 2e+200\n"
      "  try       data.X.scale: auto",
      [&] { cp_als(huge, 1, "").run(); });
  check_error(
      "text: the squared norm of X underflows\n"
      "  expected  a norm between 3e-151 and 3e+150\n"
      "  found     |X| = 2e-200\n"
      "  try       data.X.scale: auto",
      [&] { cp_als(tiny, 1, "").run(); });
}

BOOST_AUTO_TEST_CASE(data_under_a_ridge_cannot_be_scaled) {
  check_error(
      "text:3:19: the data cannot be scaled: the objective does not scale with the data and some of its unknowns\n"
      "  expected  an objective that is homogeneous of degree two\n"
      "  try       scale: none, and data of moderate size",
      [] {
        cp_als(plain::filled({2, 2}, 1), 1, "data: {X: {scale: auto}}\nunknowns: {\"*\": {ridge: 0.1}}").run();
      });
}

BOOST_AUTO_TEST_CASE(a_start_that_is_out_of_balance_gives_the_same_error) {
  const Table x = of_rank({4, 5, 3}, 2, 43, 0.1);
  const std::string folder = fresh_folder("balance");
  double errors[2];
  for (const bool far : {false, true}) {
    std::string yaml = "solver: {max_sweeps: 8, tolerance: 0}\nunknowns:";
    for (unsigned n = 0; n < 3; ++n) {
      const double factor = !far ? 1 : n == 1 ? 1e6 : n == 2 ? 1e-6 : 1;
      yaml += "\n  A_" + std::to_string(n) +
              ": {init: {file: " + written(folder, std::to_string(n), times(plain::random({x.extents[n], 2}, 44 + n), factor)) +
              "}}";
    }
    const Result r = checked(x, 2, yaml);
    errors[far ? 1 : 0] = r.relative_error;
    std::vector<double> norms;
    for (const std::string& name : r.unknowns) norms.push_back(plain::norm(r.array(name).values));
    BOOST_TEST(*std::max_element(norms.begin(), norms.end()) < 4096 * *std::min_element(norms.begin(), norms.end()));
  }
  BOOST_TEST(std::abs(errors[0] - errors[1]) <= 1e-10);
}

BOOST_AUTO_TEST_CASE(balancing_changes_no_error) {
  const Table x = of_rank({4, 5, 3}, 2, 43, 0.1);
  const Result with = checked(x, 2, "solver: {max_sweeps: 8, tolerance: 0}"),
               without = checked(x, 2, "solver: {max_sweeps: 8, tolerance: 0, normalize: false}");
  BOOST_TEST(close(with.relative_error, without.relative_error, 1e-12));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace tyto::session
