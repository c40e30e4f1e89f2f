// States, parameters, assignments, reading, writing, observed expressions and columns, all in one plugin with a run() of its own.
#include "objectives/least_squares.hpp"
#include "objectives/watched.hpp"

namespace tyto::objectives {

using plain::Table;

namespace {

const Table x = plain::random({5, 4}, 41);

Result after(int sweeps) {
  return session_of("everything", {{"X", x}},
                    "settings: {rank: 2, pull: [0.25, 4]}\nsolver: {tolerance: 0, max_sweeps: " + std::to_string(sweeps) + "}")
      .run();
}

Table table_of(const Result& r, const std::string& name) { return {r.array(name).extents, r.array(name).values}; }

}  // namespace

BOOST_AUTO_TEST_SUITE(everything)

BOOST_AUTO_TEST_CASE(each_sweep_does_what_run_says) {
  for (int sweep = 1; sweep <= 3; ++sweep) {
    const Result before = after(sweep - 1), now = after(sweep);
    const double weight = sweep == 1 ? 0.25 : 4;
    const Table last = table_of(before, "A");
    const Residuals residuals = [&](const plain::Tables& t) {
      std::vector<double> all = plain::minus(plain::contract({{t.at("A"), "ir"}, {t.at("B"), "jr"}}, "ij"), x).values;
      append(all, plain::minus(t.at("A"), last), weight);
      return all;
    };
    plain::Tables tables{{"A", last}, {"B", table_of(before, "B")}};
    const std::vector<double> a = minimum_norm_solution(residuals, tables, "A");
    BOOST_TEST(plain::distance(now.array("A").values, a) <= 1e-10 * plain::norm(a));
    tables.at("A").values = now.array("A").values;
    std::vector<double> b = minimum_norm_solution(residuals, tables, "B");
    double& largest = *std::max_element(b.begin(), b.end());
    BOOST_TEST(std::abs(now.history.back().columns.at(0).second - largest) <= 1e-10 * largest);
    largest *= 2;
    BOOST_TEST(plain::distance(now.array("B").values, b) <= 1e-10 * plain::norm(b));

    tables.at("B").values = now.array("B").values;
    const double f = plain::norm(residuals(tables));
    BOOST_TEST(std::abs(now.objective - f * f / 2) <= 1e-10 * f * f / 2);
    const double at_zero = std::hypot(plain::norm(x.values), weight * plain::norm(last.values));
    BOOST_TEST(std::abs(now.relative_error - f / at_zero) <= 1e-10);
    bool is_far = false;
    for (const std::string& warning : now.warnings) is_far = is_far || warning == "A moved far";
    const double moved = plain::distance(now.array("A").values, last.values);
    BOOST_TEST(std::abs(now.scalar("distance") - moved * moved) <= 1e-10 * moved * moved);
    if (moved * moved > weight) BOOST_TEST(is_far);
    const std::vector<double> model = plain::contract({{tables.at("A"), "ir"}, {tables.at("B"), "jr"}}, "ji").values;
    BOOST_TEST(plain::distance(now.array("model").values, model) <= 1e-12 * plain::norm(model));
  }
}

BOOST_AUTO_TEST_CASE(names_and_axes_come_from_the_plugin) {
  const Result r = after(1);
  BOOST_TEST(r.names() == (std::vector<std::string>{"A", "B", "distance", "model"}), boost::test_tools::per_element());
  BOOST_TEST(r.array("model").extents == (std::vector<std::int64_t>{4, 5}), boost::test_tools::per_element());
  BOOST_TEST(r.history.at(0).columns.at(0).first == "largest");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace tyto::objectives
