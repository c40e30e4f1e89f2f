// A scan as tables, charts and files.
#include "result/scan.hpp"
#include <boost/test/unit_test.hpp>
#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <sstream>
#include <unistd.h>

using namespace tyto;
using namespace tyto::result;

namespace {

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

ScanRun run_of(const std::string& value, ScanPass pass, double objective, double energy) {
  ScanRun run{.value = value, .pass = pass, .folder = (pass == ScanPass::forward ? "forward/g=" : "backward/g=") + value};
  run.result.outcome = {Stop::converged, "it has"};
  run.result.objective = objective;
  run.result.sweeps = 7;
  run.result.observed = {"energy", "psi.entropy"};
  run.result.values["energy"] = {{}, {}, {energy}};
  run.result.values["psi.entropy"] = {{2}, {"bond"}, {0.25, 0.5}};
  return run;
}

/// Three values; backward is lower at the first, where both passes are said to differ.
Scanned three() {
  Scanned s{.key = "settings.model.g", .wanted = 3, .tolerance = 1e-6, .fidelities = {{"psi", {0.75, 1}}}, .folder = "out"};
  for (const char* value : {"0.5", "1", "1.5"}) s.points.push_back({run_of(value, ScanPass::forward, -2, -3)});
  s.points[0].backward = run_of("0.5", ScanPass::backward, -4, -5);
  s.points[0].backward->start = "1";
  s.points[1].backward = run_of("1", ScanPass::backward, -2, -3);
  s.points[0].is_split = true;
  return s;
}

Scanned of_values(const std::vector<std::string>& values) {
  Scanned s{.key = "settings.a"};
  for (const std::string& value : values) s.points.push_back({run_of(value, ScanPass::forward, 1, 1)});
  return s;
}

bool contains(const std::string& text, const std::string& what) { return text.find(what) != std::string::npos; }

std::string text_of_file(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(scans)

BOOST_AUTO_TEST_CASE(the_lower_objective_is_kept_and_the_forward_run_of_equal_ones) {
  const Scanned s = three();
  BOOST_TEST(s.points[0].kept().folder == "backward/g=0.5");
  BOOST_TEST(s.points[1].kept().folder == "forward/g=1");
  BOOST_TEST(s.points[2].kept().folder == "forward/g=1.5");
}

BOOST_AUTO_TEST_CASE(a_failed_run_is_kept_only_where_there_is_no_other) {
  Scanned s = three();
  s.points[0].backward->result.outcome.stop = Stop::failed;
  BOOST_TEST(s.points[0].kept().folder == "forward/g=0.5");
  s.points[1].forward.result.objective = nothing;
  BOOST_TEST(s.points[1].kept().folder == "backward/g=1");
}

BOOST_AUTO_TEST_CASE(columns_are_those_of_what_is_kept) {
  const std::vector<ScanColumn> columns = scan_columns(three());
  BOOST_REQUIRE(columns.size() == 4U);
  BOOST_TEST(columns[0].name == "objective");
  BOOST_TEST((columns[0].values == std::vector<double>{-4, -2, -2}));
  BOOST_TEST(columns[1].name == "energy");
  BOOST_TEST((columns[1].values == std::vector<double>{-5, -3, -3}));
  BOOST_TEST(columns[2].name == "largest psi.entropy");
  BOOST_TEST(columns[2].values[0] == 0.5);
  BOOST_TEST(columns[3].name == "fidelity");
  BOOST_TEST(columns[3].is_between);
  BOOST_TEST(columns[3].values[1] == 1);
  BOOST_TEST(std::isnan(columns[3].values[2]));
}

BOOST_AUTO_TEST_CASE(what_only_some_points_have_is_missing_at_the_others) {
  Scanned s = three();
  s.points[1].forward.result.relative_error = 0.1;
  s.points[2].forward.result.observed = {"sz"};
  s.points[2].forward.result.values.clear();
  s.points[2].forward.result.values["sz"] = {{}, {}, {2}};
  const std::vector<ScanColumn> columns = scan_columns(s);
  BOOST_REQUIRE(columns.size() == 6U);
  BOOST_TEST(columns[1].name == "relative error");
  BOOST_TEST((std::isnan(columns[1].values[0]) && columns[1].values[1] == 0.1));
  BOOST_TEST(std::isnan(columns[2].values[2]));
  BOOST_TEST(columns[4].name == "sz");
  BOOST_TEST((std::isnan(columns[4].values[0]) && columns[4].values[2] == 2));
}

BOOST_AUTO_TEST_CASE(the_objective_is_not_shown_where_every_point_has_a_relative_error) {
  Scanned s = of_values({"1", "2"});
  BOOST_TEST(shown_columns(s)[0].name == "objective");
  s.points[0].forward.result.relative_error = 0.5;
  BOOST_TEST(shown_columns(s)[0].name == "objective");
  s.points[1].forward.result.relative_error = 0;
  BOOST_TEST(shown_columns(s)[0].name == "relative error");
}

BOOST_AUTO_TEST_CASE(points_stand_at_their_values_or_their_logarithms_or_their_numbers) {
  BOOST_TEST((scan_axis(of_values({"2", "1.5", "0.5"})).positions == std::vector<double>{2, 1.5, 0.5}));
  BOOST_TEST(scan_axis(of_values({"1", "2", "3"})).name == "settings.a");
  const ScanAxis logarithmic = scan_axis(of_values({"1e-4", "1e-2", "1"}));
  BOOST_TEST(logarithmic.name == "log10 of settings.a");
  BOOST_TEST((logarithmic.positions == std::vector<double>{-4, -2, 0}));
  BOOST_TEST(scan_axis(of_values({"0", "1e-2", "1"})).name == "settings.a");
  BOOST_TEST((scan_axis(of_values({"builtin", "petsc"})).positions == std::vector<double>{0, 1}));
}

BOOST_AUTO_TEST_CASE(json_has_both_runs_of_a_value_and_what_is_kept) {
  const std::string json = scan_json({.scanned = three(), .status = "done", .source = "a.yaml", .algorithm = "dmrg"});
  BOOST_TEST(
      json.rfind("{\n  \"schema\": 1,\n  \"status\": \"done\",\n  \"reason\": null,\n  \"key\": \"settings.model.g\",\n", 0) == 0U);
  for (const char* text :
       {"\"value\": \"0.5\",\n      \"kept\": \"backward\",\n      \"folder\": \"backward/g=0.5\",\n      \"objective\": -4",
        "\"passes_differ\": true", "\"observed\": {\"energy\": -5, \"psi.entropy\": [0.25, 0.5]}",
        "\"fidelity_with_next\": {\"psi\": 0.75}", "\"fidelity_with_next\": {\"psi\": null}",
        "{\"pass\": \"forward\", \"folder\": \"forward/g=0.5\", \"start\": null, \"objective\": -2"})
    BOOST_TEST(contains(json, text), text << "\nis not in\n" << json);
}

BOOST_AUTO_TEST_CASE(csv_has_a_line_for_each_value_and_quotes_what_needs_it) {
  Scanned s = three();
  s.points[2].forward.value = "[10, 20]";
  BOOST_TEST(scan_csv({.scanned = s}) ==
             "settings.model.g,objective,energy,largest psi.entropy,fidelity with next,status,sweeps,pass,objective forward,"
             "objective backward,passes differ,folder\n"
             "0.5,-4,-5,0.5,0.75,converged,7,backward,-2,-4,yes,backward/g=0.5\n"
             "1,-2,-3,0.5,1,converged,7,forward,-2,-2,no,forward/g=1\n"
             "\"[10, 20]\",-2,-3,0.5,,converged,7,forward,-2,,no,forward/g=1.5\n");
}

BOOST_AUTO_TEST_CASE(the_terminal_shows_a_line_for_each_value_and_where_passes_differ) {
  BOOST_TEST(three().text() ==
             "settings.model.g  objective  energy  largest psi.entropy  fidelity with next  sweeps\n"
             "0.5                      -4      -5                  0.5                0.75       7\n"
             "1                        -2      -3                  0.5                   1       7\n"
             "1.5                      -2      -3                  0.5                           7\n"
             "\n"
             "both passes end at different objectives at 0.5: a transition of first order, or a local minimum\n");
}

BOOST_AUTO_TEST_CASE(the_terminal_says_which_runs_started_apart_and_that_passes_agree) {
  Scanned s = three();
  s.points[0].is_split = false;
  BOOST_TEST(contains(s.text(), "\n\nboth passes end at the same objectives\n"));
  s.why_apart = "of this";
  BOOST_TEST(contains(s.text(), "\n\nsome runs started as the run file says: of this\nboth passes"));
  Scanned apart = of_values({"1", "2"});
  apart.why_apart = "of that";
  BOOST_TEST(contains(apart.text(), "\n\neach run started as the run file says: of that\n"));
  BOOST_TEST(!contains(apart.text(), "both passes"));
}

BOOST_AUTO_TEST_CASE(a_page_links_to_the_reports_and_draws_both_passes_where_they_differ) {
  const std::string page = scan_html({.scanned = three(), .status = "done"});
  BOOST_TEST(contains(page, "<a href=\"backward/g=0.5/report.html\">0.5</a>"));
  BOOST_TEST(contains(page, "<h3>objective of both passes</h3>"));
  BOOST_TEST(contains(page, "<h3>fidelity</h3>"));
  BOOST_TEST(contains(page, "At 1 value both passes end at different objectives"));
  BOOST_TEST(!contains(page, "{{"));
  Scanned s = three();
  s.points[0].is_split = false, s.key = "settings.<b>";
  const std::string other = scan_html({.scanned = s, .status = "interrupted", .has_reports = false});
  BOOST_TEST(!contains(other, "objective of both passes"));
  BOOST_TEST(!contains(other, "report.html"));
  BOOST_TEST(!contains(other, "settings.<b>"));
  BOOST_TEST(contains(other, "<b>Interrupted</b>: 3 of 3 values."));
}

BOOST_AUTO_TEST_CASE(lines_go_up_whichever_way_the_scan_went) {
  Scanned up = three(), down = three();
  std::reverse(down.points.begin(), down.points.end());
  up.fidelities.clear(), down.fidelities.clear();
  const std::vector<Plot> a = scan_plots({.scanned = up}), b = scan_plots({.scanned = down});
  BOOST_REQUIRE(a.size() == 4U);
  BOOST_TEST(a[0].file == "plots/objective.svg");
  for (std::size_t k = 0; k < a.size(); ++k) BOOST_TEST(a[k].svg == b[k].svg);
  BOOST_TEST(contains(a[0].svg, "points=\"0.5,"));
}

BOOST_AUTO_TEST_CASE(what_runs_writes_only_json_and_takes_the_rest_of_an_earlier_scan_away) {
  const std::filesystem::path folder = std::filesystem::temp_directory_path() / ("tyto_scan_" + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  write_scan(folder, {.scanned = three(), .status = "done", .has_plots = true});
  for (const char* name : {"scan.json", "scan.csv", "scan.html", "plots/fidelity.svg"})
    BOOST_TEST(std::filesystem::exists(folder / name), name);
  write_scan(folder, {.scanned = three()});
  BOOST_TEST(contains(text_of_file(folder / "scan.json"), "\"status\": \"running\""));
  BOOST_TEST(!std::filesystem::exists(folder / "scan.csv"));
  BOOST_TEST(!std::filesystem::exists(folder / "scan.html"));
  BOOST_TEST(!std::filesystem::exists(folder / "plots"));
  std::filesystem::remove_all(folder);
}

BOOST_AUTO_TEST_SUITE_END()
