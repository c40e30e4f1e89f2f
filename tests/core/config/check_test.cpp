// Mappings against schemas: each kind of finding with its exact text.
#include "config/check.hpp"

#include <boost/test/unit_test.hpp>

#include "core/config/texts.hpp"

namespace tyto::config {

static Schema cp() { return {integer("rank", "number of rank-one terms").at_least(1)}; }

BOOST_AUTO_TEST_SUITE(check_)

BOOST_AUTO_TEST_CASE(accepts_what_the_schema_says) { BOOST_TEST(check_text("rank: 3", cp()) == "nothing was thrown"); }

BOOST_AUTO_TEST_CASE(reports_an_unknown_key_with_the_nearest_one) {
  BOOST_TEST(check_text("rank: 3\nsweps: 4", {cp()[0], flag("sweep", "s").otherwise("true")}) ==
             "x.yaml:2:1: unknown key 'settings.sweps'\n  expected  rank, sweep\n  found     sweps\n  try       sweep");
  BOOST_TEST(check_text("rank: 3\ncolour: 4", cp()) ==
             "x.yaml:2:1: unknown key 'settings.colour'\n  expected  rank\n  found     colour\n  try       removing it");
  BOOST_TEST(check_text("a: 1", Schema{}) ==
             "x.yaml:1:1: unknown key 'settings.a'\n  expected  no keys here\n  found     a\n  try       removing it");
}

BOOST_AUTO_TEST_CASE(does_not_report_a_misspelled_key_as_missing_too) {
  BOOST_TEST(check_text("{rnk: 3}", cp()) ==
             "x.yaml:1:2: unknown key 'settings.rnk'\n  expected  rank\n  found     rnk\n  try       rank");
  BOOST_TEST(check_text("{rank:3}", cp()) ==
             "x.yaml:1:2: unknown key 'settings.rank:3'\n  expected  rank\n  found     rank:3\n"
             "  try       'rank: 3', with a colon and a space");
}

BOOST_AUTO_TEST_CASE(reports_a_missing_key) {
  BOOST_TEST(check_text("{}", cp()) ==
             "x.yaml:1:1: key 'settings.rank' is missing\n"
             "  expected  an integer >= 1: number of rank-one terms\n  try       adding 'rank: ...' to 'settings'");
  BOOST_TEST(check_text("{}", {integers("ranks", "of the core").at_least(1)}) ==
             "x.yaml:1:1: key 'settings.ranks' is missing\n"
             "  expected  an integer >= 1, or a list: of the core\n  try       adding 'ranks: ...' to 'settings'");
}

BOOST_AUTO_TEST_CASE(reports_a_key_without_value) {
  BOOST_TEST(check_text("rank:\n", cp()) == "x.yaml:1:1: 'settings.rank' has no value\n  expected  an integer >= 1");
}

BOOST_AUTO_TEST_CASE(reports_an_unknown_choice) {
  const Schema schema = {choice("solver", {"cholesky", "qr"}, "s"), choice("start", {"hosvd", "ones"}, "s").otherwise("ones")};
  BOOST_TEST(check_text("solver: colesky", schema) ==
             "x.yaml:1:9: unknown word 'colesky' for 'settings.solver'\n"
             "  expected  cholesky or qr\n  found     colesky\n  try       cholesky");
  BOOST_TEST(check_text("solver: [qr]", schema) ==
             "x.yaml:1:9: 'settings.solver' is not a word\n  expected  cholesky or qr\n  found     a list");
  BOOST_TEST(
      check_text("{solver: qr, start: nvecs}", schema) ==
      "x.yaml:1:21: unknown word 'nvecs' for 'settings.start'\n  expected  hosvd or ones\n  found     nvecs\n  try       hosvd");
  BOOST_TEST(check_text("{solver: qr, start: blue}", schema) ==
             "x.yaml:1:21: unknown word 'blue' for 'settings.start'\n  expected  hosvd or ones\n  found     blue\n"
             "  try       ones, the default");
}

BOOST_AUTO_TEST_CASE(reports_wrong_types_of_texts_and_lists) {
  const Schema schema = {text("name", "n").otherwise("a"), texts("names", "n").otherwise("[]"),
                         integers("ranks", "r").at_least(1).otherwise("1")};
  BOOST_TEST(check_text("name: {a: 1}", schema) ==
             "x.yaml:1:7: 'settings.name' is not a text\n  expected  a text\n  found     a mapping\n  try       a, the default");
  BOOST_TEST(check_text("names: [a, [b]]", schema) ==
             "x.yaml:1:12: 'settings.names[1]' is not a text\n  expected  a text\n  found     a list\n  try       [], the default");
  BOOST_TEST(check_text("ranks: {i: 2}", schema) ==
             "x.yaml:1:8: 'settings.ranks' is not a value or a list\n"
             "  expected  an integer >= 1, or a list\n  found     a mapping\n  try       1, the default");
  BOOST_TEST(check_text("ranks: [2, x, 0]", schema) ==
             "x.yaml:1:12: 'settings.ranks[1]' is not an integer\n"
             "  expected  an integer >= 1\n  found     x\n  try       1, the default\n"
             "x.yaml:1:15: 'settings.ranks[2]' is too small\n"
             "  expected  an integer >= 1\n  found     0\n  try       1, the default");
}

BOOST_AUTO_TEST_CASE(reports_an_empty_schedule) {
  BOOST_TEST(check_text("maxdim: []", {schedule("maxdim", "largest bond").at_least(1)}) ==
             "x.yaml:1:9: 'settings.maxdim' is an empty list\n"
             "  expected  a number >= 1, or a list\n  found     []\n  try       one number, which holds for all sweeps");
}

BOOST_AUTO_TEST_CASE(reports_groups_that_are_none) {
  const Schema schema = {group("model", {text("name", "of it"), integer("sites", "n").otherwise("2")}, "m"),
                         groups("terms", {text("file", "path")}, "t").otherwise("[]")};
  BOOST_TEST(check_text("model: heisenberg", schema) ==
             "x.yaml:1:8: 'settings.model' is not a mapping\n"
             "  expected  a mapping with name, sites\n  found     heisenberg\n  try       {name: ...}");
  BOOST_TEST(check_text("{}", schema) ==
             "x.yaml:1:1: key 'settings.model.name' is missing\n"
             "  expected  a text: of it\n  try       adding 'name: ...' to 'settings.model'");
  BOOST_TEST(check_text("model: {name: a}\nterms:\n", schema) ==
             "x.yaml:2:1: 'settings.terms' has no value\n  expected  a list of mappings\n  try       [], the default");
  BOOST_TEST(check_text("model: {name: a, sits: 3}\nterms: [{file: a}, b.npy]", schema) ==
             "x.yaml:1:18: unknown key 'settings.model.sits'\n"
             "  expected  name, sites\n  found     sits\n  try       sites\n"
             "x.yaml:2:20: 'settings.terms[1]' is not a mapping\n"
             "  expected  a mapping with file\n  found     b.npy\n  try       {file: b.npy}");
}

BOOST_AUTO_TEST_CASE(reports_all_findings_at_once_in_the_order_of_the_file) {
  const Schema schema = {integer("rank", "r").at_least(1), real("tolerance", "t").otherwise("1e-8"),
                         flag("accelerate", "a").otherwise("no")};
  BOOST_TEST(check_text("accelerate: maybe\ntolerance: small\nrank: 0\nsede: 1\n", schema) ==
             "x.yaml:1:13: 'settings.accelerate' is not true or false\n"
             "  expected  true or false\n  found     maybe\n  try       no, the default\n"
             "x.yaml:2:12: 'settings.tolerance' is not a number\n"
             "  expected  a number\n  found     small\n  try       1e-8, the default\n"
             "x.yaml:3:7: 'settings.rank' is too small\n"
             "  expected  an integer >= 1\n  found     0\n  try       1\n"
             "x.yaml:4:1: unknown key 'settings.sede'\n"
             "  expected  rank, tolerance, accelerate\n  found     sede\n  try       removing it");
}

BOOST_AUTO_TEST_CASE(gives_each_finding_its_code) {
  std::vector<Finding> findings;
  check(parse_yaml("{a: 1, rank: x}", "x.yaml"), Schema{cp()[0], integer("n", "n")}, "settings", findings);
  BOOST_REQUIRE(findings.size() == 3U);
  BOOST_CHECK(findings[0].code == Code::unknown_key);
  BOOST_CHECK(findings[1].code == Code::wrong_type);
  BOOST_CHECK(findings[2].code == Code::missing_key);
}

BOOST_AUTO_TEST_CASE(refuses_a_default_that_breaks_its_own_rule) {
  const std::string text = text_of([] { checked("{}", {integer("rank", "r").at_least(1).otherwise("0")}); });
  BOOST_TEST(text ==
             "'settings.rank' is too small\n  expected  an integer >= 1\n  found     0\n"
             "  try       reporting this to the author of the algorithm\n  while     checking the default of 'settings.rank' in "
             "its schema");
}

BOOST_AUTO_TEST_CASE(sorts_overrides_after_the_file) {
  std::vector<Finding> findings = {{.where = {.file = "--set a=1"}, .what = "last"},
                                   {.where = {.file = "x.yaml", .line = 2, .column = 5}, .what = "third"},
                                   {.where = {.file = "x.yaml", .line = 2, .column = 1}, .what = "second"},
                                   {.where = {.file = "x.yaml"}, .what = "first"}};
  BOOST_TEST(text_of_findings(findings) == "x.yaml: first\nx.yaml:2:1: second\nx.yaml:2:5: third\n--set a=1: last");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace tyto::config
