// Which plugin a name leads to, and exactly what is said where it leads to none.
#include "plugin/catalogue.hpp"

#include <boost/test/unit_test.hpp>
#include "core/plugin/folders.hpp"

namespace tyto::plugin {

static const Where here{.file = "run.yaml", .line = 1, .column = 12};
static const std::string remedy = "\n  try       building it anew with tyto_add_plugin() of tyto " TYTO_VERSION;

static void check_refused(const std::string& folder, const std::string& name, Code code, const std::string& text) {
  check_error(code, text, [&] { Catalogue(places({folder})).find(name, here); });
}

BOOST_AUTO_TEST_SUITE(catalogue)

BOOST_AUTO_TEST_CASE(finds_a_plugin_by_its_name) {
  Catalogue catalogue(places({"good"}));
  const PluginInfo& info = catalogue.find("good-one");
  BOOST_TEST(std::string(info.name) == "good-one");
  BOOST_TEST(std::string(info.version) == "1.2.3");
  BOOST_TEST(info.schema().front().name == "rank");
  BOOST_TEST(catalogue.list().front().file.string() == place("good") + "/good_one.so");
}

BOOST_AUTO_TEST_CASE(finds_a_plugin_in_a_file_of_another_name) {
  Catalogue catalogue(places({"same_name"}));
  BOOST_TEST(std::string(catalogue.find("good-one").name) == "good-one");
}

BOOST_AUTO_TEST_CASE(knows_all_algorithms_of_a_file) {
  Catalogue catalogue(places({"throwing", "good"}));
  std::vector<std::string> names;
  for (const Entry& entry : catalogue.list()) names.emplace_back(entry.info->name);
  const std::vector<std::string> expected{"throws-foreign", "throws-integer", "throws-when-made", "throws-error", "good-one"};
  BOOST_TEST(names == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_plugin_outlives_its_catalogue) {
  const PluginInfo* info = &Catalogue(places({"good"})).find("good-one");
  BOOST_TEST(std::string(info->summary) == "does nothing");
  info->destroy(info->create());
}

BOOST_AUTO_TEST_CASE(the_same_folder_twice_is_no_duplicate) {
  Catalogue catalogue(places({"good", "same_name/../good"}));
  BOOST_TEST(catalogue.list().size() == 1U);
  BOOST_TEST(std::string(catalogue.find("good-one").name) == "good-one");
}

BOOST_AUTO_TEST_CASE(refuses_two_files_with_one_name) {
  check_error(Code::plugin_duplicate,
              "run.yaml:1:12: two plugins are called 'good-one'\n"
              "  expected  one plugin of that name in all folders searched\n"
              "  found     " +
                  place("good") +
                  "/good_one.so\n"
                  "            " +
                  place("same_name") +
                  "/again.so\n"
                  "  try       removing one of them, or leaving its folder out of TYTO_PLUGIN_PATH and plugin_path",
              [] {
                Catalogue(places({"good", "same_name"})).find("good-one", here);
              });
}

BOOST_AUTO_TEST_CASE(a_duplicate_does_not_hinder_other_plugins) {
  Catalogue catalogue(places({"good", "same_name", "throwing"}));
  BOOST_TEST(std::string(catalogue.find("throws-error").name) == "throws-error");
}

BOOST_AUTO_TEST_CASE(unknown_name_gets_the_nearest_and_the_folders) {
  check_error(Code::plugin_missing,
              "run.yaml:1:12: unknown plugin 'god-one'\n"
              "  expected  good-one\n"
              "  found     no such plugin in " +
                  place("good") +
                  "\n"
                  "            no such plugin in /nowhere\n"
                  "  try       good-one",
              [] {
                Catalogue({{.path = place("good")}, {.path = "/nowhere"}}).find("god-one", here);
              });
}

BOOST_AUTO_TEST_CASE(unknown_name_lists_unusable_files) {
  check_refused("other_tag", "cp-als", Code::plugin_missing,
                "run.yaml:1:12: unknown plugin 'cp-als'\n"
                "  expected  the name of a plugin; there are none\n"
                "  found     no such plugin in " +
                    place("other_tag") +
                    "\n"
                    "            unusable: plugin file " +
                    place("other_tag") +
                    "/other_tag.so was built with other headers or another standard library\n"
                    "  try       naming the folder of the plugin in plugin_path or TYTO_PLUGIN_PATH");
}

BOOST_AUTO_TEST_CASE(refuses_another_api_number_without_reading_on) {
  check_refused("other_api", "other-api", Code::plugin_api,
                "run.yaml:1:12: plugin file " + place("other_api") +
                    "/other_api.so was built for another version of the plugin API\n"
                    "  expected  plugin API " +
                    std::to_string(TYTO_PLUGIN_API) +
                    "\n"
                    "  found     plugin API " +
                    std::to_string(TYTO_PLUGIN_API + 1) + remedy);
}

BOOST_AUTO_TEST_CASE(refuses_another_tag) {
  check_refused("other_tag", "other-tag", Code::plugin_tag,
                "run.yaml:1:12: plugin file " + place("other_tag") +
                    "/other_tag.so was built with other headers or another standard library\n"
                    "  expected  " TYTO_BUILD_TAG
                    "\n"
                    "  found     headers=000000000000 cxx11abi=1 stl_debug=0" +
                    remedy);
}

BOOST_AUTO_TEST_CASE(refuses_a_library_without_the_symbol) {
  check_refused("no_symbol", "no-symbol", Code::plugin_symbol,
                "run.yaml:1:12: " + place("no_symbol") +
                    "/no_symbol.so is not a plugin\n"
                    "  expected  an exported function tyto_plugin\n"
                    "  found     a shared library without it" +
                    remedy);
}

BOOST_AUTO_TEST_CASE(shows_the_linkers_words_about_what_is_no_library) {
  const std::string file = place("not_a_library") + "/not_a_library.so";
  check_refused("not_a_library", "not-a-library", Code::plugin_symbol,
                "run.yaml:1:12: plugin file " + file +
                    " cannot be loaded\n"
                    "  expected  a shared library built for this tyto\n"
                    "  found     " +
                    file + ": invalid ELF header" + remedy);
}

BOOST_AUTO_TEST_CASE(refuses_an_incomplete_table) {
  check_refused("incomplete", "incomplete", Code::plugin_rule,
                "run.yaml:1:12: plugin file " + place("incomplete") +
                    "/incomplete.so has an incomplete table\n"
                    "  expected  name, version, summary, schema, create, destroy\n"
                    "  found     a null pointer\n"
                    "  try       declaring the algorithm with TYTO_PLUGIN");
}

BOOST_AUTO_TEST_CASE(refuses_an_empty_table) {
  check_refused("empty", "empty", Code::plugin_symbol,
                "run.yaml:1:12: plugin file " + place("empty") +
                    "/empty.so has no algorithm\n"
                    "  expected  one or more entries\n"
                    "  found     an empty table\n"
                    "  try       listing its algorithms in TYTO_PLUGINS");
}

BOOST_AUTO_TEST_CASE(unusable_files_do_not_hinder_others_and_are_listed) {
  Catalogue catalogue(places({"other_api", "no_symbol", "not_a_library", "good"}));
  BOOST_TEST(std::string(catalogue.find("good-one").name) == "good-one");
  BOOST_TEST(catalogue.list().size() == 4U);
  BOOST_TEST(catalogue.list()[1].trouble->findings().front().what == place("no_symbol") + "/no_symbol.so is not a plugin");
  BOOST_TEST(catalogue.list()[1].info == nullptr);
}

BOOST_AUTO_TEST_CASE(a_folder_that_must_exist_is_missed_at_the_place_that_names_it) {
  check_error(Code::file_missing,
              "run.yaml:1:12: cannot read the folder /nowhere\n"
              "  expected  a folder with plugins (*.so)\n"
              "  found     No such file or directory\n"
              "  try       correcting the path; a relative one starts at the working directory",
              [] { Catalogue({{.path = "/nowhere", .must_exist = true, .where = here}}).list(); });
  BOOST_TEST(Catalogue({{.path = "/nowhere"}}).list().empty());
}

BOOST_AUTO_TEST_CASE(linked_in_plugins_come_first_and_share_the_names) {
  const PluginInfo& loaded = Catalogue(places({"good"})).find("good-one");
  PluginInfo mine = loaded;
  mine.name = "mine";
  Catalogue catalogue(places({"good"}));
  catalogue.add(&mine);
  BOOST_TEST(&catalogue.find("mine") == &mine);
  BOOST_TEST(catalogue.list().front().info == &mine);
  mine.name = "good-one";
  check_error(Code::plugin_duplicate,
              "two plugins are called 'good-one'\n"
              "  expected  one plugin of that name in all folders searched\n"
              "  found     the program itself\n"
              "            " +
                  place("good") +
                  "/good_one.so\n"
                  "  try       removing one of them, or leaving its folder out of TYTO_PLUGIN_PATH and plugin_path",
              [&] { catalogue.find("good-one"); });
  mine.build = "headers=1";
  check_error(Code::plugin_tag,
              "plugin file (linked in) was built with other headers or another standard library\n"
              "  expected  " TYTO_BUILD_TAG
              "\n"
              "  found     headers=1" +
                  remedy,
              [&] { catalogue.add(&mine); });
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace tyto::plugin
