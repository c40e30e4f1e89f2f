#pragma once
/// From the outputs of a program to a plan for an executor, given how its leaves are bound.
#include "backend/registry.hpp"
#include "optimize/pipeline.hpp"
#include "plan/plan.hpp"
#include "session/bound_leaves.hpp"

namespace tyto::session {

struct Compiled {
  std::vector<Changes> changes;  ///< by leaf: what was optimized for
  std::vector<Extents> strides;  ///< by leaf: what was planned for
  optimize::Optimized optimized;
  std::vector<plan::Event> cycle;
  const execute::Executor* executor = nullptr;
  plan::Plan plan;
  std::vector<std::string> notes;  ///< for people: why it is not the best executor
};

/// Error{out_of_range}, Error{element_type} or Error{unknown_word} for options that do not fit.
void check_options(const CompileOptions&, const backend::Registry&);

/// Whether the plan is for leaves that are bound as these.
bool fits(const Compiled&, const std::vector<BoundLeaf>&);

/// Optimized and planned for the leaves as they are bound; optimized anew only where leaves change at other times than `earlier`
/// was made for. Error{memory}, Error{unsupported}.
Compiled compiled(const graph::Graph&, const std::vector<BoundLeaf>&, const CompileOptions&, const backend::Registry&,
                  const Compiled* earlier);

/// Of all outputs once, with nothing there yet.
Forecast forecast_of(const plan::Plan&);
std::string plan_text(const Compiled&);

}  // namespace tyto::session
