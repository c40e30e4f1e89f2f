// Energies of the catalogue's models by diagonalization: known values, and closed forms with their source.
#include "hamiltonian/model.hpp"
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <numbers>
#include "core/hamiltonian/dense.hpp"

namespace tyto::hamiltonian {

namespace {

using Parameters = std::map<std::string, double>;

Model model(const std::string& name, std::int64_t sites, const Parameters& parameters = {}, const std::string& lattice = "") {
  return make_model({.name = name, .lattice = {.name = lattice, .sites = sites}, .parameters = parameters});
}

/// The lowest eigenvalues; of all states, or of those with a value of twice Sz.
std::vector<double> energies(const Model& m) { return eigenvalues(dense_of(compile(m.sum))); }
std::vector<double> energies(const Model& m, std::int64_t twice_sz) {
  return eigenvalues(restricted(dense_of(compile(m.sum)), states_with(Charge::sz, twice_sz, m.sum.spaces)));
}

constexpr double pi = std::numbers::pi;
/// Of a known value with 13 digits after the point.
constexpr double digits = 1e-12;

}  // namespace

BOOST_AUTO_TEST_SUITE(models)

BOOST_AUTO_TEST_CASE(heisenberg_chains) {
  BOOST_TEST(std::abs(energies(model("heisenberg", 2))[0] + 0.75) < digits);
  BOOST_TEST(std::abs(energies(model("heisenberg", 3))[0] + 1.0) < digits);
  BOOST_TEST(std::abs(energies(model("heisenberg", 4))[0] + 1.6160254037844) < digits);
  BOOST_TEST(std::abs(energies(model("heisenberg", 5))[0] + 1.927886253318) < digits);
  BOOST_TEST(std::abs(energies(model("heisenberg", 8))[0] + 3.3749325986879) < digits);
  BOOST_TEST(std::abs(energies(model("heisenberg", 8), 2)[0] + 2.98224048776289) < digits);
  BOOST_TEST(std::abs(energies(model("heisenberg", 10), 0)[0] + 4.2580352072829) < digits);
  BOOST_TEST(std::abs(energies(model("heisenberg", 10, {}, "ring"), 0)[0] + 4.5154463544920) < digits);
}

BOOST_AUTO_TEST_CASE(spin_one_chain) {
  // Two spins 1 in the singlet: S.S = -2; three: the total spin 0 has -3.
  BOOST_TEST(std::abs(energies(model("heisenberg", 2, {{"spin", 1}}))[0] + 2) < digits);
  BOOST_TEST(std::abs(energies(model("heisenberg", 3, {{"spin", 1}}))[0] + 3) < digits);
  BOOST_TEST(std::abs(lowest_eigenvalue(compile(model("heisenberg", 8, {{"spin", 1}}).sum), 70) + 10.12463722235888) < digits);
  // Two spins S: -S(S+1)
  BOOST_TEST(std::abs(energies(model("heisenberg", 2, {{"spin", 1.5}}))[0] + 3.75) < digits);
}

BOOST_AUTO_TEST_CASE(xx_chain_is_free_fermions) {
  for (const std::int64_t sites : {6, 8}) {
    double expected = 0;
    for (std::int64_t k = 1; k <= sites / 2; ++k)
      expected -= std::cos(pi * static_cast<double>(k) / static_cast<double>(sites + 1));
    BOOST_TEST(std::abs(energies(model("xx", sites))[0] - expected) < digits);
  }
  BOOST_TEST(std::abs(energies(model("xx", 10), 0)[0] + 3.0133370916661) < digits);
}

BOOST_AUTO_TEST_CASE(xxz_chain_does_not_feel_a_phase_of_its_exchange) {
  const double tolerance = 1e-11;  // of values with 12 digits after the point
  BOOST_TEST(std::abs(energies(model("xxz", 10, {{"delta", 0.5}}), 0)[0] + 3.590250702987) < tolerance);
  BOOST_TEST(std::abs(energies(model("xxz", 10, {{"delta", 0.5}, {"phase", 0.7}}), 0)[0] + 3.590250702987) < tolerance);
  BOOST_TEST(std::abs(energies(model("xxz", 10, {{"delta", 2}}), 0)[0] + 5.832681365222) < tolerance);
}

BOOST_AUTO_TEST_CASE(critical_ising_chain) {
  for (const std::int64_t sites : {2, 5, 8}) {
    const double expected = 1 - 1 / std::sin(pi / static_cast<double>(4 * sites + 2));
    BOOST_TEST(std::abs(energies(model("tfim", sites))[0] - expected) < digits);
  }
}

BOOST_AUTO_TEST_CASE(ising_chain_in_a_weak_field_has_two_low_states) {
  const std::vector<double> e = energies(model("tfim", 10, {{"g", 0.5}}));
  BOOST_TEST(std::abs(e[0] + 9.765503957927) < 1e-11);
  BOOST_TEST(std::abs(e[1] + 9.764039104049) < 1e-11);
}

BOOST_AUTO_TEST_CASE(majumdar_ghosh_chain) {
  BOOST_TEST(std::abs(energies(model("j1j2", 8))[0] + 3.0) < digits);
  BOOST_TEST(std::abs(energies(model("j1j2", 10), 0)[0] + 3.75) < digits);
  BOOST_TEST(std::abs(energies(model("j1j2", 8, {{"j2", 0}}))[0] + 3.3749325986879) < digits);
  const std::vector<double> ring = energies(model("j1j2", 6, {}, "ring"));
  BOOST_TEST(std::abs(ring[0] + 2.25) < digits);
  BOOST_TEST(std::abs(ring[1] + 2.25) < digits);
}

BOOST_AUTO_TEST_CASE(aklt_chain_has_four_lowest_states) {
  const std::vector<double> e = energies(model("aklt", 5));
  for (int k = 0; k < 4; ++k) BOOST_TEST(std::abs(e[static_cast<std::size_t>(k)] + 8.0 / 3) < digits);
  BOOST_TEST(e[4] > -8.0 / 3 + 0.1);
}

BOOST_AUTO_TEST_CASE(haldane_shastry_ring) {
  for (const std::int64_t sites : {4, 6, 8}) {
    const auto n = static_cast<double>(sites);
    BOOST_TEST(std::abs(energies(model("haldane-shastry", sites))[0] + pi * pi * (n + 5 / n) / 24) < digits);
  }
  BOOST_TEST(std::abs(energies(model("haldane-shastry", 10), 0)[0] + 4.317951925477) < 1e-11);
}

BOOST_AUTO_TEST_CASE(hubbard_chain_is_half_filled_in_particle_hole_form) {
  const Model m = model("hubbard", 4);
  BOOST_REQUIRE(m.shift);
  const DenseMatrix h = dense_of(compile(m.sum));
  const double lowest = eigenvalues(h)[0];
  const std::vector<double> half_filled = eigenvalues(restricted(h, states_with(Charge::particles, 4, m.sum.spaces)));
  BOOST_TEST(std::abs(lowest - half_filled[0]) < digits);
  for (const std::int64_t particles : {2, 3, 5, 6})
    BOOST_TEST(eigenvalues(restricted(h, states_with(Charge::particles, particles, m.sum.spaces)))[0] > lowest + 0.1);
  BOOST_TEST((m.shift->operator_name == "Ntot"));
  BOOST_TEST(std::abs(lowest - m.shift->value * 4 + 1.953145308685) < 1e-11);
}

BOOST_AUTO_TEST_CASE(spinless_fermions_are_half_filled_in_particle_hole_form) {
  for (const double v : {0.0, 1.0, 4.0})
    for (const char* lattice : {"chain", "ring"}) {
      const Model m = model("spinless-fermions", 6, {{"v", v}}, lattice);
      const DenseMatrix h = dense_of(compile(m.sum));
      const double lowest = eigenvalues(h)[0];
      BOOST_TEST(std::abs(lowest - eigenvalues(restricted(h, states_with(Charge::particles, 3, m.sum.spaces)))[0]) < digits);
    }
  const Model free = model("spinless-fermions", 10);
  const DenseMatrix h = dense_of(compile(free.sum));
  BOOST_TEST(std::abs(eigenvalues(restricted(h, states_with(Charge::particles, 5, free.sum.spaces)))[0] + 6.026674183332) < 1e-11);
}

BOOST_AUTO_TEST_CASE(fermions_on_planes_are_what_their_occupation_numbers_say) {
  for (const Model& m : {model("hubbard", 4, {{"u", 3}}, "ladder"), model("spinless-fermions", 8, {{"v", 1}}, "ladder"),
                         model("hubbard", 3, {}, "ring")})
    BOOST_TEST(largest_difference(dense_of(compile(m.sum)), dense_by_occupation(m.sum)) < 1e-13);
}

BOOST_AUTO_TEST_CASE(every_model_is_hermitian_on_every_lattice_of_its_own) {
  for (const ModelDescription& description : model_descriptions())
    for (const std::string& lattice : description.lattices) {
      const Model m = make_model({.name = description.name,
                                  .lattice = {.name = lattice, .sites = 6, .width = lattice == "square" ? 3 : 0},
                                  .parameters = {}});
      BOOST_CHECK_NO_THROW(require_hermitian(m.sum));
      BOOST_CHECK_NO_THROW(require_hamiltonian(compile(m.sum)));
      BOOST_TEST(m.parameters.size() == description.parameters.size());
      const std::string convention = spin_convention(m.sum);
      BOOST_TEST(description.convention.rfind(convention.substr(0, 4), 0) == 0);
    }
}

BOOST_AUTO_TEST_CASE(charges_are_sums_over_sites) {
  const std::vector<LocalSpace> mixed{electron(), spin(1), spinless_fermion()};
  const DenseMatrix n = dense_of(compile(total(Charge::particles, mixed))), sz = dense_of(compile(total(Charge::sz, mixed)));
  for (std::int64_t particles = 0; particles <= 3; ++particles)
    for (const std::int64_t k : states_with(Charge::particles, particles, mixed))
      BOOST_TEST(n(k, k).real() == static_cast<double>(particles));
  for (std::int64_t twice = -2; twice <= 2; ++twice)
    for (const std::int64_t k : states_with(Charge::sz, twice, mixed))
      BOOST_TEST(sz(k, k).real() == 0.5 * static_cast<double>(twice));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(lattices)

static std::string pairs(const std::vector<SitePair>& all) {
  std::string text;
  for (const SitePair& p : all) text += (text.empty() ? "" : " ") + std::to_string(p.first) + "-" + std::to_string(p.second);
  return text;
}

BOOST_AUTO_TEST_CASE(neighbours_of_chain_and_ring) {
  const Lattice chain = make_lattice({.name = "chain", .sites = 4}), ring = make_lattice({.name = "ring", .sites = 5});
  BOOST_TEST(pairs(chain.neighbours) == "1-2 2-3 3-4");
  BOOST_TEST(pairs(chain.second_neighbours) == "1-3 2-4");
  BOOST_TEST(pairs(ring.neighbours) == "1-2 1-5 2-3 3-4 4-5");
  BOOST_TEST(pairs(ring.second_neighbours) == "1-3 1-4 2-4 2-5 3-5");
}

BOOST_AUTO_TEST_CASE(planes_are_numbered_along_a_snake) {
  //  3 4 9        2 3 6
  //  2 5 8        1 4 5
  //  1 6 7
  const Lattice square = make_lattice({.name = "square", .width = 3, .length = 3}),
                ladder = make_lattice({.name = "ladder", .length = 3});
  BOOST_TEST(pairs(square.neighbours) == "1-2 1-6 2-3 2-5 3-4 4-5 4-9 5-6 5-8 6-7 7-8 8-9");
  BOOST_TEST(pairs(square.second_neighbours) == "1-5 2-4 2-6 3-5 4-8 5-7 5-9 6-8");
  BOOST_TEST(pairs(ladder.neighbours) == "1-2 1-4 2-3 3-4 3-6 4-5 5-6");
  BOOST_TEST(pairs(ladder.second_neighbours) == "1-3 2-4 3-5 4-6");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace tyto::hamiltonian
