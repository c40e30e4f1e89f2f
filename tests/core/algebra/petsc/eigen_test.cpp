// SLEPc's eigensolvers: what all of them must do, and what SLEPc is told and says.
#include <boost/test/unit_test.hpp>
#include "algebra/davidson.hpp"
#include "core/algebra/eigen_suite.hpp"
#include "core/algebra/loaded.hpp"

namespace tyto::algebra {
namespace {

const std::vector<std::string> methods{"slepc-krylovschur", "slepc-gd", "slepc-jd", "slepc-lobpcg"};

const EigenSolver& named(const std::string& name) { return solvers().eigen_solver(name); }

}  // namespace

BOOST_AUTO_TEST_SUITE(slepc_eigen)

EVERY_EIGEN_CASE

BOOST_AUTO_TEST_CASE(the_solver_describes_itself_and_takes_options) {
  Numbers numbers(41);
  const SymmetricMap a(semicircle(40, numbers), true);
  for (const std::string& method : methods) {
    std::string log;
    std::vector<std::string> unused;
    const Library library{.options = {{"eps_view", ""}, {"eps_nonsense", "1"}},
                          .log = [&](const std::string& text) { log += text; },
                          .unused = [&](const std::string& name) { unused.push_back(name); }};
    Vectors vectors;
    const EigenOutcome outcome = named(method).solve(a, {}, vectors, {.library = library});
    BOOST_CHECK_MESSAGE(outcome.outcome.stop == Stop::converged, method << ": " << outcome.outcome.reason);
    BOOST_TEST(log.find("type: " + method.substr(6)) != std::string::npos, log);
    if (method != "slepc-krylovschur") BOOST_TEST(log.find("tyto") != std::string::npos, log);  // the diagonal preconditions
    BOOST_TEST(unused == std::vector<std::string>{"eps_nonsense"}, boost::test_tools::per_element());
  }
}

BOOST_AUTO_TEST_CASE(small_problems_are_the_built_in_solvers_and_the_log_says_so) {
  const SymmetricMap a({2, 1, 1, 2});
  std::string log;
  Vectors vectors;
  named("slepc-lobpcg").solve(a, {}, vectors, {.library = {.log = [&](const std::string& text) { log += text; }}});
  BOOST_TEST(log == "davidson takes the place of slepc-lobpcg: 2 dimensions are too few for it\n");
}

BOOST_AUTO_TEST_CASE(all_solvers_agree) {
  Numbers numbers(42);
  const SymmetricMap a(semicircle(100, numbers));
  Vectors vectors;
  const EigenOutcome reference = Davidson().solve(a, {}, vectors, {.count = 3});
  for (const std::string& method : methods) {
    Vectors found;
    const EigenOutcome outcome = named(method).solve(a, {}, found, {.count = 3});
    BOOST_REQUIRE(outcome.values.size() == 3U);
    for (std::size_t k = 0; k < 3; ++k) {
      BOOST_TEST(std::abs(outcome.values[k] - reference.values[k]) <= 1e-9, method);
      BOOST_TEST(std::abs(found[k]->dot(*vectors[k])) >= 1 - 1e-9, method);
    }
  }
}

BOOST_AUTO_TEST_CASE(an_unknown_name_gets_a_suggestion) {
  check_error(Code::unknown_word,
              {"unknown eigenvalue solver 'slepc-krylovshur'\n"
               "  expected  slepc-krylovschur, slepc-gd, slepc-jd or slepc-lobpcg\n"
               "  found     slepc-krylovshur\n"
               "  try       slepc-krylovschur"},
              [] { named("slepc-krylovshur"); });
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace tyto::algebra
