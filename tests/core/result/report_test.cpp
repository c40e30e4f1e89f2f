#include "result/report.hpp"
#include "core/result/records.hpp"
#include <boost/test/unit_test.hpp>
#include <limits>

using namespace tyto;
using namespace tyto::result;

namespace {

std::int64_t count(const std::string& text, const std::string& what) {
  std::int64_t n = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++n;
  return n;
}

bool contains(const std::string& text, const std::string& what) { return text.find(what) != std::string::npos; }

/// What every report must be, whatever the result was.
void check_page(const std::string& html) {
  BOOST_TEST(count(html, "http://") == 0);
  BOOST_TEST(count(html, "https://") == 0);
  BOOST_TEST(count(html, "{{") == 0);
  BOOST_TEST(count(html, "nan") == 0);
  for (const std::string tag : {"html", "head", "body", "main", "style", "script", "svg", "figure", "section", "table", "tr",
                                "details", "dl", "div", "p"}) {
    const std::int64_t opened = count(html, "<" + tag + ">") + count(html, "<" + tag + " ");
    BOOST_TEST(opened == count(html, "</" + tag + ">"), "<" << tag << "> is not balanced");
  }
}

NamedArray matrix(std::int64_t rows, std::int64_t columns, const std::string& row_label) {
  NamedArray a{{rows, columns}, {row_label, "r"}, {}};
  for (std::int64_t n = 0; n < rows * columns; ++n) a.values.push_back(std::cos(static_cast<double>(n)));
  return a;
}

/// CP of a tensor with these extents; modes are numbers.
Record cp_of(const Extents& shape, std::int64_t rank) {
  Record record = small_cp();
  record.result.unknowns.clear();
  record.data[0] = {"X", "", shape, {}, 1};
  for (std::size_t n = 0; n < shape.size(); ++n) {
    const std::string mode = std::to_string(n);
    record.data[0].labels.push_back(mode);
    record.result.unknowns.push_back("A_" + mode);
    record.result.values["A_" + mode] = matrix(shape[n], rank, mode);
  }
  return record;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(report)

BOOST_AUTO_TEST_CASE(a_cp_result_shows_its_components_and_every_mode) {
  const std::string html = report_html(small_cp());
  check_page(html);
  BOOST_TEST(contains(html, "<h1>CP decomposition of X into 2 components</h1>"));
  BOOST_TEST(contains(html, "<b>Converged</b>: further sweeps would change the result no more than asked for."));
  BOOST_TEST(contains(html, "(relative change 1e-13 &lt; 1e-12)"));
  BOOST_TEST(contains(html, "<dd>0.25</dd>"));
  BOOST_TEST(contains(html, "<dd>93.8 <small>%</small></dd>"));
  for (const std::string mode : {"i", "j", "k"}) BOOST_TEST(contains(html, "<h3>" + mode + "</h3>"));
}

BOOST_AUTO_TEST_CASE(any_order_and_rank_can_be_drawn) {
  for (const auto& [shape, rank] :
       std::vector<std::pair<Extents, std::int64_t>>{{{5, 40}, 1}, {{3, 1, 50}, 7}, {{2, 3, 2, 4, 30}, 2}, {{20, 20, 20}, 160}}) {
    const std::string html = report_html(cp_of(shape, rank));
    check_page(html);
    BOOST_TEST(count(html, "<h3>mode ") == static_cast<std::int64_t>(shape.size()));
  }
  BOOST_TEST(contains(report_html(cp_of({20, 20}, 160)), "The 12 of 160 components with the largest weights are shown."));
}

BOOST_AUTO_TEST_CASE(long_modes_are_thinned_out_and_the_file_stays_small) {
  const std::string html = report_html(cp_of({100000, 100000, 3, 5}, 12));
  check_page(html);
  BOOST_TEST(html.size() < 2000000U);
  BOOST_TEST(contains(html, "Of each stretch of entries the least and the greatest are drawn."));
}

BOOST_AUTO_TEST_CASE(other_results_show_small_arrays_and_the_shape_of_large_ones) {
  Record record = small_cp();
  record.data.clear();
  record.algorithm = "dmrg";
  record.result.unknowns = {"psi[0]"};
  record.result.values["psi[0]"] = {{2, 2, 2}, {"l", "s", "r"}, {1, 0, 0, 0, 0, 0, 0, 1}};
  record.result.observed = {"energy", "correlation", "profile", "bonds"};
  record.result.values["energy"] = {{}, {}, {-8.5}};
  record.result.values["correlation"] = matrix(12, 12, "site");
  record.result.values["profile"] = matrix(100, 3, "site");
  record.result.values["bonds"] = {{4}, {"bond"}, {1, 2, 2, 1}};
  record.result.relative_error = -1;
  const std::string html = report_html(record);
  check_page(html);
  BOOST_TEST(contains(html, "<h1>dmrg</h1>"));
  BOOST_TEST(contains(html, "<td>2 × 2 × 2</td>"));
  BOOST_TEST(contains(html, "<td class=\"number\">-8.5</td>"));
  BOOST_TEST(count(html, "<h3>correlation</h3>") + count(html, "<h3>profile</h3>") + count(html, "<h3>bonds</h3>") == 3);
  BOOST_TEST(!contains(html, "Explained variance"));
}

BOOST_AUTO_TEST_CASE(trouble_is_said_in_plain_words) {
  Record record = small_cp();
  record.result.outcome = {Stop::failed, "the objective became infinite"};
  record.result.relative_error = std::numeric_limits<double>::quiet_NaN();
  record.result.objective = std::numeric_limits<double>::infinity();
  record.result.values["A"].values[0] = std::numeric_limits<double>::quiet_NaN();
  record.result.warnings = {"the Gram matrix was singular"};
  const std::string html = report_html(record);
  check_page(html);
  BOOST_TEST(contains(html, "<b>Failed</b>: do not use these values."));
  BOOST_TEST(contains(html, "<li>the Gram matrix was singular</li>"));
  record.result.outcome.stop = Stop::interrupted;
  BOOST_TEST(contains(report_html(record), "<b>Interrupted</b>: the values are those after the last complete sweep."));
  record.result.outcome.stop = Stop::sweep_limit;
  BOOST_TEST(contains(report_html(record), "the result may still improve with a larger solver.max_sweeps."));
}

BOOST_AUTO_TEST_CASE(a_zero_tensor_and_a_run_without_sweeps_have_reports) {
  Record record = small_cp();
  record.result.relative_error = record.result.objective = 0;
  record.result.history = {{0, 1, 0, 0, 0, 0.1, {}}};
  for (auto& [name, a] : record.result.values) a.values.assign(a.values.size(), 0);
  check_page(report_html(record));
  BOOST_TEST(contains(report_html(record), "The relative error is 0 from the first sweep on"));
  record.result.history.clear();
  record.result.values.clear();
  check_page(report_html(record));
  BOOST_TEST(contains(report_html(record), "No sweep was completed."));
}

BOOST_AUTO_TEST_CASE(the_best_of_several_starts_stands_out) {
  Record record = small_cp();
  record.result.best_start = 1;
  record.result.history.push_back({1, 1, 0.25, 0.1, 1, 0.1, {}});
  record.starts.push_back({1, 0.25, 0.1, 1, record.result.outcome});
  const std::string html = report_html(record);
  check_page(html);
  BOOST_TEST(contains(html, "data-name=\"start 1\""));
  BOOST_TEST(contains(html, "<tr class=\"best\"><td>2, the best</td>"));
}

BOOST_AUTO_TEST_CASE(names_and_texts_cannot_become_markup) {
  Record record = small_cp();
  const std::string hostile = "<b onclick=\"x\">{{body}}</b>";
  record.title = record.algorithm = record.summary = record.plan = record.config = record.executor = hostile;
  record.data[0].name = record.data[0].file = hostile;
  record.host = {{hostile, hostile}};
  record.result.outcome.reason = hostile;
  record.result.warnings = {hostile};
  record.data[0].labels[0] = record.result.values["A"].labels[0] = hostile;
  record.result.values[hostile] = record.result.values["A"];
  record.result.unknowns[0] = hostile;
  record.result.observed = {hostile};
  const std::string html = report_html(record);
  BOOST_TEST(count(html, "<b onclick") == 0);
  BOOST_TEST(count(html, "onclick=\"x\"") == 0);
  BOOST_TEST(count(html, "&lt;b onclick=&quot;x&quot;&gt;") > 10);
  BOOST_TEST(count(html, "<main>") == 1);
  BOOST_TEST(count(html, "No sweep was completed") + count(html, "<h2>Convergence</h2>") == 1);
}

BOOST_AUTO_TEST_SUITE_END()
