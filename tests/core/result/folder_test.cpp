#include "result/folder.hpp"
#include "core/result/records.hpp"
#include <boost/test/unit_test.hpp>

using namespace tyto;
using namespace tyto::result;
namespace fs = std::filesystem;

namespace {

std::string error_text(const std::string& path, bool overwrite = false) {
  try {
    prepare_folder(path, overwrite);
  } catch (const Error& error) {
    BOOST_TEST((error.findings()[0].code == Code::output));
    return error.what();
  }
  return "no error";
}

}  // namespace

BOOST_AUTO_TEST_SUITE(folder)

BOOST_AUTO_TEST_CASE(creates_the_folder_with_its_parents_and_removes_them_if_nothing_was_written) {
  const TemporaryFolder t;
  const fs::path path = t.path() / "out" / "run";
  {
    const OutputFolder folder = prepare_folder(path.string() + "/", false);
    BOOST_TEST(folder.path() == path);
    BOOST_TEST(fs::is_directory(path));
    BOOST_TEST(fs::is_empty(path));
  }
  BOOST_TEST(!fs::exists(t.path() / "out"));
  BOOST_TEST(fs::exists(t.path()));
}

BOOST_AUTO_TEST_CASE(keeps_a_folder_that_was_written_to) {
  const TemporaryFolder t;
  const fs::path path = t.path() / "out";
  {
    const OutputFolder folder = prepare_folder(path.string(), false);
    write_text(path / "history.jsonl", "{}\n");
  }
  BOOST_TEST(fs::exists(path / "history.jsonl"));
}

BOOST_AUTO_TEST_CASE(keeps_an_empty_folder_that_was_there_before) {
  const TemporaryFolder t;
  prepare_folder(t.path().string(), false);
  BOOST_TEST(fs::exists(t.path()));
}

BOOST_AUTO_TEST_CASE(refuses_the_result_of_an_earlier_run_without_overwrite) {
  const TemporaryFolder t;
  write_text(t.path() / "result.json", "{}");
  BOOST_TEST(error_text(t.path().string()) == "the output folder " + t.path().string() +
                                                  " is not empty\n"
                                                  "  expected  an empty folder or none\n"
                                                  "  found     the result of an earlier run\n"
                                                  "  try       output.overwrite: true, or another output.directory");
  BOOST_TEST(error_text(t.path().string(), true) == "no error");
  BOOST_TEST(text_of_file(t.path() / "result.json") == "{}");
}

BOOST_AUTO_TEST_CASE(names_what_else_is_in_the_folder) {
  const TemporaryFolder t;
  write_text(t.path() / "b.txt", "");
  BOOST_TEST(error_text(t.path().string()).find("found     b.txt\n") != std::string::npos);
  write_text(t.path() / "a.txt", "");
  BOOST_TEST(error_text(t.path().string()).find("found     a.txt and 1 more\n") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(refuses_a_file_in_the_place_of_the_folder) {
  const TemporaryFolder t;
  const std::string path = (t.path() / "out").string();
  write_text(path, "text");
  BOOST_TEST(error_text(path, true) == "the output folder " + path +
                                           " is not a folder\n"
                                           "  expected  a folder\n"
                                           "  found     a file of that name\n"
                                           "  try       another output.directory");
}

BOOST_AUTO_TEST_CASE(gives_the_system_s_reason_for_a_folder_below_a_file) {
  const TemporaryFolder t;
  write_text(t.path() / "file", "text");
  const std::string path = (t.path() / "file" / "out").string();
  BOOST_TEST(error_text(path) == "cannot create the output folder " + path +
                                     "\n"
                                     "  found     Not a directory\n"
                                     "  try       another output.directory, one that you may write to");
}

BOOST_AUTO_TEST_CASE(gives_the_system_s_reason_where_nobody_may_create_a_folder) {
  const std::string text = error_text("/proc/tyto/out");
  BOOST_TEST(text ==
             "cannot create the output folder /proc/tyto/out\n"
             "  found     No such file or directory\n"
             "  try       another output.directory, one that you may write to");
}

BOOST_AUTO_TEST_CASE(gives_the_system_s_reason_where_nobody_may_write) {
  const std::string text = error_text("/proc", true);
  BOOST_TEST(text.rfind("cannot write in the output folder /proc\n  found     ", 0) == 0U);
  BOOST_TEST(text.find("\n  try       another output.directory, one that you may write to") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
