// What a plugin reads, and what it is told when it reads wrongly.
#include "tyto/settings.hpp"

#include <boost/test/unit_test.hpp>

#include "core/config/texts.hpp"

namespace tyto::config {

static Settings all_kinds() {
  return checked(
      "rank: 3\nridge: 1\nname: psi\nranks: 4\nweights: [1, 0.5]\nmodes: sample\nmaxdim: [10, 20]\n"
      "model: {sites: 20}\nterms: [{power: 1}, {}]\n",
      {integer("rank", "r"), real("ridge", "r"), flag("fixed", "f").otherwise("true"), text("name", "n"),
       choice("start", {"hosvd", "ones"}, "s").otherwise("ones"), integers("ranks", "r"), reals("weights", "w"),
       texts("modes", "m"), schedule("maxdim", "m"), group("model", {integer("sites", "n"), real("J", "j").otherwise("1")}, "m"),
       groups("terms", {integer("power", "p").otherwise("2")}, "t")});
}

BOOST_AUTO_TEST_SUITE(settings)

BOOST_AUTO_TEST_CASE(reads_every_kind) {
  const Settings s = all_kinds();
  BOOST_TEST(s.integer("rank") == 3);
  BOOST_TEST(s.real("ridge") == 1.0);
  BOOST_TEST(s.flag("fixed"));
  BOOST_TEST(s.text("name") == "psi");
  BOOST_TEST(s.text("start") == "ones");
  BOOST_TEST(s.integers("ranks") == std::vector<std::int64_t>{4}, boost::test_tools::per_element());
  BOOST_TEST(s.integers("ranks", 3) == (std::vector<std::int64_t>{4, 4, 4}), boost::test_tools::per_element());
  BOOST_TEST(s.reals("weights") == (std::vector<double>{1, 0.5}), boost::test_tools::per_element());
  BOOST_TEST(s.texts("modes") == std::vector<std::string>{"sample"}, boost::test_tools::per_element());
  BOOST_TEST(s.schedule("maxdim")[1] == 10.0);
  BOOST_TEST(s.schedule("maxdim")[9] == 20.0);
  BOOST_TEST(s.group("model").integer("sites") == 20);
  BOOST_TEST(s.group("model").real("J") == 1.0);
  BOOST_TEST(s.groups("terms").at(0).integer("power") == 1);
  BOOST_TEST(s.groups("terms").at(1).integer("power") == 2);
}

BOOST_AUTO_TEST_CASE(knows_the_place_of_a_value_and_none_of_a_default) {
  const Settings s = all_kinds();
  BOOST_TEST(s.where("name").file == "x.yaml");
  BOOST_TEST(s.where("name").line == 3);
  BOOST_TEST(s.where("name").column == 7);
  BOOST_TEST(s.where("fixed").file == "");
  BOOST_TEST(s.group("model").where("sites").column == 16);
}

BOOST_AUTO_TEST_CASE(rejects_at_the_key) {
  const Settings s = all_kinds();
  BOOST_TEST(text_of([&] { s.reject("rank", "rank 3 exceeds mode 2 of extent 2", "a rank of at most 2"); }) ==
             "x.yaml:1:7: 'settings.rank': rank 3 exceeds mode 2 of extent 2\n  try       a rank of at most 2");
  BOOST_TEST(text_of([&] { s.reject("fixed", "does not go with ridge"); }) ==
             "x.yaml:1:1: 'settings.fixed': does not go with ridge");
}

BOOST_AUTO_TEST_CASE(wants_one_value_or_one_for_each_item) {
  const Settings s = checked("ranks: [2, 3]", {integers("ranks", "r")});
  BOOST_TEST(s.integers("ranks", 2).at(1) == 3);
  BOOST_TEST(text_of([&] { s.integers("ranks", 3); }) ==
             "x.yaml:1:8: 'settings.ranks' has 2 values where 3 are needed\n"
             "  expected  1 or 3 values\n  found     2 values\n  try       one value for all, or one for each");
}

BOOST_AUTO_TEST_CASE(tells_a_plugin_that_reads_what_its_schema_does_not_say) {
  const Settings s = all_kinds();
  BOOST_TEST(text_of([&] { s.group("model").integer("sits"); }) ==
             "the plugin reads 'settings.model.sits', which its schema does not have\n"
             "  expected  sites or J\n  found     sits\n  try       sites");
  BOOST_TEST(text_of([&] { s.real("rank"); }) ==
             "the plugin reads 'settings.rank' as another kind than its schema says\n"
             "  expected  integer\n  found     real\n  try       Settings::integer");
  try {
    s.text("rank");
    BOOST_ERROR("nothing was thrown");
  } catch (const Error& error) {
    BOOST_CHECK(error.findings().at(0).code == Code::plugin_rule);
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace tyto::config
