#pragma once
/// The parts of the report, each as HTML that is empty where there is nothing to say.
#include "result/ktensor.hpp"
#include "result/record.hpp"
#include <string>
#include <vector>

namespace tyto::result {

struct LineChart;

/// "CP decomposition of X into 3 components", or the record's own title; plain text.
std::string report_title(const Record&, const Ktensor*);
std::string header_section(const Record&, const Ktensor*);
std::string outcome_section(const Record&);
std::string components_section(const Ktensor&);
std::string factors_section(const Ktensor&);
/// Which component is which of the reference, where there is one.
std::string match_section(const Record&, const Ktensor&);
std::string convergence_section(const Record&);
/// Unknowns that are no CP factors, and observed values.
std::string values_section(const Record&, const std::vector<std::string>& names, const std::string& heading);
std::string provenance_section(const Record&);

/// The charts of these sections, as SVG elements; empty where there is nothing to draw.
std::string error_chart(const Record&);   ///< the relative error, logarithmic, or the objective by sweep
std::string change_chart(const Record&);  ///< the relative change of the objective by sweep
std::string factor_chart(const Ktensor&, std::size_t mode);
/// An array that is small enough to be seen.
std::string picture(const std::string& name, const NamedArray&);

/// A whole page: `title` is plain text, `body` HTML.
std::string page(const std::string& title, const std::string& body);
/// A chart in its figure, with an optional line below.
std::string figure(const std::string& svg, const std::string& caption = {});
/// The most points of one line when this many lines share the report.
std::int64_t points_per_line(std::int64_t lines);

}  // namespace tyto::result
