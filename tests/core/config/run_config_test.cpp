// Whole run files: typed values, defaults, places and complete reports.
#include "config/run_config.hpp"

#include <boost/test/unit_test.hpp>

#include "core/config/texts.hpp"

namespace tyto::config {

static std::string run_text(const std::string& yaml) {
  return text_of([&] { run_config(yaml); });
}

static const char* const aminoacid =
    "algorithm: cp-als\n"
    "data:\n"
    "  X: {file: share/data/aminoacid.txt, dense: true, modes: [sample, emission, excitation], mask: {file: m.npy}}\n"
    "settings: {rank: 3}\n"
    "unknowns:\n"
    "  \"*\": {ridge: 1e-3, fixed: false}\n"
    "  A_2: {fixed: true, init: {file: c.npy}}\n"
    "solver: {max_sweeps: 40, tolerance: 1e-12, init: random-normal, starts: 5}\n"
    "execution: {executor: cpu, threads: 2, memory_limit: 8 GiB}\n"
    "plan: {sweeps_per_cycle: 2, switched_off: fusion}\n"
    "output: {directory: out/aminoacid, formats: [npy, ktensor], overwrite: true}\n"
    "expect: {relative_error: 0.02504852}\n";

BOOST_AUTO_TEST_SUITE(run_config_)

BOOST_AUTO_TEST_CASE(reads_every_section) {
  const RunConfig c = run_config(aminoacid);
  BOOST_TEST(c.algorithm == "cp-als");
  BOOST_TEST(c.data.at("X").file == "share/data/aminoacid.txt");
  BOOST_TEST(c.data.at("X").dense);
  BOOST_TEST(c.data.at("X").modes.at(2) == "excitation");
  BOOST_TEST(c.data.at("X").mask_file == "m.npy");
  BOOST_TEST(c.data.at("X").weights_file == "");
  BOOST_TEST(c.solver.max_sweeps == 40);
  BOOST_TEST(c.solver.tolerance == 1e-12);
  BOOST_TEST(c.solver.init.word == "random-normal");
  BOOST_TEST(c.solver.starts == 5);
  BOOST_TEST(c.execution.executor == "cpu");
  BOOST_TEST(c.execution.threads == 2);
  BOOST_TEST(c.execution.memory_limit.value() == 8589934592);
  BOOST_TEST(c.plan.sweeps_per_cycle.value() == 2);
  BOOST_TEST(c.plan.switched_off.at(0) == "fusion");
  BOOST_TEST(c.output.directory.value() == "out/aminoacid");
  BOOST_TEST(c.output.formats.value().size() == 2U);
  BOOST_TEST(c.output.overwrite);
  BOOST_TEST(c.expect.value().relative_error.value() == 0.02504852);
  BOOST_TEST(!c.expect.value().objective.has_value());
  BOOST_TEST(c.expect.value().tolerance == 1e-6);
}

BOOST_AUTO_TEST_CASE(fills_in_defaults) {
  const RunConfig c = run_config("algorithm: cp-als\n");
  const SolverConfig solver;
  BOOST_TEST(c.solver.max_sweeps == solver.max_sweeps);
  BOOST_TEST(c.solver.tolerance == solver.tolerance);
  BOOST_TEST(c.solver.gradient_tolerance == solver.gradient_tolerance);
  BOOST_TEST(c.solver.time_limit == solver.time_limit);
  BOOST_TEST(c.solver.seed == solver.seed);
  BOOST_TEST(c.solver.init.word == solver.init.word);
  BOOST_TEST(c.solver.starts == solver.starts);
  BOOST_TEST(c.solver.require_convergence == solver.require_convergence);
  BOOST_TEST(c.solver.normalize == solver.normalize);
  BOOST_TEST(c.execution.executor == ExecutionConfig{}.executor);
  BOOST_TEST(c.execution.threads == ExecutionConfig{}.threads);
  BOOST_TEST(!c.execution.memory_limit.has_value());
  BOOST_TEST(c.execution.precision == ExecutionConfig{}.precision);
  BOOST_TEST(!c.plan.sweeps_per_cycle.has_value());
  BOOST_TEST(c.plan.switched_off.empty());
  BOOST_TEST(!c.output.directory.has_value());
  BOOST_TEST(!c.output.formats.has_value());
  BOOST_TEST(c.output.overwrite == OutputConfig{}.overwrite);
  BOOST_TEST(c.output.report == OutputConfig{}.report);
  BOOST_TEST(!c.expect.has_value());
  BOOST_TEST(c.data.empty());
  BOOST_TEST(c.unknowns.empty());
}

BOOST_AUTO_TEST_CASE(fills_in_the_defaults_of_a_data_entry) {
  const DataConfig given = run_config("algorithm: a\ndata: {X: {}}\n").data.at("X");
  BOOST_TEST(given.file == DataConfig{}.file);
  BOOST_TEST(given.dense == DataConfig{}.dense);
  BOOST_TEST(given.missing == DataConfig{}.missing);
  BOOST_TEST(given.scale == DataConfig{}.scale);
  BOOST_TEST(given.index_base == DataConfig{}.index_base);
  BOOST_TEST(given.shape.empty());
}

BOOST_AUTO_TEST_CASE(merges_what_is_said_of_one_unknown_over_what_is_said_of_all) {
  const RunConfig c = run_config(aminoacid);
  BOOST_TEST(c.unknown("A_0").ridge.value() == 1e-3);
  BOOST_TEST(!c.unknown("A_0").fixed.value());
  BOOST_TEST(!c.unknown("A_0").init.has_value());
  BOOST_TEST(c.unknown("A_2").ridge.value() == 1e-3);
  BOOST_TEST(c.unknown("A_2").fixed.value());
  BOOST_TEST(c.unknown("A_2").init.value().file == "c.npy");
  BOOST_TEST(c.unknown("A_2").init.value().word == "");
  BOOST_TEST(!c.unknown("A_2").nonnegative.has_value());
}

BOOST_AUTO_TEST_CASE(knows_the_place_of_each_entry) {
  const RunConfig c = run_config(aminoacid);
  BOOST_TEST(c.where("data.X.file").line == 3);
  BOOST_TEST(c.where("data.X.file").column == 13);
  BOOST_TEST(c.where("data.X.mask.file").line == 3);
  BOOST_TEST(c.where("data.X.shape").column == 6);
  BOOST_TEST(c.where("unknowns.A_2.fixed").line == 7);
  BOOST_TEST(c.where("solver.seed").line == 8);
  BOOST_TEST(c.where("data.Y").line == 3);
  BOOST_TEST(c.where("settings").line == 4);
  BOOST_TEST(c.where("nothing").line == 0);
  BOOST_TEST(c.where("nothing").file == "x.yaml");
}

BOOST_AUTO_TEST_CASE(reports_a_missing_algorithm) {
  BOOST_TEST(run_text("settings: {rank: 3}\n") ==
             "x.yaml: key 'algorithm' is missing\n"
             "  expected  algorithm: NAME, or method: NAME and minimize: EXPRESSION\n"
             "  try       adding 'algorithm: ...' at the top level");
}

BOOST_AUTO_TEST_CASE(reports_unknown_duplicate_and_mistyped_keys_with_those_of_the_plugin) {
  const Document document = Document::from_text(
      "algorithm: cp-als\nsettings:\n  R: 3\nsolver:\n  max_iter: 5\n  tolerance: abc\n  seed: 1\n  seed: 2\n", "x.yaml");
  std::vector<Finding> findings;
  const RunConfig config = read_run_config(document, findings);
  check_settings(config, Schema{integer("rank", "number of terms").at_least(1)}, findings);
  BOOST_TEST(text_of_findings(findings) ==
             "x.yaml:3:3: unknown key 'settings.R'\n"
             "  expected  rank\n  found     R\n  try       rank\n"
             "x.yaml:5:3: unknown key 'solver.max_iter'\n"
             "  expected  max_sweeps, tolerance, gradient_tolerance, time_limit, seed, init, starts, require_convergence, backend, "
             "krylov, krylov_tolerance, krylov_products, minimizer, eigensolver, petsc_options, normalize, extrapolation\n"
             "  found     max_iter\n  try       max_sweeps\n"
             "x.yaml:6:14: 'solver.tolerance' is not a number\n"
             "  expected  a number >= 0\n  found     abc\n  try       1e-10, the default\n"
             "x.yaml:8:3: key 'solver.seed' is given twice\n"
             "  expected  one value\n  found     another one at line 7\n  try       removing one of them");
  BOOST_TEST(config.solver.tolerance == 1e-10);
}

BOOST_AUTO_TEST_CASE(reports_settings_that_are_missing_or_no_mapping) {
  const Schema schema = {integer("rank", "number of terms").at_least(1)};
  BOOST_TEST(text_of([&] { check_settings(run_config("algorithm: cp-als\n"), schema); }) ==
             "x.yaml: key 'settings.rank' is missing\n"
             "  expected  an integer >= 1: number of terms\n  try       adding 'rank: ...' to 'settings'");
  BOOST_TEST(run_text("algorithm: cp-als\nsettings: 3\n") ==
             "x.yaml:2:11: 'settings' is not a mapping\n  expected  a mapping\n  found     3\n  try       {rank: 3}");
}

BOOST_AUTO_TEST_CASE(leads_a_plain_file_name_into_its_mapping) {
  BOOST_TEST(run_text("algorithm: cp-als\ndata: {X: a.npy}\n") ==
             "x.yaml:2:11: 'data.X' is not a mapping\n"
             "  expected  a mapping with file, files, dense, modes, missing, scale, index_base, shape, mask, weights\n"
             "  found     a.npy\n  try       {file: a.npy}");
  BOOST_TEST(run_text("algorithm: cp-als\ndata: a.npy\n") ==
             "x.yaml:2:7: 'data' is not a mapping\n  expected  a mapping from names to mappings\n  found     a.npy\n  try       "
             "{X: {...}}");
}

BOOST_AUTO_TEST_CASE(reads_the_objective_of_a_method) {
  const RunConfig c = run_config(
      "method: alternating\nminimize: norm2(X[i,j] -\n  model[i,j])\ndefine:\n  delta: 0.5\n  model[i,j]: 'A[i,r] * B[j,r]'\n"
      "extents: {r: 3}\nunknowns: {\"*\": {ridge: 1}, B: {}, A: {}}\n");
  BOOST_TEST(c.algorithm == "alternating");
  BOOST_TEST(c.where_algorithm().line == 1);
  BOOST_TEST(c.where_algorithm().column == 9);
  const ObjectiveConfig& objective = c.objective.value();
  BOOST_TEST(objective.minimize.text == "norm2(X[i,j] - model[i,j])");
  BOOST_TEST(objective.minimize.places.at(0).column == 11);
  BOOST_TEST(objective.minimize.places.at(15).line == 3);  // "model", behind a folded line
  BOOST_TEST(objective.minimize.places.at(15).column == 3);
  BOOST_TEST(objective.define.at(0).first.text == "delta");
  BOOST_TEST(objective.define.at(0).second.text == "0.5");
  BOOST_TEST(objective.define.at(1).first.text == "model[i,j]");
  BOOST_TEST(objective.define.at(1).first.places.at(6).column == 9);
  BOOST_TEST(objective.define.at(1).second.places.at(0).column == 16);  // behind the quote
  BOOST_TEST((objective.extents == std::vector<std::pair<std::string, std::int64_t>>{{"r", 3}}));
  BOOST_TEST(c.where("extents.r").line == 7);
  BOOST_TEST((c.unknown_names == std::vector<std::string>{"B", "A"}));
  BOOST_TEST(!run_config("algorithm: cp-als\n").objective.has_value());
}

BOOST_AUTO_TEST_CASE(wants_an_algorithm_or_a_method_with_its_objective) {
  const std::string either = "  expected  algorithm: NAME, or method: NAME and minimize: EXPRESSION\n";
  BOOST_TEST(run_text("algorithm: cp-als\nmethod: alternating\n") ==
             "x.yaml:2:9: both 'algorithm' and 'method' are given\n" + either + "  try       removing one of them");
  BOOST_TEST(run_text("method: alternating\n") ==
             "x.yaml:1:9: a method needs an objective, and key 'minimize' is missing\n  expected  an expression\n"
             "  try       minimize: 0.5 * norm2(X[i,j] - A[i,r] * B[j,r])");
  BOOST_TEST(run_text("minimize: norm2(X)\n") ==
             "x.yaml: key 'method' is missing\n" + either + "  try       adding 'method: alternating'");
  BOOST_TEST(run_text("algorithm: cp-als\nextents: {r: 3}\n") ==
             "x.yaml:2:10: 'extents' is for methods, and an algorithm declares its own objective\n" + either +
                 "  try       'method' in place of 'algorithm', or removing it");
}

BOOST_AUTO_TEST_CASE(checks_what_stands_by_names_that_the_user_chooses) {
  const std::string method = "method: m\nminimize: e\n";
  BOOST_TEST(run_text(method + "extents: {r: two, s: 0}\n") ==
             "x.yaml:3:14: 'extents.r' is not an integer\n  expected  an integer >= 1\n  found     two\n"
             "x.yaml:3:22: 'extents.s' is too small\n  expected  an integer >= 1\n  found     0\n  try       1");
  BOOST_TEST(run_text(method + "extents: 3\n") ==
             "x.yaml:3:10: 'extents' is not a mapping\n  expected  a mapping from names, each with an integer >= 1\n"
             "  found     3\n  try       {r: ...}");
  BOOST_TEST(run_text(method + "define: {delta: [1, 2]}\n") ==
             "x.yaml:3:17: 'define.delta' is not a text\n  expected  a text\n  found     a list");
}

BOOST_AUTO_TEST_CASE(names_values_of_later_versions) {
  BOOST_TEST(run_text("algorithm: a\nexecution: {executor: cuda}\n") ==
             "x.yaml:2:23: 'execution.executor: cuda' is not part of this version\n"
             "  expected  auto, cpu or reference\n  found     cuda\n  try       auto");
}

BOOST_AUTO_TEST_CASE(reports_a_size_of_memory_that_is_none) {
  BOOST_TEST(run_text("algorithm: a\nexecution: {memory_limit: 8}\n") ==
             "x.yaml:2:27: 'execution.memory_limit' is not a size of memory\n"
             "  expected  a number with its unit (bytes, kB, MB, GB, TB, KiB, MiB, GiB or TiB) or auto\n"
             "  found     8\n  try       8 GiB");
}

BOOST_AUTO_TEST_CASE(reports_a_wrong_start) {
  BOOST_TEST(
      run_text("algorithm: a\nsolver: {init: nvecs}\n") ==
      "x.yaml:2:16: unknown word 'nvecs' for 'solver.init'\n"
      "  expected  random, random-normal, hosvd, st-hosvd, ones, zeros or {file: ...}\n  found     nvecs\n  try       hosvd");
  BOOST_TEST(run_text("algorithm: a\nsolver: {init: {fil: c.npy}}\n") ==
             "x.yaml:2:17: unknown key 'solver.init.fil'\n  expected  file\n  found     fil\n  try       file");
}

BOOST_AUTO_TEST_CASE(reports_an_expectation_of_nothing) {
  BOOST_TEST(run_text("algorithm: a\nexpect: {tolerance: 1e-3}\n") ==
             "x.yaml:2:9: 'expect' says nothing about the result\n"
             "  expected  relative_error or objective\n  try       {relative_error: ...}");
}

BOOST_AUTO_TEST_CASE(takes_a_number_or_auto_for_the_cycle) {
  BOOST_TEST(!run_config("algorithm: a\nplan: {sweeps_per_cycle: auto}\n").plan.sweeps_per_cycle.has_value());
  BOOST_TEST(run_text("algorithm: a\nplan: {sweeps_per_cycle: 0}\n") ==
             "x.yaml:2:26: 'plan.sweeps_per_cycle' is too small\n"
             "  expected  an integer >= 1 or auto\n  found     0\n  try       auto, the default");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace tyto::config
