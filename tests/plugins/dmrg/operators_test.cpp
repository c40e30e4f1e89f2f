// Operators that come as data: the energies of the models that they were written from, real and complex.
#include <cmath>
#include <complex>
#include "core/session/runs.hpp"
#include "tensor/read.hpp"

namespace tyto::session {

namespace {

const std::string solver = "solver: {tolerance: 1e-13, max_sweeps: 30}\n";

Session of_settings(const std::string& settings) {
  return Session::from_text("algorithm: dmrg\nsettings: {" + settings + "}\n" + solver);
}
Session of_files(const std::string& files, const std::string& settings) {
  return Session::from_text("algorithm: dmrg\ndata: {H: {files: " + files + "}}\nsettings: {" + settings + "}\n" + solver);
}

/// The energy by model, and by the operators that were written for it.
void check_round_trip(const std::string& name, const std::string& model, const std::string& settings) {
  const std::string pattern = fresh_folder(name) + "/new/H[*].npy";
  const std::vector<std::string> files = of_settings(model + ", " + settings).write_list(pattern);
  const Result by_model = of_settings(model + ", " + settings).run(), by_files = of_files('"' + pattern + '"', settings).run();
  BOOST_TEST(static_cast<std::size_t>(by_files.array("psi.entropy").extents[0] + 1) == files.size());
  BOOST_TEST(std::abs(by_files.objective - by_model.objective) <= 1e-12 * std::abs(by_model.objective));
  BOOST_TEST(by_files.array("psi[0]").imaginary.empty() == by_model.array("psi[0]").imaginary.empty());
}

}  // namespace

BOOST_AUTO_TEST_SUITE(dmrg_operators)

BOOST_AUTO_TEST_CASE(written_and_read_again_they_have_the_same_energy) {
  check_round_trip("heisenberg", "model: {name: heisenberg, sites: 10}", "maxdim: [10, 20, 40]");
}

BOOST_AUTO_TEST_CASE(complex_ones_run_complex) {
  check_round_trip("phase", "model: {name: xxz, sites: 6, delta: 0.5, phase: 0.7}", "maxdim: 8");
}

BOOST_AUTO_TEST_CASE(one_complex_tensor_makes_all_complex) {
  const std::string folder = fresh_folder("mixed");
  of_settings("model: {name: heisenberg, sites: 4}, maxdim: 4").write_list(folder + "/H[*].npy");
  const std::string second = folder + "/H[1].npy";
  const tensor::Dense real = tensor::read_tensor(second);
  tensor::write_npy(second, tensor::Dense::copy(real.view(), Dtype::c128).view());
  const Result r = of_files('"' + folder + "/H[*].npy\"", "maxdim: 4").run();
  BOOST_TEST(std::abs(r.objective - -1.6160254037844) <= 1e-12);
  BOOST_TEST(!r.array("psi[0]").imaginary.empty());
}

/// Two levels of spacing 1 on each site, ten states on the one between: the lowest energy is a sum of the lowest of each site.
BOOST_AUTO_TEST_CASE(sites_may_have_any_number_of_states) {
  const std::string folder = fresh_folder("levels");
  const std::vector<std::int64_t> states{2, 10, 2};
  for (std::size_t k = 0; k < states.size(); ++k) {
    const std::int64_t d = states[k], left = k == 0 ? 1 : 2, right = k == 2 ? 1 : 2;
    Table w{{left, right, d, d}, std::vector<double>(static_cast<std::size_t>(left * right * d * d))};
    const auto add = [&](std::int64_t a, std::int64_t b, double offset, double slope) {
      for (std::int64_t s = 0; s < d; ++s)
        w.values[static_cast<std::size_t>(((a * right + b) * d + s) * d + s)] += offset + slope * static_cast<double>(s);
    };
    // The bond is 0 before the site with energy and 1 after it; at the ends only one of the two is there.
    if (k == 0) add(0, 0, 1, 0), add(0, 1, -1, 1);
    if (k == 1) add(0, 0, 1, 0), add(0, 1, -4, 1), add(1, 1, 1, 0);
    if (k == 2) add(0, 0, -1, 1), add(1, 0, 1, 0);
    written(folder, item("H", k), w);
  }
  const Result r = of_files('"' + folder + "/H[*].npy\"", "maxdim: 4").run();
  BOOST_TEST(std::abs(r.objective - -6) <= 1e-12);
  BOOST_TEST(r.array("psi[1]").extents[1] == 10);
}

BOOST_AUTO_TEST_CASE(several_states_and_the_variance_are_there_and_totals_are_not) {
  const std::string folder = fresh_folder("states");
  of_settings("model: {name: heisenberg, sites: 4}, maxdim: 4").write_list(folder + "/H[*].npy");
  const Result r = of_files('"' + folder + "/H[*].npy\"", "maxdim: 8, states: 2").run();
  BOOST_TEST(std::abs(r.scalar("energy[0]") - -1.6160254037844) <= 1e-11);
  BOOST_TEST(std::abs(r.scalar("energy[1]") - -0.9571067811865) <= 1e-10);
  BOOST_TEST(std::abs(r.scalar("variance[0]")) <= 1e-10);
  BOOST_TEST(!r.values.contains("sz[0]"));
}

BOOST_AUTO_TEST_CASE(a_resumed_run_goes_on_and_other_operators_are_refused) {
  const std::string folder = fresh_folder("resumed"), out = folder + "/out";
  of_settings("model: {name: heisenberg, sites: 6}, maxdim: 4").write_list(folder + "/H[*].npy");
  Session whole = of_files('"' + folder + "/H[*].npy\"", "maxdim: 8");
  whole.set("output", "{directory: " + out + ", checkpoint: 1, overwrite: true}");
  const Result expected = whole.run();
  whole.set("solver.max_sweeps", "1");
  whole.run();
  const auto resumed = [&] {
    Session session = Session::from_checkpoint(out);
    session.set("solver.max_sweeps", "30");
    return session.run();
  };
  const Result r = resumed();
  BOOST_TEST(r.objective == expected.objective);
  BOOST_TEST(r.sweeps == expected.sweeps);
  const Table other{{5, 5, 2, 2}, std::vector<double>(100, 0.5)};
  written(folder, "H[2]", other);
  BOOST_CHECK_EXCEPTION(resumed(), Error, [](const Error& e) { return std::string(e.what()).find("H[2]") != std::string::npos; });
}

BOOST_AUTO_TEST_CASE(plans_and_checks_take_them) {
  const std::string folder = fresh_folder("planned");
  of_settings("model: {name: heisenberg, sites: 4}, maxdim: 4").write_list(folder + "/H[*].npy");
  Session session = of_files('"' + folder + "/H[*].npy\"", "maxdim: 8");
  session.check();
  BOOST_TEST(session.explain().find("H: 4 tensors with bonds up to 5, on sites of 2 states") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace tyto::session
