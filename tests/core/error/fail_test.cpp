// What fail() throws, and which word nearest() suggests.
#include "error/fail.hpp"

#include <boost/test/unit_test.hpp>

namespace tyto {

template <class Body>
static Error caught(Body&& body) {
  try {
    body();
  } catch (const Error& error) {
    return error;
  }
  return Error(Finding{.what = "nothing was thrown"});
}

BOOST_AUTO_TEST_SUITE(fail_)

BOOST_AUTO_TEST_CASE(throws_the_parts_in_order) {
  const Error error = caught([] { fail(Code::extent, "label i differs", "5", "2", "transposing A"); });
  BOOST_TEST(error.what() == "label i differs\n  expected  5\n  found     2\n  try       transposing A");
  BOOST_CHECK(error.findings().at(0).code == Code::extent);
}

BOOST_AUTO_TEST_CASE(names_what_is_not_part_of_this_version) {
  const Error error = caught([] { fail_unsupported("merged()", "two block solves"); });
  BOOST_TEST(error.what() == "merged() is not part of this version\n  try       two block solves");
  BOOST_CHECK(error.findings().at(0).code == Code::unsupported);
}

BOOST_AUTO_TEST_CASE(reports_a_broken_assertion_as_a_defect) {
  const Error error = caught([] { fail_assertion("n > 0", "/somewhere/core/graph/node.cpp", 12); });
  BOOST_TEST(error.what() ==
             "core/graph/node.cpp:12: a bug in tyto: a condition that always holds does not\n"
             "  expected  n > 0\n"
             "  try       reporting this text together with the input that led to it");
  BOOST_CHECK(fault_of(error.findings().at(0).code) == Fault::defect);
  BOOST_CHECK_THROW(TYTO_ASSERT(1 + 1 == 3), Error);
  BOOST_CHECK_NO_THROW(TYTO_ASSERT(1 + 1 == 2));
}

BOOST_AUTO_TEST_CASE(adds_context_to_an_error_that_passes) {
  const Error error = caught([] { with_context("while planning", [] { fail(Code::shape, "no shape"); }); });
  BOOST_TEST(error.what() == "no shape\n  while     planning");
  BOOST_TEST(with_context("while planning", [] { return 3; }) == 3);
}

BOOST_AUTO_TEST_CASE(gives_a_place_to_findings_that_have_none) {
  const Where here{.file = "run.yaml", .line = 3, .column = 5};
  const Error placed = caught([&] {
    with_place(here, [] {
      throw Error(std::vector<Finding>{
          {.what = "lost"}, {.where = {.file = "x.npy"}, .what = "short"}, {.where = {.quote = "A(i,r)"}, .what = "wrong"}});
    });
  });
  BOOST_TEST(placed.what() == "run.yaml:3:5: lost\nx.npy: short\nA(i,r): wrong");
  BOOST_TEST(with_place(here, [] { return 3; }) == 3);
}

BOOST_AUTO_TEST_CASE(finds_the_nearest_word) {
  const std::vector<std::string> words = {"max_sweeps", "tolerance", "seed", "memory_limit"};
  BOOST_TEST(nearest("tolarance", words) == "tolerance");
  BOOST_TEST(nearest("sede", words) == "seed");
  BOOST_TEST(nearest("SEED", words) == "seed");
  BOOST_TEST(nearest("max-sweps", words) == "max_sweeps");
  BOOST_TEST(nearest("colour", words) == "");
  BOOST_TEST(nearest("", words) == "");
}

BOOST_AUTO_TEST_CASE(completes_a_word_only_where_there_is_one_way) {
  BOOST_TEST(nearest("mem", {"memory_limit", "threads"}) == "memory_limit");
  BOOST_TEST(nearest("mem", {"memory_limit", "memory_pool"}) == "");
  BOOST_TEST(nearest("me", {"memory_limit"}) == "");
}

BOOST_AUTO_TEST_CASE(suggests_nothing_for_a_single_wrong_letter) {
  BOOST_TEST(nearest("R", {"X", "Y"}) == "");
  BOOST_TEST(nearest("x", {"X", "Y"}) == "X");
}

BOOST_AUTO_TEST_CASE(lists_words_as_a_person_would) {
  BOOST_TEST(listed({}) == "");
  BOOST_TEST(listed({"a"}) == "a");
  BOOST_TEST(listed({"a", "b"}) == "a or b");
  BOOST_TEST(listed({"a", "b", "c"}) == "a, b or c");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace tyto
