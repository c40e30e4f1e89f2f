// The plans of a few problems as `tyto explain` prints them, compared with regression/plans/*.txt: a change of a pass that changes
// a plan is seen in review. TYTO_UPDATE_PLANS=1 writes the files anew.
#include <boost/test/unit_test.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include "tensor/dense.hpp"
#include "tyto/session.hpp"

extern "C" const tyto::PluginInfo* tyto_plugin_CpAls(std::uint32_t);
extern "C" const tyto::PluginInfo* tyto_plugin_TuckerHooi(std::uint32_t);
extern "C" const tyto::PluginInfo* tyto_plugin_Dmrg(std::uint32_t);

using namespace tyto;

namespace {

struct Case {
  std::string name;
  Extents extents;
  std::int64_t rank;
  std::string more = {};  // of the config
};

const std::vector<Case> cases = {
    {"cp_order_2", {40, 30}, 5},
    {"cp_order_3", {50, 60, 70}, 16},
    {"cp_order_3_one_sweep", {50, 60, 70}, 16, "plan: {sweeps_per_cycle: 1}\n"},
    {"cp_order_3_no_tree", {50, 60, 70}, 16, "plan: {switched_off: [message_tree]}\n"},
    {"cp_order_4", {20, 21, 22, 23}, 8},
    {"cp_order_5", {10, 11, 12, 13, 14}, 4},
    {"cp_rank_above_modes", {4, 5, 6}, 20},
    {"cp_ridge", {20, 30, 40}, 3, "unknowns: {\"*\": {ridge: 0.1}}\n"},
    {"cp_reference", {20, 30, 40}, 3, "execution: {executor: reference}\n"},
    {"tucker_order_3", {50, 60, 70}, 16},
    {"tucker_order_4", {20, 21, 22, 23}, 4},
};

/// Chains, by their settings.
const std::vector<std::pair<std::string, std::string>> chains = {
    {"dmrg_heisenberg", "settings: {model: {name: heisenberg, sites: 20}, maxdim: [10, 20, 80]}\n"},
    {"dmrg_long_chain", "settings: {model: {name: heisenberg, sites: 100}, maxdim: [16, 128]}\nexecution: {memory_limit: 2 GB}\n"},
    {"dmrg_hubbard_noise", "settings: {model: {name: hubbard, sites: 8, u: 4}, maxdim: 60, noise: 1e-4}\n"},
    {"dmrg_one_site", "settings: {model: {name: xxz, sites: 12, phase: 0.3}, maxdim: 32, block: 1, noise: [1e-3, 0]}\n"},
    {"dmrg_states", "settings: {model: {name: tfim, sites: 10}, maxdim: 16, states: 2}\n"},
    {"dmrg_long_range", "settings: {model: {name: haldane-shastry, sites: 16}, maxdim: 40}\n"},
};

std::string plan_of_chain(const std::string& settings) {
  setenv("TYTO_CALIBRATION", "avx2", 1);
  return Session::from_text("algorithm: dmrg\n" + settings).use(tyto_plugin_Dmrg(0)).explain();
}

std::string plan_of(const Case& c) {
  setenv("TYTO_CALIBRATION", "avx2", 1);  // the same on every machine
  const bool is_tucker = c.name.starts_with("tucker");
  const PluginInfo* plugin = is_tucker ? tyto_plugin_TuckerHooi(0) : tyto_plugin_CpAls(0);
  Session session =
      Session::from_text(std::string("algorithm: ") + plugin->name + "\nsettings: {" + (is_tucker ? "ranks" : "rank") + ": " +
                         std::to_string(c.rank) + "}\ndata: {X: {}}\n" + c.more);
  tensor::Dense x = tensor::Dense::zeros(Dtype::f64, c.extents);
  for (std::int64_t k = 0; k < x.size(); ++k) x.view().as<double>()[k] = 1;
  session.input("X", x.view());
  return session.use(plugin).explain();
}

std::string contents(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// The first line that differs, from both.
std::string first_difference(const std::string& found, const std::string& wanted) {
  std::istringstream a(found), b(wanted);
  for (int line = 1;; ++line) {
    std::string left, right;
    const bool more_left = static_cast<bool>(std::getline(a, left)), more_right = static_cast<bool>(std::getline(b, right));
    if (!more_left && !more_right) return {};
    if (left != right || more_left != more_right)
      return "line " + std::to_string(line) + "\n  now   " + left + "\n  file  " + right;
  }
}

}  // namespace

void check_file(const std::string& name, const std::string& found) {
  const std::filesystem::path path = std::filesystem::path(TYTO_SOURCE_DIR) / "regression/plans" / (name + ".txt");
  if (std::getenv("TYTO_UPDATE_PLANS") != nullptr) std::ofstream(path) << found;
  const std::string difference = first_difference(found, contents(path));
  BOOST_TEST(difference.empty(), path.filename().string() << ", " << difference << "\nTYTO_UPDATE_PLANS=1 writes the files anew");
}

BOOST_AUTO_TEST_CASE(plans_are_those_on_file) {
  for (const Case& c : cases) check_file(c.name, plan_of(c));
}

BOOST_AUTO_TEST_CASE(plans_of_chains_are_those_on_file_and_short) {
  for (const auto& [name, settings] : chains) {
    const std::string text = plan_of_chain(settings);
    check_file(name, text);
    BOOST_TEST(std::count(text.begin(), text.end(), '\n') <= 70, name);
  }
}

BOOST_AUTO_TEST_CASE(a_plan_is_the_same_every_time) {
  for (const Case& c : cases) BOOST_TEST(plan_of(c) == plan_of(c));
}

BOOST_AUTO_TEST_CASE(no_file_is_left_without_its_problem) {
  for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path(TYTO_SOURCE_DIR) / "regression/plans")) {
    const auto is_file_of = [&](const std::string& name) { return name + ".txt" == entry.path().filename(); };
    const bool known = std::any_of(cases.begin(), cases.end(), [&](const Case& c) { return is_file_of(c.name); }) ||
                       std::any_of(chains.begin(), chains.end(), [&](const auto& c) { return is_file_of(c.first); });
    BOOST_TEST(known, entry.path().filename().string() << " belongs to no problem of this test");
  }
}
