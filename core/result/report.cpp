// The page around the sections.
#include "result/report.hpp"
#include "result/ktensor.hpp"
#include "result/notation.hpp"
#include "result/sections.hpp"
#include "result/template.hpp"
#include <algorithm>
#include <optional>

namespace tyto::result {
namespace {

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  const std::size_t at = text.find(what);
  return at == std::string::npos ? text : text.replace(at, what.size(), by);
}

}  // namespace

std::string figure(const std::string& svg, const std::string& caption) {
  if (svg.empty()) return {};
  return "<figure>\n" + svg + (caption.empty() ? "" : "<figcaption>" + escaped(caption) + "</figcaption>\n") + "</figure>\n";
}

std::int64_t points_per_line(std::int64_t lines) {
  const std::int64_t all = 60000;
  return std::clamp<std::int64_t>(all / std::max<std::int64_t>(1, lines), 100, 2000);
}

std::string page(const std::string& title, const std::string& body) {
  const std::string styled = replaced(report_template(), "{{chart style}}\n", chart_style());
  return replaced(replaced(styled, "{{title}}", escaped(title)), "{{body}}", body);
}

std::string report_html(const Record& record) {
  std::optional<Ktensor> ktensor;
  if (why_not_ktensor(record).empty()) ktensor = normalized_ktensor(record);
  const Ktensor* k = ktensor ? &*ktensor : nullptr;
  std::string body = header_section(record, k) + outcome_section(record);
  if (k) body += components_section(*k) + match_section(record, *k) + factors_section(*k);
  else body += values_section(record, record.result.unknowns, "Unknowns");
  body += values_section(record, record.result.observed, "Observed values");
  body += convergence_section(record) + provenance_section(record);
  return page(report_title(record, k), body);
}

}  // namespace tyto::result
