// inverse and solve: checked by multiplying back.
#include <boost/test/unit_test.hpp>
#include "evaluate/evaluate.hpp"

using namespace tyto::v1;
using namespace tyto::test;

namespace {

/// Random numbers with a dominant diagonal over (rows..., columns...), `order` rows; batch matrices one after another.
Numbers well_conditioned(std::int64_t batch, std::int64_t order, std::uint64_t seed) {
  Numbers numbers = random_numbers(batch * order * order, seed);
  for (std::int64_t b = 0; b < batch; ++b)
    for (std::int64_t k = 0; k < order; ++k) numbers[static_cast<std::size_t>((b * order + k) * order + k)] += 3;
  return numbers;
}

void check_zero(const Expr& difference, const Values& values) {
  BOOST_CHECK_MESSAGE(largest(evaluate(difference, values)) < 1e-12, difference.text()
                                                                         << " is " << largest(evaluate(difference, values)));
}

}  // namespace

BOOST_AUTO_TEST_CASE(an_inverse_keeps_its_labels_in_place) {
  const Index r("r", 3), c("c", 3);
  const Expr m = tensor("M", {r, c});
  const Values values = Values().set(m, well_conditioned(1, 3, 1));
  // sum[c] M(r,c) * inverse(M)(r',c) = I(r,r')
  check_zero(einsum({m, inverse(m, {r})({r.prime(), c})}, {r, r.prime()}) - identity(r, r.prime()), values);
  check_zero(inverse(m, {r}) - inverse(m, {c}), values);
  check_zero(inverse(inverse(m, {r}), {r}) - m, values);
}

BOOST_AUTO_TEST_CASE(an_inverse_may_have_several_row_labels_in_any_place) {
  const Index p("p", 2), q("q", 3), c("c", 6);
  const Expr m = tensor("M", {p, c, q});
  Values values;
  Numbers numbers = random_numbers(36, 2);
  for (std::size_t x = 0; x < 2; ++x)
    for (std::size_t y = 0; y < 3; ++y) numbers[(x * 6 + x * 3 + y) * 3 + y] += 3;
  values.set(m, numbers);
  const Expr inverted = inverse(m, {q, p});
  BOOST_TEST((inverted.shape() == Indices{p, c, q}));
  check_zero(einsum({m, inverted({p.prime(), c, q.prime()})}, {p, q, p.prime(), q.prime()}) -
                 identity(p, p.prime()) * identity(q, q.prime()),
             values);
}

BOOST_AUTO_TEST_CASE(a_scalar_has_an_inverse) {
  const Expr s = tensor("s", {});
  BOOST_TEST(evaluate(inverse(s, {}), Values().set(s, {4}))[0] == 0.25);
}

BOOST_AUTO_TEST_CASE(a_solution_solves) {
  const Index r("r", 3), c("c", 3), k("k", 2);
  const Expr m = tensor("M", {c, r}), b = tensor("b", {k, r});
  const Values values = Values().set(m, well_conditioned(1, 3, 3)).randomize(b, 4);
  check_zero(einsum({m, solve(m, b, {r})}, {r, k}) - b, values);
}

BOOST_AUTO_TEST_CASE(shared_labels_that_are_no_rows_number_systems) {
  const Index n("n", 2), r("r", 3), c("c", 3), k("k", 2);
  const Expr m = tensor("M", {n, r, c}), b = tensor("b", {r, k, n});
  const Values values = Values().set(m, well_conditioned(2, 3, 5)).randomize(b, 6);
  const Expr x = solve(m, b, {r});
  BOOST_TEST((x.shape() == Indices{n, c, k}));
  check_zero(einsum({m, x}, {r, k, n}) - b, values);
}

BOOST_AUTO_TEST_CASE(several_rows_face_other_columns) {
  const Index p("p", 2), q("q", 3), c("c", 6);
  const Expr m = tensor("M", {p, q, c}), b = tensor("b", {q, p});
  const Values values = Values().set(m, well_conditioned(1, 6, 7)).randomize(b, 8);
  const Expr x = solve(m, b, {p, q});
  BOOST_TEST((x.shape() == Indices{c}));
  check_zero(einsum({m, x}, {q, p}) - b, values);
}

BOOST_AUTO_TEST_CASE(systems_of_one_equation_divide) {
  const Index n("n", 3);
  const Expr d = tensor("d", {n}), b = tensor("b", {n});
  const Values values = Values().set(d, {1, 2, 4}).set(b, {3, 3, 3});
  BOOST_TEST(evaluate(solve(d, b, {}), values) == (Numbers{3, 1.5, 0.75}), boost::test_tools::per_element());
}
