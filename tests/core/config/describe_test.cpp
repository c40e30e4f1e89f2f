// Help for people, from schemas.
#include "config/describe.hpp"

#include <boost/test/unit_test.hpp>

#include "config/run_rules.hpp"

namespace tyto::config {

static Schema schema() {
  return {integer("rank", "number of rank-one terms").at_least(1),
          real("timeout", "for one step").above(0).in("seconds").otherwise("60"),
          schedule("maxdim", "largest bond").at_least(1).otherwise("10"),
          choice("solver", {"cholesky", "singular-value-decomposition", "qr"}, "for a | b").otherwise("qr"),
          group("model", {text("name", "which one"), integers("sites", "of it").otherwise("20")}, "the chain"),
          groups("terms", {flag("real", "no phase").otherwise("true")}, "further terms").otherwise("[]")};
}

BOOST_AUTO_TEST_SUITE(describe)

BOOST_AUTO_TEST_CASE(aligns_columns_and_indents_groups) {
  BOOST_TEST(help_text(schema()) ==
             "rank     integer >= 1                          mandatory  number of rank-one terms\n"
             "timeout  number > 0, seconds                   60         for one step\n"
             "maxdim   number >= 1, or list per sweep        10         largest bond\n"
             "solver   cholesky, singular-value-decomposition or qr\n"
             "                                               qr         for a | b\n"
             "model                                                     the chain\n"
             "  name   text                                  mandatory  which one\n"
             "  sites  integers                              20         of it\n"
             "terms    list of                               []         further terms\n"
             "  real   true or false                         true       no phase\n");
}

BOOST_AUTO_TEST_CASE(describes_every_key_of_a_run) {
  const std::string help = help_text(run_rules());
  for (const char* text :
       {"algorithm", "  X ", "    index_base", "max_sweeps", "sweeps_per_cycle", "number >= 0, seconds", "integer >= 1 or auto"}) {
    BOOST_TEST(help.find(text) != std::string::npos, text);
  }
  BOOST_TEST(help.find("  r                    any name: integer >= 1") != std::string::npos, help);
}

BOOST_AUTO_TEST_CASE(writes_markdown_with_full_keys) {
  BOOST_TEST(markdown(schema()) ==
             "| key | value | default | meaning |\n"
             "| --- | --- | --- | --- |\n"
             "| `rank` | integer >= 1 | mandatory | number of rank-one terms |\n"
             "| `timeout` | number > 0, seconds | 60 | for one step |\n"
             "| `maxdim` | number >= 1, or list per sweep | 10 | largest bond |\n"
             "| `solver` | cholesky, singular-value-decomposition or qr | qr | for a \\| b |\n"
             "| `model` |  |  | the chain |\n"
             "| `model.name` | text | mandatory | which one |\n"
             "| `model.sites` | integers | 20 | of it |\n"
             "| `terms` | list of | [] | further terms |\n"
             "| `terms[].real` | true or false | true | no phase |\n");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace tyto::config
