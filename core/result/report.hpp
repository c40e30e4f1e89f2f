#pragma once
/// The report of a run: one HTML file that needs nothing else, no network and no script to be read.
#include "result/record.hpp"
#include <string>

namespace tyto::result {

/// The text of report.html. At most about 2 MB: of long lines only the extremes are kept, of large unknowns only shape and norm.
std::string report_html(const Record&);

}  // namespace tyto::result
