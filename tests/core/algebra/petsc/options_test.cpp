// What a user tells PETSc in its own words, and what PETSc answers.
#include <boost/test/unit_test.hpp>
#include <unistd.h>
#include <cstdio>
#include "core/algebra/loaded.hpp"

namespace tyto::algebra {
namespace {

using Options = std::vector<std::pair<std::string, std::string>>;

struct Answers {
  std::string log;
  std::vector<std::string> unused;
};

class Silent final : public Monitor {
 public:
  bool proceed(const MinimizerProgress&) override { return true; }
};

/// (x - 1)^2 + (y - 2)^2 / 2
class Bowl final : public SmoothFunction {
 public:
  double value(const Vector& at) override {
    const double* x = at.read().as<double>();
    return (x[0] - 1) * (x[0] - 1) + (x[1] - 2) * (x[1] - 2) / 2;
  }
  void gradient(const Vector& at, Vector& result) override {
    const double x = at.read().as<double>()[0], y = at.read().as<double>()[1];
    double* g = result.write().as<double>();
    g[0] = 2 * (x - 1);
    g[1] = y - 2;
  }
  bool has_hessian() const override { return true; }
  void hessian_product(const Vector&, const Vector& v, Vector& result) override {
    const double x = v.read().as<double>()[0], y = v.read().as<double>()[1];
    double* h = result.write().as<double>();
    h[0] = 2 * x;
    h[1] = y;
  }
};

Library asking(Answers& answers, Options options) {
  return {.options = std::move(options),
          .log = [&answers](const std::string& text) { answers.log += text; },
          .unused = [&answers](const std::string& name) { answers.unused.push_back(name); }};
}

Answers solve(const std::string& method, Options options) {
  Answers answers;
  const DenseMap a(2, 2, {2, 1, 1, 3}, true);
  const HostVector b(Values{1, 2});
  HostVector x(2);
  solvers().linear_solver(method).solve(a, b, x, {.library = asking(answers, std::move(options))});
  return answers;
}

Answers minimize(const std::string& method, Options options) {
  Answers answers;
  Bowl f;
  Silent silent;
  HostVector x(2);
  solvers().minimizer(method).minimize(f, x, silent, {.library = asking(answers, std::move(options))});
  return answers;
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

BOOST_AUTO_TEST_SUITE(petsc_options)

BOOST_AUTO_TEST_CASE(the_solver_describes_itself_in_the_log) {
  for (const std::string type : {"cg", "minres", "gmres", "stcg", "nash", "gltr"}) {
    const Answers answers = solve("petsc-" + type, {});
    BOOST_TEST(contains(answers.log, "type: " + type), answers.log);
    BOOST_TEST(contains(answers.log, "type: none"), answers.log);  // the preconditioner
    BOOST_TEST(answers.unused.empty());
  }
  for (const std::string type : {"ntr", "nls", "bntr", "blmvm", "lmvm"}) {
    const Answers answers = minimize("petsc-" + type, {});
    BOOST_TEST(contains(answers.log, "type: " + type), answers.log);
    BOOST_TEST(!contains(answers.log, "ilu"), answers.log);
  }
}

BOOST_AUTO_TEST_CASE(options_reach_the_solver) {
  BOOST_TEST(contains(solve("petsc-cg", {{"ksp_type", "minres"}}).log, "type: minres"));
  BOOST_TEST(contains(solve("petsc-gmres", {{"-ksp_gmres_restart", "7"}}).log, "restart=7"));
  BOOST_TEST(contains(minimize("petsc-lmvm", {{"tao_type", "cg"}}).log, "type: cg"));
}

BOOST_AUTO_TEST_CASE(options_reach_the_solvers_inside_a_minimizer) {
  BOOST_TEST(contains(minimize("petsc-ntr", {{"tao_ntr_ksp_type", "gltr"}}).log, "type: gltr"));
  BOOST_TEST(contains(minimize("petsc-bntr", {{"tao_bnk_ksp_type", "nash"}, {"tao_bnk_pc_type", "none"}}).log, "type: nash"));
  BOOST_TEST(contains(minimize("petsc-nls", {{"tao_ls_type", "unit"}}).log, "type: unit"));
}

BOOST_AUTO_TEST_CASE(options_of_one_solve_do_not_reach_the_next) {
  solve("petsc-cg", {{"ksp_type", "minres"}});
  BOOST_TEST(contains(solve("petsc-cg", {}).log, "type: cg"));
}

BOOST_AUTO_TEST_CASE(what_petsc_prints_meanwhile_is_in_the_log) {
  BOOST_TEST(contains(solve("petsc-cg", {{"ksp_monitor", ""}}).log, "KSP Residual norm"));
  BOOST_TEST(contains(minimize("petsc-ntr", {{"tao_monitor", ""}}).log, "Residual: "));
}

BOOST_AUTO_TEST_CASE(nothing_reaches_the_terminal_without_a_log) {
  const DenseMap a(2, 2, {2, 1, 1, 3}, true);
  const HostVector b(Values{1, 2});
  HostVector x(2);
  std::fflush(stdout);
  const int terminal = dup(STDOUT_FILENO);
  std::FILE* const caught = std::tmpfile();
  dup2(fileno(caught), STDOUT_FILENO);
  solvers().linear_solver("petsc-cg").solve(a, b, x, {.library = {.options = {{"ksp_monitor", ""}, {"ksp_view", ""}}}});
  std::fflush(stdout);
  const auto printed = lseek(fileno(caught), 0, SEEK_END);
  dup2(terminal, STDOUT_FILENO);
  close(terminal);
  std::fclose(caught);
  BOOST_TEST(printed == 0);
}

BOOST_AUTO_TEST_CASE(options_that_nobody_asked_for_are_reported) {
  const std::vector<std::string> unused =
      solve("petsc-cg", {{"ksp_rtol", "1e-3"}, {"ksp_gmres_restart", "7"}, {"nonsense", "1"}}).unused;
  BOOST_TEST(unused == (std::vector<std::string>{"ksp_gmres_restart", "nonsense"}), boost::test_tools::per_element());
  BOOST_TEST(minimize("petsc-ntr", {{"tao_gatol", "1e-3"}, {"ksp_typ", "gltr"}}).unused == std::vector<std::string>{"ksp_typ"},
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(unknown_types_are_errors_that_list_the_known_ones) {
  check_error(Code::third_party,
              {"PETSc failed: ", "KSP type cgg", "  expected  ", "bicg, ", "gmres, ",
               "  found     error 86 in KSPSetType: ", "  try       another name for the type, or leaving the choice to tyto"},
              [] {
                solve("petsc-cg", {{"ksp_type", "cgg"}});
              });
  check_error(Code::third_party, {"error 86 in PCSetType: ", "jacobi"}, [] { solve("petsc-cg", {{"pc_type", "jacobian"}}); });
  check_error(Code::third_party, {"error 86 in TaoSetType: ", "lmvm"}, [] { minimize("petsc-ntr", {{"tao_type", "newton"}}); });
  BOOST_TEST(contains(solve("petsc-cg", {}).log, "type: cg"));  // and the next solve is as if nothing had been
}

BOOST_AUTO_TEST_CASE(names_that_cannot_be_options_are_refused) {
  check_error(Code::unknown_word, {"'3' cannot be the name of an option of PETSc"}, [] { solve("petsc-cg", {{"3", "1"}}); });
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace tyto::algebra
