#include "result/json.hpp"
#include <boost/test/unit_test.hpp>
#include <limits>

using namespace tyto::result;

BOOST_AUTO_TEST_SUITE(json)

BOOST_AUTO_TEST_CASE(indents_objects_and_keeps_short_arrays_on_one_line) {
  JsonWriter json(JsonStyle::indented);
  json.open_object().key("shape").open_array(true).integer(5).integer(201).close_array();
  json.key("none").open_array().close_array().key("list").open_array().text("a").text("b").close_array().close_object();
  BOOST_TEST(json.str() == "{\n  \"shape\": [5, 201],\n  \"none\": [],\n  \"list\": [\n    \"a\",\n    \"b\"\n  ]\n}");
}

BOOST_AUTO_TEST_CASE(writes_one_line_where_asked) {
  JsonWriter json(JsonStyle::one_line);
  json.open_object().key("a").number(0.1).key("b").open_object().key("c").null().close_object().close_object();
  BOOST_TEST(json.str() == R"({"a": 0.1, "b": {"c": null}})");
}

BOOST_AUTO_TEST_CASE(numbers_read_back_to_the_same_double_and_infinities_are_null) {
  BOOST_TEST(json_number(0.1 + 0.2) == "0.30000000000000004");
  BOOST_TEST(json_number(1e300) == "1e+300");
  BOOST_TEST(json_number(-2) == "-2");
  BOOST_TEST(json_number(std::numeric_limits<double>::infinity()) == "null");
  BOOST_TEST(json_number(std::numeric_limits<double>::quiet_NaN()) == "null");
}

BOOST_AUTO_TEST_CASE(quotes_what_json_does_not_allow_in_text) {
  BOOST_TEST(json_quoted("a\"b\\c\n\t\r\x01 \xc3\xa9") == "\"a\\\"b\\\\c\\n\\t\\r\\u0001 \xc3\xa9\"");
}

BOOST_AUTO_TEST_CASE(given_json_takes_on_the_indentation) {
  JsonWriter json(JsonStyle::indented);
  json.open_object().key("config").raw("{\n  \"a\": 1\n}").close_object();
  BOOST_TEST(json.str() == "{\n  \"config\": {\n    \"a\": 1\n  }\n}");
}

BOOST_AUTO_TEST_SUITE_END()
