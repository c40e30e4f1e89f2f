// Why a run ends, in its own words, and what it has to show then.
#include "core/session/runs.hpp"
#include <fmt/format.h>

namespace tyto::session {

namespace {

Table noisy() { return of_rank({4, 5, 3}, 2, 61, 0.2); }

/// Norm of the gradient of half the squared residual by all factors of a CP result of order 3.
double gradient_norm(const Table& x, const Result& r) {
  const Table residual = plain::minus(model_of(r), x), a = table_of(r, "A_0"), b = table_of(r, "A_1"), c = table_of(r, "A_2");
  return std::hypot(plain::norm(plain::contract({{residual, "ijk"}, {b, "jr"}, {c, "kr"}}, "ir").values),
                    plain::norm(plain::contract({{residual, "ijk"}, {a, "ir"}, {c, "kr"}}, "jr").values),
                    plain::norm(plain::contract({{residual, "ijk"}, {a, "ir"}, {b, "jr"}}, "kr").values));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(stopping)

BOOST_AUTO_TEST_CASE(by_the_relative_change) {
  const Result r = checked(noisy(), 2, "solver: {tolerance: 1e-5}");
  BOOST_TEST((r.outcome.stop == Stop::converged));
  BOOST_REQUIRE(r.history.size() >= 3U);
  BOOST_TEST(r.outcome.reason == fmt::format("relative change of the objective {:.2g} <= 1e-05", r.history.back().change));
  for (std::size_t k = 1; k < r.history.size(); ++k) {
    const double now = r.history[k].objective, before = r.history[k - 1].objective;
    BOOST_TEST(close(r.history[k].change, (before - now) / before, 1e-9));
    BOOST_TEST((r.history[k].change <= 1e-5) == (k + 1 == r.history.size()));
  }
}

BOOST_AUTO_TEST_CASE(by_the_gradient) {
  const Result r = checked(noisy(), 2, "solver: {tolerance: 0, gradient_tolerance: 1e-3, normalize: false}");
  BOOST_TEST((r.outcome.stop == Stop::converged));
  const auto after = [](std::int64_t sweeps) {
    return gradient_norm(
        noisy(), cp_als(noisy(), 2, fmt::format("solver: {{tolerance: 0, normalize: false, max_sweeps: {}}}", sweeps)).run());
  };
  const double first = after(1), last = after(r.sweeps);
  BOOST_TEST(last <= 1e-3 * first);
  BOOST_TEST(after(r.sweeps - 1) > 1e-3 * first);
  BOOST_TEST(r.outcome.reason == fmt::format("gradient norm {:.2g} of its first value <= 0.001", last / first));
}

BOOST_AUTO_TEST_CASE(by_the_number_of_sweeps) {
  const Result one = checked(noisy(), 2, "solver: {max_sweeps: 1}");
  BOOST_TEST((one.outcome.stop == Stop::sweep_limit));
  BOOST_TEST(one.outcome.reason == "sweep limit of 1");
  BOOST_TEST(one.sweeps == 1);
  BOOST_TEST(one.history.size() == 1U);
}

BOOST_AUTO_TEST_CASE(before_the_first_sweep_with_the_start_as_the_result) {
  const Result none = checked(noisy(), 2, "solver: {max_sweeps: 0}");
  BOOST_TEST((none.outcome.stop == Stop::sweep_limit));
  BOOST_TEST(none.outcome.reason == "sweep limit of 0");
  BOOST_TEST(none.sweeps == 0);
  BOOST_TEST(none.history.empty());
  for (const double v : none.array("A_0").values) BOOST_TEST((v >= 0 && v < 1));
  const double length = none.relative_error * plain::norm(noisy().values);
  BOOST_TEST(close(none.objective, length * length / 2, 1e-9));
}

BOOST_AUTO_TEST_CASE(by_time) {
  const Result r = checked(noisy(), 2, "solver: {time_limit: 1e-9}");
  BOOST_TEST((r.outcome.stop == Stop::time_limit));
  BOOST_TEST(r.outcome.reason == "time limit of 1e-09 s");
  BOOST_TEST(r.sweeps == 1);
}

BOOST_AUTO_TEST_CASE(by_an_interrupt_which_finishes_the_sweep_and_skips_further_starts) {
  const std::string folder = fresh_folder("interrupted");
  Session session = cp_als(noisy(), 2, "solver: {starts: 3, tolerance: 0}\noutput: {directory: " + folder + ", overwrite: true}");
  const Table x = noisy();
  session.input("X", ConstArray(x.values.data(), x.extents));
  int asked = 0;
  session.interrupt_when([&] { return ++asked == 3; });
  const Result r = session.run();
  BOOST_TEST((r.outcome.stop == Stop::interrupted));
  BOOST_TEST(r.outcome.reason == "interrupted after sweep 3");
  BOOST_TEST(r.sweeps == 3);
  BOOST_TEST(r.history.size() == 3U);
  BOOST_TEST(std::filesystem::exists(folder + "/result.json"));
}

BOOST_AUTO_TEST_CASE(by_an_exact_fit) {
  const Result r = checked(plain::filled({2, 3, 2}, 2), 1, "solver: {tolerance: 0}");
  BOOST_TEST((r.outcome.stop == Stop::converged));
  BOOST_TEST(r.outcome.reason == fmt::format("relative error {:.2g}: exact to rounding", r.relative_error));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace tyto::session
