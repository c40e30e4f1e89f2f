#pragma once
/// The page that the report is set in, and the style of its charts: share/report/, compiled in.
#include <string>

namespace tyto::result {

/// HTML with {{chart style}}, {{title}} and {{body}}, once each.
std::string report_template();
/// CSS: colours as variables of :root, and rules for the classes of the charts.
std::string chart_style();

}  // namespace tyto::result
