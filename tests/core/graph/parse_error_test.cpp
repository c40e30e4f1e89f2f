// What the text form refuses, and how it says so: line, column, what was expected there.
#include <boost/test/unit_test.hpp>
#include "evaluate/error_text.hpp"
#include "graph/text.hpp"

using tyto::Code;

namespace {

std::string error_in(const std::string& text) {
  return tyto::test::error_of([&] { tyto::graph::parse(text); });
}
Code code_in(const std::string& text) {
  return tyto::test::code_of([&] { tyto::graph::parse(text); });
}
const std::string leaves = "input X(i=2,j=3) v(j) G(i,i')\n";
/// The error in a second line after the leaves.
std::string error_after(const std::string& line) { return error_in(leaves + line); }

}  // namespace

BOOST_AUTO_TEST_CASE(syntax_errors_have_line_column_and_what_was_expected) {
  BOOST_TEST(error_in("input X(i=2") ==
             "1:12: the graph text cannot be read here\n  in        input X(i=2\n  expected  ')'\n  found     the end of the line");
  BOOST_TEST(error_in("\ninput X(i=)\n") ==
             "2:11: the graph text cannot be read here\n  in        input X(i=)\n  expected  a number\n  found     ')'");
  BOOST_TEST(error_in("input (i=2)") ==
             "1:7: the graph text cannot be read here\n  in        input (i=2)\n  expected  a name\n  found     '('");
  BOOST_TEST(error_in("input X(=2)") ==
             "1:9: the graph text cannot be read here\n  in        input X(=2)\n  expected  a label\n  found     '='");
  BOOST_TEST(error_in("input `X(i=2)") ==
             "1:7: the graph text cannot be read here\n  in        input `X(i=2)\n  expected  a closing `\n  found     '`'");
  BOOST_TEST(error_after("T(i) = X(i,j)*v(j) extra") ==
             "2:20: the graph text cannot be read here\n  in        T(i) = X(i,j)*v(j) extra\n  expected  the end of the line\n  "
             "found     'e'");
  BOOST_TEST(error_after("T(i) X(i,j)") ==
             "2:6: the graph text cannot be read here\n  in        T(i) X(i,j)\n  expected  '='\n  found     'X'");
  BOOST_TEST(error_after("T(i) = 2 X(i,j)") ==
             "2:10: the graph text cannot be read here\n  in        T(i) = 2 X(i,j)\n  expected  '*'\n  found     'X'");
  BOOST_TEST(error_after("T(i) = X(i,j)^") ==
             "2:15: the graph text cannot be read here\n  in        T(i) = X(i,j)^\n  expected  a number\n  found     the end of "
             "the line");
  BOOST_TEST(error_after("T(i) = min,sum X(i,j)") ==
             "2:12: the graph text cannot be read here\n  in        T(i) = min,sum X(i,j)\n  expected  'sum:' or 'product:'\n  "
             "found     's'");
  BOOST_TEST(error_after("T(i) = fill(1, i)") ==
             "2:14: the graph text cannot be read here\n  in        T(i) = fill(1, i)\n  expected  ';'\n  found     ','");
  BOOST_TEST((code_in("input X(i=2") == Code::syntax));
}

BOOST_AUTO_TEST_CASE(names_that_are_not_there_and_names_given_twice_are_refused) {
  BOOST_TEST(error_after("T(i) = Y(i)") == "2:12: nothing is called Y\n  in        T(i) = Y(i)");
  BOOST_TEST(error_after("output f = Y") == "2:13: nothing is called Y\n  in        output f = Y");
  BOOST_TEST((code_in("output f = Y") == Code::unknown_word));
  BOOST_TEST(error_after("matrix A(i)") ==
             "2:7: 'matrix' begins no statement\n  in        matrix A(i)\n"
             "  expected  data, weights, unknown, state, parameter, constant, input, dimension, output or NAME(labels) =");
  BOOST_TEST(error_after("input X(i)") ==
             "2:11: X is there already\n  in        input X(i)\n  expected  a name of its own for each line");
  BOOST_TEST(error_after("X(i) = G(i,i')") ==
             "2:15: X is there already\n  in        X(i) = G(i,i')\n  expected  a name of its own for each line");
}

