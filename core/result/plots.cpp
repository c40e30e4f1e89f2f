// Charts with their style inside.
#include "result/plots.hpp"
#include "result/ktensor.hpp"
#include "result/names.hpp"
#include "result/notation.hpp"
#include "result/sections.hpp"
#include "result/svg.hpp"
#include "result/template.hpp"
#include "error/fail.hpp"
#include <fmt/format.h>
#include <cstdio>

namespace tyto::result {
namespace {

constexpr int title_height = 26;

std::string replaced_everywhere(std::string text, const std::string& what, const std::string& by) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size()))
    text.replace(at, what.size(), by);
  return text;
}

/// The rules of the charts without variables: programs other than browsers know none.
std::string plain_style() {
  const std::string style = chart_style();
  const std::size_t first = style.find(":root {"), last = style.find('}', first);
  TYTO_ASSERT(first != std::string::npos && last != std::string::npos);
  std::string rules = style.substr(last + 2);
  for (std::size_t at = style.find("--", first); at < last; at = style.find("--", at)) {
    const std::size_t colon = style.find(':', at), end = style.find(';', colon);
    rules = replaced_everywhere(std::move(rules), "var(" + style.substr(at, colon - at) + ")",
                                style.substr(colon + 2, end - colon - 2));
    at = end;
  }
  return rules;
}

struct Chart {
  std::string name, title, svg;
};

std::vector<Chart> charts(const Record& record) {
  const Result& result = record.result;
  std::vector<Chart> all{
      {"convergence", result.relative_error >= 0 ? "Relative error (logarithmic)" : "Objective", error_chart(record)},
      {"change", "Relative change of the objective (logarithmic)", change_chart(record)}};
  if (why_not_ktensor(record).empty()) {
    const Ktensor k = normalized_ktensor(record);
    for (std::size_t n = 0; n < k.factors.size(); ++n)
      all.push_back(
          {k.unknowns[n], fmt::format("{} along {}", k.unknowns[n], mode_name(k.factors[n].labels[0])), factor_chart(k, n)});
    return all;
  }
  for (const std::string& name : result.names())
    if (const NamedArray* a = find_array(result, name)) all.push_back({name, name, picture(name, *a)});
  return all;
}

}  // namespace

std::string standalone(const std::string& chart, const std::string& title) {
  int width = 0, height = 0;
  const std::size_t box = chart.find("viewBox=\""), role = chart.find(" role="), end = chart.find(">\n");
  const bool is_chart = box != std::string::npos && role < end && end != std::string::npos &&
                        std::sscanf(chart.c_str() + box, "viewBox=\"0 0 %d %d\"", &width, &height) == 2;
  TYTO_ASSERT(is_chart);
  const int whole = height + title_height;
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"chart\" width=\"{0}\" height=\"{1}\" viewBox=\"0 {2} {0} {1}\"{3}>\n",
      width, whole, -title_height, chart.substr(role, end - role));
  out += "<style>\n" + plain_style() + "</style>\n";
  out += fmt::format("<rect class=\"paper\" x=\"0\" y=\"{}\" width=\"{}\" height=\"{}\"/>\n", -title_height, width, whole);
  out += svg_text(width / 2.0, -title_height + 20, "middle", "value", title);
  return out + chart.substr(end + 2);
}

std::vector<Plot> plots(const Record& record) {
  std::vector<std::string> names;
  const std::vector<Chart> all = charts(record);
  for (const Chart& chart : all) names.push_back(chart.name);
  const std::vector<std::string> files = array_files("plots", names, ".svg");
  std::vector<Plot> drawn;
  for (std::size_t n = 0; n < all.size(); ++n)
    if (!all[n].svg.empty()) drawn.push_back({files[n], standalone(all[n].svg, all[n].title)});
  return drawn;
}

}  // namespace tyto::result
