#pragma once
/// The list of passes in order, and the one loop that runs them: verification, logging and switching off live there.
#include "optimize/pass.hpp"

namespace tyto::optimize {

/// The table of contents of the optimizer.
const std::vector<Pass>& pipeline();

/// Findings{unknown_word}, one for each name that is no pass; no place in them.
std::vector<Finding> unknown_passes(const std::vector<std::string>& switched_off, const std::vector<std::string>& others = {});

/// The graph after all passes but those switched off, with a report for each that ran. Error{unknown_word} for a name that is no
/// pass; Error{defect} if the order of the pipeline breaks its own rules or a pass breaks the graph.
struct Optimized {
  graph::Graph graph;
  std::vector<Report> reports;
};
Optimized optimize(const graph::Graph&, const Context& = {}, const std::vector<std::string>& switched_off = {});
/// The passes up to and without `message_tree`: closed forms, not yet split into steps.
Optimized simplify(const graph::Graph&, const Context& = {}, const std::vector<std::string>& switched_off = {});

}  // namespace tyto::optimize
