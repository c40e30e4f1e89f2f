#pragma once
/// A plan as text that people read: per kernel its steps in einsum form, what they cost, what is kept for whom, and why. Stable: no
/// addresses, the same on every run, unless measured times are handed in.
#include <string>
#include "device/model.hpp"
#include "plan/plan.hpp"

namespace tyto::explain {

struct Reason {
  std::string pass, text;  ///< what a pass did
};

struct Subject {
  std::string algorithm, objective, executor;  ///< names and the objective as text; without objective it is no minimization
  std::string cycle_name = "one sweep";        ///< what repeats
  std::int64_t sweeps = 1;                     ///< in the cycle; several are named and counted, whatever cycle_name says
  std::string leaves_name = "data and unknowns";
  const graph::Graph* graph = nullptr;  ///< optimized, as planned
  const plan::Plan* plan = nullptr;
  const device::Model* device = nullptr;
  std::vector<plan::Event> cycle;  ///< what plan.cycle was made from
  std::vector<Reason> why;
  std::vector<std::string> notes;  ///< further lines: scaling, residual, what is not available
  /// Seconds that each step of plan.cycle took, by evaluation and position in `computed`; empty: nothing was run.
  std::vector<std::vector<double>> measured = {};
};

/// Marks: [k] contracted, {r} in every operand and the result; "kept for B" where a later kernel uses the value again.
std::string plan_text(const Subject&);

}  // namespace tyto::explain
