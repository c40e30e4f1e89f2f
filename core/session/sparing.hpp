#pragma once
/// Plans that keep a memory limit: optimized again, more and more sparing with intermediates, until one does.
#include <functional>
#include "optimize/pipeline.hpp"
#include "plan/plan.hpp"

namespace tyto::session {

struct Planned {
  optimize::Optimized optimized;
  plan::Plan plan;
};

/// Optimizes under a limit on the elements that the intermediates of one product may hold together (0: none), with or without trees
/// that several kernels share.
using Optimize = std::function<optimize::Optimized(double most_elements, bool shares_trees)>;

/// `first` planned, if it keeps the limit. Else the first plan that does of those that sum products in slices: as many as needed,
/// at first with shared trees, then without, then with half as much for each product, and so on. Error{memory} for the smallest
/// found.
Planned planned_sparingly(optimize::Optimized first, const Optimize&, const device::Model&, plan::Options);

}  // namespace tyto::session
