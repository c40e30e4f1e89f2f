// Steps in several unknowns: what they reach, that the objective never rises, and that their matrix is J^T J.
#include "core/session/runs.hpp"
#include "plugin/algorithm.hpp"

namespace tyto::session {

namespace {

/// CP by one step a sweep, with the method of the test.
class Stepping final : public Algorithm {
 public:
  static inline Method method = Method::gauss_newton;
  static inline double quartic = 0;
  static Schema schema() { return {integer("rank", "number of terms")}; }
  void declare(Declaration& d, const Settings& s) override {
    const Expr x = d.data("X");
    const Index r("r", s.integer("rank"));
    Exprs factors;
    for (const Index& mode : x.shape()) factors.push_back(d.unknown("A_" + mode.name(), {mode, r}));
    Expr f = 0.5 * sum(d.weights(x) * square(x - einsum(factors, x.shape())));
    if (quartic > 0) f = f + quartic * sum(pow(factors[0], 4));  // in which f is not quadratic
    d.step(d.minimize(f), factors, method);
  }
};

Session stepping(const Table& x, int rank, Method method, const std::string& yaml = "", double quartic = 0) {
  static const PluginInfo info = TYTO_ALGORITHM(Stepping, "stepping", "1", "for tests");
  Stepping::method = method, Stepping::quartic = quartic;
  Session session = Session::from_text("algorithm: stepping\nsettings: {rank: " + std::to_string(rank) + "}\n" + yaml);
  session.use(&info).input("X", ConstArray(x.values.data(), x.extents));
  return session;
}

bool never_rises(const Result& r) {
  for (std::size_t k = 1; k < r.history.size(); ++k)
    if (r.history[k].start == r.history[k - 1].start && r.history[k].objective > r.history[k - 1].objective * (1 + 1e-12))
      return false;
  return true;
}

Table matrix_multiplication() {
  Table t{{4, 4, 4}, std::vector<double>(64, 0)};
  for (std::size_t i = 0; i < 2; ++i)
    for (std::size_t j = 0; j < 2; ++j)
      for (std::size_t k = 0; k < 2; ++k) t.values[(i * 2 + j) * 16 + (j * 2 + k) * 4 + k * 2 + i] = 1;
  return t;
}

double column(const Progress& row, const std::string& name) {
  for (const auto& [known, value] : row.columns)
    if (known == name) return value;
  throw std::logic_error("no column " + name);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(steps)

BOOST_AUTO_TEST_CASE(gauss_newton_reaches_exact_data_in_few_steps) {
  for (const auto& extents : {std::vector<std::int64_t>{6, 7}, {4, 5, 6}, {3, 4, 2, 5}, {3, 2, 3, 2, 4}}) {
    const Table x = of_rank(extents, 2, 5);
    const Result r = stepping(x, 2, Method::gauss_newton, "solver: {max_sweeps: 200, tolerance: 0}").run();
    BOOST_TEST(r.relative_error < 1e-12, "order " << extents.size() << ": " << r.relative_error << ", " << r.outcome.reason);
    BOOST_CHECK(r.outcome.stop == Stop::converged);
    BOOST_TEST(never_rises(r));
    BOOST_TEST(close(r.relative_error, relative_error(x, model_of(r)), 1e-3));
  }
}

BOOST_AUTO_TEST_CASE(newton_and_gauss_newton_agree_where_the_data_is_not_exact) {
  const Table x = of_rank({5, 6, 4}, 2, 8, 0.1);
  const std::string yaml = "solver: {max_sweeps: 300, tolerance: 0}";
  const Result gauss_newton = stepping(x, 2, Method::gauss_newton, yaml).run(), newton = stepping(x, 2, Method::newton, yaml).run();
  BOOST_TEST(close(newton.relative_error, gauss_newton.relative_error, 1e-9),
             newton.relative_error << " and " << gauss_newton.relative_error);
  BOOST_TEST(never_rises(newton));
  BOOST_TEST(never_rises(gauss_newton));
  for (const Result* r : {&newton, &gauss_newton}) BOOST_CHECK_MESSAGE(r->outcome.stop == Stop::converged, r->outcome.reason);
}

BOOST_AUTO_TEST_CASE(matrix_multiplication_has_rank_seven) {
  const Table x = matrix_multiplication();
  for (const std::string krylov : {"stcg", "direct"}) {
    const Result r =
        stepping(x, 7, Method::gauss_newton, "solver: {max_sweeps: 200, starts: 20, tolerance: 0, krylov: " + krylov + "}").run();
    std::vector<double> least(20, 1);
    for (const Progress& row : r.history)
      least[static_cast<std::size_t>(row.start)] = std::min(least[static_cast<std::size_t>(row.start)], row.relative_error);
    BOOST_TEST(std::count_if(least.begin(), least.end(), [](double e) { return e < 1e-12; }) >= 10, krylov);
  }
}

BOOST_AUTO_TEST_CASE(gradient_descent_descends) {
  const Table x = of_rank({4, 5, 3}, 1, 2);
  const Result r = stepping(x, 1, Method::gradient_descent, "solver: {max_sweeps: 2000, tolerance: 0}").run();
  BOOST_TEST(r.relative_error < 1e-6);
  BOOST_TEST(never_rises(r));
}

BOOST_AUTO_TEST_CASE(weights_and_ridge_are_part_of_the_model) {
  const std::string folder = fresh_folder("weighted_steps");
  const Table x = of_rank({4, 5, 3}, 2, 3, 0.2);
  Table w = plain::random({4, 5, 3}, 17);
  for (double& v : w.values) v = v * v;
  const std::string more = "data: {X: {weights: {file: " + written(folder, "w", w) + "}}}\nunknowns: {\"*\": {ridge: 0.01}}\n";
  const Result all = stepping(x, 2, Method::gauss_newton, more + "solver: {max_sweeps: 200, tolerance: 0, starts: 4}").run();
  Session als = cp_als(x, 2, more + "solver: {max_sweeps: 3000, tolerance: 1e-13, starts: 4}");
  const Result alternating = als.run();
  BOOST_TEST(close(all.objective, alternating.objective, 1e-6));
  BOOST_TEST(close(all.relative_error, relative_error(x, model_of(all), &w), 1e-6));
  BOOST_TEST(never_rises(all));
}

BOOST_AUTO_TEST_CASE(fixed_unknowns_stay) {
  const std::string folder = fresh_folder("fixed_steps");
  const Table x = of_rank({4, 5, 3}, 2, 3), known = plain::random({5, 2}, 4);
  const Result r =
      stepping(x, 2, Method::gauss_newton, "unknowns: {A_1: {fixed: true, init: {file: " + written(folder, "known", known) + "}}}")
          .run();
  BOOST_TEST(r.array("A_1").values == known.values, boost::test_tools::per_element());
  BOOST_TEST(r.sweeps > 1);
}

BOOST_AUTO_TEST_CASE(single_precision_stops_at_its_rounding) {
  const Table x = of_rank({6, 5, 4}, 2, 3, 0.1);
  const Result single = stepping(x, 2, Method::gauss_newton, "execution: {precision: f32}\nsolver: {tolerance: 0}").run(),
               full = stepping(x, 2, Method::gauss_newton, "solver: {tolerance: 0}").run();
  BOOST_TEST(close(single.relative_error, full.relative_error, 1e-4));
  BOOST_CHECK(single.outcome.stop == Stop::converged || single.outcome.stop == Stop::stalled);
}

BOOST_AUTO_TEST_CASE(a_zero_gradient_ends_the_run) {
  const Table x{{2, 3, 2}, std::vector<double>(12, 0)};
  const Result r = stepping(x, 1, Method::gauss_newton, "solver: {init: zeros}").run();
  BOOST_TEST(r.objective == 0);
  BOOST_CHECK(r.outcome.stop == Stop::converged);
}

BOOST_AUTO_TEST_CASE(products_are_limited) {
  const Table x = of_rank({6, 7, 5}, 3, 4, 0.1);
  const Result r = stepping(x, 3, Method::gauss_newton, "solver: {krylov_products: 3, max_sweeps: 5}").run();
  for (const Progress& row : r.history) BOOST_TEST(column(row, "products") <= 3 * 30 + 31);
  const Result few = stepping(x, 3, Method::gauss_newton, "solver: {krylov_products: 1, max_sweeps: 1}").run();
  BOOST_TEST(column(few.history[0], "products") == 3);  // one for the first radius, one iteration, one for its promise
}

// The minimum does not depend on who solves the systems; the matrix of every CP is singular.
BOOST_AUTO_TEST_CASE(direct_systems_reach_the_minimum_of_iterative_ones) {
  const std::string folder = fresh_folder("direct_steps");
  for (const auto& extents : {std::vector<std::int64_t>{6, 7}, {5, 6, 4}, {3, 4, 2, 5}}) {
    const Table x = of_rank(extents, 2, 8, 0.1);
    Table w = plain::random(extents, 17);
    for (double& v : w.values) v = v * v;
    for (const std::string& more : {std::string(), "data: {X: {weights: {file: " + written(folder, "w", w) + "}}}\n",
                                    std::string("unknowns: {\"*\": {ridge: 0.01}}\n")}) {
      const std::string limits = more + "solver: {max_sweeps: 300, tolerance: 0, krylov: ";
      const Result direct = stepping(x, 2, Method::gauss_newton, limits + "direct}").run(),
                   iterative = stepping(x, 2, Method::gauss_newton, limits + "stcg}").run();
      BOOST_TEST(close(direct.objective, iterative.objective, 1e-10), direct.objective << " and " << iterative.objective);
      BOOST_TEST(never_rises(direct));
      BOOST_CHECK_MESSAGE(direct.outcome.stop == Stop::converged, direct.outcome.reason);
      for (const Progress& row : direct.history) BOOST_TEST(column(row, "products") <= 31);  // one for each promise, at most
    }
  }
}

BOOST_AUTO_TEST_CASE(direct_systems_with_a_fixed_unknown_and_in_single_precision) {
  const std::string folder = fresh_folder("direct_fixed");
  const Table x = of_rank({4, 5, 3}, 2, 3), known = plain::random({5, 2}, 4);
  const std::string limits = "solver: {max_sweeps: 100, tolerance: 0, krylov: ";
  const std::string fixed = "unknowns: {A_1: {fixed: true, init: {file: " + written(folder, "known", known) + "}}}\n";
  const Result direct = stepping(x, 2, Method::gauss_newton, fixed + limits + "direct}").run(),
               iterative = stepping(x, 2, Method::gauss_newton, fixed + limits + "stcg}").run();
  BOOST_TEST(direct.array("A_1").values == known.values, boost::test_tools::per_element());
  BOOST_TEST(close(direct.objective, iterative.objective, 1e-10));
  const Result single = stepping(x, 2, Method::gauss_newton, "execution: {precision: f32}\n" + limits + "direct}").run();
  BOOST_TEST(single.relative_error < 1e-5);
}

BOOST_AUTO_TEST_CASE(systems_are_solved_directly_where_that_is_cheaper) {
  const auto says = [](const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; };
  const auto plan = [](const std::vector<std::int64_t>& extents, const std::string& solver) {
    return stepping(of_rank(extents, 3, 4), 3, Method::gauss_newton, "solver: {" + solver + "}").explain();
  };
  BOOST_TEST(says(plan({4, 5, 3}, ""), "systems: directly, by Cholesky factorizations (36 unknowns: "));
  BOOST_TEST(says(plan({30, 40, 50}, ""), "systems: by products (360 unknowns: "));
  BOOST_TEST(says(plan({30, 40, 50}, "krylov: direct"), "systems: directly, by Cholesky factorizations (solver.krylov: direct)"));
  BOOST_TEST(!says(plan({4, 5, 3}, "krylov: stcg"), "systems: "));
  BOOST_TEST(!says(plan({4, 5, 3}, "krylov_products: 5"), "systems: "));  // who bounds iterations wants them
}

BOOST_AUTO_TEST_CASE(direct_is_for_gauss_newton_of_moderate_size) {
  check_error(
      "text:3:18: only systems of Gauss-Newton are solved directly\n  expected  a matrix without negative eigenvalues\n  "
      "found     Newton's Hessian\n  try       krylov: auto",
      [] {
        stepping(of_rank({3, 4, 2}, 1, 1), 1, Method::newton, "solver: {krylov: direct}").check();
      });
  check_error(
      "text:3:18: the matrix of a step is too large to be factored\n  expected  at most 5000 unknowns\n  found     5010\n  "
      "try       krylov: auto",
      [] {
        stepping(of_rank({2500, 5}, 1, 1), 2, Method::gauss_newton, "solver: {krylov: direct}").check();
      });
}

BOOST_AUTO_TEST_CASE(gauss_newton_needs_squares) {
  check_error(
      "0.5*sum[0,1] (X(0,1) - sum[r] A_0(0,r)*A_1(1,r))^2 + sum[0,r] (A_0(0,r))^4: Gauss-Newton needs an objective that is a sum "
      "of "
      "squares\n  expected  norms squared with positive factors, weighted or not\n  try       method newton, which takes any "
      "objective",
      [] {
        stepping(of_rank({3, 4}, 1, 1), 1, Method::gauss_newton, "", 1).check();
      });
}

BOOST_AUTO_TEST_CASE(newton_takes_what_is_no_sum_of_squares) {
  const Result r =
      stepping(of_rank({3, 4, 2}, 1, 1), 1, Method::newton, "solver: {tolerance: 0, gradient_tolerance: 1e-8}", 0.1).run();
  BOOST_CHECK(r.outcome.stop == Stop::converged);
  BOOST_TEST(never_rises(r));
}

BOOST_AUTO_TEST_CASE(the_product_never_touches_the_data) {
  const std::string plan = stepping(of_rank({30, 20, 10}, 3, 4), 3, Method::gauss_newton).explain();
  std::istringstream lines(plan);
  bool in_product = false;
  int products = 0;
  for (std::string line; std::getline(lines, line);) {
    if (!line.empty() && std::isdigit(static_cast<unsigned char>(line[0]))) {
      in_product = line.find("product by") != std::string::npos;
      products += in_product;
    }
    BOOST_TEST(!(in_product && line.find("X(") != std::string::npos), line);
  }
  BOOST_TEST(products >= 3);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace tyto::session
