// The text of an Error, exactly, and that it can be caught and copied.
#include "tyto/error.hpp"

#include <boost/test/unit_test.hpp>

namespace tyto {

static Finding unknown_key() {
  return {.code = Code::unknown_key,
          .where = {.file = "configs/x.yaml", .line = 4, .column = 3},
          .what = "unknown key 'solver.max_iter'",
          .expected = "max_sweeps, tolerance, seed",
          .found = "max_iter",
          .hint = "max_sweeps",
          .context = {"while reading the config"}};
}

BOOST_AUTO_TEST_SUITE(error)

BOOST_AUTO_TEST_CASE(prints_every_part_of_a_finding) {
  BOOST_TEST(Error(unknown_key()).what() ==
             "configs/x.yaml:4:3: unknown key 'solver.max_iter'\n"
             "  expected  max_sweeps, tolerance, seed\n"
             "  found     max_iter\n"
             "  try       max_sweeps\n"
             "  while     reading the config");
}

BOOST_AUTO_TEST_CASE(leaves_out_what_is_not_known) {
  BOOST_TEST(Error(Finding{.what = "nothing more"}).what() == "nothing more");
  BOOST_TEST(Error(Finding{.where = {.file = "a.npy"}, .what = "is empty"}).what() == "a.npy: is empty");
  BOOST_TEST(Error(Finding{.where = {.file = "a.tns", .line = 7}, .what = "is short"}).what() == "a.tns:7: is short");
}

BOOST_AUTO_TEST_CASE(names_an_expression_by_its_text) {
  BOOST_TEST(Error(Finding{.where = {.quote = "A(i,r) * B(j,s)"}, .what = "labels differ"}).what() ==
             "A(i,r) * B(j,s): labels differ");
  BOOST_TEST(
      Error(Finding{.where = {.file = "x.yaml", .line = 1, .column = 2, .quote = "A * B"}, .what = "labels differ"}).what() ==
      "x.yaml:1:2: labels differ\n  in        A * B");
}

BOOST_AUTO_TEST_CASE(aligns_further_lines_of_a_part) {
  BOOST_TEST(Error(Finding{.what = "no plugin", .found = "cp-als\ndmrg"}).what() ==
             "no plugin\n  found     cp-als\n            dmrg");
}

BOOST_AUTO_TEST_CASE(prints_one_block_for_each_finding) {
  const Error two({unknown_key(), Finding{.code = Code::missing_key, .where = {.file = "configs/x.yaml"}, .what = "no algorithm"}});
  BOOST_TEST(two.what() ==
             "configs/x.yaml:4:3: unknown key 'solver.max_iter'\n"
             "  expected  max_sweeps, tolerance, seed\n"
             "  found     max_iter\n"
             "  try       max_sweeps\n"
             "  while     reading the config\n"
             "configs/x.yaml: no algorithm");
  BOOST_TEST(two.findings().size() == 2U);
}

BOOST_AUTO_TEST_CASE(gains_context_outermost_last) {
  Error error(Finding{.what = "extents differ"});
  error.add_context("while deriving f");
  error.add_context("while planning block_solve(A_j)");
  BOOST_TEST(error.what() == "extents differ\n  while     deriving f\n  while     planning block_solve(A_j)");
}

BOOST_AUTO_TEST_CASE(keeps_its_text_when_copied_and_caught_as_an_exception) {
  try {
    const Error error(unknown_key());
    const Error copy = error;
    throw copy;
  } catch (const std::exception& caught) {
    BOOST_TEST(std::string(caught.what()) == Error(unknown_key()).what());
  }
}

BOOST_AUTO_TEST_CASE(tells_the_fault_from_the_code) {
  BOOST_CHECK(fault_of(Code::file_missing) == Fault::input);
  BOOST_CHECK(fault_of(Code::plugin_tag) == Fault::plugin);
  BOOST_CHECK(fault_of(Code::memory) == Fault::environment);
  BOOST_CHECK(fault_of(Code::defect) == Fault::defect);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace tyto
