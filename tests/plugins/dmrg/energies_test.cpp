// Energies of DMRG against exact ones.
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <numbers>
#include "core/session/runs.hpp"

namespace tyto::session {

namespace {

Session dmrg(const std::string& model, const std::string& settings,
             const std::string& yaml = "solver: {tolerance: 1e-12, max_sweeps: 30}\n") {
  return Session::from_text("algorithm: dmrg\nsettings: {model: {" + model + "}, " + settings + "}\n" + yaml);
}

/// Not above the exact value by more than `allowed`, and not below it but by rounding.
void check_energy(const Result& r, double exact, double allowed) {
  BOOST_TEST(r.objective - exact <= allowed);
  BOOST_TEST(exact - r.objective <= std::max(1e-10, 1e-12 * std::abs(exact)));
  BOOST_TEST((r.outcome.stop == Stop::converged), r.outcome.reason);
}

double ising_at_criticality(int sites) { return 1 - 1 / std::sin(std::numbers::pi / (4 * sites + 2)); }

}  // namespace

BOOST_AUTO_TEST_SUITE(dmrg_energies)

BOOST_AUTO_TEST_CASE(heisenberg) {
  check_energy(dmrg("name: heisenberg, sites: 10", "maxdim: [10, 20, 40]").run(), -4.2580352072829, 1e-10);
  check_energy(dmrg("name: heisenberg, sites: 20", "maxdim: [10, 20, 80]").run(), -8.682473334399, 1e-9);
}

BOOST_AUTO_TEST_CASE(short_chains) {
  check_energy(dmrg("name: heisenberg, sites: 2", "maxdim: 4").run(), -0.75, 1e-12);
  check_energy(dmrg("name: heisenberg, sites: 3", "maxdim: 4").run(), -1, 1e-12);
  check_energy(dmrg("name: heisenberg, sites: 4", "maxdim: 4").run(), -1.6160254037844, 1e-12);
  check_energy(dmrg("name: heisenberg, sites: 5", "maxdim: 8").run(), -1.927886253318, 1e-11);
}

BOOST_AUTO_TEST_CASE(critical_ising) {
  check_energy(dmrg("name: tfim, sites: 20", "maxdim: [10, 20, 40]").run(), ising_at_criticality(20), 1e-8);
}

BOOST_AUTO_TEST_CASE(xxz_also_with_a_complex_phase) {
  check_energy(dmrg("name: xxz, sites: 10, delta: 0.5", "maxdim: [10, 20, 40]").run(), -3.590250702987, 1e-10);
  check_energy(dmrg("name: xxz, sites: 10, delta: 0.5, phase: 0.7", "maxdim: [10, 20, 40]").run(), -3.590250702987, 1e-10);
}

BOOST_AUTO_TEST_CASE(majumdar_ghosh) {
  check_energy(dmrg("name: j1j2, sites: 10, j2: 0.5", "maxdim: [10, 20, 40], noise: [1e-4, 1e-6, 0]").run(), -3.75, 1e-10);
}

BOOST_AUTO_TEST_CASE(spin_one) {
  check_energy(dmrg("name: heisenberg, sites: 8, spin: 1", "maxdim: [20, 40, 90]").run(), -10.12463722235888, 1e-9);
}

BOOST_AUTO_TEST_CASE(haldane_shastry) {
  check_energy(dmrg("name: haldane-shastry, sites: 10", "maxdim: [10, 20, 40], noise: [1e-4, 1e-6, 0]").run(), -4.317951925477,
               1e-9);
}

BOOST_AUTO_TEST_CASE(one_site_with_noise) {
  check_energy(dmrg("name: heisenberg, sites: 10", "maxdim: [10, 20, 40], block: 1, noise: [1e-2, 1e-3, 1e-4, 0]").run(),
               -4.2580352072829, 1e-9);
}

BOOST_AUTO_TEST_CASE(from_a_product_state) {
  check_energy(dmrg("name: heisenberg, sites: 10", "maxdim: [10, 20, 40], start: neel").run(), -4.2580352072829, 1e-10);
  const Result half = dmrg("name: hubbard, sites: 4, u: 4", "maxdim: 64, start: [up, down]").run();
  BOOST_TEST(std::abs(half.scalar("energy") - -1.953145308685) < 1e-9);
  const Result one_step = dmrg("name: heisenberg, sites: 4, spin: 1", "maxdim: 1, start: [m=0]", "solver: {max_sweeps: 0}\n").run();
  BOOST_TEST(std::abs(one_step.objective) < 1e-14);
}

/// All spins up is an eigenstate, and the exact ground state is elsewhere.
BOOST_AUTO_TEST_CASE(from_an_eigenstate) {
  const std::string model = "name: xx, sites: 10", settings = "maxdim: 32, start: up";
  const Result restarted = dmrg(model, settings).run();
  check_energy(restarted, -3.0133370916661, 1e-10);
  const Result stays = dmrg(model, settings + ", restart: never").run();
  BOOST_TEST(stays.objective == 0);
  BOOST_TEST(restarted.warnings.size() == 1U);
  const std::string notice =
      "the start solves every local problem: it is an eigenstate, and sweeps cannot tell whether it is the lowest; ";
  BOOST_TEST(restarted.warnings.at(0) == notice + "the next sweep perturbs it");
  BOOST_TEST(stays.warnings.at(0) == notice + "restart: auto perturbs it");
  BOOST_TEST(dmrg(model, "maxdim: 32, start: neel").run().warnings.empty());
}

BOOST_AUTO_TEST_CASE(a_long_chain_starts) {
  const Result r = dmrg("name: heisenberg, sites: 600", "maxdim: 4", "solver: {max_sweeps: 1}\n").run();
  BOOST_TEST(r.objective < -0.43 * 600);
}

BOOST_AUTO_TEST_CASE(more_states_than_there_are_fail_and_say_so) {
  const Result r = dmrg("name: heisenberg, sites: 2", "maxdim: 4, states: 5").run();
  BOOST_TEST((r.outcome.stop == Stop::failed));
  BOOST_TEST(r.outcome.reason == "no eigenvector was found at site 1");
}

BOOST_AUTO_TEST_CASE(entropies_with_noise_are_those_of_the_state) {
  const double with = dmrg("name: heisenberg, sites: 10", "maxdim: 32, noise: 1e-2", "solver: {max_sweeps: 6}\n")
                          .run()
                          .array("psi.entropy")
                          .values[4],
               without = dmrg("name: heisenberg, sites: 10", "maxdim: 32").run().array("psi.entropy").values[4];
  BOOST_TEST(std::abs(with - without) < 1e-6);
}

BOOST_AUTO_TEST_CASE(local_values_are_those_of_the_state) {
  const Result up = dmrg("name: heisenberg, sites: 6, h: 10", "maxdim: 8, local: [Sz, Sx]").run();  // all along the field
  for (std::size_t site = 0; site < 6; ++site) {
    BOOST_TEST(std::abs(up.array("Sz").values[site] - 0.5) < 1e-10);
    BOOST_TEST(std::abs(up.array("Sx").values[site]) < 1e-6);
  }
  // Half a charge on each site, and the sum of all is the conserved number.
  const Result half = dmrg("name: hubbard, sites: 4, u: 4", "maxdim: 64, noise: [1e-4, 0], local: Ntot").run();
  double sum = 0;
  for (const double n : half.array("Ntot").values) sum += n;
  BOOST_TEST(std::abs(sum - half.scalar("particles")) < 1e-9);
  BOOST_TEST(std::abs(sum - 4) < 1e-8);
  BOOST_TEST(std::abs(half.scalar("energy") - -1.953145308685) < 1e-9);
}

BOOST_AUTO_TEST_CASE(excited_states_are_orthogonal) {
  const Result r = dmrg("name: heisenberg, sites: 8", "maxdim: [10, 20], states: 2").run();
  BOOST_TEST(std::abs(r.objective - -2.98224048776289) < 1e-9);
  BOOST_TEST(std::abs(r.scalar("energy[0]") - -3.3749325986879) < 1e-9);
  BOOST_TEST(std::abs(r.scalar("overlap[1] with psi[0]")) < 1e-12);
  for (const char* name : {"variance[0]", "variance[1]"}) BOOST_TEST(std::abs(r.scalar(name)) < 1e-8);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace tyto::session
