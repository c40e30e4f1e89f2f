// Symbolic derivatives against differences: of single expressions, and of the objectives of a run.
#include <boost/test/unit_test.hpp>
#include "core/session/runs.hpp"
#include "evaluate/evaluate.hpp"
#include "tyto/compile.hpp"
#include "tyto/derivative.hpp"

namespace tyto::session {

namespace {

using v1::einsum, v1::tensor;  // not the namespaces
const Index i("i", 4), j("j", 3), k("k", 2), r("r", 2);

/// With values between 1/2 and 3/2, away from where roots and quotients end.
struct Leaves {
  Expr x = tensor("X", {i, j, k}), a = tensor("A", {i, r}), b = tensor("B", {j, r}), c = tensor("C", {k, r});
  test::Values values;
  Leaves() {
    for (const Expr& leaf : {x, a, b, c}) values.randomize(leaf, 7, 0.5, 1.5);
  }
  std::vector<Bound> at() const {
    std::vector<Bound> all;
    for (const Expr& leaf : {x, a, b, c}) {
      Extents extents;
      for (const Index& label : leaf.shape()) extents.push_back(label.extent());
      all.push_back({leaf, ConstArray(values[leaf].data(), extents)});
    }
    return all;
  }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(derivative_checks)

BOOST_AUTO_TEST_CASE(symbolic_derivatives_agree_with_differences) {
  const Leaves l;
  const Expr model = einsum({l.a, l.b, l.c}, {i, j, k});
  for (const Expr& y : {0.5 * norm2(l.x - model), model, sqrt(square(l.a) + 1) / pow(l.a, 3), inner(l.x, model) / norm2(l.a),
                        gradient(norm2(model), l.a), einsum({l.a, l.a}, {}) * l.b}) {
    const DerivativeCheck check = check_derivative(y, l.a, l.at());
    BOOST_TEST(check.agrees, y.text() << ": " << check.worst << ", " << check.largest_difference << " > " << check.allowed);
    BOOST_TEST(check.allowed < 1e-11);
    BOOST_TEST(check.method == "complex step");
    BOOST_TEST(check.worst.find(" by (") != std::string::npos);
  }
}

BOOST_AUTO_TEST_CASE(what_has_no_complex_derivative_is_compared_with_differences) {
  const Leaves l;
  const Expr matrix = tensor("M", {i, i.prime()});
  for (const Expr& y :
       {abs(l.a), maximum(l.a, 0.9 * l.a), l.a * sign(l.a), max(l.a, {i}), softmax(l.a, {i}), relu(l.a),
        solve(einsum({l.a, l.a({i, r.prime()})}, {r, r.prime()}) + identity(r, r.prime()), l.b, {r}, Matrix::positive_definite)}) {
    const DerivativeCheck check = check_derivative(y, l.a, l.at());
    BOOST_TEST(check.agrees, y.text() << ": " << check.worst << ", " << check.largest_difference << " > " << check.allowed);
    BOOST_TEST(check.method == "central differences", y.text());
  }
  // What does not depend on the leaf may be anything.
  BOOST_TEST(check_derivative(l.a * sign(sum(l.b) - 1), l.a, l.at()).method == "complex step");
}

BOOST_AUTO_TEST_CASE(smooth_functions_powers_and_systems_take_a_complex_step) {
  const Leaves l;
  const Expr gram = einsum({l.a, l.a({i, r.prime()})}, {r, r.prime()}) + identity(r, r.prime());
  for (const Expr& y : {exp(l.a), log(l.a), sin(l.a) * cos(l.a), tanh(l.a), sigmoid(l.a), pow(l.a, -3), pow(l.a, 1.7), norm(l.a),
                        inverse(gram, {r}), solve(gram, l.b, {r}), slice(l.a, i, 1, k), reshape(l.a, {Index("n", 8)})}) {
    const DerivativeCheck check = check_derivative(y, l.a, l.at());
    BOOST_TEST(check.agrees, y.text() << ": " << check.worst << ", " << check.largest_difference << " > " << check.allowed);
    BOOST_TEST(check.method == "complex step", y.text() << ": " << check.allowed);
  }
}

BOOST_AUTO_TEST_CASE(powers_of_negative_numbers_keep_their_step) {
  const Expr a = tensor("A", {i});
  const std::vector<double> values{-1.25, 2, -0.5, -3};
  for (const double exponent : {-3, -2, -1, 1, 2, 3, 4, 5, 6, 7}) {
    const DerivativeCheck check = check_derivative(pow(a, exponent) + 1, a, {{a, ConstArray(values.data(), {4})}});
    BOOST_TEST(check.agrees, exponent << ": " << check.worst);
    BOOST_TEST(check.method == "complex step", exponent << ": " << check.worst << ", " << check.allowed);
  }
}

BOOST_AUTO_TEST_CASE(the_point_of_the_check_may_be_a_strided_array_in_single_precision) {
  const Expr a = tensor("A", {i, r});
  const std::vector<float> values{1, 2, 3, 4, 5, 6, 7, 8};
  BOOST_TEST(check_derivative(norm2(a) * a, a, {{a, ConstArray(values.data(), {4, 2}, {1, 4})}}).agrees);
}

BOOST_AUTO_TEST_CASE(zeros_and_entries_of_very_different_size_are_no_trouble) {
  const Expr a = tensor("A", {i});
  for (const std::vector<double>& values : {std::vector<double>{0, 0, 0, 0}, {1e-6, 1, 1e3, 0}, {1e-150, 1e-150, 2e-150, 1e-150}})
    BOOST_TEST(check_derivative(3 * sum(a) + norm2(a), a, {{a, ConstArray(values.data(), {4})}}).agrees);
  const std::vector<double> positive{1e-6, 1, 1e3, 1};
  BOOST_TEST(check_derivative(sqrt(a), a, {{a, ConstArray(positive.data(), {4})}}).agrees);
}

BOOST_AUTO_TEST_CASE(entries_of_a_symmetric_leaf_are_moved_one_by_one) {
  // The optimizer may exchange the axes of h; the check may not.
  const Expr h = tensor("H", {i, i.prime()}, Field::real, {.symmetric = {{i, i.prime()}}}), v = tensor("v", {i}),
             w = tensor("w", {i});
  const std::vector<double> matrix{1, 2, 3, 4, 2, 5, 6, 7, 3, 6, 8, 9, 4, 7, 9, 10}, first{0.5, 0.25, -1, 0.75},
      second{1, -0.5, 0.125, 2};
  const std::vector<Bound> at{
      {h, ConstArray(matrix.data(), {4, 4})}, {v, ConstArray(first.data(), {4})}, {w, ConstArray(second.data(), {4})}};
  const Expr form = einsum({w, h, v({i.prime()})}, {}) + exp(einsum({v, h, w({i.prime()})}, {}) * 0.1);
  const DerivativeCheck check = check_derivative(form, h, at);
  BOOST_TEST(check.agrees, check.worst << ", " << check.largest_difference << " > " << check.allowed);
}

BOOST_AUTO_TEST_CASE(what_does_not_depend_on_the_leaf_agrees) {
  const Leaves l;
  BOOST_TEST(check_derivative(norm2(l.b), l.a, l.at()).agrees);
  BOOST_TEST(check_derivative(3, l.a, l.at()).agrees);
}

BOOST_AUTO_TEST_CASE(a_derivative_that_is_not_there_does_not_agree) {
  const Expr a = tensor("A", {i});
  const std::vector<double> values{1, 0, 1, 1};
  const DerivativeCheck check = check_derivative(sqrt(a), a, {{a, ConstArray(values.data(), {4})}});
  BOOST_TEST(!check.agrees);
  BOOST_TEST(check.worst.find(" by (1): ") != std::string::npos, check.worst);
}

BOOST_AUTO_TEST_CASE(the_objectives_of_a_run_are_checked_by_every_unknown_that_is_not_fixed) {
  const Table x = of_rank({4, 5, 3}, 2, 61, 0.3);
  const std::vector<ObjectiveDerivative> all = cp_als(x, 2, "unknowns: {A_1: {ridge: 0.5}}\n").check_derivatives();
  BOOST_TEST_REQUIRE(all.size() == 6U);
  const std::vector<std::string> unknowns{"A_0", "A_0", "A_1", "A_1", "A_2", "A_2"};
  for (std::size_t n = 0; n < all.size(); ++n) {
    BOOST_TEST(all[n].objective == "objective");
    BOOST_TEST(all[n].unknown == unknowns[n]);
    BOOST_TEST(all[n].derivative == (n % 2 == 0 ? "gradient" : "Hessian times vector"));
    BOOST_TEST(all[n].result.agrees, all[n].result.worst);
    BOOST_TEST(all[n].result.allowed < 1e-6);
  }
  BOOST_TEST(all[0].checked == "3 directions, 8 entries");
  BOOST_TEST(all[2].checked == "3 directions, 8 of 10 entries");
  BOOST_TEST(all[4].checked == "3 directions, 6 entries");
  BOOST_TEST(all[5].checked == "3 directions");
}

BOOST_AUTO_TEST_CASE(fixed_unknowns_are_not_checked) {
  const std::string folder = fresh_folder("checked_fixed");
  const Table x = of_rank({4, 5, 3}, 2, 62, 0.3);
  const std::string start = written(folder, "start", plain::random({5, 2}, 5));
  const std::vector<ObjectiveDerivative> all =
      cp_als(x, 2, "unknowns: {A_1: {fixed: true, init: {file: " + start + "}}}\n").check_derivatives();
  BOOST_TEST_REQUIRE(all.size() == 4U);
  for (const ObjectiveDerivative& d : all) {
    BOOST_TEST(d.unknown != "A_1");
    BOOST_TEST(d.result.agrees, d.result.worst);
  }
}

BOOST_AUTO_TEST_CASE(a_run_in_single_precision_is_checked_in_double) {
  const Table x = of_rank({4, 5, 3}, 2, 63, 0.3);
  for (const ObjectiveDerivative& d : cp_als(x, 2, "execution: {precision: f32}\n").check_derivatives())
    BOOST_TEST(d.result.agrees, d.result.worst);
}

BOOST_AUTO_TEST_CASE(an_objective_that_overflows_does_not_agree) {
  const Table x = of_rank({4, 5, 3}, 2, 64);
  for (const ObjectiveDerivative& d : cp_als(x, 2, "unknowns: {A_1: {ridge: 1e308}}\n").check_derivatives())
    BOOST_TEST((d.derivative != "gradient" || !d.result.agrees), d.unknown << ": " << d.result.worst);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace tyto::session
