// Random operator sums against matrices built by what each operator does to a basis state.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>
#include <random>
#include "core/hamiltonian/dense.hpp"
#include "hamiltonian/mpo.hpp"

namespace tyto::hamiltonian {

namespace {

class RandomSum {
 public:
  explicit RandomSum(unsigned seed) : generator_(seed) {}

  OperatorSum next() {
    const std::vector<LocalSpace> kinds{spin(1), spin(2), spin(3), spinless_fermion(), electron()};
    OperatorSum sum;
    const bool is_mixed = below(2) == 0;
    const std::size_t kind = static_cast<std::size_t>(below(5));
    std::int64_t dimension = 1;
    const std::int64_t sites = 2 + below(5);
    for (std::int64_t k = 0; k < sites; ++k) {
      const LocalSpace& space = kinds[is_mixed ? static_cast<std::size_t>(below(5)) : kind];
      if (k >= 2 && dimension * space.dimension() > 100) break;
      dimension *= space.dimension();
      sum.spaces.push_back(space);
    }
    const bool is_complex = below(2) == 0, is_wide = below(4) == 0;
    const std::int64_t terms = 1 + below(12);
    for (std::int64_t t = 0; t < terms; ++t) add_term(sum, is_complex, is_wide);
    return sum;
  }

 private:
  std::int64_t below(std::int64_t n) { return std::uniform_int_distribution<std::int64_t>(0, n - 1)(generator_); }

  /// Up to five factors on any sites, repeated and in any order; an odd number of fermions is made even by one more.
  void add_term(OperatorSum& sum, bool is_complex, bool is_wide) {
    Term term{.coefficient = coefficient(is_complex, is_wide), .operators = {}, .sites = {}};
    const std::int64_t factors = 1 + below(5);
    bool is_odd = false;
    std::int64_t last_odd = 0;
    for (std::int64_t k = 0; k < factors; ++k) {
      const std::int64_t site = 1 + below(sum.sites());
      const LocalSpace& space = sum.spaces[static_cast<std::size_t>(site - 1)];
      const LocalOperator& o = space.operators[static_cast<std::size_t>(below(static_cast<std::int64_t>(space.operators.size())))];
      term.operators.push_back(o.name);
      term.sites.push_back(site);
      is_odd = is_odd != o.is_odd;
      if (o.is_odd) last_odd = site;
    }
    if (is_odd) {
      std::vector<std::string> odd;
      for (const LocalOperator& o : sum.spaces[static_cast<std::size_t>(last_odd - 1)].operators)
        if (o.is_odd) odd.push_back(o.name);
      term.operators.push_back(odd[static_cast<std::size_t>(below(static_cast<std::int64_t>(odd.size())))]);
      term.sites.push_back(last_odd);
      const auto place = static_cast<std::ptrdiff_t>(below(static_cast<std::int64_t>(term.sites.size())));
      std::rotate(term.operators.begin() + place, term.operators.end() - 1, term.operators.end());
      std::rotate(term.sites.begin() + place, term.sites.end() - 1, term.sites.end());
    }
    sum.terms.push_back(term);
    if (below(4) == 0) sum.terms.push_back(term);  // equal terms
  }

  Complex coefficient(bool is_complex, bool is_wide) {
    std::normal_distribution<double> normal;
    const double scale = is_wide ? std::pow(10.0, static_cast<double>(below(11))) : 1.0;
    const double real = normal(generator_) * scale;
    return is_complex ? Complex{real, normal(generator_) * scale} : Complex{real};
  }

