// YAML texts as trees with places, and the texts for YAML that cannot be read.
#include "config/node.hpp"

#include <boost/test/unit_test.hpp>

#include "core/config/texts.hpp"

namespace tyto::config {

static std::string syntax(const std::string& yaml) {
  return text_of([&] { parse_yaml(yaml, "x.yaml"); });
}

static std::string place(const Where& where) {
  return where.file + ":" + std::to_string(where.line) + ":" + std::to_string(where.column);
}

BOOST_AUTO_TEST_SUITE(node)

BOOST_AUTO_TEST_CASE(keeps_the_place_of_each_key_and_value) {
  const Node root = parse_yaml("a: 1\nb:\n  c: [x, \"y\"]\n  d:\n", "x.yaml");
  BOOST_TEST(place(root.find("a")->where) == "x.yaml:1:4");
  BOOST_TEST(place(root.entries.at(1).where) == "x.yaml:2:1");
  const Node& b = *root.find("b");
  BOOST_TEST(place(b.find("c")->where) == "x.yaml:3:6");
  BOOST_TEST(place(b.find("c")->items.at(1).where) == "x.yaml:3:10");
  BOOST_TEST(b.find("c")->items.at(1).is_quoted);
  BOOST_TEST(!b.find("c")->items.at(0).is_quoted);
  BOOST_TEST(place(b.find("d")->where) == "x.yaml:4:3");
  BOOST_CHECK(b.find("d")->form == Node::Form::nothing);
  BOOST_CHECK(b.find("e") == nullptr);
}

BOOST_AUTO_TEST_CASE(replaces_aliases_by_what_they_stand_for) {
  const Node root = parse_yaml("a: &x {k: [1, 2]}\nb: *x\n", "x.yaml");
  BOOST_TEST(root.find("b")->find("k")->items.at(1).text == "2");
}

BOOST_AUTO_TEST_CASE(keeps_duplicate_keys) { BOOST_TEST(parse_yaml("{a: 1, a: 2}", "x.yaml").entries.size() == 2U); }

BOOST_AUTO_TEST_CASE(reads_json) {
  const Node root = parse_yaml("{\"a\": [1, 2], \"b\": {\"c\": null}}", "x.json");
  BOOST_TEST(root.find("a")->items.size() == 2U);
  BOOST_CHECK(root.find("b")->find("c")->form == Node::Form::nothing);
}

BOOST_AUTO_TEST_CASE(names_what_is_never_closed) {
  BOOST_TEST(
      syntax("a: [1, 2\nb: 3\n") ==
      "x.yaml:2:2: a '[' is never closed, or a comma is missing\n  found     b: 3\n  try       a ']' or a ',' before this place");
  BOOST_TEST(
      syntax("a: {b: 1\nc: 2\n") ==
      "x.yaml:2:2: a '{' is never closed, or a comma is missing\n  found     c: 2\n  try       a '}' or a ',' before this place");
  BOOST_TEST(syntax("a: 'x\n") == "x.yaml:1:6: a quoted text that never ends\n  found     a: 'x\n  try       a closing quote");
  BOOST_TEST(syntax("a: 1\n}\n") == "x.yaml:2:1: a '}' or ']' that nothing opened\n  found     }\n  try       removing it");
}

BOOST_AUTO_TEST_CASE(names_wrong_indentation) {
  BOOST_TEST(syntax("a:\n\tb: 1\n") == "x.yaml:2:3: a tab where the line is indented\n  found     b: 1\n  try       spaces");
  BOOST_TEST(syntax("a:\n  b: 3\n\tc: 1\n") ==
             "x.yaml:3:1: a tab where the line is indented\n  found     c: 1\n  try       spaces");
  BOOST_TEST(syntax("a: 1\n b: 2\n") ==
             "x.yaml:2:3: a key that is indented deeper than the one above it\n  found     b: 2\n  try       the same indentation");
  BOOST_TEST(syntax("a:\n  - 1\n - 2\n") ==
             "x.yaml:3:2: this line does not continue the mapping above it\n"
             "  found     - 2\n"
             "  try       indenting it like the keys above");
}

BOOST_AUTO_TEST_CASE(names_misplaced_marks) {
  BOOST_TEST(syntax("a: b: c\n") ==
             "x.yaml:1:5: a second ':' on one line\n  found     a: b: c\n  try       quoting the value that contains ': '");
  BOOST_TEST(syntax("a: - 1\n") ==
             "x.yaml:1:4: a '- ' where no list item can begin\n  found     a: - 1\n  try       the item on a line of its own");
  BOOST_TEST(syntax("a: *x\n") ==
             "x.yaml:1:4: an alias without its anchor\n  found     a: *x\n  try       quoting it if it is meant as a text");
  BOOST_TEST(syntax("a: @x\n") ==
             "x.yaml:1:4: this is not YAML: unknown token\n  found     a: @x\n  try       quoting the text if it is meant as one");
}

BOOST_AUTO_TEST_CASE(refuses_what_is_no_config) {
  BOOST_TEST(syntax("a: 1\n---\nb: 2\n") == "x.yaml:2:1: a second YAML document begins here\n  try       one file for each run");
  BOOST_TEST(syntax("[a]: 3\n") == "x.yaml:1:1: a key is not a text\n  found     a list\n  try       a name before the ':'");
  BOOST_TEST(syntax(std::string("\x93NUMPY\0\0", 8)) == "x.yaml: this is not a text file\n  try       a YAML file");
}

BOOST_AUTO_TEST_CASE(refuses_endless_texts) {
  BOOST_TEST(syntax("a: &x [*x]\n") == "x.yaml:1:8: an alias stands inside its own anchor\n  try       writing the value out");
  BOOST_TEST(syntax(std::string(101, '[') + std::string(101, ']')) ==
             "x.yaml:1:101: values are nested more than 100 levels deep\n  try       a flatter file");
  std::string bomb = "a0: &a0 [x]\n";
  for (int k = 1; k < 8; ++k) {
    const std::string last = "*a" + std::to_string(k - 1);
    bomb += "a" + std::to_string(k) + ": &a" + std::to_string(k) + " [" + last;
    for (int m = 1; m < 10; ++m) bomb += ", " + last;
    bomb += "]\n";
  }
  BOOST_TEST(syntax(bomb) == "x.yaml:6:25: there are more than 100000 values\n  try       data in a file of its own");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace tyto::config
