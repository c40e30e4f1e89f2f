// Programs that are given less memory than their intermediates take: products are summed in slices.
#include <boost/test/unit_test.hpp>
#include <random>
#include "evaluate/error_text.hpp"
#include "tyto/compile.hpp"

using namespace tyto::v1;
using Numbers = std::vector<double>;

namespace {

Numbers random_numbers(std::size_t count, std::uint64_t seed) {
  std::mt19937_64 engine(seed);
  std::uniform_real_distribution<double> any(-1, 1);
  Numbers numbers(count);
  for (double& x : numbers) x = any(engine);
  return numbers;
}

/// Products of four matrices of order 40 around a ring, 12.8 kB each.
struct Ring {
  static constexpr std::int64_t n = 40, bytes = 4 * n * n * 8;
  Index i{"i", n}, j{"j", n}, k{"k", n}, l{"l", n};
  Expr a = tensor("A", {i, j}), b = tensor("B", {j, k}), c = tensor("C", {k, l}), d = tensor("D", {l, i});
  Expr trace = einsum({a, b, c, d}, {}), diagonal = einsum({a, b, c, d}, {i});
  Numbers values = random_numbers(4 * n * n, 1);

  Program program(std::int64_t memory_limit) const {
    Program p({trace, diagonal}, {.memory_limit = memory_limit});
    const double* first = values.data();
    for (const Expr& leaf : {a, b, c, d}) p.bind(leaf, ConstArray(first, {n, n})), first += n * n;
    return p;
  }
};

}  // namespace

BOOST_AUTO_TEST_CASE(a_product_above_the_limit_is_summed_in_slices) {
  const Ring ring;
  Program whole = ring.program(0);
  whole.run();
  const double trace = *whole.output(0).as<double>();
  BOOST_TEST(whole.forecast().peak_bytes > Ring::bytes + 20'000);
  for (const std::int64_t extra : {16'000, 8'000, 3'000}) {
    Program small = ring.program(Ring::bytes + extra);
    small.run();
    BOOST_TEST(small.forecast().peak_bytes <= Ring::bytes + extra);
    BOOST_TEST(*small.output(0).as<double>() == trace, boost::test_tools::tolerance(1e-12));
    for (std::int64_t i = 0; i < Ring::n; ++i)
      BOOST_TEST(std::abs(small.output(1).as<double>()[i] - whole.output(1).as<double>()[i]) < 1e-11);
  }
}
BOOST_AUTO_TEST_CASE(a_limit_that_no_slices_keep_is_named_with_the_least_that_was_found) {
  const Ring ring;
  const std::string text = tyto::test::error_of([&] { ring.program(Ring::bytes + 300).run(); });
  BOOST_TEST(text.starts_with("the program needs more memory than memory_limit allows, even with its products summed in slices\n"
                              "  expected  at most 51.5 kB\n  found     "),
             text);
}
