#pragma once
/// The cheapest unrooted binary tree over the operands of a network, given how often each message is computed in a cycle.
#include <cstdint>
#include <functional>
#include <map>
#include <vector>
#include "cost/network.hpp"

namespace tyto::optimize {

/// A set of a few operands, a bit each. A message is named by the set that it contracts.
using Operands = std::uint32_t;
constexpr std::size_t most_operands = 14;

/// The labels of a message: those that an operand outside the set or the output has too, ascending.
einsum::Labels message_labels(const cost::Network&, Operands);

/// Rooted at the last operand, for storage only: children[P] are the two halves of P, for every P of the tree with more than one
/// operand that does not hold the last one.
class Tree {
 public:
  Tree(std::size_t operand_count, std::map<Operands, Operands> split);
  /// The two messages whose contraction is message M; M is a side of some edge and has more than one operand.
  std::pair<Operands, Operands> parts(Operands message) const;
  /// Both sides of every edge.
  std::vector<Operands> messages() const;

 private:
  Operands all_, last_;
  std::map<Operands, Operands> split_;  // P -> one half
  std::map<Operands, Operands> parent_;
};

struct TreeSearch {
  Tree tree;
  cost::Cost total;
};
/// `versions` says how often a message is computed in a cycle. Every set in `edges` (or its complement) is an edge of the tree;
/// they must be pairwise nested or disjoint, up to complement. At most most_operands operands, at least 3.
TreeSearch best_tree(const cost::Network&, const std::function<double(Operands)>& versions, const std::vector<Operands>& edges);

/// Whether two edges can be in one tree: one of the four intersections of their sides is empty.
bool compatible(Operands a, Operands b, Operands all);

}  // namespace tyto::optimize
