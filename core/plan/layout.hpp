#pragma once
/// Axis orders of intermediates: in which order the axes of each lie in memory, so that the program takes the least time by the
/// device's own prediction. Inputs lie as they are bound; outputs may lie in any order, but those that a caller reads in place are
/// row-major, or as their right side if they are solutions.
#include "device/model.hpp"
#include "plan/axes.hpp"
#include "plan/plan.hpp"

namespace tyto::plan {

/// How the value of each node lies.
class Layouts {
 public:
  explicit Layouts(const graph::Store& store) : store_(&store) {}
  /// Axes of the node, slowest first; as they are numbered where nothing was chosen.
  Axes of(graph::NodeId id) const {
    const auto chosen = memory_.find(id);
    return chosen == memory_.end() ? counted_axes((*store_)[id].shape.size()) : chosen->second;
  }
  void set(graph::NodeId id, Axes memory) { memory_[id] = std::move(memory); }

 private:
  const graph::Store* store_;
  std::map<graph::NodeId, Axes> memory_;
};

/// The cheapest among the orders that are of use to producers and consumers (plan/order_candidates.hpp): the sum, over the steps of
/// one cycle, of device.seconds() with these strides, and of the copies of outputs to row-major memory. Where times are equal, the
/// fewest nodes leave the order in which they are written, which for solutions is one in which systems are solved in place.
Layouts choose_layouts(const graph::Graph&, const device::Model&, const Options&);

/// make_plan() with orders that are chosen already: most of the time that planning takes goes into them.
Plan make_plan(const graph::Graph&, const device::Model&, const Options&, const Layouts&);

}  // namespace tyto::plan
