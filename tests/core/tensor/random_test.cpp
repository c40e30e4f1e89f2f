// Counter-based random numbers: the published vectors, exact values that must never change, and their distribution.
#include "tensor/random.hpp"

#include <boost/test/unit_test.hpp>
#include <algorithm>
#include <cmath>
#include <vector>

using namespace tyto::tensor;

namespace {

constexpr std::int64_t samples = 200000;

struct Moments {
  double mean = 0, variance = 0, third = 0, fourth = 0;
};
template <class Draw>
Moments moments(Draw&& draw) {
  Moments m;
  for (std::int64_t k = 0; k < samples; ++k) m.mean += draw(k) / samples;
  for (std::int64_t k = 0; k < samples; ++k) {
    const double x = draw(k) - m.mean;
    m.variance += x * x / samples;
    m.third += x * x * x / samples;
    m.fourth += x * x * x * x / samples;
  }
  return m;
}
/// Of two streams with variance 1: its standard deviation is 1 / sqrt(samples).
template <class A, class B>
double correlation(A&& a, B&& b) {
  double sum = 0;
  for (std::int64_t k = 0; k < samples; ++k) sum += a(k) * b(k) / samples;
  return sum;
}
const double five_sigma = 5 / std::sqrt(static_cast<double>(samples));

}  // namespace

BOOST_AUTO_TEST_CASE(philox_gives_the_published_vectors) {
  const auto check = [](PhiloxCounter counter, PhiloxKey key, PhiloxCounter expected) {
    BOOST_TEST((philox(counter, key) == expected));
  };
  check({0, 0, 0, 0}, {0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8});
  const std::uint32_t ones = 0xffffffff;
  check({ones, ones, ones, ones}, {ones, ones}, {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd});
  check({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0},
        {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1});
}

BOOST_AUTO_TEST_CASE(values_never_change) {
  struct Golden {
    std::uint64_t seed;
    const char* name;
    std::int64_t element;
    double uniform, normal;
  };
  // Computed by an independent program.
  const std::vector<Golden> golden{
      {1, "A_0", 0, 0x1.20c66bc891de8p-4, -0x1.1ff7514791e16p+0},
      {1, "A_0", 1, 0x1.d8687932bd6e9p-1, -0x1.2897b37b03ddfp-3},
      {1, "A_1", 0, 0x1.cf600c325ceecp-2, -0x1.2c1fbea4a08dap-1},
      {2, "A_0", 0, 0x1.7810621da6818p-1, -0x1.e446101393e85p-1},
      {(std::uint64_t{1} << 63) + 5, "", 3, 0x1.ef6d3db0e9622p-2, -0x1.62526e860a7cbp-2},
      {1, "A_0", (std::int64_t{1} << 40) + 7, 0x1.847468d7f276ep-2, -0x1.5067be41cc85ap-8},
  };
  for (const Golden& g : golden) {
    const Random random(g.seed, g.name);
    BOOST_TEST(random.uniform(g.element) == g.uniform);
    BOOST_TEST(std::abs(random.normal(g.element) - g.normal) <= 0x1p-50 * std::abs(g.normal));
  }
}

BOOST_AUTO_TEST_CASE(values_do_not_depend_on_the_order_of_evaluation) {
  const Random random(11, "B");
  std::vector<double> forward, backward;
  for (std::int64_t k = 0; k < 100; ++k) forward.push_back(random.uniform(k));
  for (std::int64_t k = 100; k-- > 0;) backward.push_back(Random(11, "B").uniform(k));
  std::reverse(backward.begin(), backward.end());
  BOOST_TEST(forward == backward);
}

BOOST_AUTO_TEST_CASE(uniform_values_have_the_moments_of_the_uniform_distribution) {
  const Random random(1, "A_0");
  const Moments m = moments([&](std::int64_t k) { return random.uniform(k); });
  BOOST_TEST(std::abs(m.mean - 0.5) < five_sigma * std::sqrt(1.0 / 12));
  BOOST_TEST(std::abs(m.variance - 1.0 / 12) < five_sigma * std::sqrt(1.0 / 80 - 1.0 / 144));
  for (std::int64_t k = 0; k < samples; ++k) BOOST_REQUIRE((random.uniform(k) >= 0 && random.uniform(k) < 1));
}

BOOST_AUTO_TEST_CASE(normal_values_have_the_moments_of_the_normal_distribution) {
  const Random random(1, "A_0");
  const Moments m = moments([&](std::int64_t k) { return random.normal(k); });
  BOOST_TEST(std::abs(m.mean) < five_sigma);
  BOOST_TEST(std::abs(m.variance - 1) < five_sigma * std::sqrt(2.0));
  BOOST_TEST(std::abs(m.third) < five_sigma * std::sqrt(15.0));
  BOOST_TEST(std::abs(m.fourth - 3) < five_sigma * std::sqrt(96.0));
}

BOOST_AUTO_TEST_CASE(streams_of_other_names_seeds_elements_and_functions_are_independent) {
  const Random a(1, "A_0"), other_name(1, "A_1"), other_seed(2, "A_0");
  const auto normal = [](const Random& random, std::int64_t shift = 0) {
    return [&random, shift](std::int64_t k) { return random.normal(k + shift); };
  };
  BOOST_TEST(std::abs(correlation(normal(a), normal(other_name))) < five_sigma);
  BOOST_TEST(std::abs(correlation(normal(a), normal(other_seed))) < five_sigma);
  BOOST_TEST(std::abs(correlation(normal(a), normal(a, 1))) < five_sigma);
  const auto standardized = [&](std::int64_t k) { return (a.uniform(k) - 0.5) * std::sqrt(12.0); };
  BOOST_TEST(std::abs(correlation(normal(a), standardized)) < five_sigma);
}
