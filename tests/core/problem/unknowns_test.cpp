// Unknowns, their traits, and what the user says over the plugin.
#include <boost/test/unit_test.hpp>
#include "core/problem/recorded.hpp"

using namespace tyto::v1;
using namespace tyto::test;

namespace {

struct Fixture : Recorded {
  /// Declares the unknown A in an objective, returns what is recorded of it.
  tyto::problem::Unknown declared(const Traits& by_plugin = {}) {
    const Expr a = recorder.unknown("A", {i, r}, by_plugin);
    recorder.minimize(norm2(a));
    return recorder.finish().unknowns[0];
  }
  std::string refused(const Traits& by_plugin = {}) {
    return error_of([&] { recorder.unknown("A", {i, r}, by_plugin); });
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(unknowns, Fixture)

BOOST_AUTO_TEST_CASE(traits_of_the_plugin_hold_where_the_user_says_nothing) {
  const tyto::problem::Unknown a = declared({.ridge = 0.5, .init = "ones"});
  BOOST_TEST(a.expression.text() == "A(i,r)");
  BOOST_TEST(a.traits.ridge == 0.5);
  BOOST_TEST(a.traits.init == "ones");
  BOOST_TEST(!a.traits.fixed);
}

BOOST_AUTO_TEST_CASE(traits_of_the_user_are_merged_over_them_key_by_key) {
  traits["A"] = {.ridge = 0.0, .init = "hosvd", .where = at};
  const tyto::problem::Unknown a = declared({.ridge = 0.5});
  BOOST_TEST(a.traits.ridge == 0);
  BOOST_TEST(a.traits.init == "hosvd");
  BOOST_TEST(a.where.line == 7);
}

BOOST_AUTO_TEST_CASE(a_file_gives_the_start_and_a_fixed_unknown_needs_one) {
  traits["A"] = {.fixed = true, .init_file = "a.npy", .where = at};
  const tyto::problem::Unknown a = declared();
  BOOST_TEST(a.traits.fixed);
  BOOST_TEST(a.traits.init == "given");
  BOOST_TEST(a.init_file == "a.npy");
}

BOOST_AUTO_TEST_CASE(a_fixed_unknown_without_values_is_refused) {
  traits["A"] = {.fixed = true, .where = at};
  BOOST_TEST(refused() ==
             "run.yaml:7:3: A is fixed and has no values\n  expected  init: {file: ...}\n  found     init: random\n"
             "  try       {fixed: true, init: {file: ...}}");
}

BOOST_AUTO_TEST_CASE(not_negative_is_a_lower_bound_of_zero) {
  const double none = std::numeric_limits<double>::infinity();
  const tyto::problem::Unknown a = declared({.nonnegative = true});
  BOOST_TEST(a.lower == 0);
  BOOST_TEST(a.upper == none);
}
BOOST_AUTO_TEST_CASE(the_user_says_whether_an_unknown_may_be_negative) {
  traits["A"] = {.nonnegative = false, .where = at};
  BOOST_TEST(declared({.nonnegative = true}).lower == -std::numeric_limits<double>::infinity());
}
BOOST_AUTO_TEST_CASE(the_tighter_of_two_lower_bounds_holds) {
  traits["A"] = {.nonnegative = true, .lower = -1.0, .where = at};
  BOOST_TEST(declared().lower == 0);
}
BOOST_AUTO_TEST_CASE(a_larger_lower_bound_stays) {
  traits["A"] = {.nonnegative = true, .lower = 0.5, .where = at};
  BOOST_TEST(declared().lower == 0.5);
}
BOOST_AUTO_TEST_CASE(bounds_that_leave_no_value_are_refused) {
  traits["A"] = {.nonnegative = true, .upper = -1.0, .where = at};
  BOOST_TEST(refused() ==
             "run.yaml:7:3: the bounds of A leave no value\n  expected  >= 0, being nonnegative\n  found     upper: -1\n"
             "  try       lower <= upper");
}

BOOST_AUTO_TEST_CASE(traits_of_a_later_version_are_refused_by_name) {
  const std::string later =
      " (A) is not part of this version\n  try       fixed, nonnegative, ridge or init, which this version has";
  BOOST_TEST(refused({.symmetric = {{i, r}}}) == "a symmetric unknown" + later);
}

BOOST_AUTO_TEST_CASE(an_orthonormal_unknown_has_the_fact_and_no_more_vectors_than_entries) {
  recorder.unknown("U", {i, r}, {.orthonormal = {r}});
  recorder.minimize(-norm2(recorder.unknown("V", {j, r}, {.orthonormal = {r}})));
  const auto wide = error_of([&] { recorder.unknown("W", {i, j}, {.orthonormal = {j}}); });
  BOOST_TEST(wide ==
             "W is declared orthonormal and cannot be\n  expected  no more vectors than each has entries\n  found     vectors: 3, "
             "entries of each: 2");
  BOOST_TEST(error_of([&] { recorder.unknown("Q", {i}, {.orthonormal = {r}}); }) ==
             "Q is declared orthonormal in r, which it does not have\n  expected  some of its labels i");
  BOOST_TEST(error_of([&] {
               recorder.unknown("P", {i, r}, {.orthonormal = {r}, .ridge = 2});
             }) == "a ridge on P would be a constant: its columns are orthonormal\n  expected  ridge: 0\n  found     ridge: 2");
}

BOOST_AUTO_TEST_CASE(a_negative_ridge_and_an_unknown_start_are_refused) {
  traits["A"] = {.ridge = -1.0, .where = at};
  BOOST_TEST(refused() == "run.yaml:7:3: the ridge of A is negative\n  expected  >= 0\n  found     -1");
  traits["A"] = {.init = "hosvdd", .where = at};
  BOOST_TEST(refused() ==
             "run.yaml:7:3: 'hosvdd' is no start for A\n  expected  random, random-normal, ones, zeros, hosvd, st-hosvd or given\n "
             " found    "
             " hosvdd\n  try       hosvd");
}

BOOST_AUTO_TEST_CASE(varying_labels_are_those_of_trains) {
  BOOST_TEST(error_of([&] { recorder.unknown("A", {Index("s", 2, 8)}, {}); }) ==
             "an unknown with a varying label (s of A) is not part of this version\n  try       labels of fixed extent are");
}

BOOST_AUTO_TEST_CASE(a_train_has_cores_with_bonds_that_either_side_can_fill) {
  const Exprs cores = recorder.train("psi", {i, j, Index("k", 2), Index("l", 2)}, {20}, Field::complex);
  BOOST_REQUIRE(cores.size() == 4U);
  BOOST_TEST(cores[1].name() == "psi[1]");
  BOOST_TEST((cores[1].field() == Field::complex));
  const std::vector<std::int64_t> bonds{1, 2, 4, 2, 1};
  for (std::size_t k = 0; k < 4; ++k) {
    BOOST_TEST(cores[k].axis(0).extent() == bonds[k]);
    BOOST_TEST(cores[k].axis(2).extent() == bonds[k + 1]);
  }
  BOOST_TEST(cores[1].axis(2).capacity() == 20);
  BOOST_TEST((cores[1].axis(2) == cores[2].axis(0)));
  BOOST_TEST(error_of([&] { recorder.train("one", {i}, {4}, Field::real); }) ==
             "the train one has 1 sites\n  expected  two or more\n  try       an unknown, for one tensor");
  BOOST_TEST(error_of([&] {
               recorder.train("caps", {i, j, i}, {4, 4, 4}, Field::real);
             }) == "the train caps has 3 capacities\n  expected  1 or 2");
  BOOST_TEST(error_of([&] {
               recorder.train("none", {i, j}, {0}, Field::real);
             }) == "the train none has bonds of capacity 0\n  expected  >= 1");
}

BOOST_AUTO_TEST_CASE(neighbours_of_a_train_are_merged) {
  const Exprs cores = recorder.train("psi", {i, j, Index("k", 2)}, {4}, Field::real);
  BOOST_TEST(recorder.merged(cores[0], cores[1]).order() == 4);
  BOOST_TEST(
      error_of([&] { recorder.merged(cores[0], cores[2]); }) ==
      "psi[0](psi.0,i,psi.1) and psi[2](psi.2,k,psi.3) are merged\n  expected  two neighbouring cores of one train, the left "
      "one first");
  BOOST_TEST(error_of([&] {
               recorder.merged(recorder.unknown("A", {i, r}, {}), cores[1]);
             }) ==
             "merged needs a core of a train, or two merged\n  expected  what train() or merged() returned\n  found     A(i,r)");
  BOOST_TEST(error_of([&] { recorder.split(cores[0]); }) ==
             "split() is asked for psi[0](psi.0,i,psi.1)\n  expected  what merged() returned");
}

BOOST_AUTO_TEST_CASE(states_and_parameters_are_leaves_with_their_start) {
  const Expr s = recorder.state("S", {i}), p = recorder.parameter("mu", 0.25), a = recorder.unknown("A", {i}, {});
  recorder.minimize(p * norm2(a - s));
  const tyto::problem::Problem problem = recorder.finish();
  BOOST_TEST(problem.states[0].expression.text() == "S(i)");
  BOOST_TEST(problem.parameters[0].expression.text() == "mu");
  BOOST_TEST(problem.parameters[0].values == std::vector<double>{0.25}, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()
