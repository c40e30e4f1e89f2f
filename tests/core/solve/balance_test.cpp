// Slices of unknowns scaled against each other by powers of two.
#include "solve/balance.hpp"
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <set>

namespace tyto::solve {

namespace {

/// Factors of shape (2, 3), (3, 4) with its rank first, and (1, 3).
struct Factors {
  std::vector<Tensor> tensors{{.name = "A", .kind = Kind::unknown, .extents = {2, 3}},
                              {.name = "B", .kind = Kind::unknown, .extents = {3, 4}},
                              {.name = "C", .kind = Kind::unknown, .extents = {1, 3}}};
  Balance balance{{{0, 1}, {1, 0}, {2, 1}}};
  State state{tensors, Dtype::f64};
  std::set<std::int32_t> changed;

  Factors() {
    for (std::int32_t t = 0; t < 3; ++t)
      for (std::int64_t k = 0; k < element_count(tensors[static_cast<std::size_t>(t)].extents); ++k)
        state.set(t, k, 1 + 0.1 * static_cast<double>(k));
  }
  bool even_out() {
    return solve::even_out(balance, tensors, state, [this](std::int32_t t) { changed.insert(t); });
  }
  /// Element of slice r of a tensor.
  std::int64_t element(std::int32_t t, std::int64_t r, std::int64_t other) const { return t == 1 ? r * 4 + other : other * 3 + r; }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(balance)

BOOST_AUTO_TEST_CASE(leaves_alone_what_is_near) {
  Factors f;
  for (std::int64_t i = 0; i < 2; ++i) f.state.set(0, f.element(0, 1, i), 500);
  BOOST_TEST(!f.even_out());
  BOOST_TEST(f.changed.empty());
  BOOST_TEST(f.state.get(0, 1) == 500);
}

BOOST_AUTO_TEST_CASE(evens_out_a_slice_by_powers_of_two_and_keeps_products) {
  Factors f;
  for (std::int64_t i = 0; i < 2; ++i) f.state.set(0, f.element(0, 1, i), f.state.get(0, f.element(0, 1, i)) * 1e6);
  f.state.set(2, f.element(2, 1, 0), 3e-6);
  const Factors before = f;
  BOOST_TEST(f.even_out());
  BOOST_TEST((f.changed == std::set<std::int32_t>{0, 2}));  // B is in the middle already
  double product = 1;
  for (std::int32_t t = 0; t < 3; ++t) {
    const std::int64_t e = f.element(t, 1, 0);
    const double ratio = f.state.get(t, e) / before.state.get(t, e);
    int exponent = 0;
    BOOST_TEST(std::frexp(ratio, &exponent) == 0.5);  // a power of two
    product *= ratio;
    BOOST_TEST(std::abs(f.state.get(t, e)) < 8);
    BOOST_TEST(std::abs(f.state.get(t, e)) > 0.125);
    for (const std::int64_t r : {0, 2}) BOOST_TEST(f.state.get(t, f.element(t, r, 0)) == before.state.get(t, f.element(t, r, 0)));
  }
  BOOST_TEST(product == 1);
  for (std::int64_t j = 1; j < 4; ++j)
    BOOST_TEST(f.state.get(1, 4 + j) / before.state.get(1, 4 + j) == f.state.get(1, 4) / before.state.get(1, 4));
  BOOST_TEST(!f.even_out());
}

BOOST_AUTO_TEST_CASE(a_zero_slice_stays) {
  Factors f;
  f.state.set(2, 1, 0);
  f.state.set(0, 1, 1e9);
  BOOST_TEST(!f.even_out());
  BOOST_TEST(f.state.get(0, 1) == 1e9);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace tyto::solve
