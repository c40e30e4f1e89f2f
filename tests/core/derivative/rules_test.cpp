// The derivative rules of everything that is no einsum, and what is made of several.
#include <boost/test/unit_test.hpp>
#include "core/derivative/check_derivatives.hpp"

using namespace tyto::v1;
using namespace tyto::test;

namespace {

struct Fixture {
  Index i{"i", 2}, j{"j", 3}, k{"k", 2}, r{"r", 2};
  Expr a = tensor("A", {i, r}), b = tensor("B", {j, r}), c = tensor("C", {i, r}), v = tensor("v", {i}), s = tensor("s", {});
  Values values;
  /// Random values of a leaf with rows and columns (n each), batch matrices one after another: 3 on the diagonal.
  void set_well_conditioned(const Expr& m, std::size_t batch, std::size_t n) {
    Numbers numbers = random_numbers(static_cast<std::int64_t>(batch * n * n), 3);
    for (std::size_t one = 0; one < batch; ++one)
      for (std::size_t d = 0; d < n; ++d) numbers[(one * n + d) * n + d] += 3;
    values.set(m, numbers);
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(rules, Fixture)

BOOST_AUTO_TEST_CASE(combinations) {
  check_derivatives(2 * a - 0.5 * c + a * c, {a, c}, values);
  check_derivatives(a - permute(c, {r, i}), {a, c}, values);
  check_derivatives(1 - a, {a}, values);
  check_derivatives(-3 * s, {s}, values);
}

BOOST_AUTO_TEST_CASE(powers) {
  for (const double exponent : {2.0, 3.0, 0.5, -1.0, 1.7, -2.5}) check_derivatives(pow(a, exponent), {a}, values, 0.5, 1.5);
  for (const double exponent : {2.0, 3.0}) check_derivatives(pow(a, exponent), {a}, values);
  check_derivatives(square(a), {a}, values);
  check_derivatives(sqrt(s), {s}, values, 0.5, 1.5);
}

BOOST_AUTO_TEST_CASE(quotients_and_norms) {
  check_derivatives(a / c, {a, c}, values, 0.5, 1.5);
  check_derivatives(a / s, {a, s}, values, 0.5, 1.5);
  check_derivatives(norm(a), {a}, values);
  check_derivatives(a / norm(a), {a}, values);
  check_derivatives(norm2(a) / norm2(c), {a, c}, values);
}

BOOST_AUTO_TEST_CASE(inverses) {
  const Expr m = tensor("M", {r, r.prime()});
  set_well_conditioned(m, 1, 2);
  check_derivatives(inverse(m, {r}), {m}, values);
  check_derivatives(einsum({inverse(m, {r}), c({i, r})}, {r.prime(), i}), {m, c}, values);
  check_derivatives(inverse(s, {}), {s}, values, 0.5, 1.5);
}

BOOST_AUTO_TEST_CASE(inverses_with_two_row_axes) {
  const Index columns("q", 4);
  const Expr m = tensor("M", {i, k, columns});
  set_well_conditioned(m, 1, 4);
  check_derivatives(inverse(m, {i, k}), {m}, values);
}

BOOST_AUTO_TEST_CASE(solves_by_matrix_and_right_side) {
  const Expr m = tensor("M", {r, r.prime()});
  set_well_conditioned(m, 1, 2);
  check_derivatives(solve(m, b, {r}), {m, b}, values);
  check_derivatives(solve(m({r.prime(), r}), tensor("u", {r}), {r}), {m}, Values(values).set("u", {1, -2}));
}

BOOST_AUTO_TEST_CASE(solves_with_batch_axes) {
  const Index n("n", 2);
  const Expr m = tensor("M", {n, r, r.prime()}), right = tensor("R", {n, r, i});
  set_well_conditioned(m, 2, 2);
  check_derivatives(solve(m, right, {r}), {m, right}, values);
}

BOOST_AUTO_TEST_CASE(solves_with_two_rows_and_one_column) {
  const Index columns("q", 4);
  const Expr m = tensor("M", {i, k, columns}), right = tensor("R", {k, i});
  set_well_conditioned(m, 1, 4);
  check_derivatives(solve(m, right, {i, k}), {m, right}, values);
}

BOOST_AUTO_TEST_CASE(solves_in_which_matrix_and_right_side_have_one_origin) {
  const Expr m = tensor("M", {r, r.prime()});
  set_well_conditioned(m, 1, 2);
  check_derivatives(solve(m, m({r, i}), {r}) * 1.0 + 0.5 * solve(m, square(m)({r, i}), {r}), {m}, values);
}

BOOST_AUTO_TEST_CASE(inverses_over_batches_of_nodes) {
  // Expressions make no batch inverse; passes do.
  const Expr m = tensor("M", {k, r, r.prime()});
  set_well_conditioned(m, 2, 2);
  const tyto::graph::NodeId node = m.store()->insert(tyto::graph::Inverse{1, 1}, {m.id()});
  check_derivatives(Expr(m.store(), node, m.shape()), {m}, values);
}

BOOST_AUTO_TEST_CASE(nested_products_and_shared_intermediates) {
  const Expr product = einsum({a, b}, {i, j}), x = tensor("X", {i, j});
  check_derivatives(x - product, {a, b}, Values().randomize(x, 1));
  check_derivatives(product * product + 2 * product, {a, b}, values);
  check_derivatives(sqrt(1 + square(product)) * product, {a, b}, values);
}

BOOST_AUTO_TEST_CASE(repetition_of_scalars_and_constants) {
  check_derivatives(expand(s, {i, j}) * expand(Expr(2.0), {i, j}), {s}, values);
  check_derivatives(expand(norm2(a), {i}) * v, {a, v}, values);
}

BOOST_AUTO_TEST_SUITE_END()
