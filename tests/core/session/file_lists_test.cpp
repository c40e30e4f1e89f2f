// Which files a list of tensors is, and in which order.
#include <boost/test/unit_test.hpp>
#include "config/document.hpp"
#include "core/session/runs.hpp"
#include "session/file_lists.hpp"

namespace tyto::session {

namespace {

struct Folder {
  std::string path = fresh_folder("lists");

  void add(const std::vector<std::string>& names) const {
    for (const std::string& name : names) std::ofstream(path + "/" + name) << "content";
  }
  /// Names without the folder of what data.H.files stands for.
  std::vector<std::string> files(const std::string& value) const {
    const config::RunConfig config = config::read_run_config(
        config::Document::from_text("algorithm: a\ndata: {H: {files: " + value + "}}\n", path + "/run.yaml"));
    std::vector<std::string> names;
    for (const std::string& file : files_of_list(config, "H", config.data.at("H")))
      names.push_back(file.substr(file.rfind('/') + 1));
    return names;
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(file_lists, Folder)

BOOST_AUTO_TEST_CASE(numbers_are_taken_by_their_size) {
  std::vector<std::string> expected;
  for (int k = 0; k < 12; ++k) expected.push_back("H[" + std::to_string(k) + "].npy");
  add(expected);
  add({"H[].npy", "H[1.npy", "H[-1].npy", "H[x].npy", "H[1]x.npy", "G[0].npy", "H[1].npy.bak"});
  BOOST_TEST(files("\"H[*].npy\"") == expected, boost::test_tools::per_element());
  BOOST_TEST(files("\"" + path + "/H[*].npy\"") == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(they_may_begin_with_1_and_have_leading_zeros) {
  const std::vector<std::string> expected{"site_001", "site_002", "site_003"};
  add({"site_003", "site_001", "site_002"});
  BOOST_TEST(files("site_*") == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(listed_files_are_taken_as_they_are) {
  const std::vector<std::string> expected{"b.npy", "a.npy", "b.npy"};
  BOOST_TEST(files("[b.npy, a.npy, b.npy]") == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_pattern_is_found_beside_the_run_file) {
  add({"H1", "H2"});
  const config::RunConfig config =
      config::read_run_config(config::Document::from_text("algorithm: a\ndata: {H: {files: \"H*\"}}\n", path + "/run.yaml"));
  BOOST_TEST(found_pattern(config, "H*") == path + "/H*");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace tyto::session
