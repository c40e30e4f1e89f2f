// Bonds of compiled operator sums are as small as they can be.
#include "hamiltonian/mpo.hpp"
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>
#include "core/hamiltonian/dense.hpp"
#include "hamiltonian/model.hpp"
#include "hamiltonian/pattern.hpp"

namespace tyto::hamiltonian {

static std::int64_t largest_bond(const OperatorSum& sum) {
  const std::vector<std::int64_t> bonds = compile(sum).bonds();
  return *std::max_element(bonds.begin(), bonds.end());
}
static std::int64_t bond_of(const std::string& name, std::map<std::string, double> parameters = {}, std::int64_t sites = 12) {
  return largest_bond(make_model({.name = name, .lattice = {.sites = sites}, .parameters = std::move(parameters)}).sum);
}

/// tr(Z_i Z_j H) / 2^N, from row vectors of the bonds.
static double coefficient_of_zz(const Mpo& mpo, std::int64_t i, std::int64_t j) {
  std::vector<double> row{1};
  for (std::int64_t site = 1; site <= mpo.sites(); ++site) {
    const tensor::Dense& w = mpo.tensors[static_cast<std::size_t>(site - 1)];
    const auto* values = w.view().as<double>();
    const std::int64_t right = w.extents()[1];
    const double sign = site == i || site == j ? -1 : 1;
    std::vector<double> next(static_cast<std::size_t>(right));
    for (std::int64_t a = 0; a < w.extents()[0]; ++a)
      for (std::int64_t b = 0; b < right; ++b) {
        const double* const block = values + (a * right + b) * 4;
        next[static_cast<std::size_t>(b)] += row[static_cast<std::size_t>(a)] * 0.5 * (block[0] + sign * block[3]);
      }
    row = std::move(next);
  }
  return row[0];
}

BOOST_AUTO_TEST_SUITE(bonds)

BOOST_AUTO_TEST_CASE(known_models_have_their_smallest_bonds) {
  BOOST_TEST(bond_of("heisenberg") == 5);
  BOOST_TEST(bond_of("heisenberg", {{"spin", 1}, {"h", 0.3}}) == 5);
  BOOST_TEST(bond_of("xxz", {{"delta", 0.5}, {"phase", 0.7}}) == 5);
  BOOST_TEST(bond_of("xx") == 4);
  BOOST_TEST(bond_of("tfim") == 3);
  BOOST_TEST(bond_of("j1j2") == 8);
  BOOST_TEST(bond_of("hubbard") == 6);
  BOOST_TEST(bond_of("spinless-fermions") == 4);
  BOOST_TEST(bond_of("spinless-fermions", {{"v", 2}}) == 5);
  BOOST_TEST(bond_of("aklt") == 10);  // the identity twice, three spins, five quadrupoles
}

BOOST_AUTO_TEST_CASE(ends_of_a_chain_have_small_bonds) {
  const std::vector<std::int64_t> expected{4, 5, 5, 4};
  const std::vector<std::int64_t> bonds = compile(make_model({.name = "heisenberg", .lattice = {.sites = 5}}).sum).bonds();
  BOOST_TEST(bonds == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(an_exponential_costs_one_state_between_start_and_end) {
  for (const double base : {0.5, -0.3, 0.99, 1.0, 1e-9}) {
    OperatorSum sum{chain_of(spin(1), 30)};
    sum.terms = expand({.coefficient = 0.7, .operators = {"Sz", "Sz"}, .decay = Exponential{base}}, sum.spaces);
    BOOST_TEST(largest_bond(sum) == 3);
  }
  OperatorSum sum{chain_of(spin(1), 30)};
  for (const double base : {0.9, 0.6, 0.2, -0.4})
    for (Term& term : expand({.coefficient = base, .operators = {"Z", "Z"}, .decay = Exponential{base}}, sum.spaces))
      sum.terms.push_back(term);
  BOOST_TEST(largest_bond(sum) == 6);
}

BOOST_AUTO_TEST_CASE(an_exponential_may_underflow) {
  OperatorSum sum{chain_of(spin(1), 150)};
  sum.terms = expand({.operators = {"X", "X"}, .decay = Exponential{1e-4}}, sum.spaces);
  BOOST_TEST(largest_bond(sum) == 3);
}

BOOST_AUTO_TEST_CASE(exponential_hopping_of_fermions_has_two_states_between) {
  OperatorSum sum{chain_of(spinless_fermion(), 20)};
  sum.terms = expand({.operators = {"Cdag", "C"}, .decay = Exponential{0.8}, .plus_adjoint = true}, sum.spaces);
  BOOST_TEST(largest_bond(sum) == 4);
}

BOOST_AUTO_TEST_CASE(power_laws_take_far_fewer_states_than_pairs_of_sites) {
  OperatorSum sum{chain_of(spin(1), 60)};
  sum.terms = expand({.operators = {"Sz", "Sz"}, .decay = Power{2}}, sum.spaces);
  BOOST_TEST(largest_bond(sum) <= 18);  // 32 where every pair is told apart
}

BOOST_AUTO_TEST_CASE(equal_operators_under_other_names_share_states) {
  OperatorSum sum{chain_of(spin(1), 6)};
  for (const std::vector<std::string>& names :
       {std::vector<std::string>{"Sx", "Sx"}, {"Sy", "Sy"}, {"Z", "Sz"}, {"S+", "S-"}, {"S-", "S+"}, {"X", "Sx"}})
    for (Term& term : expand({.operators = names, .offsets = {0, 1}}, sum.spaces)) sum.terms.push_back(term);
  BOOST_TEST(largest_bond(sum) == 5);
}

BOOST_AUTO_TEST_CASE(long_strings_of_operators_that_depend_on_each_other_stay_one_string) {
  OperatorSum sum{chain_of(spin(1), 12)};
  Term parity{.operators = {}, .sites = {}};
  for (std::int64_t site = 1; site <= 12; ++site) {
    parity.operators.push_back("X");
    parity.sites.push_back(site);
  }
  sum.terms = expand({.operators = {"S+", "S-"}, .offsets = {0, 1}, .plus_adjoint = true}, sum.spaces);
  sum.terms.push_back(parity);
  require_hermitian(sum);
  BOOST_TEST(largest_bond(sum) == 5);
}

BOOST_AUTO_TEST_CASE(terms_that_would_become_many_strings_keep_their_operators) {
  const std::int64_t sites = 8;  // Sx = (S+ + S-) / 2 on each would make 256 strings
  OperatorSum sum{chain_of(spin(1), sites)};
  for (const char* name : {"S+", "Sx", "S-", "X"}) {
    Term term{.operators = {}, .sites = {}};
    for (std::int64_t site = 1; site <= sites; ++site) {
      term.operators.emplace_back(name);
      term.sites.push_back(site);
    }
    sum.terms.push_back(term);
  }
  require_hermitian(sum);
  BOOST_TEST(largest_bond(sum) == 3);
  BOOST_TEST(largest_difference(dense_of(compile(sum)), dense_by_occupation(sum)) < 1e-14);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(normal_form)

BOOST_AUTO_TEST_CASE(sums_that_cancel_leave_zeros_of_bond_one) {
  OperatorSum sum{chain_of(spin(1), 3)};
  sum.terms = {{0.1, {"Sz"}, {2}}, {0.2, {"Sz"}, {2}}, {-0.15, {"Z"}, {2}}, {1.0, {"S+", "S+"}, {1, 1}}, {0.0, {"X"}, {1}}};
  const Mpo mpo = compile(sum);
  BOOST_TEST(mpo.bonds() == std::vector<std::int64_t>({1, 1}), boost::test_tools::per_element());
  BOOST_TEST(rms_eigenvalue(mpo) == 0);
}

BOOST_AUTO_TEST_CASE(a_constant_is_a_constant) {
  OperatorSum sum{chain_of(spin(1), 3)};
  sum.terms = {{0.25, {"Id"}, {2}}, {1.0, {"Sz", "Sz"}, {3, 3}}};
  const DenseMatrix m = dense_of(compile(sum));
  for (std::int64_t i = 0; i < m.dimension; ++i)
    for (std::int64_t j = 0; j < m.dimension; ++j) BOOST_TEST(m(i, j) == (i == j ? 0.5 : 0.0));
}

BOOST_AUTO_TEST_CASE(pairs_of_a_power_law_are_right_to_rounding_of_the_largest) {
  const std::int64_t sites = 60;
  for (const double exponent : {1.0, 3.0, 6.0}) {
    OperatorSum sum{chain_of(spin(1), sites)};
    sum.terms = expand({.operators = {"Z", "Z"}, .decay = Power{exponent}}, sum.spaces);
    const Mpo mpo = compile(sum);
    double worst = 0;
    for (std::int64_t i = 1; i <= sites; ++i)
      for (std::int64_t j = i + 1; j <= sites; ++j)
        worst = std::max(worst, std::abs(coefficient_of_zz(mpo, i, j) - std::pow(static_cast<double>(j - i), -exponent)));
    BOOST_TEST(worst <= 4 * std::numeric_limits<double>::epsilon() * static_cast<double>(sites));  // a few roundings at each bond
  }
}

BOOST_AUTO_TEST_CASE(real_hamiltonians_are_real_whatever_operators_they_are_written_in) {
  OperatorSum sum{chain_of(spin(2), 4)};
  for (const char* name : {"Sx", "Sy", "Sz"})
    for (Term& term : expand({.operators = {name, name}, .offsets = {0, 1}}, sum.spaces)) sum.terms.push_back(term);
  BOOST_TEST((compile(sum).dtype() == Dtype::f64));
  BOOST_TEST((compile(make_model({.name = "heisenberg", .lattice = {.sites = 4}}).sum).dtype() == Dtype::f64));
  BOOST_TEST(
      (compile(make_model({.name = "xxz", .lattice = {.sites = 4}, .parameters = {{"phase", 0.7}}}).sum).dtype() == Dtype::c128));
}

BOOST_AUTO_TEST_CASE(coefficients_that_differ_by_many_orders_keep_all_their_digits) {
  OperatorSum sum{chain_of(spin(1), 4)};
  sum.terms = {{1e10, {"Z", "Z"}, {1, 2}}, {1e-10, {"X", "X"}, {2, 3}}, {3e-20, {"Z"}, {4}}, {1e10, {"Z", "Z"}, {1, 4}}};
  OperatorSum small{sum.spaces, {sum.terms[1]}}, smallest{sum.spaces, {sum.terms[2]}};
  const DenseMatrix all = dense_of(compile(sum));
  // X X of sites 2, 3 joins the states ++++ and +--+ and nothing else does; Z of site 4 alone is below the rounding of the rest.
  BOOST_TEST(all(0, 6).real() == 1e-10);
  BOOST_TEST(dense_of(compile(smallest))(0, 0).real() == 3e-20);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace tyto::hamiltonian
