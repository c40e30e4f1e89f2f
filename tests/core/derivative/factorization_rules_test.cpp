// Rules of factorizations, at points where values differ and at points where they agree.
#include <boost/test/unit_test.hpp>
#include "core/derivative/check_derivatives.hpp"

using namespace tyto::v1;
using namespace tyto::test;

namespace {

struct Fixture {
  Index n{"n", 3}, m{"m", 2}, w{"w", 4}, bond{"bond", 2}, full{"full", 3}, batch{"batch", 2};
  Expr tall = tensor("T", {n, m}), wide = tensor("W", {m, w}), square_ = tensor("S", {n, n.prime()});
  Values values = Values().set(tall, {2, 0.3, -0.4, 1.5, 0.7, 0.2}).set(wide, {1.2, 0.1, -0.5, 0.3, 0.4, 2.1, 0.2, -0.7});
  Fixture() { values.set(square_, {4, 0.3, -0.2, 0.5, 2.5, 0.4, 0.1, -0.3, 1.2}); }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(factorization_rules, Fixture)

BOOST_AUTO_TEST_CASE(cholesky_factors) {
  check_derivatives(cholesky(square_, {n}), {square_}, values);
  check_derivatives(log(einsum("ii->i", {cholesky(square_, {n})})), {square_}, values);
}

BOOST_AUTO_TEST_CASE(qr_factors) {
  const Qr of_tall = qr(tall, {n}, bond), of_wide = qr(wide, {m}, bond);
  check_derivatives(of_tall.q, {tall}, values);
  check_derivatives(of_tall.r, {tall}, values);
  check_derivatives(of_wide.q, {wide}, values);
  check_derivatives(of_wide.r, {wide}, values);
  check_derivatives(qr(square_, {n}, full).r, {square_}, values);
}

BOOST_AUTO_TEST_CASE(singular_values_and_vectors) {
  const Svd of_tall = svd(tall, {n}, bond), of_wide = svd(wide, {m}, bond);
  for (const Expr& part : {of_tall.u, of_tall.s, of_tall.v}) check_derivatives(part, {tall}, values);
  for (const Expr& part : {of_wide.u, of_wide.s, of_wide.v}) check_derivatives(part, {wide}, values);
}

BOOST_AUTO_TEST_CASE(eigenpairs) {
  const Eigen of = symmetric_eigen(square_, {n}, full);
  check_derivatives(of.values, {square_}, values);
  check_derivatives(of.vectors, {square_}, values);
}

BOOST_AUTO_TEST_CASE(solves_of_symmetric_systems) {
  const Expr b = tensor("b", {n});
  for (const Matrix structure : {Matrix::symmetric, Matrix::positive_definite})
    check_derivatives(solve(square_, b, {n}, structure), {square_, b}, values);
}

BOOST_AUTO_TEST_CASE(several_labels_and_batches) {
  const Index a("a", 2), c("c", 2), d("d", 3), k("k", 3);
  const Expr x = tensor("x", {a, c, d});
  Values at;
  at.randomize(x, 5);
  check_derivatives(svd(x, {a, c}, k).s, {x}, at);
  check_derivatives(qr(x, {a, c}, k).r, {x}, at);
  const Expr batched = tensor("y", {batch, n, m});
  at.randomize(batched, 7);
  check_derivatives(qr(batched, {n}, bond, {batch}).q, {batched}, at);
  check_derivatives(svd(batched, {n}, bond, {batch}).v, {batched}, at);
}

BOOST_AUTO_TEST_CASE(equal_values_leave_derivatives_finite) {
  const Eigen of = symmetric_eigen(square_, {n}, full);
  // Of the sum of f(A) = V f(w) V^T with f = exp: right also where eigenvalues agree.
  const Expr f = sum(einsum({of.vectors, exp(of.values), of.vectors({n.prime(), full})}, {n, n.prime()}));
  const Values twice = Values().set(square_, {2, 0, 0, 0, 2, 0, 0, 0, 5});
  const Numbers gradient_at = evaluate(gradient(f, square_), twice);
  for (const double value : gradient_at) BOOST_TEST(std::isfinite(value));
  BOOST_TEST(gradient_at[0] == std::exp(2.0), boost::test_tools::tolerance(1e-12));
  BOOST_TEST(gradient_at[8] == std::exp(5.0), boost::test_tools::tolerance(1e-12));
  const Svd of_tall = svd(tall, {n}, bond);
  const Values equal = Values().set(tall, {3, 0, 0, 3, 0, 0});
  for (const Expr& part : {of_tall.u, of_tall.v})
    for (const double value : evaluate(jacobian(part, tall), equal)) BOOST_TEST(std::isfinite(value));
}

BOOST_AUTO_TEST_SUITE_END()
