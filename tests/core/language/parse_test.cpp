// From text to tree: what binds to what, and what cannot be read.
#include "language/parse.hpp"
#include <sstream>
#include <boost/test/unit_test.hpp>
#include <fmt/format.h>
#include "evaluate/error_text.hpp"

namespace tyto::language {

using test::error_of;

/// Every operand in parentheses, opposites with their sign.
static std::string shown(const Node& node) {
  const std::string labels = node.has_brackets ? "[" + listed(node.labels) + "]" : "";
  std::string operands;
  const char* const opposite = node.kind == Kind::sum ? "-" : "/";
  for (std::size_t k = 0; k < node.operands.size(); ++k)
    operands += (k > 0 ? " " : "") + std::string(!node.is_opposite.empty() && node.is_opposite[k] != 0 ? opposite : "") +
                shown(node.operands[k]);
  switch (node.kind) {
    case Kind::number: return fmt::format("{}", node.number);
    case Kind::tensor: return node.name + labels;
    case Kind::sum: return "(+ " + operands + ")";
    case Kind::product: return "(* " + operands + ")";
    case Kind::power: return "(^ " + operands + ")";
    case Kind::call: return "(" + node.name + labels + " " + operands + ")";
    case Kind::labelled: return "(" + labels + " " + operands + ")";
  }
  return {};
}

static std::string tree_of(const std::string& text) { return shown(parse({text, "f", {}})); }
static std::string refusal(const std::string& text) {
  return error_of([&] { (void)parse({text, "f", {}}); });
}

BOOST_AUTO_TEST_SUITE(parsing)

BOOST_AUTO_TEST_CASE(products_bind_closer_than_sums_and_powers_closest) {
  BOOST_TEST(tree_of("a + b * c") == "(+ a (* b c))");
  BOOST_TEST(tree_of("a - b + c - d") == "(+ a -b c -d)");
  BOOST_TEST(tree_of("a * b ^ 2") == "(* a (^ b 2))");
  BOOST_TEST(tree_of("(a + b) * c") == "(* (+ a b) c)");
  BOOST_TEST(tree_of("a ^ b ^ c") == "(^ a (^ b c))");
  BOOST_TEST(tree_of("a / b / c") == "(* a /b /c)");
  BOOST_TEST(tree_of("a / (b * c)") == "(* a /(* b c))");
  BOOST_TEST(tree_of("a - (b - c)") == "(+ a -(+ b -c))");
}

BOOST_AUTO_TEST_CASE(products_of_products_are_one_product) {
  BOOST_TEST(tree_of("a * (b * c) * d") == "(* a b c d)");
  BOOST_TEST(tree_of("(a / b) * c") == "(* a /b c)");
}

BOOST_AUTO_TEST_CASE(a_minus_is_a_factor) {
  BOOST_TEST(tree_of("-a ^ 2") == "(* -1 (^ a 2))");
  BOOST_TEST(tree_of("(-a) ^ 2") == "(^ (* -1 a) 2)");
  BOOST_TEST(tree_of("-a * b") == "(* -1 a b)");
  BOOST_TEST(tree_of("--a") == "(* -1 -1 a)");
  BOOST_TEST(tree_of("-2") == "-2");
  BOOST_TEST(tree_of("2 ^ -1") == "(^ 2 -1)");
  BOOST_TEST(tree_of("a - -b") == "(+ a -(* -1 b))");
  BOOST_TEST(tree_of("+a") == "a");
}

BOOST_AUTO_TEST_CASE(labels_stand_in_brackets_behind_names_functions_and_parentheses) {
  BOOST_TEST(tree_of("X[i,j,k]") == "X[i,j,k]");
  BOOST_TEST(tree_of("sum[ i , j ](X[i,j] * Y)") == "(sum[i,j] (* X[i,j] Y))");
  BOOST_TEST(tree_of("(a * b)[i]") == "([i] (* a b))");
  BOOST_TEST(tree_of("(a)[]") == "([] a)");
  BOOST_TEST(tree_of("maximum(a, 0.5e-3)") == "(maximum a 0.0005)");
  BOOST_TEST(tree_of("X.weights[i] * .5") == "(* X.weights[i] 0.5)");
}

BOOST_AUTO_TEST_CASE(spans_cover_what_was_written) {
  const std::string text = "2 * (a[i] - b[i]) / c";
  const Node root = parse({text, "f", {}});
  const auto part = [&](const Node& node) { return text_of({text, "f", {}}, node.span); };
  BOOST_TEST(part(root) == text);
  BOOST_TEST(part(root.operands[1]) == "a[i] - b[i]");
  BOOST_TEST(part(root.operands[1].operands[1]) == "b[i]");
}

BOOST_AUTO_TEST_CASE(says_what_is_missing) {
  BOOST_TEST(refusal("norm2(X[i,j] - A[i,r]") ==
             "f: this '(' is never closed\n"
             "  in        norm2(X[i,j] - A[i,r]\n"
             "                 ^\n"
             "  expected  ')', ',' or an operator\n"
             "  found     the end of the expression\n"
             "  try       a ')'");
  BOOST_TEST(refusal("X[i,j] * ") ==
             "f: the expression ends too early\n"
             "  in        X[i,j] * \n"
             "                     ^\n"
             "  expected  a name, a number or '('\n"
             "  found     the end of the expression");
  BOOST_TEST(refusal("a + * b") ==
             "f: an operand is missing\n"
             "  in        a + * b\n"
             "                ^\n"
             "  expected  a name, a number or '('\n"
             "  found     '*'");
  BOOST_TEST(refusal("2 a") ==
             "f: two operands without an operator between them\n"
             "  in        2 a\n"
             "              ^\n"
             "  expected  an operator or the end\n"
             "  found     'a'\n"
             "  try       '*' between them");
  BOOST_TEST(refusal("  ") ==
             "f: the expression is empty\n"
             "  in          \n"
             "              ^\n"
             "  expected  a name, a number or '('\n"
             "  found     the end of the expression\n"
             "  try       0.5 * norm2(X[i,j] - A[i,r] * B[j,r])");
}

BOOST_AUTO_TEST_CASE(says_what_is_wrong_with_brackets) {
  BOOST_TEST(refusal("X[i j]") ==
             "f: labels are separated by commas\n"
             "  in        X[i j]\n"
             "                ^\n"
             "  expected  ',' or ']'\n"
             "  found     'j'\n"
             "  try       a ','");
  BOOST_TEST(refusal("X[i,0]") ==
             "f: a label is missing\n"
             "  in        X[i,0]\n"
             "                ^\n"
             "  expected  a name such as i\n"
             "  found     '0'\n"
             "  try       a label; single entries cannot be named");
  BOOST_TEST(refusal("X[i,") ==
             "f: a label is missing\n"
             "  in        X[i,\n"
             "                ^\n"
             "  expected  a name such as i\n"
             "  found     the end of the expression");
  BOOST_TEST(refusal("X[i)") ==
             "f: a ']' or an operator is missing\n"
             "  in        X[i)\n"
             "               ^\n"
             "  expected  ',' or ']'\n"
             "  found     ')'\n"
             "  try       a ']'");
  BOOST_TEST(refusal("a) + b") ==
             "f: a ')' that nothing opened\n"
             "  in        a) + b\n"
             "             ^\n"
             "  expected  an operator or the end\n"
             "  found     ')'\n"
             "  try       removing it");
  BOOST_TEST(refusal("2[i]") ==
             "f: labels belong to a name or stand behind ')'\n"
             "  in        2[i]\n"
             "             ^\n"
             "  expected  an operator or the end\n"
             "  found     '['\n"
             "  try       X[i,j] or (...)[i,j]");
  BOOST_TEST(refusal("0,5 * a") ==
             "f: a comma outside of brackets and of a function's arguments\n"
             "  in        0,5 * a\n"
             "             ^\n"
             "  expected  an operator or the end\n"
             "  found     ','\n"
             "  try       a '.' if it is a decimal comma");
}

BOOST_AUTO_TEST_CASE(knows_signs_of_other_languages) {
  BOOST_TEST(refusal("a**2") ==
             "f: this sign has no meaning in an expression\n"
             "  in        a**2\n"
             "             ^^\n"
             "  expected  names, numbers, + - * / ^ ( ) [ ] and ,\n"
             "  found     '**'\n"
             "  try       ^");
  BOOST_TEST(refusal("a \xC2\xB7 b").find("\n  try       *") != std::string::npos);
  BOOST_TEST(refusal("a .* b").find("\n  try       *") != std::string::npos);
  BOOST_TEST(refusal("a @ b").find("\n  try       *, which sums repeated labels") != std::string::npos);
  BOOST_TEST(refusal(std::string("a \x01 b")).find("found     the byte 0x01") != std::string::npos);
  BOOST_TEST(refusal("1e999").find("the number does not fit double precision") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(nesting_has_a_limit) {
  BOOST_TEST(tree_of(std::string(90, '(') + "a" + std::string(90, ')')) == "a");
  for (const char* sign : {"(", "-", "exp("}) {
    std::string text;
    for (int k = 0; k < 100000; ++k) text += sign;
    BOOST_TEST(refusal(text).find("more than 100 levels of parentheses and signs") != std::string::npos);
  }
}

BOOST_AUTO_TEST_CASE(a_long_line_is_cut_around_the_fault) {
  std::string text = "a";
  for (int k = 0; k < 100; ++k) text += " + bcd" + std::to_string(k);
  const std::string message = refusal(text + " + ?" + text);
  std::istringstream lines(message);
  for (std::string line; std::getline(lines, line);) BOOST_TEST(line.size() < 130U);
  BOOST_TEST(message.find("?") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(the_place_is_that_in_the_file) {
  Source source{"a + ?", "run.yaml", {}};
  for (int k = 0; k <= 5; ++k) source.positions.push_back({3, 11 + k});
  BOOST_TEST(error_of([&] { (void)parse(source); }).starts_with("run.yaml:3:15: this sign has no meaning"));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace tyto::language
