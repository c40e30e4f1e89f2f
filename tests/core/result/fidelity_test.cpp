// Overlaps of trains against those of the vectors that they stand for.
#include "result/fidelity.hpp"
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <complex>
#include <random>

using namespace tyto;
using namespace tyto::result;

namespace {

using Number = std::complex<double>;
using Train = std::vector<tensor::Dense>;

tensor::Dense random_core(const Extents& extents, Dtype dtype, std::mt19937& random, double scale = 1) {
  std::normal_distribution<double> normal;
  tensor::Dense core = tensor::Dense::zeros(dtype, extents);
  for (std::int64_t k = 0; k < core.size(); ++k) {
    if (dtype == Dtype::c128) core.view().as<Number>()[k] = {scale * normal(random), scale * normal(random)};
    else core.view().as<double>()[k] = scale * normal(random);
  }
  return core;
}

/// Four sites of 2, 3, 2 and 2 states with these bonds between them.
Train random_train(const std::vector<std::int64_t>& bonds, Dtype dtype, std::mt19937& random, double scale = 1) {
  const std::vector<std::int64_t> sites{2, 3, 2, 2};
  Train train;
  for (std::size_t k = 0; k < sites.size(); ++k)
    train.push_back(random_core({k == 0 ? 1 : bonds[k - 1], sites[k], k == 3 ? 1 : bonds[k]}, dtype, random, scale));
  return train;
}

/// The vector psi(s1,s2,...), row-major: every product of matrices by itself.
std::vector<Number> vector_of(const Train& train) {
  std::vector<Number> psi{1};  // [states so far][bond]
  for (const tensor::Dense& core : train) {
    const tensor::Dense c = tensor::Dense::copy(core.view(), Dtype::c128);
    const auto* const x = c.view().as<Number>();
    const auto left = static_cast<std::size_t>(c.extents()[0]), sites = static_cast<std::size_t>(c.extents()[1]),
               right = static_cast<std::size_t>(c.extents()[2]);
    std::vector<Number> next(psi.size() / left * sites * right);
    for (std::size_t state = 0; state < psi.size() / left; ++state)
      for (std::size_t s = 0; s < sites; ++s)
        for (std::size_t r = 0; r < right; ++r)
          for (std::size_t l = 0; l < left; ++l)
            next[(state * sites + s) * right + r] += psi[state * left + l] * x[(l * sites + s) * right + r];
    psi = std::move(next);
  }
  return psi;
}

double fidelity_of_vectors(const Train& a, const Train& b) {
  const std::vector<Number> x = vector_of(a), y = vector_of(b);
  Number overlap = 0;
  double first = 0, second = 0;
  for (std::size_t k = 0; k < x.size(); ++k) overlap += std::conj(x[k]) * y[k], first += std::norm(x[k]), second += std::norm(y[k]);
  return std::abs(overlap) / std::sqrt(first * second);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(fidelities)

BOOST_AUTO_TEST_CASE(is_that_of_the_vectors_whatever_the_bonds) {
  for (unsigned seed = 1; seed <= 4; ++seed) {
    std::mt19937 random(seed);
    const Dtype first = seed % 2 == 0 ? Dtype::c128 : Dtype::f64, second = seed > 2 ? Dtype::c128 : Dtype::f64;
    const Train a = random_train({2, 4, 2}, first, random), b = random_train({1, 3, 2}, second, random);
    BOOST_TEST(std::abs(fidelity(a, b) - fidelity_of_vectors(a, b)) < 1e-13, "seed " << seed);
    BOOST_TEST(std::abs(fidelity(a, b) - fidelity(b, a)) < 1e-13);
  }
}

BOOST_AUTO_TEST_CASE(of_a_state_with_itself_is_one_and_does_not_see_its_norm_or_phase) {
  std::mt19937 random(7);
  const Train a = random_train({2, 4, 2}, Dtype::c128, random);
  BOOST_TEST(std::abs(fidelity(a, a) - 1) < 1e-14);
  Train b = a;
  for (std::int64_t k = 0; k < b[1].size(); ++k) b[1].view().as<Number>()[k] *= Number(0, -3);
  BOOST_TEST(std::abs(fidelity(a, b) - 1) < 1e-14);
}

BOOST_AUTO_TEST_CASE(norms_may_leave_the_range_of_a_double) {
  std::mt19937 random(3), same(3);
  const Train a = random_train({2, 4, 2}, Dtype::f64, random),
              large = random_train({2, 4, 2}, Dtype::f64, same, std::ldexp(1.0, 301));
  const Train b = random_train({2, 2, 2}, Dtype::f64, random);
  BOOST_TEST(std::abs(fidelity(a, b) - fidelity(large, b)) < 1e-14);
  BOOST_TEST(std::abs(fidelity(large, large) - 1) < 1e-14);
}

BOOST_AUTO_TEST_CASE(orthogonal_states_and_the_zero_state_have_none) {
  Train up, down;
  for (int k = 0; k < 3; ++k) {
    up.push_back(tensor::Dense::zeros(Dtype::f64, {1, 2, 1})), down.push_back(up.back());
    up.back().view().as<double>()[0] = 1, down.back().view().as<double>()[1] = 1;
  }
  BOOST_TEST(fidelity(up, down) == 0);
  const Train zero(3, tensor::Dense::zeros(Dtype::f64, {1, 2, 1}));
  BOOST_TEST(fidelity(up, zero) == 0);
}

BOOST_AUTO_TEST_SUITE_END()
