#pragma once
/// The page that the report is set in: share/report/report.html, compiled in.
#include <string>

namespace tyto::result {

/// HTML with {{title}} and {{body}}, in this order and once each.
std::string report_template();

}  // namespace tyto::result
