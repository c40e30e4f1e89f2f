// Which backend a name leads to, and exactly what is said about one that does not fit.
#include "backend/loader.hpp"

#include <boost/test/unit_test.hpp>
#include "core/backend/folders.hpp"

namespace tyto::backend {

static const std::string remedy = "\n  try       building it anew together with tyto " TYTO_VERSION;

BOOST_AUTO_TEST_SUITE(loader)

BOOST_AUTO_TEST_CASE(loads_a_backend_by_name) {
  const BackendInfo& info = load(good, "dummy");
  BOOST_TEST(std::string(info.summary) == "one of everything");
  BOOST_TEST(info.executors.count == 1);
  BOOST_TEST(load(good, "bare").executors.count == 0);
}

BOOST_AUTO_TEST_CASE(names_come_from_files_alone) {
  const std::vector<std::string> names{"no-device", "other-api", "other-name", "other-tag"};
  BOOST_TEST(names_in(bad) == names, boost::test_tools::per_element());
  BOOST_TEST(names_in({{.path = "/nowhere"}}).empty());
}

BOOST_AUTO_TEST_CASE(unknown_name_gets_the_nearest) {
  check_error(Code::backend,
              "unknown backend 'dumy'\n"
              "  expected  bare or dummy\n"
              "  found     dumy\n"
              "  try       dummy",
              [] { load(good, "dumy"); });
  check_error(Code::backend, "unknown backend 'petsc'\n  expected  the name of a backend; none was built\n  found     petsc",
              [] { load({}, "petsc"); });
}

BOOST_AUTO_TEST_CASE(refuses_another_api_number) {
  check_error(Code::plugin_api,
              "backend file " + folder +
                  "bad/other_api.so was built for another version of the backend API\n"
                  "  expected  backend API " +
                  std::to_string(TYTO_BACKEND_API) +
                  "\n"
                  "  found     backend API 77" +
                  remedy,
              [] { load(bad, "other-api"); });
}

BOOST_AUTO_TEST_CASE(refuses_another_tag) {
  check_error(Code::plugin_tag,
              "backend file " + folder +
                  "bad/other_tag.so was built with other headers or another standard library\n"
                  "  expected  " TYTO_BACKEND_TAG
                  "\n"
                  "  found     core=000000000000" +
                  remedy,
              [] { load(bad, "other-tag"); });
}

BOOST_AUTO_TEST_CASE(refuses_another_name_than_the_files) {
  check_error(Code::backend,
              "backend file " + folder +
                  "bad/other_name.so calls itself otherwise\n"
                  "  expected  other-name\n"
                  "  found     bare\n"
                  "  try       renaming the file",
              [] { load(bad, "other-name"); });
}

BOOST_AUTO_TEST_CASE(says_why_this_machine_cannot_use_it) {
  check_error(Code::backend, "backend 'no-device' cannot be used on this machine\n  found     no such device",
              [] { load(bad, "no-device"); });
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace tyto::backend
