// Which files count as libraries, and in which order. Opening them is tested with the plugins and backends that it is for.
#include "module/module.hpp"

#include <boost/test/unit_test.hpp>
#include <fstream>

namespace tyto::module {

namespace fs = std::filesystem;

BOOST_AUTO_TEST_SUITE(module)

BOOST_AUTO_TEST_CASE(names_files_after_what_they_offer) {
  BOOST_TEST(file_name("cp-als") == "cp_als.so");
  BOOST_TEST(file_name("dmrg") == "dmrg.so");
}

BOOST_AUTO_TEST_CASE(lists_libraries_by_folder_then_name_and_each_once) {
  const fs::path here = fs::path(TYTO_BINARY_DIR) / "module_test";
  fs::remove_all(here);
  fs::create_directories(here / "first");
  fs::create_directories(here / "second");
  for (const char* file : {"second/a.so", "first/z.so", "first/b.so", "first/notes.txt", "first/old.so.1"})
    std::ofstream(here / file) << "x";
  fs::create_symlink(here / "first/z.so", here / "second/same.so");
  const std::vector<fs::path> expected{here / "first/b.so", here / "first/z.so", here / "second/a.so"};
  const std::vector<fs::path> found = files_in({{.path = here / "first"}, {.path = here / "nowhere"}, {.path = here / "second"}});
  BOOST_TEST((found == expected));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace tyto::module
