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

BOOST_AUTO_TEST_CASE(plans_are_those_on_file) {
  for (const Case& c : cases) {
    const std::filesystem::path path = std::filesystem::path(TYTO_SOURCE_DIR) / "regression/plans" / (c.name + ".txt");
    const std::string found = plan_of(c);
    if (std::getenv("TYTO_UPDATE_PLANS") != nullptr) std::ofstream(path) << found;
    const std::string difference = first_difference(found, contents(path));
    BOOST_TEST(difference.empty(), path.filename().string() << ", " << difference << "\nTYTO_UPDATE_PLANS=1 writes the files anew");
  }
}

BOOST_AUTO_TEST_CASE(a_plan_is_the_same_every_time) {
  for (const Case& c : cases) BOOST_TEST(plan_of(c) == plan_of(c));
}

BOOST_AUTO_TEST_CASE(no_file_is_left_without_its_problem) {
  for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path(TYTO_SOURCE_DIR) / "regression/plans")) {
    const bool known =
        std::any_of(cases.begin(), cases.end(), [&](const Case& c) { return c.name + ".txt" == entry.path().filename(); });
    BOOST_TEST(known, entry.path().filename().string() << " belongs to no problem of this test");
  }
}