BOOST_AUTO_TEST_CASE(labels_and_extents_that_do_not_fit_are_refused) {
  BOOST_TEST(error_in("input X(i)") ==
             "1:11: label i has no extent\n  in        input X(i)\n  expected  i=EXTENT where it is first used");
  BOOST_TEST(error_in("input X(i=2,i=3)") == "1:16: label i has an extent already\n  in        input X(i=2,i=3)");
  BOOST_TEST(error_after("T(i) = X(i)") ==
             "2:12: X has another order\n  in        T(i) = X(i)\n  expected  2 labels\n  found     1");
  BOOST_TEST(error_after("T(i) = X(i,i')") ==
             "2:15: label i' does not fit axis 1 of X\n  in        T(i) = X(i,i')\n  expected  j=3\n  found     i=2");
  BOOST_TEST(
      error_after("T(q) = X(q,p)*v(q)") ==
      "a label joins axes of different extents\n  expected  i=2\n  found     j=3\n  while     reading line 2 of the graph text");
  BOOST_TEST(error_after("T(i,q) = X(i,j)*v(j)") ==
             "an output label of an einsum is on no operand\n  while     reading line 2 of the graph text");
  BOOST_TEST(error_after("T(i,j) = X(i,j) + 2*G(i,i')") ==
             "2:28: a term of a sum has other labels than the left side\n  in        T(i,j) = X(i,j) + 2*G(i,i')");
  BOOST_TEST(error_after("T(j,i) = X(i,j)^2") ==
             "2:18: the left side has other labels than the right side gives\n  in        T(j,i) = X(i,j)^2\n  expected  (i,j)\n  "
             "found     (j,i)");
  BOOST_TEST(error_after("T(i) = I(i)") ==
             "2:12: I has two labels\n  in        T(i) = I(i)\n  expected  I(i,i')\n  found     1 labels");
  BOOST_TEST(error_after("T(i,j) = I(i,j)") ==
             "an identity joins axes of different extents\n  expected  i=2\n  found     j=3\n  while     reading line 2 of the "
             "graph text");
}

BOOST_AUTO_TEST_CASE(matrices_in_the_wrong_order_are_refused) {
  BOOST_TEST(error_after("T(i,i') = inverse[q](G(i,i'))") ==
             "2:30: the rows are no neighbouring labels of the matrix\n  in        T(i,i') = inverse[q](G(i,i'))\n  expected  "
             "(i,i')\n  found     [q]");
  BOOST_TEST(error_after("T(i',i) = inverse[i](G(i,i'))") ==
             "2:30: the left side has other labels than the right side gives\n  in        T(i',i) = inverse[i](G(i,i'))\n  "
             "expected  (i,i')\n  found     (i',i)");
  BOOST_TEST(error_after("T(i,j) = inverse[i](X(i,j))") ==
             "the matrix to invert is not square\n  expected  2 columns\n  found     3 columns\n  while     reading line 2 of the "
             "graph text");
  BOOST_TEST(error_after("T(i',j) = solve[i](G(i,i'), X(i',j))") ==
             "2:37: the right side of a solve begins with the batch and row labels of its matrix\n  in        T(i',j) = "
             "solve[i](G(i,i'), X(i',j))\n"
             "  expected  (i)\n  found     (i',j)");
  BOOST_TEST(error_after("T(j,i') = solve[i](G(i,i'), X(i,j))") ==
             "2:36: the left side has other labels than the right side gives\n  in        T(j,i') = solve[i](G(i,i'), X(i,j))\n  "
             "expected  (i',j)\n  found     (j,i')");
}
