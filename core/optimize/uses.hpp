#pragma once
/// The kernels that one network serves, and how often each of its messages is computed for them in a cycle.
#include <map>
#include "optimize/embedding.hpp"
#include "optimize/timetable.hpp"

namespace tyto::optimize {

/// A product of the graph that is a network without some operands, or with others in their place.
struct Use {
  graph::NodeId product = -1;
  Embedded place;
  /// The message of all operands but those left out is the product, but for the order of its axes.
  bool is_message = false;
};

class Uses {
 public:
  Uses(const Product& network, const Timetable&);

  void add(const Use& use) { uses_.push_back(use); }
  void remove(graph::NodeId product);
  /// To be called when uses were added or removed, before versions are asked for. A scalar is the product of two messages across
  /// one edge, which is chosen here: one of `edges`, or, where these are none, that of a single operand.
  void settle(const std::vector<OperandSet>& edges);

  const std::vector<Use>& all() const { return uses_; }
  std::size_t operand_count() const { return operand_count_; }
  /// By event: the operands that change after it.
  const std::vector<OperandSet>& changed() const { return changed_; }
  /// The use that a product of the graph is, or null.
  const Use* of(graph::NodeId product) const;
  /// One side of the edge of a scalar.
  const OperandSet& scalar_edge(graph::NodeId product) const { return scalar_edges_.at(product); }

  /// How often a message is computed in one cycle once the cycle repeats: at each event that needs it after an operand of it
  /// changed. A use needs every message that has nothing of what the use leaves out; whether a tree has it is not asked.
  double versions(const OperandSet& message) const;

 private:
  /// Uses that are asked for one after the other, and what changes then.
  struct Moment {
    std::vector<std::size_t> asked;
    OperandSet changes;
  };
  OperandSet latest_edge(const Use& scalar, const std::vector<OperandSet>& edges) const;
  bool needs(const Use&, const OperandSet& message) const;

  std::size_t operand_count_;
  const Timetable* timetable_;
  std::vector<OperandSet> changed_;  // by event: the operands that change after it
  std::vector<Use> uses_;
  std::vector<Moment> moments_;
  std::map<graph::NodeId, OperandSet> scalar_edges_;
};

}  // namespace tyto::optimize