  std::mt19937 generator_;
};

/// Rank of the matrix between what is left and right of a bond, from singular values; a lower bound of the bond of any MPO.
std::int64_t rank_at(const OperatorSum& sum, const DenseMatrix& m, std::int64_t bond) {
  std::int64_t left = 1;
  for (std::int64_t k = 0; k < bond; ++k) left *= sum.spaces[static_cast<std::size_t>(k)].dimension();
  const std::int64_t right = m.dimension / left;
  // Gram-Schmidt of the rows (out, in of the left), largest first
  std::vector<std::vector<Complex>> rows;
  for (std::int64_t a = 0; a < left; ++a)
    for (std::int64_t b = 0; b < left; ++b) {
      std::vector<Complex> row;
      for (std::int64_t c = 0; c < right; ++c)
        for (std::int64_t d = 0; d < right; ++d) row.push_back(m(a * right + c, b * right + d));
      rows.push_back(row);
    }
  const auto norm = [](const std::vector<Complex>& row) {
    double square = 0;
    for (const Complex c : row) square += std::norm(c);
    return std::sqrt(square);
  };
  double largest = 0;
  for (const auto& row : rows) largest = std::max(largest, norm(row));
  std::int64_t rank = 0;
  for (;; ++rank) {
    const auto next = std::max_element(rows.begin(), rows.end(), [&](const auto& a, const auto& b) { return norm(a) < norm(b); });
    const double size = norm(*next);
    if (size <= 1e-11 * largest) return rank;
    std::vector<Complex> unit = *next;
    for (Complex& c : unit) c /= size;
    for (auto& row : rows) {
      Complex overlap = 0;
      for (std::size_t k = 0; k < row.size(); ++k) overlap += std::conj(unit[k]) * row[k];
      for (std::size_t k = 0; k < row.size(); ++k) row[k] -= overlap * unit[k];
    }
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(random_sums)

BOOST_AUTO_TEST_CASE(two_hundred_agree_with_occupation_numbers) {
  RandomSum random(20);
  for (int trial = 0; trial < 200; ++trial) {
    BOOST_TEST_CONTEXT("trial " << trial) {
      const OperatorSum sum = random.next();
      const Mpo mpo = compile(sum);
      const double tolerance = 16 * std::numeric_limits<double>::epsilon() * scale_of(sum);
      BOOST_TEST(largest_difference(dense_of(mpo), dense_by_occupation(sum)) <= tolerance);
    }
  }
}

BOOST_AUTO_TEST_CASE(no_bond_is_larger_than_the_rank_of_the_matrix) {
  RandomSum random(21);
  int compared = 0;
  for (int trial = 0; trial < 60; ++trial) {
    const OperatorSum sum = random.next();
    const DenseMatrix m = dense_by_occupation(sum);
    if (m.dimension > 36 || std::all_of(m.values.begin(), m.values.end(), [](Complex c) { return c == 0.0; })) continue;
    const auto by_size = [](const Term& a, const Term& b) { return std::abs(a.coefficient) < std::abs(b.coefficient); };
    const auto [small, large] = std::minmax_element(sum.terms.begin(), sum.terms.end(), by_size);
    if (std::abs(small->coefficient) < 1e-4 * std::abs(large->coefficient)) continue;  // singular values cannot tell
    const std::vector<std::int64_t> bonds = compile(sum).bonds();
    for (std::size_t k = 0; k < bonds.size(); ++k) BOOST_TEST(bonds[k] == rank_at(sum, m, static_cast<std::int64_t>(k) + 1));
    ++compared;
  }
  BOOST_TEST(compared > 20);
}

BOOST_AUTO_TEST_CASE(hermitian_sums_are_told_from_others) {
  RandomSum random(22);
  for (int trial = 0; trial < 100; ++trial) {
    BOOST_TEST_CONTEXT("trial " << trial) {
      OperatorSum sum = random.next();
      const DenseMatrix m = dense_by_occupation(sum);
      double part = 0;
      for (std::int64_t i = 0; i < m.dimension; ++i)
        for (std::int64_t j = 0; j < m.dimension; ++j) part = std::max(part, std::abs(m(i, j) - std::conj(m(j, i))));
      const bool is_hermitian = part <= 16 * std::numeric_limits<double>::epsilon() * scale_of(sum);
      bool is_accepted = true;
      try {
        require_hermitian(sum);
      } catch (const Error&) {
        is_accepted = false;
      }
      BOOST_TEST(is_accepted == is_hermitian);
      BOOST_TEST((non_hermitian_part(compile(sum)) <= 1e-12) == is_hermitian);
      // with the adjoint of every term it is Hermitian
      const std::vector<Term> terms = sum.terms;
      for (const Term& term : terms) {
        Term other{std::conj(term.coefficient), {}, {term.sites.rbegin(), term.sites.rend()}};
        for (std::size_t k = term.operators.size(); k-- > 0;) {
          const LocalSpace& space = sum.spaces[static_cast<std::size_t>(term.sites[k] - 1)];
          other.operators.push_back(space.operators[static_cast<std::size_t>(space.find(term.operators[k]))].adjoint);
        }
        sum.terms.push_back(other);
      }
      BOOST_CHECK_NO_THROW(require_hermitian(sum));
      BOOST_TEST(non_hermitian_part(compile(sum)) <= 1e-13);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace tyto::hamiltonian
