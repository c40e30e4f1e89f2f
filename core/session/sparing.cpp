#include "session/sparing.hpp"
#include <optional>
#include "error/fail.hpp"

namespace tyto::session {

namespace {

/// Halvings, or doublings, of what a product may take before the search gives up.
constexpr int most_halvings = 6;

/// Nothing where slices cannot make the products small enough.
std::optional<optimize::Optimized> sliced(const Optimize& optimize, double most_elements, bool shares_trees) {
  try {
    return optimize(most_elements, shares_trees);
  } catch (const Error& error) {
    if (error.findings().front().code != Code::memory) throw;
    return std::nullopt;
  }
}

}  // namespace

Planned planned_sparingly(optimize::Optimized first, const Optimize& optimize, const device::Model& device, plan::Options options) {
  options.is_trial = true;
  const std::int64_t limit = plan::memory_limit(device, options);
  Planned best{std::move(first), {}};
  best.plan = plan::make_plan(best.optimized.graph, device, options);
  const double free_elements = static_cast<double>(limit - best.plan.leaf_bytes) / static_cast<double>(size_of(options.precision));
  bool is_sliced = false;
  // Whether slices of so many elements can be had.
  const auto attempt = [&](double most_elements, bool shares_trees) {
    std::optional<optimize::Optimized> next = sliced(optimize, most_elements, shares_trees);
    if (!next) return false;
    plan::Options in_slices = options;
    in_slices.is_sliced = true;
    plan::Plan plan = plan::make_plan(next->graph, device, in_slices);
    if (plan.needed_bytes() < best.plan.needed_bytes()) best = {std::move(*next), std::move(plan)}, is_sliced = true;
    return true;
  };
  const auto fits = [&] { return best.plan.needed_bytes() <= limit; };
  if (!fits() && free_elements >= 1) {
    attempt(free_elements, true);
    bool is_attainable = fits() || attempt(free_elements, false);
    for (int k = 1; is_attainable && !fits() && k <= most_halvings; ++k) attempt(free_elements / (1 << k), false);
    for (int k = 1; !is_attainable && k <= most_halvings; ++k)
      is_attainable = attempt(free_elements * (1 << k), false);  // the least there is
  }
  options.is_trial = false, options.is_sliced = is_sliced;
  if (!fits()) plan::make_plan(best.optimized.graph, device, options);
  return best;
}

}  // namespace tyto::session
