// Every function that makes an expression, as numbers, against plain loops.
#include <boost/test/unit_test.hpp>
#include <cmath>
#include "evaluate/evaluate.hpp"

using namespace tyto::v1;
using namespace tyto::test;

namespace {

/// A(i,r) 3x2, B(j,r) 4x2, C(i,r) like A, M(i,i') 3x3, v(i), s().
struct Fixture {
  Index i{"i", 3}, j{"j", 4}, r{"r", 2};
  Expr a = tensor("A", {i, r}), b = tensor("B", {j, r}), c = tensor("C", {i, r}), m = tensor("M", {i, i.prime()}),
       v = tensor("v", {i}), s = tensor("s", {});
  Values values;
  Fixture() {
    for (const Expr& e : {a, b, c, m, v, s}) values.randomize(e, 1, 0.5, 2);
  }
  double A(int x, int y) const { return values[a][static_cast<std::size_t>(x * 2 + y)]; }
  double B(int x, int y) const { return values[b][static_cast<std::size_t>(x * 2 + y)]; }
  double C(int x, int y) const { return values[c][static_cast<std::size_t>(x * 2 + y)]; }
  double M(int x, int y) const { return values[m][static_cast<std::size_t>(x * 3 + y)]; }
  double V(int x) const { return values[v][static_cast<std::size_t>(x)]; }
  double S() const { return values[s][0]; }
  /// Compares with f(x0, x1, ...) over all indices, last fastest.
  template <class F>
  void check(const Expr& e, const std::vector<int>& extents, F&& f) const {
    Numbers expected;
    std::vector<int> at(extents.size(), 0);
    for (bool done = false; !done;) {
      expected.push_back(f(at));
      done = true;
      for (std::size_t k = at.size(); k-- > 0 && done;) {
        done = ++at[k] == extents[k];
        if (done) at[k] = 0;
      }
    }
    const Numbers found = evaluate(e, values);
    BOOST_CHECK_MESSAGE(distance(found, expected) < 1e-13, e.text() << " is wrong by " << distance(found, expected));
  }
};
using At = const std::vector<int>&;

template <class F>
double total(int n, F&& f) {
  double result = 0;
  for (int k = 0; k < n; ++k) result += f(k);
  return result;
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(values, Fixture)

BOOST_AUTO_TEST_CASE(products_match_labels_and_sum_nothing) {
  check(a * b, {3, 2, 4}, [&](At x) { return A(x[0], x[1]) * B(x[2], x[1]); });
  check(a * c, {3, 2}, [&](At x) { return A(x[0], x[1]) * C(x[0], x[1]); });
  check(v * b, {3, 4, 2}, [&](At x) { return V(x[0]) * B(x[1], x[2]); });
  check(s * a, {3, 2}, [&](At x) { return S() * A(x[0], x[1]); });
  check(2.5 * a, {3, 2}, [&](At x) { return 2.5 * A(x[0], x[1]); });
  check(a * 0, {3, 2}, [&](At) { return 0.0; });
}

BOOST_AUTO_TEST_CASE(quotients_divide_labelwise) {
  check(a / v, {3, 2}, [&](At x) { return A(x[0], x[1]) / V(x[0]); });
  check(a / 4, {3, 2}, [&](At x) { return A(x[0], x[1]) / 4; });
  check(1 / s, {}, [&](At) { return 1 / S(); });
  check(b / c, {4, 2, 3}, [&](At x) { return B(x[0], x[1]) / C(x[2], x[1]); });
}

BOOST_AUTO_TEST_CASE(sums_match_labels_whatever_their_order) {
  check(a + c, {3, 2}, [&](At x) { return A(x[0], x[1]) + C(x[0], x[1]); });
  check(a - permute(c, {r, i}), {3, 2}, [&](At x) { return A(x[0], x[1]) - C(x[0], x[1]); });
  check(m - m({i.prime(), i}), {3, 3}, [&](At x) { return M(x[0], x[1]) - M(x[1], x[0]); });
  check(a + 1, {3, 2}, [&](At x) { return A(x[0], x[1]) + 1; });
  check(1 - a, {3, 2}, [&](At x) { return 1 - A(x[0], x[1]); });
  check(-a, {3, 2}, [&](At x) { return -A(x[0], x[1]); });
  check(a - a, {3, 2}, [&](At) { return 0.0; });
  check(s + 2, {}, [&](At) { return S() + 2; });
}

BOOST_AUTO_TEST_CASE(einsum_sums_what_is_not_in_the_output) {
  check(einsum({a, b}, {j, i}), {4, 3}, [&](At x) { return total(2, [&](int q) { return A(x[1], q) * B(x[0], q); }); });
  check(einsum({a, b, c}, {r}), {2}, [&](At x) {
    return total(3, [&](int p) { return total(4, [&](int q) { return A(p, x[0]) * B(q, x[0]) * C(p, x[0]); }); });
  });
  check(einsum({a}, {r, i}), {2, 3}, [&](At x) { return A(x[1], x[0]); });
  check(einsum({a, a}, {i}), {3}, [&](At x) { return total(2, [&](int q) { return A(x[0], q) * A(x[0], q); }); });
  check(einsum({a({i, r}), a({i.prime(), r})}, {i, i.prime()}), {3, 3},
        [&](At x) { return total(2, [&](int q) { return A(x[0], q) * A(x[1], q); }); });
  check(einsum({v, s, 2.0, s}, {i}), {3}, [&](At x) { return 2 * V(x[0]) * S() * S(); });
  check(einsum({m, m, m}, {}), {},
        [&](At) { return total(3, [&](int p) { return total(3, [&](int q) { return std::pow(M(p, q), 3); }); }); });
}

BOOST_AUTO_TEST_CASE(a_label_given_twice_takes_the_diagonal) {
  check(m({i, i}), {3}, [&](At x) { return M(x[0], x[0]); });
  check(sum(m({i, i})), {}, [&](At) { return M(0, 0) + M(1, 1) + M(2, 2); });
  check((m * a)({i, i, r}), {3, 2}, [&](At x) { return M(x[0], x[0]) * A(x[0], x[1]); });
  check((m + 1)({i, i}), {3}, [&](At x) { return M(x[0], x[0]) + 1; });
}

BOOST_AUTO_TEST_CASE(outer_products_and_hyperedges) {
  const Index p("p", 3);
  check(v * v({p}), {3, 3}, [&](At x) { return V(x[0]) * V(x[1]); });
  check(einsum({v, a, c, m}, {i, i.prime()}), {3, 3},
        [&](At x) { return V(x[0]) * total(2, [&](int q) { return A(x[0], q) * C(x[0], q); }) * M(x[0], x[1]); });
}

BOOST_AUTO_TEST_CASE(reductions) {
  const auto all = [&](auto f) { return total(3, [&](int p) { return total(2, [&](int q) { return f(p, q); }); }); };
  check(sum(a), {}, [&](At) { return all([&](int p, int q) { return A(p, q); }); });
  check(sum(a, {i}), {2}, [&](At x) { return total(3, [&](int p) { return A(p, x[0]); }); });
  check(sum(a, {}), {3, 2}, [&](At x) { return A(x[0], x[1]); });
  check(inner(a, permute(c, {r, i})), {}, [&](At) { return all([&](int p, int q) { return A(p, q) * C(p, q); }); });
  check(norm2(a), {}, [&](At) { return all([&](int p, int q) { return A(p, q) * A(p, q); }); });
  check(norm(a), {}, [&](At) { return std::sqrt(all([&](int p, int q) { return A(p, q) * A(p, q); })); });
}

BOOST_AUTO_TEST_CASE(elementwise_functions) {
  check(square(a), {3, 2}, [&](At x) { return A(x[0], x[1]) * A(x[0], x[1]); });
  for (const double exponent : {2.0, 3.0, 0.5, -1.0, 1.7, 1.0, 0.0})
    check(pow(a, exponent), {3, 2}, [&](At x) { return std::pow(A(x[0], x[1]), exponent); });
  check(sqrt(a), {3, 2}, [&](At x) { return std::sqrt(A(x[0], x[1])); });
  check(conj(a), {3, 2}, [&](At x) { return A(x[0], x[1]); });
  check(real(a), {3, 2}, [&](At x) { return A(x[0], x[1]); });
  check(imag(a), {3, 2}, [&](At) { return 0.0; });
}

BOOST_AUTO_TEST_CASE(expansion_permutation_priming_and_identity) {
  check(expand(v, {r}), {3, 2}, [&](At x) { return V(x[0]); });
  check(expand(Expr(2.5), {i, r}), {3, 2}, [&](At) { return 2.5; });
  check(expand(s, {r}), {2}, [&](At) { return S(); });
  check(permute(a, {r, i}), {2, 3}, [&](At x) { return A(x[1], x[0]); });
  check(prime(m), {3, 3}, [&](At x) { return M(x[0], x[1]); });
  check(prime(a) * a, {3, 2, 3, 2}, [&](At x) { return A(x[0], x[1]) * A(x[2], x[3]); });
  check(identity(i, i.prime()), {3, 3}, [&](At x) { return x[0] == x[1] ? 1.0 : 0.0; });
  check(einsum({identity(i, i.prime()), prime(v)}, {i}), {3}, [&](At x) { return V(x[0]); });
  check(sum(identity(i, i.prime())), {}, [&](At) { return 3.0; });
}

BOOST_AUTO_TEST_CASE(a_joined_train_is_a_product_of_matrices) {
  const Index l("l", 1), end("end", 1), s0("s0", 2), s1("s1", 2), p("p", 3), q("q", 3);
  const Expr g0 = tensor("G0", {l, s0, p}), g1 = tensor("G1", {q, s1, end});
  values.randomize(g0, 1).randomize(g1, 2);
  check(einsum(joined({g0, g1}, 2, 0), {s0, s1}), {2, 2}, [&](At x) {
    return total(3, [&](int k) {
      return values[g0][static_cast<std::size_t>(x[0] * 3 + k)] * values[g1][static_cast<std::size_t>(k * 2 + x[1])];
    });
  });
}

BOOST_AUTO_TEST_CASE(extents_zero_and_one) {
  const Index none("e", 0), one("o", 1);
  const Expr empty = tensor("E", {i, none}), single = tensor("O", {i, one});
  values.set(empty, {}).randomize(single, 3);
  BOOST_TEST(evaluate(empty * v, values).empty());
  BOOST_TEST(evaluate(sum(empty), values) == Numbers{0}, boost::test_tools::per_element());
  BOOST_TEST(evaluate(sum(empty, {none}), values) == (Numbers{0, 0, 0}), boost::test_tools::per_element());
  BOOST_TEST(evaluate(norm(empty), values) == Numbers{0}, boost::test_tools::per_element());
  check(single * a, {3, 1, 2}, [&](At x) { return values[single][static_cast<std::size_t>(x[0])] * A(x[0], x[2]); });
  check(sum(single, {one}), {3}, [&](At x) { return values[single][static_cast<std::size_t>(x[0])]; });
}

BOOST_AUTO_TEST_SUITE_END()
