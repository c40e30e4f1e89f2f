// JSON texts, character by character.
#include "text/json.hpp"

#include <boost/test/unit_test.hpp>

#include <cstdlib>
#include <limits>

#include "tyto/error.hpp"

namespace tyto {

BOOST_AUTO_TEST_SUITE(json)

BOOST_AUTO_TEST_CASE(escapes_texts) {
  BOOST_TEST(json_quoted("a \"b\" \\ c") == R"("a \"b\" \\ c")");
  BOOST_TEST(json_quoted("a\nb\tc\r") == R"("a\nb\tc\r")");
  BOOST_TEST(json_quoted(std::string_view("\x01\0", 2)) == R"("\u0001\u0000")");
  BOOST_TEST(json_quoted("\x7f") == "\"\x7f\"");
}

BOOST_AUTO_TEST_CASE(keeps_valid_utf8_and_replaces_the_rest) {
  BOOST_TEST(json_quoted("\u00e9 \u20ac \U0001f426") == "\"\u00e9 \u20ac \U0001f426\"");
  BOOST_TEST(json_quoted("a\xff") == "\"a\xef\xbf\xbd\"");
  BOOST_TEST(json_quoted("\xc3") == "\"\xef\xbf\xbd\"");
  BOOST_TEST(json_quoted("\xed\xa0\x80") == "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"");
}

BOOST_AUTO_TEST_CASE(writes_numbers_that_read_back_exactly) {
  for (const double value : {0.1, 1.0 / 3, 1e-300, 1.7976931348623157e308, 5e-324, -0.02504852, 1e22}) {
    BOOST_TEST(std::strtod(json_number(value).c_str(), nullptr) == value);
  }
  BOOST_TEST(json_number(0.1) == "0.1");
  BOOST_TEST(json_number(3) == "3");
  BOOST_TEST(json_number(1e-12) == "1e-12");
}

BOOST_AUTO_TEST_CASE(writes_null_for_what_json_has_no_number_for) {
  BOOST_TEST(json_number(std::numeric_limits<double>::infinity()) == "null");
  BOOST_TEST(json_number(std::numeric_limits<double>::quiet_NaN()) == "null");
}

BOOST_AUTO_TEST_CASE(indents_objects_and_keeps_lists_in_a_line) {
  JsonWriter json;
  json.begin_object()
      .member("name", "X")
      .member("shape", std::vector<std::int64_t>{5, 201})
      .key("empty")
      .begin_object()
      .end_object();
  json.key("items").begin_array(JsonWriter::Layout::lines).begin_object().member("a", true).end_object().null().end_array();
  BOOST_TEST(json.end_object().text() ==
             "{\n"
             "  \"name\": \"X\",\n"
             "  \"shape\": [5, 201],\n"
             "  \"empty\": {},\n"
             "  \"items\": [\n"
             "    {\n"
             "      \"a\": true\n"
             "    },\n"
             "    null\n"
             "  ]\n"
             "}");
}

BOOST_AUTO_TEST_CASE(a_finished_text_takes_on_the_indentation) {
  JsonWriter json;
  json.begin_object().key("config").raw("{\n  \"a\": 1\n}").end_object();
  BOOST_TEST(json.text() == "{\n  \"config\": {\n    \"a\": 1\n  }\n}");
}

BOOST_AUTO_TEST_CASE(writes_one_line_for_jsonl) {
  JsonWriter json(JsonWriter::Layout::line);
  json.begin_object().member("sweep", 1).member("objective", 0.5).key("columns").begin_object().member("a", 1.5).end_object();
  BOOST_TEST(json.end_object().text() == R"({"sweep": 1, "objective": 0.5, "columns": {"a": 1.5}})");
}

BOOST_AUTO_TEST_CASE(refuses_calls_that_form_no_document) {
  BOOST_CHECK_THROW(JsonWriter().text(), Error);
  BOOST_CHECK_THROW(JsonWriter().begin_object().text(), Error);
  BOOST_CHECK_THROW(JsonWriter().begin_object().value(1), Error);
  BOOST_CHECK_THROW(JsonWriter().begin_object().end_array(), Error);
  BOOST_CHECK_THROW(JsonWriter().begin_array().key("a"), Error);
  BOOST_CHECK_THROW(JsonWriter().value(1).value(2), Error);
  BOOST_CHECK_THROW(JsonWriter().begin_object().key("a").end_object(), Error);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace tyto
