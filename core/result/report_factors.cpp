// A CP result in pictures: weights, and for each mode one line or one row of bars per component.
#include "result/sections.hpp"
#include "result/chart.hpp"
#include "result/notation.hpp"
#include <fmt/format.h>
#include <algorithm>

namespace tyto::result {
namespace {

constexpr std::int64_t most_bars = 12;        ///< entries of a mode that are drawn as bars and given in a table
constexpr std::int64_t most_components = 12;  ///< more lines in one chart cannot be told apart

std::int64_t shown_components(const Ktensor& k) { return std::min(k.rank(), most_components); }
std::string component_name(std::int64_t r) { return fmt::format("component {}", r + 1); }

std::vector<double> column(const NamedArray& a, std::int64_t r) {
  std::vector<double> values;
  for (std::int64_t i = 0; i < a.extents[0]; ++i) values.push_back(a.values[static_cast<std::size_t>(i * a.extents[1] + r)]);
  return values;
}

std::vector<Series> components(const Ktensor& k, const NamedArray& factor) {
  std::vector<Series> series;
  for (std::int64_t r = 0; r < shown_components(k); ++r)
    series.push_back({component_name(r), column(factor, r), r, false, k.rank() > 1 ? fmt::format("{}", r + 1) : ""});
  return series;
}

std::string swatch(std::int64_t r) { return fmt::format("<span class=\"swatch {}\"></span>", fill_class(r)); }

/// Components head the columns, entries of the mode the rows.
std::string loadings_table(const Ktensor& k, const NamedArray& factor) {
  std::string out = fmt::format("<div class=\"scroll\"><table>\n<tr><th>{}</th>", escaped(mode_name(factor.labels[0])));
  for (std::int64_t r = 0; r < shown_components(k); ++r) out += fmt::format("<th class=\"number\">{}{}</th>", swatch(r), r + 1);
  out += "</tr>\n";
  for (std::int64_t i = 0; i < factor.extents[0]; ++i) {
    out += fmt::format("<tr><th scope=\"row\">{}</th>", i);
    for (std::int64_t r = 0; r < shown_components(k); ++r)
      out += fmt::format("<td class=\"number\">{}</td>",
                         with_decimals(factor.values[static_cast<std::size_t>(i * factor.extents[1] + r)], 4));
    out += "</tr>\n";
  }
  return out + "</table></div>\n";
}

bool is_drawn_as_bars(const NamedArray& factor) { return factor.extents[0] <= most_bars; }

/// Points of one line in the chart of a factor.
std::int64_t points_of(const Ktensor& k) {
  return points_per_line(shown_components(k) * static_cast<std::int64_t>(k.factors.size()));
}

std::string mode_panel(const Ktensor& k, std::size_t n) {
  const NamedArray& factor = k.factors[n];
  const std::string mode = mode_name(factor.labels[0]);
  std::string out =
      fmt::format("<h3>{}</h3>\n<p class=\"note\">{}, factor {}</p>\n", escaped(mode),
                  factor.extents[0] == 1 ? "1 entry" : fmt::format("{} entries", factor.extents[0]), escaped(k.unknowns[n]));
  if (is_drawn_as_bars(factor)) {
    const bool side_by_side = shown_components(k) <= 4;
    out += side_by_side ? "<div class=\"pair\">" : "";
    out += figure(factor_chart(k, n)) + loadings_table(k, factor);
    return out + (side_by_side ? "</div>\n" : "");
  }
  out += figure(factor_chart(k, n));
  if (factor.extents[0] > points_of(k))
    out += "<p class=\"note\">Of each stretch of entries the least and the greatest are drawn.</p>\n";
  return out;
}

std::string components_table(const Ktensor& k, const std::vector<double>& shares) {
  const std::vector<double> congruences = largest_congruences(k);
  std::string out =
      "<div class=\"scroll\"><table>\n<tr><th>Component</th><th class=\"number\">Weight</th><th class=\"number\">Share</th>";
  out += k.rank() > 1 ? "<th class=\"number\">Congruence</th></tr>\n" : "</tr>\n";
  for (std::int64_t r = 0; r < shown_components(k); ++r) {
    const auto n = static_cast<std::size_t>(r);
    out += fmt::format("<tr><th scope=\"row\">{}{}</th><td class=\"number\">{}</td><td class=\"number\">{:.1f} %</td>", swatch(r),
                       r + 1, written(k.weights[n]), 100 * shares[n]);
    out += k.rank() > 1 ? fmt::format("<td class=\"number\">{}</td></tr>\n", with_decimals(congruences[n], 3)) : "</tr>\n";
  }
  return out + "</table></div>\n";
}

}  // namespace

std::string factor_chart(const Ktensor& k, std::size_t n) {
  const NamedArray& factor = k.factors[n];
  const std::string mode = mode_name(factor.labels[0]), label = mode + ", entries counted from 0";
  const std::string what = fmt::format("Loadings of {} along {}", counted(shown_components(k), "component"), mode);
  if (is_drawn_as_bars(factor)) {
    BarChart chart{components(k, factor), mode, label, what};
    if (shown_components(k) > 4) chart.width = 944;
    return bar_chart(chart);
  }
  LineChart chart{components(k, factor), mode, label, what};
  chart.with_zero = true;
  chart.most_points = points_of(k);
  return line_chart(chart);
}

std::string components_section(const Ktensor& k) {
  const std::vector<double> shares = weight_shares(k);
  std::string out = "<h2>Components</h2>\n";
  if (k.rank() > most_components)
    out += fmt::format("<p>The {} of {} components with the largest weights are shown.</p>\n", most_components, k.rank());
  RowChart chart;
  chart.width = 460;
  chart.alternative = "Weights of the components";
  for (std::int64_t r = 0; r < shown_components(k); ++r) {
    const auto n = static_cast<std::size_t>(r);
    chart.names.push_back(component_name(r) + ", weight");
    chart.values.push_back(k.weights[n]);
    chart.texts.push_back(fmt::format("{:.1f} %", 100 * shares[n]));
  }
  out += "<div class=\"halves\">" + figure(row_chart(chart)) + components_table(k, shares) + "</div>\n";
  out +=
      "<p class=\"note\">Each component is a weight times one column of norm 1 per mode. They are numbered by weight, as in "
      "ktensor.txt; the columns of the unknowns' .npy files keep the order in which they were computed. Share: its squared weight "
      "among all squared weights.";
  if (k.rank() > 1)
    out +=
        " Congruence: the product over the modes of the cosines with the component most like it; near −1 the two cancel, near 1 "
        "they are one.";
  return out + "</p>\n";
}

std::string factors_section(const Ktensor& k) {
  std::string out = "<h2>Factors</h2>\n";
  out += k.rank() > 1 ? "<p class=\"note\">A component has the same colour and number in every mode.</p>\n" : "";
  for (std::size_t n = 0; n < k.factors.size(); ++n) out += "<section>" + mode_panel(k, n) + "</section>\n";
  return out;
}

}  // namespace tyto::result
