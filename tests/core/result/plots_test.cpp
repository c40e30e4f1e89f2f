#include "result/plots.hpp"
#include "core/result/records.hpp"
#include "result/write.hpp"
#include <boost/test/unit_test.hpp>

using namespace tyto;
using namespace tyto::result;

namespace {

std::vector<std::string> files_of(const Record& record) {
  std::vector<std::string> files;
  for (const Plot& plot : plots(record)) files.push_back(plot.file);
  return files;
}
using Files = std::vector<std::string>;

bool contains(const std::string& text, const std::string& what) { return text.find(what) != std::string::npos; }

}  // namespace

BOOST_AUTO_TEST_SUITE(plot_files)

BOOST_AUTO_TEST_CASE(a_cp_result_has_its_convergence_and_its_factors) {
  BOOST_TEST(
      (files_of(small_cp()) == Files{"plots/convergence.svg", "plots/change.svg", "plots/A.svg", "plots/B.svg", "plots/C.svg"}));
}

BOOST_AUTO_TEST_CASE(other_results_have_what_can_be_seen_of_them) {
  Record record = small_cp();
  record.result.unknowns = {"convergence", "G"};
  record.result.values["convergence"] = {{3}, {"i"}, {1, 2, 3}};
  record.result.values["G"] = {{2, 2, 2}, {"p", "q", "r"}, {1, 2, 3, 4, 5, 6, 7, 8}};
  BOOST_TEST((files_of(record) == Files{"plots/convergence.svg", "plots/change.svg", "plots/convergence~2.svg"}));
}

BOOST_AUTO_TEST_CASE(what_has_no_sweeps_has_no_convergence) {
  Record record = small_cp();
  record.result.history.clear();
  BOOST_TEST((files_of(record) == Files{"plots/A.svg", "plots/B.svg", "plots/C.svg"}));
}

BOOST_AUTO_TEST_CASE(a_file_stands_alone) {
  for (const Plot& plot : plots(small_cp())) {
    BOOST_TEST(plot.svg.rfind("<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"chart\" width=\"", 0) == 0U);
    BOOST_TEST(plot.svg.substr(plot.svg.size() - 7) == "</svg>\n");
    BOOST_TEST(contains(plot.svg, "svg.chart .grid { stroke: #"));
    BOOST_TEST(!contains(plot.svg, "var("));
    BOOST_TEST(!contains(plot.svg, "{{"));
  }
}

BOOST_AUTO_TEST_CASE(the_title_is_above_the_chart_and_is_no_markup) {
  const std::string svg =
      standalone("<svg class=\"chart\" viewBox=\"0 0 100 50\" style=\"--width:100px\" role=\"img\">\n<g/></svg>\n", "a < b");
  BOOST_TEST(contains(svg, "width=\"100\" height=\"76\" viewBox=\"0 -26 100 76\" role=\"img\">\n"));
  BOOST_TEST(contains(svg, "y=\"-6.0\" text-anchor=\"middle\" class=\"value\">a &lt; b</text>\n<g/></svg>\n"));
}

BOOST_AUTO_TEST_CASE(they_are_written_where_they_are_wanted_and_removed_by_the_next_run) {
  const TemporaryFolder t;
  write_result(t.path(), small_cp());
  BOOST_TEST(!std::filesystem::exists(t.path() / "plots"));
  write_result(t.path(), small_cp(), {.plots = true});
  BOOST_TEST(text_of_file(t.path() / "plots" / "A.svg") == plots(small_cp())[2].svg);
  write_result(t.path(), small_cp());
  BOOST_TEST(!std::filesystem::exists(t.path() / "plots"));
}

BOOST_AUTO_TEST_SUITE_END()
