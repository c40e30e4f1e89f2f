// Rules of what moves elements, and of the named products, which are einsums.
#include <boost/test/unit_test.hpp>
#include "core/derivative/check_derivatives.hpp"

using namespace tyto::v1;
using namespace tyto::test;

namespace {

struct Fixture {
  Index i{"i", 2}, j{"j", 3}, k{"k", 4}, r{"r", 2};
  Expr a = tensor("A", {i, j}), b = tensor("B", {j, k}), x = tensor("X", {i, j, k});
  Values values;
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(structure_rules, Fixture)

BOOST_AUTO_TEST_CASE(reshapes) {
  const Index p("p", 6), q("q", 12);
  check_derivatives(square(reshape(a, {p})), {a}, values);
  check_derivatives(reshape(square(x), {r, q}) * 2.0, {x}, values);
}

BOOST_AUTO_TEST_CASE(slices_and_pads) {
  const Index part("part", 2), whole("whole", 7);
  check_derivatives(square(slice(b, k, 1, part)), {b}, values);
  check_derivatives(square(slice(b, k, 0, part, 3)), {b}, values);
  check_derivatives(pad(a, j, 1, whole, 2) * pad(a, j, 0, whole, 3), {a}, values);
  check_derivatives(index(x, k, 2) * a, {x, a}, values);
  check_derivatives(slice(pad(square(a), j, 2, whole), whole, 3, part), {a}, values);
}

BOOST_AUTO_TEST_CASE(concatenations) {
  const Index whole("whole", 5);
  const Expr c = tensor("C", {i, r});
  check_derivatives(square(concatenate({a, c}, {j, r}, whole)), {a, c}, values);
  check_derivatives(concatenate({a, permute(c, {r, i})}, {j, r}, whole) * 1.0, {a, c}, values);
  check_derivatives(square(concatenate({a, a}, {j, j}, Index("double", 6))), {a}, values);
}

BOOST_AUTO_TEST_CASE(products_by_name) {
  check_derivatives(matmul(a, b), {a, b}, values);
  check_derivatives(tensordot(x, b, {k, j}, {k, j}), {x, b}, values);
  check_derivatives(kronecker(a, b, Index("row", 6), Index("column", 12)), {a, b}, values);
  check_derivatives(khatri_rao(a, permute(b, {k, j}), Index("row", 8)), {a, b}, values);
  check_derivatives(hadamard(a, square(a)), {a}, values);
}

BOOST_AUTO_TEST_CASE(by_position) {
  check_derivatives(einsum("ij,jk->ki", {a, b}), {a, b}, values);
  check_derivatives(einsum("...j,jk->...k", {a, b}), {a, b}, values);
  const Expr m = tensor("M", {r, r.prime()});
  check_derivatives(einsum("ii->i", {m}), {m}, values);
  check_derivatives(einsum("ii", {m}), {m}, values);
  check_derivatives(einsum("ij->iij", {a}), {a}, values);
}

BOOST_AUTO_TEST_SUITE_END()
