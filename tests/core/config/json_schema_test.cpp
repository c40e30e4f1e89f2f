// JSON schemas for editors; that of the run file is kept in share/schema.
#include <boost/test/unit_test.hpp>

#include <fstream>
#include <iterator>

#include "config/describe.hpp"
#include "config/run_rules.hpp"

namespace tyto::config {

BOOST_AUTO_TEST_SUITE(json_schema_)

BOOST_AUTO_TEST_CASE(says_types_ranges_and_defaults) {
  const Schema schema = {integer("rank", "terms").at_least(1),
                         real("x", "share").above(0).at_most(1).in("percent").otherwise("1"),
                         choice("start", {"ones"}, "s").otherwise("ones"),
                         schedule("maxdim", "m").otherwise("10"),
                         group("model", {text("name", "n")}, "m"),
                         groups("terms", {flag("real", "r").otherwise("no")}, "t").otherwise("[]")};
  BOOST_TEST(json_schema(schema, "a plugin") == R"schema({
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "title": "a plugin",
  "type": "object",
  "additionalProperties": false,
  "required": ["rank", "model"],
  "properties": {
    "rank": {
      "description": "terms",
      "type": "integer",
      "minimum": 1
    },
    "x": {
      "description": "share (percent)",
      "type": "number",
      "exclusiveMinimum": 0,
      "maximum": 1,
      "default": 1
    },
    "start": {
      "description": "s",
      "enum": ["ones"],
      "default": "ones"
    },
    "maxdim": {
      "description": "m",
      "anyOf": [
        {"type": "number"},
        {"type": "array", "items": {"type": "number"}, "minItems": 1}
      ],
      "default": [10]
    },
    "model": {
      "description": "m",
      "type": "object",
      "additionalProperties": false,
      "required": ["name"],
      "properties": {
        "name": {
          "description": "n",
          "type": "string"
        }
      }
    },
    "terms": {
      "description": "t",
      "anyOf": [
        {
          "type": "object",
          "additionalProperties": false,
          "properties": {
            "real": {
              "description": "r",
              "type": "boolean",
              "default": false
            }
          }
        },
        {
          "type": "array",
          "items": {
            "type": "object",
            "additionalProperties": false,
            "properties": {
              "real": {
                "description": "r",
                "type": "boolean",
                "default": false
              }
            }
          }
        }
      ]
    }
  }
})schema");
}

BOOST_AUTO_TEST_CASE(of_the_run_file_is_up_to_date_in_share) {
  const std::string fresh = json_schema(run_rules(), "a run of tyto") + "\n";
  std::ifstream file(TYTO_SOURCE_DIR "/share/schema/run.json");
  const std::string kept(std::istreambuf_iterator<char>(file), {});
  if (kept != fresh) std::ofstream(TYTO_BINARY_DIR "/run.json") << fresh;
  BOOST_TEST((kept == fresh), "share/schema/run.json is out of date: copy run.json of the build folder over it");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace tyto::config
