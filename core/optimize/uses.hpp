#pragma once
/// The kernels that one network serves, and how often each of its messages is computed for them in a cycle.
#include <map>
#include "optimize/embedding.hpp"
#include "optimize/timetable.hpp"

namespace tyto::optimize {

/// A product of the graph that is a network without the operands `left_out`.
struct Use {
  graph::NodeId product = -1;
  Operands left_out = 0;     ///< 0: the whole network, a scalar
  einsum::Labels output;     ///< the product's output in the network's labels
  std::vector<char> events;  ///< whether it is asked for, by event of the cycle
};

/// Edges of all uses are compatible, so that one tree has them all.
class Uses {
 public:
  Uses(std::size_t operand_count, std::vector<Operands> changed) : operand_count_(operand_count), changed_(std::move(changed)) {}

  /// Takes a use if its edge fits those taken before.
  bool accept(const Use&);
  /// After the last use: decides across which edge each scalar is the product of two messages.
  void settle_scalars();

  const std::vector<Use>& all() const { return uses_; }
  std::size_t operand_count() const { return operand_count_; }
  /// By event: the operands that change after it.
  const std::vector<Operands>& changed() const { return changed_; }
  /// The use that a product of the graph is, or null.
  const Use* of(graph::NodeId product) const;
  const std::vector<Operands>& edges() const { return edges_; }
  /// Of a scalar use: one side of its edge.
  Operands scalar_edge(graph::NodeId product) const { return scalar_edges_.at(product); }

  /// How often a message is computed in one cycle once the cycle repeats: at each event that needs it after an operand of it
  /// changed.
  double versions(Operands message) const;

 private:
  Operands latest_edge(const Use& scalar) const;
  bool needs(const Use&, Operands message) const;

  std::size_t operand_count_;
  std::vector<Operands> changed_;  // by event: the operands that change after it
  std::vector<Use> uses_;
  std::vector<Operands> edges_;
  std::map<graph::NodeId, Operands> scalar_edges_;
};

}  // namespace tyto::optimize
