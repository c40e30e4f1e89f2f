// Exact texts of what is refused.
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>
#include "hamiltonian/model.hpp"
#include "hamiltonian/mpo.hpp"
#include "hamiltonian/pattern.hpp"

namespace tyto::hamiltonian {

namespace {

template <class Body>
std::string refusal(const Body& body) {
  try {
    body();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}
std::string of_sum(const std::vector<LocalSpace>& spaces, const std::vector<Term>& terms) {
  return refusal([&] { compile({spaces, terms}); });
}
std::string of_adjoints(const std::vector<LocalSpace>& spaces, const std::vector<Term>& terms) {
  return refusal([&] { require_hermitian({spaces, terms}); });
}
std::string of_pattern(const TermPattern& pattern, std::int64_t sites = 4) {
  return refusal([&] { expand(pattern, chain_of(spin(1), sites)); });
}
std::string of_model(const ModelRequest& request) {
  return refusal([&] { make_model(request); });
}

tensor::Dense tensor(const Extents& extents, const std::vector<double>& values = {}) {
  tensor::Dense w = tensor::Dense::zeros(Dtype::f64, extents);
  std::copy(values.begin(), values.end(), w.view().as<double>());
  return w;
}
std::string of_mpo(const std::vector<tensor::Dense>& tensors) {
  return refusal([&] { require_hamiltonian({tensors}); });
}

const std::vector<LocalSpace> spins = chain_of(spin(1), 4);
const std::vector<LocalSpace> mixed{spin(1), spinless_fermion(), electron()};

}  // namespace

BOOST_AUTO_TEST_SUITE(refused)

BOOST_AUTO_TEST_CASE(sums_over_fewer_than_two_sites) {
  BOOST_TEST(of_sum(chain_of(spin(1), 1), {{1.0, {"Sz"}, {1}}}) ==
             "operator sum: too few sites\n"
             "  expected  at least 2\n"
             "  found     1");
}

BOOST_AUTO_TEST_CASE(operators_that_a_site_does_not_have) {
  BOOST_TEST(of_sum(spins, {{0.5, {"Sz", "Sp"}, {1, 2}}}) ==
             "0.5 Sz(1) Sp(2): site 2 (spin-1/2) has no operator 'Sp'\n"
             "  expected  Id, F, Sx, Sy, Sz, S+, S-, X, Y or Z\n"
             "  found     Sp\n"
             "  try       Sx");
  BOOST_TEST(of_sum(mixed, {{1.0, {"Cup"}, {2}}}) ==
             "1 Cup(2): site 2 (spinless-fermion) has no operator 'Cup'\n"
             "  expected  Id, F, C, Cdag or N\n"
             "  found     Cup\n"
             "  try       C");
  BOOST_TEST(of_sum(chain_of(spin(2), 2), {{1.0, {"Z"}, {2}}}) ==
             "1 Z(2): site 2 (spin-1) has no operator 'Z'\n"
             "  expected  Id, F, Sx, Sy, Sz, S+ or S-\n"
             "  found     Z");
}

BOOST_AUTO_TEST_CASE(sites_that_do_not_exist) {
  BOOST_TEST(of_sum(spins, {{Complex{0, 2}, {"Sz", "Sz"}, {0, 5}, {.file = "run.yaml", .line = 7, .column = 5}}}) ==
             "run.yaml:7:5: there is no site 0\n"
             "  in        (0+2i) Sz(0) Sz(5)\n"
             "  expected  1 to 4: sites count from 1\n"
             "  found     0\n"
             "run.yaml:7:5: there is no site 5\n"
             "  in        (0+2i) Sz(0) Sz(5)\n"
             "  expected  1 to 4: sites count from 1\n"
             "  found     5");
}

BOOST_AUTO_TEST_CASE(terms_of_odd_parity) {
  BOOST_TEST(of_sum(mixed, {{1.0, {"Cdag", "Sz", "Cup", "Cdagdn"}, {2, 1, 3, 3}}}) ==
             "1 Cdag(2) Sz(1) Cup(3) Cdagdn(3): a term would change the number of fermions by an odd number\n"
             "  expected  an even number of operators that create or annihilate one\n"
             "  found     3: Cdag(2), Cup(3), Cdagdn(3)");
}

BOOST_AUTO_TEST_CASE(terms_without_form) {
  BOOST_TEST(of_sum(spins, {{2.0, {}, {}}}) ==
             "2: a term without operators\n"
             "  expected  at least one operator, Id for a constant\n"
             "  found     none");
  BOOST_TEST(of_sum(spins, {{2.0, {"Sz", "Sz"}, {1}}}) ==
             "2 Sz(1) Sz: a term has one site for each operator\n"
             "  expected  2 sites\n"
             "  found     1");
  BOOST_TEST(of_sum(spins, {{std::numeric_limits<double>::infinity(), {"Sz"}, {1}}}) ==
             "inf Sz(1): the coefficient of a term is not finite\n"
             "  expected  a number\n"
             "  found     inf");
}

BOOST_AUTO_TEST_CASE(sums_that_are_not_hermitian) {
  BOOST_TEST(of_adjoints(spins, {{1.0, {"Sz"}, {1}}, {0.5, {"S+", "S-"}, {1, 2}}}) ==
             "0.5 S+(1) S-(2): the sum of all terms is not Hermitian\n"
             "  expected  with every term its adjoint\n"
             "  found     H - H^+ has 2 products of operators, the largest with a coefficient of size 0.5\n"
             "  try       plus_adjoint: true");
  BOOST_TEST(of_adjoints(spins, {{Complex{0, 1}, {"Sz"}, {3}}}) ==
             "(0+1i) Sz(3): the sum of all terms is not Hermitian\n"
             "  expected  with every term its adjoint\n"
             "  found     H - H^+ has 1 product of operators, with a coefficient of size 2\n"
             "  try       plus_adjoint: true, or a real coefficient where a term is its own adjoint");
}

BOOST_AUTO_TEST_CASE(spaces_that_do_not_exist) {
  BOOST_TEST(refusal([] { space_named("spin-half"); }) ==
             "no kind of site is called 'spin-half'\n"
             "  expected  spin-1/2, spin-1, spin-3/2, ..., spinless-fermion or electron\n"
             "  found     spin-half");
  BOOST_TEST(refusal([] { space_named("electrons"); }) ==
             "no kind of site is called 'electrons'\n"
             "  expected  spin-1/2, spin-1, spin-3/2, ..., spinless-fermion or electron\n"
             "  found     electrons\n"
             "  try       electron");
  BOOST_TEST(refusal([] { spin(0, {.quote = "spaces"}); }) ==
             "spaces: no site has this spin\n"
             "  expected  1/2, 1, 3/2, ... up to 100\n"
             "  found     0");
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(refused_patterns)

BOOST_AUTO_TEST_CASE(places_given_twice_or_not_at_all) {
  BOOST_TEST(of_pattern({.operators = {"Sz", "Sz"}, .sites = {1, 2}, .offsets = {0, 1}}) ==
             "1 Sz(1) Sz(2): a term is placed in more than one way\n"
             "  expected  sites, offsets or decay\n"
             "  found     sites and offsets");
  BOOST_TEST(of_pattern({.operators = {"Sz", "Sz"}}) ==
             "1 Sz Sz: the places of the operators are missing\n"
             "  expected  sites, offsets or decay, unless there is one operator\n"
             "  found     2 operators\n"
             "  try       offsets: [0, 1] for neighbours");
}

BOOST_AUTO_TEST_CASE(keys_that_do_not_fit) {
  BOOST_TEST(of_pattern({.operators = {"Sz"}, .decay = Power{2}}) ==
             "1 Sz: decay is about pairs\n"
             "  expected  2 operators\n"
             "  found     1");
  BOOST_TEST(of_pattern({.operators = {"Sz", "Sz"}, .offsets = {0, 1, 2}}) ==
             "1 Sz Sz: there is one offset for each operator\n"
             "  expected  2 offsets\n"
             "  found     3");
  BOOST_TEST(of_pattern({.operators = {"Sz"}, .sites = {2}, .range = SiteRange{1, 2}}) ==
             "1 Sz(2): a range has no meaning where sites are given\n"
             "  expected  offsets or decay\n"
             "  found     sites and range");
  BOOST_TEST(of_pattern({.operators = {"Sz", "Sz"}, .decay = Power{2}, .is_periodic = true}) ==
             "1 Sz Sz: periodic is about offsets\n"
             "  expected  offsets\n"
             "  found     decay\n"
             "  try       distance: ring for pairs that decay");
  BOOST_TEST(of_pattern({.operators = {"Sz", "Sz"}, .decay = Exponential{0}}) ==
             "1 Sz Sz: the base of an exponential\n"
             "  expected  a number other than 0\n"
             "  found     0");
}

BOOST_AUTO_TEST_CASE(ranges_and_offsets_without_a_place) {
  BOOST_TEST(of_pattern({.operators = {"Sz"}, .range = SiteRange{2, 9}}) ==
             "1 Sz: a range that does not fit the sites\n"
             "  expected  1 <= first <= last <= 4, step >= 1\n"
             "  found     first 2, last 9, step 1");
  BOOST_TEST(of_pattern({.operators = {"Sz", "Sz"}, .offsets = {0, 4}}) ==
             "1 Sz Sz: the term fits nowhere\n"
             "  expected  offsets within 4 sites\n"
             "  found     offsets [0, 4]");
  BOOST_TEST(of_pattern({.operators = {"Sz", "Sz"}, .decay = Power{1}, .range = SiteRange{2, 2}}) ==
             "1 Sz Sz: a range without a pair of sites\n"
             "  expected  at least 2 sites\n"
             "  found     1");
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(refused_models)

BOOST_AUTO_TEST_CASE(names_of_models_and_parameters) {
  BOOST_TEST(of_model({.name = "heisenburg", .lattice = {.sites = 4}}) ==
             "model heisenburg: no model is called 'heisenburg'\n"
             "  expected  heisenberg, xxz, xx, tfim, j1j2, aklt, haldane-shastry, hubbard or spinless-fermions\n"
             "  found     heisenburg\n"
             "  try       heisenberg");
  BOOST_TEST(of_model({.name = "xxz", .lattice = {.sites = 4}, .parameters = {{"Delta", 1}, {"mu", 2}}}) ==
             "model xxz: the model has no parameter 'Delta'\n"
             "  expected  spin, j, delta, phase or h\n"
             "  found     Delta\n"
             "  try       delta\n"
             "model xxz: the model has no parameter 'mu'\n"
             "  expected  spin, j, delta, phase or h\n"
             "  found     mu");
  BOOST_TEST(of_model({.name = "tfim", .lattice = {.sites = 4}, .parameters = {{"g", std::nan("")}}}) ==
             "model tfim: the parameter g is not finite\n"
             "  expected  a number\n"
             "  found     nan");
  BOOST_TEST(of_model({.name = "heisenberg", .lattice = {.sites = 4}, .parameters = {{"spin", 0.7}}}) ==
             "model heisenberg: the parameter spin is no spin\n"
             "  expected  0.5, 1, 1.5, ...\n"
             "  found     0.7");
}

BOOST_AUTO_TEST_CASE(lattices) {
  BOOST_TEST(of_model({.name = "aklt", .lattice = {.name = "square", .sites = 4}}) ==
             "model aklt: the model is not defined on the lattice square\n"
             "  expected  chain or ring\n"
             "  found     square");
  BOOST_TEST(of_model({.name = "xx", .lattice = {.name = "chian", .sites = 4}}) ==
             "model xx: no lattice is called 'chian'\n"
             "  expected  chain, ring, ladder or square\n"
             "  found     chian\n"
             "  try       chain");
}

BOOST_AUTO_TEST_CASE(numbers_of_sites) {
  BOOST_TEST(of_model({.name = "xx"}) ==
             "model xx: the number of sites is missing\n"
             "  expected  sites\n"
             "  found     none\n"
             "  try       sites: 10");
  BOOST_TEST(of_model({.name = "xx", .lattice = {.sites = 1}}) ==
             "model xx: too few sites\n"
             "  expected  at least 2\n"
             "  found     1");
  BOOST_TEST(of_model({.name = "xx", .lattice = {.name = "ring", .sites = 2}}) ==
             "model xx: too few sites for a ring\n"
             "  expected  at least 3\n"
             "  found     2\n"
             "  try       lattice: chain");
  BOOST_TEST(of_model({.name = "xx", .lattice = {.sites = -3}}) ==
             "model xx: too few sites\n"
             "  expected  at least 2\n"
             "  found     -3");
  BOOST_TEST(of_model({.name = "xx", .lattice = {.name = "ladder", .sites = 7}}) ==
             "model xx: the sites are no whole number of columns\n"
             "  expected  a multiple of 2\n"
             "  found     7");
  BOOST_TEST(of_model({.name = "xx", .lattice = {.name = "square", .sites = 8, .width = 3, .length = 3}}) ==
             "model xx: the number of sites is not width times length\n"
             "  expected  9\n"
             "  found     8");
  BOOST_TEST(of_model({.name = "xx", .lattice = {.name = "square", .sites = 8}}) ==
             "model xx: the width of the square lattice is missing\n"
             "  expected  sites of a column\n"
             "  found     none\n"
             "  try       width: 4");
  BOOST_TEST(of_model({.name = "xx", .lattice = {.name = "square", .sites = 8, .width = -2}}) ==
             "model xx: no lattice has this width\n"
             "  expected  at least 1\n"
             "  found     -2");
  BOOST_TEST(of_model({.name = "xx", .lattice = {.name = "ladder", .sites = 9, .width = 3}}) ==
             "model xx: a ladder has two legs\n"
             "  expected  width 2\n"
             "  found     3\n"
             "  try       lattice: square");
  BOOST_TEST(of_model({.name = "xx", .lattice = {.name = "ring", .length = 8}}) ==
             "model xx: a ring has no width and no length\n"
             "  expected  sites\n"
             "  found     length 8\n"
             "  try       sites: 8");
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(refused_mpos)

BOOST_AUTO_TEST_CASE(bonds_that_do_not_match) {
  BOOST_TEST(of_mpo({tensor({1, 3, 2, 2}), tensor({4, 5, 2, 2}), tensor({5, 1, 2, 2})}) ==
             "MPO: the bond between sites 1 and 2 has two extents\n"
             "  expected  one extent\n"
             "  found     right extent 3 of site 1, left extent 4 of site 2");
  BOOST_TEST(of_mpo({tensor({2, 3, 2, 2}), tensor({3, 4, 2, 2})}) ==
             "MPO: the first site has a bond on its left\n"
             "  expected  left extent 1\n"
             "  found     2\n"
             "MPO: the last site has a bond on its right\n"
             "  expected  right extent 1\n"
             "  found     4");
}

BOOST_AUTO_TEST_CASE(tensors_of_another_form) {
  BOOST_TEST(of_mpo({tensor({1, 1, 2, 2})}) ==
             "MPO: too few sites\n"
             "  expected  at least 2 tensors\n"
             "  found     1");
  BOOST_TEST(of_mpo({}) ==
             "MPO: too few sites\n"
             "  expected  at least 2 tensors\n"
             "  found     0");
  BOOST_TEST(of_mpo({tensor({1, 2, 2}), tensor({2, 1, 2, 3})}) ==
             "MPO: the tensor of site 1 has another shape\n"
             "  expected  [left][right][out][in], none of them 0\n"
             "  found     1 x 2 x 2\n"
             "  try       a left bond of extent 1: in numpy, W[None]\n"
             "MPO: the operators of site 2 are not square\n"
             "  expected  [left][right][out][in] with out = in\n"
             "  found     2 x 1 x 2 x 3");
  BOOST_TEST(of_mpo({tensor({1, 1, 2, 2}), tensor::Dense::zeros(Dtype::c128, {1, 1, 2, 2})}) ==
             "MPO: the tensor of site 2 has another type than that of site 1\n"
             "  expected  f64\n"
             "  found     c128");
  BOOST_TEST(of_mpo({tensor::Dense::zeros(Dtype::i64, {1, 1, 2, 2}), tensor::Dense::zeros(Dtype::i64, {1, 1, 2, 2})}) ==
             "MPO: the tensor of site 1 has another type\n"
             "  expected  f64 or c128\n"
             "  found     i64\n"
             "MPO: the tensor of site 2 has another type\n"
             "  expected  f64 or c128\n"
             "  found     i64");
  BOOST_TEST(of_mpo({tensor({1, 1, 2, 2}, {1, 0, std::nan(""), 1}), tensor({1, 1, 2, 2})}) ==
             "MPO: the tensor of site 1 is not finite\n"
             "  expected  numbers\n"
             "  found     nan at [0,0,1,0]");
}

BOOST_AUTO_TEST_CASE(operators_that_are_not_hermitian) {
  BOOST_TEST(of_mpo({tensor({1, 1, 2, 2}, {0, 1, 0, 0}), tensor({1, 1, 2, 2}, {1, 0, 0, 1})}) ==
             "MPO: the MPO is not Hermitian\n"
             "  expected  |H - H^+| <= 1e-12 |H| in the Frobenius norm\n"
             "  found     1.41 |H|\n"
             "  try       tensors as [left][right][out][in]");
  BOOST_TEST(of_mpo({tensor({1, 1, 2, 2}, {1, 0, 0, -1}), tensor({1, 1, 2, 2}, {0, 1, 1, 0})}) == "");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace tyto::hamiltonian
