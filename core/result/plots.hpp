#pragma once
/// The charts of the report as files of their own, for pages and papers.
#include "result/record.hpp"
#include <string>
#include <vector>

namespace tyto::result {

struct Plot {
  std::string file = {};  ///< "plots/convergence.svg", relative to the output folder
  std::string svg = {};   ///< a whole file, in light colours, that needs no other
};

/// By name: convergence (the relative error, else the objective, of each sweep), change (of the objective), and one for each factor
/// or small array. What has nothing to draw is left out. There are no times in them.
std::vector<Plot> plots(const Record&);

/// An SVG element of a chart as a file: its style inside, with variables replaced by their values, and a title above it.
std::string standalone(const std::string& chart, const std::string& title);

}  // namespace tyto::result
