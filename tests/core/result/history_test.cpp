#include "result/history.hpp"
#include "core/result/records.hpp"
#include "tyto/error.hpp"
#include <boost/test/unit_test.hpp>
#include <limits>

using namespace tyto;
using namespace tyto::result;

BOOST_AUTO_TEST_SUITE(history)

BOOST_AUTO_TEST_CASE(a_sweep_is_one_line_with_null_for_what_is_not_known) {
  const Progress p{1, 3, std::numeric_limits<double>::infinity(), -1, 0.5, 0.25, {}};
  BOOST_TEST(history_line(p) ==
             R"({"start": 1, "sweep": 3, "objective": null, "relative_error": null, "change": 0.5, "seconds": 0.25})");
}

BOOST_AUTO_TEST_CASE(columns_follow_under_their_names_and_never_hide_another) {
  const Progress p{0, 1, 2, 0.5, 1, 0, {{"bond", 8}, {"change", 3}, {"bond", 9}}};
  BOOST_TEST(history_line(p) == R"({"start": 0, "sweep": 1, "objective": 2, "relative_error": 0.5, "change": 1, "seconds": 0, )"
                                R"("bond": 8, "columns.change": 3, "columns.bond": 9})");
}

BOOST_AUTO_TEST_CASE(each_line_is_in_the_file_at_once) {
  const TemporaryFolder t;
  HistoryWriter writer(t.path());
  const std::vector<Progress> history = small_cp().result.history;
  writer.append(history[0]);
  BOOST_TEST(text_of_file(t.path() / "history.jsonl") == history_line(history[0]) + "\n");
  writer.append(history[1]);
  BOOST_TEST(text_of_file(t.path() / "history.jsonl") == history_line(history[0]) + "\n" + history_line(history[1]) + "\n");
}

BOOST_AUTO_TEST_CASE(an_earlier_run_stays_until_the_first_sweep) {
  const TemporaryFolder t;
  write_text(t.path() / "result.json", "{}");
  write_text(t.path() / "history.jsonl", "old\n");
  HistoryWriter writer(t.path());
  BOOST_TEST(std::filesystem::exists(t.path() / "result.json"));
  writer.append({});
  BOOST_TEST(!std::filesystem::exists(t.path() / "result.json"));
  BOOST_TEST(text_of_file(t.path() / "history.jsonl").find("old") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(says_why_it_cannot_write) {
  const TemporaryFolder t;
  HistoryWriter writer(t.path() / "missing");
  try {
    writer.append({});
    BOOST_ERROR("no error");
  } catch (const Error& error) {
    BOOST_TEST(error.what() == "cannot write " + (t.path() / "missing" / "history.jsonl").string() +
                                   "\n"
                                   "  found     No such file or directory\n"
                                   "  try       freeing space on that disk, or another output.directory");
  }
}

BOOST_AUTO_TEST_SUITE_END()
