#include "result/write.hpp"
#include "result/history.hpp"
#include "core/result/records.hpp"
#include <boost/test/unit_test.hpp>
#include <set>

using namespace tyto;
using namespace tyto::result;
namespace fs = std::filesystem;

namespace {

std::set<std::string> files_in(const fs::path& folder) {
  std::set<std::string> files;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder))
    if (entry.is_regular_file()) files.insert(fs::relative(entry.path(), folder).string());
  return files;
}
using Files = std::set<std::string>;

}  // namespace

BOOST_AUTO_TEST_SUITE(write_all)

BOOST_AUTO_TEST_CASE(writes_all_files_and_leaves_no_temporary_one) {
  const TemporaryFolder t;
  const Record record = small_cp();
  write_result(t.path(), record);
  BOOST_TEST((files_in(t.path()) == Files{"history.jsonl", "ktensor.txt", "report.html", "result.json", "unknowns/A.npy",
                                          "unknowns/B.npy", "unknowns/C.npy"}));
  BOOST_TEST(text_of_file(t.path() / "result.json") == result_json(record));
  BOOST_TEST(text_of_file(t.path() / "history.jsonl") ==
             history_line(record.result.history[0]) + "\n" + history_line(record.result.history[1]) + "\n");
}

BOOST_AUTO_TEST_CASE(arrays_are_doubles_in_c_order) {
  const TemporaryFolder t;
  write_result(t.path(), small_cp());
  const std::string bytes = text_of_file(t.path() / "unknowns" / "A.npy");
  BOOST_TEST(bytes.find("'descr': '<f8', 'fortran_order': False, 'shape': (2, 2)") != std::string::npos);
  const double values[] = {1, -3, 2, 4};
  BOOST_TEST(bytes.substr(bytes.size() - sizeof values) == std::string(reinterpret_cast<const char*>(values), sizeof values));
}

BOOST_AUTO_TEST_CASE(the_ktensor_file_has_weights_and_one_matrix_per_mode) {
  const TemporaryFolder t;
  write_result(t.path(), small_cp());
  const std::string text = text_of_file(t.path() / "ktensor.txt");
  BOOST_TEST(text.rfind("ktensor\n3\n2 3 4\n2\n", 0) == 0U);
}

BOOST_AUTO_TEST_CASE(only_the_wanted_forms_are_written) {
  const TemporaryFolder t;
  write_result(t.path(), small_cp(), {.npy = false, .ktensor = false});
  BOOST_TEST((files_in(t.path()) == Files{"history.jsonl", "report.html", "result.json"}));
  BOOST_TEST(text_of_file(t.path() / "result.json").find(".npy\",\n      \"shape\": [2, 2]") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(what_an_earlier_run_left_is_removed_and_other_files_are_not) {
  const TemporaryFolder t;
  write_result(t.path(), small_cp());
  write_text(t.path() / "unknowns" / "notes.txt", "mine");
  write_text(t.path() / "mine.txt", "mine");
  Record other = small_cp();
  other.result.unknowns = {"G"};
  other.result.values = {{"G", {{1, 1, 1}, {"p", "q", "s"}, {1}}}, {"energy", {{}, {}, {2}}}, {"spectrum", {{1}, {"n"}, {2}}}};
  other.result.observed = {"energy", "spectrum"};
  write_result(t.path(), other);
  BOOST_TEST((files_in(t.path()) == Files{"history.jsonl", "mine.txt", "observed/spectrum.npy", "report.html", "result.json",
                                          "unknowns/G.npy", "unknowns/notes.txt"}));
}

BOOST_AUTO_TEST_CASE(a_result_that_cannot_be_written_in_full_has_no_result_json) {
  const TemporaryFolder t;
  write_text(t.path() / "result.json", "{}");
  write_text(t.path() / "unknowns", "a file where a folder must be");
  try {
    write_result(t.path(), small_cp());
    BOOST_ERROR("no error");
  } catch (const Error& error) {
    BOOST_TEST((error.findings()[0].code == Code::output));
    BOOST_TEST(error.findings()[0].context.back() == "while writing the result");
  }
  BOOST_TEST(!fs::exists(t.path() / "result.json"));
}

BOOST_AUTO_TEST_SUITE_END()
