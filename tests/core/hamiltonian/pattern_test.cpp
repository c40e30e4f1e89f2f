// Which terms a pattern stands for, and what sites and their operators are.
#include "hamiltonian/pattern.hpp"
#include <boost/test/unit_test.hpp>
#include <cmath>
#include "core/hamiltonian/dense.hpp"

namespace tyto::hamiltonian {

static std::string terms(const TermPattern& pattern, const std::vector<LocalSpace>& spaces = chain_of(spin(1), 4)) {
  std::string text;
  for (const Term& term : expand(pattern, spaces)) text += (text.empty() ? "" : ", ") + text_of(term);
  return text;
}

BOOST_AUTO_TEST_SUITE(patterns)

BOOST_AUTO_TEST_CASE(one_operator_alone_is_everywhere) {
  BOOST_TEST(terms({.coefficient = -0.5, .operators = {"X"}}) == "-0.5 X(1), -0.5 X(2), -0.5 X(3), -0.5 X(4)");
  BOOST_TEST(terms({.operators = {"X"}, .range = SiteRange{2, 0, 2}}) == "1 X(2), 1 X(4)");
}

BOOST_AUTO_TEST_CASE(offsets_go_as_far_as_there_are_sites) {
  BOOST_TEST(terms({.operators = {"Sz", "Sx"}, .offsets = {0, 2}}) == "1 Sz(1) Sx(3), 1 Sz(2) Sx(4)");
  BOOST_TEST(terms({.operators = {"Sz", "Sx"}, .offsets = {0, -3}}) == "1 Sz(4) Sx(1)");
  BOOST_TEST(terms({.operators = {"Sz", "Sx"}, .offsets = {0, 1}, .is_periodic = true}) ==
             "1 Sz(1) Sx(2), 1 Sz(2) Sx(3), 1 Sz(3) Sx(4), 1 Sz(4) Sx(1)");
  BOOST_TEST(terms({.operators = {"Sz", "Sx"}, .offsets = {0, 1}, .range = SiteRange{1, 3, 2}}) == "1 Sz(1) Sx(2), 1 Sz(3) Sx(4)");
}

BOOST_AUTO_TEST_CASE(pairs_decay_with_their_distance) {
  BOOST_TEST(terms({.coefficient = 8, .operators = {"Sz", "X"}, .decay = Exponential{0.5}}) ==
             "4 Sz(1) X(2), 2 Sz(1) X(3), 1 Sz(1) X(4), 4 Sz(2) X(3), 2 Sz(2) X(4), 4 Sz(3) X(4)");
  BOOST_TEST(terms({.coefficient = 4, .operators = {"Sz", "X"}, .decay = Power{2}, .range = SiteRange{2, 4}}) ==
             "4 Sz(2) X(3), 1 Sz(2) X(4), 4 Sz(3) X(4)");
  BOOST_TEST(terms({.coefficient = 4, .operators = {"Z", "Z"}, .decay = Power{2}, .distance = Distance::ring}) ==
             "4 Z(1) Z(2), 1 Z(1) Z(3), 4 Z(1) Z(4), 4 Z(2) Z(3), 1 Z(2) Z(4), 4 Z(3) Z(4)");
  const std::vector<Term> chord =
      expand({.operators = {"Z", "Z"}, .decay = Power{1}, .distance = Distance::chord}, chain_of(spin(1), 4));
  BOOST_TEST(std::abs(chord[1].coefficient.real() - std::acos(-1.0) / 4) < 1e-15);  // half the ring: the diameter 4 / pi
  BOOST_TEST(chord[0].coefficient == chord[2].coefficient);
}

BOOST_AUTO_TEST_CASE(adjoints_reverse_the_factors) {
  BOOST_TEST(terms({.coefficient = {1, 2}, .operators = {"S+", "Sz", "S-"}, .sites = {1, 3, 2}, .plus_adjoint = true}) ==
             "(1+2i) S+(1) Sz(3) S-(2), (1-2i) S+(2) Sz(3) S-(1)");
  BOOST_TEST(terms({.operators = {"Cdagup", "Cup"}, .offsets = {0, 1}, .plus_adjoint = true}, chain_of(electron(), 2)) ==
             "1 Cdagup(1) Cup(2), 1 Cdagup(2) Cup(1)");
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(local_spaces)

static double distance(const LocalMatrix& a, const LocalMatrix& b) {
  double largest = 0;
  for (std::int64_t i = 0; i < a.dimension(); ++i)
    for (std::int64_t j = 0; j < a.dimension(); ++j) largest = std::max(largest, std::abs(a(i, j) - b(i, j)));
  return largest;
}
static LocalMatrix named(const LocalSpace& space, const std::string& name) {
  return space.operators.at(static_cast<std::size_t>(space.find(name))).matrix;
}
static LocalMatrix minus(const LocalMatrix& a, const LocalMatrix& b) { return a + Complex{-1} * b; }

BOOST_AUTO_TEST_CASE(spins_obey_their_commutators) {
  for (const LocalSpace& space : {spin(1), spin(2), spin(3), spin(7), electron()}) {
    const LocalMatrix raise = named(space, "S+"), lower = named(space, "S-"), sz = named(space, "Sz");
    const double rounding = 1e-14 * static_cast<double>(space.dimension());
    BOOST_TEST(distance(minus(raise * lower, lower * raise), Complex{2} * sz) < rounding);
    BOOST_TEST(distance(minus(sz * raise, raise * sz), raise) < rounding);
  }
  for (const LocalSpace& space : {spin(1), spin(2), spin(3)}) {
    const LocalMatrix sx = named(space, "Sx"), sy = named(space, "Sy"), sz = named(space, "Sz");
    const double s = 0.5 * static_cast<double>(space.dimension() - 1);
    BOOST_TEST(distance(minus(sx * sy, sy * sx), Complex{0, 1} * sz) < 1e-15);
    BOOST_TEST(distance(sx * sx + sy * sy + sz * sz, Complex{s * (s + 1)} * LocalMatrix::identity(space.dimension())) < 4e-15);
  }
  BOOST_TEST(distance(named(spin(1), "X") * named(spin(1), "Y"), Complex{0, 1} * named(spin(1), "Z")) == 0);
}

BOOST_AUTO_TEST_CASE(fermions_of_a_site_anticommute) {
  const LocalSpace space = electron();
  for (const char* a : {"Cup", "Cdn"})
    for (const char* b : {"Cdagup", "Cdagdn"}) {
      const LocalMatrix anticommutator = named(space, a) * named(space, b) + named(space, b) * named(space, a);
      const bool is_same = std::string(a).substr(1) == std::string(b).substr(4);
      BOOST_TEST(distance(anticommutator, is_same ? LocalMatrix::identity(4) : LocalMatrix(4)) == 0);
    }
  BOOST_TEST(distance(named(space, "Cup") * named(space, "Cdn") + named(space, "Cdn") * named(space, "Cup"), LocalMatrix(4)) == 0);
}

BOOST_AUTO_TEST_CASE(names_of_adjoints_and_charges_are_right) {
  for (const LocalSpace& space : {spin(1), spin(2), spinless_fermion(), electron()}) {
    for (const LocalOperator& o : space.operators) {
      BOOST_TEST(distance(adjoint(o.matrix), named(space, o.adjoint)) == 0);
      const LocalMatrix sign = named(space, "F");
      BOOST_TEST(distance(sign * o.matrix * sign, Complex{o.is_odd ? -1.0 : 1.0} * o.matrix) == 0);
    }
    for (std::int64_t k = 0; k < space.dimension(); ++k) {
      const BasisState& state = space.states[static_cast<std::size_t>(k)];
      const Complex n = space.particles_operator.empty() ? 0 : named(space, space.particles_operator)(k, k);
      const Complex sz = space.sz_operator.empty() ? 0 : named(space, space.sz_operator)(k, k);
      BOOST_TEST(n.real() == static_cast<double>(state.particles));
      BOOST_TEST(sz.real() == 0.5 * static_cast<double>(state.twice_sz));
    }
  }
}

BOOST_AUTO_TEST_CASE(spaces_have_names) {
  for (const char* name : {"spin-1/2", "spin-1", "spin-5/2", "spinless-fermion", "electron"})
    BOOST_TEST(space_named(name).name == name);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace tyto::hamiltonian
