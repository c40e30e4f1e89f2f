// Files of rates: written, read back, and not used where they are damaged or of another machine.
#include <boost/test/unit_test.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <unistd.h>
#include "arithmetic/processor.hpp"
#include "session/calibration.hpp"
#include "tyto/host.hpp"

namespace tyto::session {
namespace {

namespace files = std::filesystem;
using execute::cpu::Rates;

/// A folder of its own, and the environment as it was afterwards.
struct Surroundings {
  Surroundings() : folder(files::temp_directory_path() / ("tyto-calibration-" + std::to_string(getpid()))) {
    files::create_directories(folder);
    set("XDG_CACHE_HOME", folder.string());
    set("TYTO_CALIBRATION", "");
  }
  ~Surroundings() {
    files::remove_all(folder);
    set("TYTO_CALIBRATION", "avx2");
    unsetenv("XDG_CACHE_HOME");
  }
  static void set(const std::string& name, const std::string& value) { setenv(name.c_str(), value.c_str(), 1); }
  std::string contents(const files::path& path) const {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
  }
  /// The file that is used, with one text in it replaced.
  void replace(const std::string& what, const std::string& by) const {
    std::string text = contents(calibration_path());
    const std::size_t at = text.find(what);
    BOOST_REQUIRE(at != std::string::npos);
    std::ofstream(calibration_path()) << text.replace(at, what.size(), by);
  }
  files::path folder;
};

Rates measured() {
  Rates rates = execute::cpu::built_in_rates(arithmetic::chosen_isa());
  rates.product.flops = 12345e6;
  return rates;
}

std::string unused(const std::string& why) {
  return "the calibration is not used, the built-in rates are; `tyto calibrate` measures anew\n" + why;
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(calibrations, Surroundings)

BOOST_AUTO_TEST_CASE(without_a_file_the_rates_are_built_in) {
  const Calibration found = found_calibration();
  BOOST_TEST(found.warning == "");
  BOOST_TEST(found.rates.source == "built-in for " + arithmetic::name_of(arithmetic::chosen_isa()));
}

BOOST_AUTO_TEST_CASE(what_was_written_is_read_back) {
  write_calibration(calibration_path(), measured());
  const Calibration found = found_calibration();
  BOOST_TEST(found.warning == "");
  BOOST_TEST(found.rates.source.starts_with("calibrated on 20"));
  for (const execute::cpu::NamedRate& one : execute::cpu::named_rates())
    BOOST_TEST(one.of(found.rates) == one.of(measured()), boost::test_tools::tolerance(1e-3));
  BOOST_TEST((found.rates.isa == arithmetic::chosen_isa()));
  BOOST_TEST(std::distance(files::directory_iterator(calibration_path().parent_path()), {}) == 1);
}

BOOST_AUTO_TEST_CASE(products_are_cut_for_the_caches_of_the_file) {
  Rates rates = measured();
  rates.first_level_size = 49152, rates.second_level.size = 1310720;
  write_calibration(calibration_path(), rates);
  const arithmetic::Caches caches = found_calibration().rates.caches();
  BOOST_TEST(caches.first == 49152);
  BOOST_TEST(caches.second == 1310720);
}

BOOST_AUTO_TEST_CASE(a_file_of_another_layout_is_not_used) {
  write_calibration(calibration_path(), measured());
  replace("schema: 2", "schema: 1");
  BOOST_TEST(found_calibration().warning.starts_with(unused(calibration_path().string() + ":2:9: ")));
}

BOOST_AUTO_TEST_CASE(the_environment_names_a_table_or_a_file) {
  write_calibration(folder / "mine.yaml", measured());
  set("TYTO_CALIBRATION", (folder / "mine.yaml").string());
  BOOST_TEST(found_calibration().rates.product.flops == 12345e6, boost::test_tools::tolerance(1e-3));
  set("TYTO_CALIBRATION", "portable");
  BOOST_TEST(found_calibration().rates.source == "built-in for portable");
  write_calibration(calibration_path(), measured());
  set("TYTO_CALIBRATION", "off");
  BOOST_TEST(found_calibration().rates.source.starts_with("built-in for "));
}

BOOST_AUTO_TEST_CASE(a_file_of_another_machine_is_not_used) {
  write_calibration(calibration_path(), measured());
  replace("processor: \"", "processor: \"Another ");
  const Calibration found = found_calibration();
  const std::string name = arithmetic::processor_name();
  BOOST_TEST(found.warning ==
             unused(calibration_path().string() + ":4:12: the rates were measured for another processor\n  expected  " + name +
                    "\n  found     Another " + name));
  BOOST_TEST(found.rates.source.starts_with("built-in for "));
}

BOOST_AUTO_TEST_CASE(a_file_of_another_version_is_not_used) {
  write_calibration(calibration_path(), measured());
  replace("version: \"" + version(), "version: \"0.0.1");
  BOOST_TEST(found_calibration().warning ==
             unused(calibration_path().string() + ":3:10: the rates were measured for another version\n  expected  " + version() +
                    "\n  found     0.0.1"));
}

BOOST_AUTO_TEST_CASE(a_damaged_file_is_not_used) {
  write_calibration(calibration_path(), measured());
  replace("  product: 1.234e+10", "  product: -3");
  BOOST_TEST(found_calibration().warning.starts_with(unused(calibration_path().string() + ":")));
  BOOST_TEST(found_calibration().warning.find("-3") != std::string::npos);
  std::ofstream(calibration_path()) << "rates: [";
  BOOST_TEST(found_calibration().warning.starts_with(unused(calibration_path().string() + ":")));
  BOOST_TEST(found_calibration().rates.source.starts_with("built-in for "));
}

BOOST_AUTO_TEST_CASE(a_file_that_is_named_but_missing_is_a_warning) {
  set("TYTO_CALIBRATION", (folder / "none.yaml").string());
  BOOST_TEST(found_calibration().warning.starts_with(unused("")));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace tyto::session
