// Objects by name, and what is said about a name that leads to none.
#include "backend/registry.hpp"

#include <boost/test/unit_test.hpp>
#include "algebra/conjugate_gradient.hpp"
#include "core/backend/folders.hpp"

namespace tyto::backend {

BOOST_AUTO_TEST_SUITE(registry)

BOOST_AUTO_TEST_CASE(holds_built_in_objects_and_those_of_backends) {
  Registry mine;
  mine.add(std::make_unique<algebra::ConjugateGradient>());
  mine.add(load(good, "bare"));
  mine.add(load(good, "dummy"));
  BOOST_TEST(mine.linear_solver("conjugate-gradient").name() == "conjugate-gradient");
  BOOST_TEST(mine.linear_solver("dummy-elimination").name() == "dummy-elimination");
  BOOST_TEST(mine.executor("dummy").name() == "dummy");
  BOOST_TEST(mine.has_executor("dummy"));
  BOOST_TEST(!mine.has_executor("cuda"));
  BOOST_TEST(mine.executors() == std::vector<std::string>{"dummy"}, boost::test_tools::per_element());
  const Registry moved = std::move(mine);
  BOOST_TEST(moved.executor("dummy").name() == "dummy");
}

BOOST_AUTO_TEST_CASE(unknown_names_get_the_nearest) {
  Registry mine;
  mine.add(load(good, "dummy"));
  check_error(Code::unknown_word,
              "unknown executor 'dumy'\n"
              "  expected  dummy\n"
              "  found     dumy\n"
              "  try       dummy",
              [&] { mine.executor("dumy"); });
  check_error(Code::unknown_word,
              "unknown minimizer 'bfgs'\n"
              "  expected  dummy-newton\n"
              "  found     bfgs",
              [&] { mine.minimizer("bfgs"); });
  check_error(Code::unknown_word,
              "unknown communicator 'mpi'\n"
              "  expected  dummy\n"
              "  found     mpi",
              [&] { mine.communicator("mpi", nullptr); });
}

BOOST_AUTO_TEST_CASE(says_why_a_known_name_is_missing) {
  Registry mine;
  mine.add(load(good, "dummy"));
  mine.note_missing("cuda", "not built");
  check_error(Code::unknown_word,
              "executor 'cuda' is missing here\n"
              "  expected  dummy\n"
              "  found     cuda: not built",
              [&] { mine.executor("cuda"); });
}

BOOST_AUTO_TEST_CASE(an_empty_registry_says_so) {
  const Registry none;
  check_error(Code::unknown_word, "unknown SVD solver 'lapack'\n  expected  the name of one; there are none\n  found     lapack",
              [&] { none.svd_solver("lapack"); });
  check_error(Code::unknown_word,
              "unknown eigenvalue solver 'slepc'\n  expected  the name of one; there are none\n  found     slepc",
              [&] { none.eigen_solver("slepc"); });
}

BOOST_AUTO_TEST_CASE(refuses_a_name_that_is_taken) {
  Registry mine;
  mine.add(std::make_unique<algebra::ConjugateGradient>());
  check_error(Code::backend,
              "'conjugate-gradient' is registered twice\n"
              "  expected  names other than conjugate-gradient\n"
              "  found     conjugate-gradient\n"
              "  try       using one of the backends that offer it",
              [&] { mine.add(std::make_unique<algebra::ConjugateGradient>()); });
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace tyto::backend
