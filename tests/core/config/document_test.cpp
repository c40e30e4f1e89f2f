// Run files from disk, overrides and duplicate keys.
#include "config/document.hpp"

#include <boost/test/unit_test.hpp>

#include <filesystem>
#include <fstream>
#include <unistd.h>

#include "core/config/texts.hpp"

namespace tyto::config {

static std::string set_text(const std::string& key, const std::string& yaml) {
  return text_of([&] {
    Document document = Document::from_text("algorithm: cp-als\nsettings: {ranks: [1, 2]}", "x.yaml");
    document.set(key, yaml);
    read_run_config(document);
  });
}

/// A folder with one file, run.yaml; the tests run in it, so that messages do not depend on the machine.
struct Folder {
  Folder() {
    std::filesystem::create_directories(folder / "configs");
    std::ofstream(folder / "configs" / "aminoacid.yaml") << "algorithm: cp-als\n";
    std::filesystem::current_path(folder);
  }
  ~Folder() {
    std::filesystem::current_path(before);
    std::filesystem::remove_all(folder);
  }
  std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::path folder = std::filesystem::temp_directory_path() / ("tyto_document_test_" + std::to_string(::getpid()));
};

static std::string file_text(const std::string& path) {
  return text_of([&] { Document::from_file(path); });
}

BOOST_AUTO_TEST_SUITE(document)

BOOST_FIXTURE_TEST_CASE(reads_a_file, Folder) {
  BOOST_TEST(Document::from_file("configs/aminoacid.yaml").root().find("algorithm")->text == "cp-als");
}

BOOST_FIXTURE_TEST_CASE(suggests_the_nearest_file, Folder) {
  BOOST_TEST(file_text("configs/amino_acid.yaml") ==
             "configs/amino_acid.yaml: there is no such file\n  try       configs/aminoacid.yaml");
  BOOST_TEST(file_text("configs/aminoacid") == "configs/aminoacid: there is no such file\n  try       configs/aminoacid.yaml");
  BOOST_TEST(file_text("config") == "config: there is no such file\n  try       configs");
  BOOST_TEST(file_text("configs/dmrg.yaml") == "configs/dmrg.yaml: there is no such file\n  try       ls configs");
  BOOST_TEST(file_text("conf/x.yaml") ==
             "conf/x.yaml: there is no such file\n  found     no folder 'conf'\n  try       a path from " +
                 std::filesystem::current_path().string());
}

BOOST_FIXTURE_TEST_CASE(refuses_a_folder, Folder) {
  BOOST_TEST(file_text("configs") ==
             "configs: this is a folder\n  expected  a YAML file that you may read\n  try       a file in it");
}

BOOST_AUTO_TEST_CASE(refuses_a_text_that_is_no_mapping) {
  BOOST_TEST(text_of([] { Document::from_text("# nothing\n", "x.yaml"); }) ==
             "x.yaml: the file is empty\n  expected  keys such as 'algorithm: cp-als'");
  BOOST_TEST(text_of([] { Document::from_text("- a\n", "x.yaml"); }) ==
             "x.yaml:1:1: the file is not a mapping\n  expected  keys such as 'algorithm: cp-als'\n  found     a list");
  BOOST_TEST(text_of([] { Document::from_text("rank:3\n", "x.yaml"); }) ==
             "x.yaml:1:1: the file is not a mapping\n"
             "  expected  keys such as 'algorithm: cp-als'\n"
             "  found     rank:3\n"
             "  try       a space after each ':'");
}

BOOST_AUTO_TEST_CASE(finds_duplicate_keys_at_every_level) {
  const Document document = Document::from_text(
      "solver: {seed: 1}\nsettings:\n  a: 1\n  terms: [{b: 1, b: 2}]\n  a: 2\nsolver: {seed: 2}\nsettings: {}\n", "x.yaml");
  BOOST_TEST(text_of_findings(document.duplicates()) ==
             "x.yaml:4:18: key 'settings.terms[0].b' is given twice\n"
             "  expected  one value\n  found     another one at line 4\n  try       removing one of them\n"
             "x.yaml:5:3: key 'settings.a' is given twice\n"
             "  expected  one value\n  found     another one at line 3\n  try       removing one of them\n"
             "x.yaml:6:1: key 'solver' is given twice\n"
             "  expected  one value\n  found     another one at line 1\n  try       removing one of them\n"
             "x.yaml:7:1: key 'settings' is given twice\n"
             "  expected  one value\n  found     another one at line 2\n  try       removing one of them");
}

BOOST_AUTO_TEST_CASE(overrides_values_and_makes_mappings_on_the_way) {
  Document document = Document::from_text("solver: {seed: 1, init: random}\noutput:\n", "x.yaml");
  document.set("solver.seed", "7");
  document.set("solver.init.file", "c.npy");
  document.set("output.formats", "[npy]");
  document.set("data.X.file", "a.npy");
  BOOST_TEST(document.root().find("solver")->find("seed")->text == "7");
  BOOST_TEST(document.root().find("solver")->find("init")->find("file")->text == "c.npy");
  BOOST_TEST(document.root().find("output")->find("formats")->items.at(0).text == "npy");
  BOOST_TEST(document.root().find("data")->find("X")->find("file")->text == "a.npy");
  BOOST_TEST(document.root().find("data")->find("X")->where.file == "--set data.X.file=a.npy");
}

BOOST_AUTO_TEST_CASE(locates_findings_about_an_override_at_the_override) {
  BOOST_TEST(set_text("solver.max_sweeps", "many") ==
             "--set solver.max_sweeps=many: 'solver.max_sweeps' is not an integer\n"
             "  expected  an integer >= 0\n  found     many\n  try       500, the default");
  BOOST_TEST(set_text("solver.maxiters", "5") ==
             "--set solver.maxiters=5: unknown key 'solver.maxiters'\n"
             "  expected  max_sweeps, tolerance, gradient_tolerance, time_limit, seed, init, starts, require_convergence, backend, "
             "krylov, krylov_tolerance, krylov_products, minimizer, eigensolver, petsc_options, normalize, extrapolation\n"
             "  found     maxiters\n  try       max_sweeps");
  BOOST_TEST(set_text("solver", "{seed: 1, seed: 2}") ==
             "--set solver={seed: 1, seed: 2}: key 'solver.seed' is given twice\n"
             "  expected  one value\n  found     another one\n  try       removing one of them");
}

BOOST_AUTO_TEST_CASE(refuses_overrides_that_cannot_be_placed) {
  BOOST_TEST(set_text("settings.ranks.0", "5") ==
             "--set settings.ranks.0=5: 'settings.ranks' is a list, whose items cannot be set one by one\n"
             "  try       --set settings.ranks=[...], the whole list");
  BOOST_TEST(set_text("solver..seed", "5") ==
             "--set solver..seed=5: a part of the key is empty\n  try       --set solver.max_sweeps=5");
  BOOST_TEST(set_text("solver.seed", "[1,") ==
             "--set solver.seed=[1,: a '[' is never closed, or a comma is missing\n"
             "  found     [1,\n  try       a ']' or a ',' before this place");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace tyto::config
