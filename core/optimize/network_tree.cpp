#include "optimize/network_tree.hpp"
#include <algorithm>
#include <bit>
#include "error/fail.hpp"

namespace tyto::optimize {

using einsum::Label;
using einsum::Labels;

NetworkTree::NetworkTree(const cost::Network& network, const std::vector<std::pair<std::int32_t, std::int32_t>>& pairs)
    : network_(network), operand_count_(network.subscripts.inputs.size()) {
  const std::size_t n = operand_count_;
  TYTO_ASSERT(n >= 3 && pairs.size() + 1 == n);
  owners_.assign(network.extents.size(), OperandSet(n));
  for (std::size_t k = 0; k < n; ++k)
    for (const Label label : network.subscripts.inputs[k]) owners_[at(label)].set(k);
  neighbours_.assign(2 * n - 2, {-1, -1, -1}), behind_.resize(2 * n - 2), labels_.resize(2 * n - 2);
  std::vector<OperandSet> below(2 * n - 1, OperandSet(n));
  for (std::size_t k = 0; k < n; ++k) below[k].set(k);
  // The last pair is no vertex: an edge joins its two parts.
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    const auto [left, right] = pairs[k];
    const auto node = static_cast<std::int32_t>(n + k);
    below[n + k] = below[at(left)] | below[at(right)];
    const auto up = [&](std::int32_t child) { return is_leaf(child) ? 0 : 2; };
    if (k + 1 == pairs.size()) {
      set_edge(left, up(left), right, below[at(right)]), set_edge(right, up(right), left, below[at(left)]);
      continue;
    }
    set_edge(node, 0, left, below[at(left)]), set_edge(node, 1, right, below[at(right)]);
    set_edge(left, up(left), node, ~below[at(left)]), set_edge(right, up(right), node, ~below[at(right)]);
  }
}

void NetworkTree::set_edge(std::int32_t node, std::int32_t slot, std::int32_t neighbour, OperandSet behind) {
  neighbours_[at(node)].at(at(slot)) = neighbour;
  labels_[at(node)].at(at(slot)) = labels_of(behind);
  behind_[at(node)].at(at(slot)) = std::move(behind);
}

Labels NetworkTree::labels_of(const OperandSet& set) const {
  if (set.count() == 1) return network_.subscripts.inputs[set.find_first()];
  Labels labels;
  for (std::size_t label = 0; label < owners_.size(); ++label)
    if (owners_[label].intersects(set) &&
        (!owners_[label].is_subset_of(set) || einsum::contains(network_.subscripts.output, static_cast<Label>(label))))
      labels.push_back(static_cast<Label>(label));
  return labels;
}

std::int32_t NetworkTree::slot_of(std::int32_t node, std::int32_t neighbour) const {
  const auto& all = neighbours_[at(node)];
  return static_cast<std::int32_t>(std::find(all.begin(), all.end(), neighbour) - all.begin());
}

std::int32_t NetworkTree::operand(Message m) const { return is_leaf(neighbour(m)) ? neighbour(m) : -1; }

std::pair<NetworkTree::Message, NetworkTree::Message> NetworkTree::parts(Message m) const {
  const std::int32_t from = neighbour(m), back = slot_of(from, m.to);
  return {{from, back == 0 ? 1 : 0}, {from, back == 2 ? 1 : 2}};
}

NetworkTree::Message NetworkTree::message(const OperandSet& set) const {
  for (std::size_t node = 0; node < behind_.size(); ++node)
    for (std::int32_t slot = 0; slot < (node < operand_count_ ? 1 : 3); ++slot)
      if (behind_[node].at(at(slot)) == set) return {static_cast<std::int32_t>(node), slot};
  TYTO_ASSERT(false);
  return {};
}

std::vector<OperandSet> NetworkTree::messages() const {
  std::vector<OperandSet> all;
  for (std::size_t node = 0; node < behind_.size(); ++node)
    for (std::size_t slot = 0; slot < (node < operand_count_ ? 1U : 3U); ++slot) all.push_back(behind_[node][slot]);
  return all;
}

std::vector<NetworkTree::Message> NetworkTree::pieces(const OperandSet& left_out) const {
  std::vector<Message> found, open{{static_cast<std::int32_t>(left_out.find_first()), 0}};
  while (!open.empty()) {
    const Message m = open.back();
    open.pop_back();
    if (!operands(m).intersects(left_out)) {
      found.push_back(m);
    } else if (operand(m) < 0) {
      const auto [a, b] = parts(m);
      open.push_back(b), open.push_back(a);
    }
  }
  std::sort(found.begin(), found.end(), [&](Message a, Message b) { return operands(a).find_first() < operands(b).find_first(); });
  return found;
}

cost::Cost NetworkTree::vertex_cost(std::int32_t node, const Versions& versions) const {
  cost::Cost total;
  const auto& labels = labels_[at(node)];
  for (std::size_t to = 0; to < 3; ++to) {
    const OperandSet made = ~behind_[at(node)].at(to);
    const double times = versions(made);
    if (times > 0)
      total += times * cost::pair_cost(labels.at(to == 0 ? 1 : 0), labels.at(to == 2 ? 1 : 2), labels_of(made), network_.extents);
  }
  return total;
}

cost::Cost NetworkTree::cost(const Versions& versions) const {
  cost::Cost total;
  for (std::size_t node = operand_count_; node < neighbours_.size(); ++node)
    total += vertex_cost(static_cast<std::int32_t>(node), versions);
  return total;
}

/// Vertices that hang together, and the messages that come to them from outside.
struct NetworkTree::Part {
  struct Vertex {
    std::int32_t node;
    std::array<std::int32_t, 3> neighbours;
    std::array<OperandSet, 3> behind;
    std::array<Labels, 3> labels;
  };
  struct Leaf {
    std::int32_t inside, outside, slot;  ///< the two ends of its edge, and the slot of the outer one
    OperandSet operands;
    Labels labels;
  };
  std::vector<Vertex> vertices;  ///< as they are before any change
  std::vector<Leaf> leaves;

  OperandSet united(Operands some) const {
    OperandSet set(leaves.front().operands.size());
    for (std::size_t k = 0; k < leaves.size(); ++k)
      if ((some >> k & 1) != 0) set |= leaves[k].operands;
    return set;
  }
};

NetworkTree::Part NetworkTree::part_of(const std::vector<std::int32_t>& nodes, const std::vector<Message>& leaves) const {
  Part part;
  for (const std::int32_t node : nodes)
    part.vertices.push_back({node, neighbours_[at(node)], behind_[at(node)], labels_[at(node)]});
  for (const Message leaf : leaves)
    part.leaves.push_back({leaf.to, neighbour(leaf), slot_of(neighbour(leaf), leaf.to), operands(leaf), labels(leaf)});
  return part;
}

NetworkTree::Part NetworkTree::part_around(std::int32_t node, const std::vector<double>& costs, std::size_t most_leaves) const {
  std::vector<std::int32_t> nodes{node};
  std::vector<Message> leaves{{node, 0}, {node, 1}, {node, 2}};
  while (leaves.size() < most_leaves) {
    auto costliest = leaves.end();
    for (auto leaf = leaves.begin(); leaf != leaves.end(); ++leaf)
      if (operand(*leaf) < 0 && (costliest == leaves.end() || costs[at(neighbour(*leaf))] > costs[at(neighbour(*costliest))]))
        costliest = leaf;
    if (costliest == leaves.end()) break;
    const auto [a, b] = parts(*costliest);
    nodes.push_back(neighbour(*costliest));
    *costliest = a;
    leaves.push_back(b);
  }
  return part_of(nodes, leaves);
}

NetworkTree::Part NetworkTree::part_of_edge(Message m) const {
  const auto [a, b] = parts(m);
  return part_of({m.to, neighbour(m)}, {{m.to, m.slot == 0 ? 1 : 0}, {m.to, m.slot == 2 ? 1 : 2}, a, b});
}

void NetworkTree::join(const Part& part, const Tree& tree) {
  std::size_t next = 0;
  // Joins the leaves of a set below a vertex, or takes the node behind a single one; `above` is what it hangs on.
  const std::function<std::int32_t(Operands, std::int32_t)> make = [&](Operands set, std::int32_t above) {
    if (std::has_single_bit(set)) {
      const Part::Leaf& leaf = part.leaves[static_cast<std::size_t>(std::countr_zero(set))];
      neighbours_[at(leaf.outside)].at(at(leaf.slot)) = above;
      return leaf.outside;
    }
    const std::int32_t vertex = part.vertices[next++].node;
    const auto [a, b] = tree.parts(set);
    set_edge(vertex, 0, make(a, vertex), part.united(a)), set_edge(vertex, 1, make(b, vertex), part.united(b));
    set_edge(vertex, 2, above, ~part.united(set));
    return vertex;
  };
  const Part::Leaf& last = part.leaves.back();
  const Operands others = (Operands{1} << (part.leaves.size() - 1)) - 1;
  const std::int32_t top = make(others, last.outside);
  neighbours_[at(last.outside)].at(at(last.slot)) = top;
}

void NetworkTree::put_back(const Part& part) {
  for (const Part::Vertex& vertex : part.vertices)
    neighbours_[at(vertex.node)] = vertex.neighbours, behind_[at(vertex.node)] = vertex.behind,
    labels_[at(vertex.node)] = vertex.labels;
  for (const Part::Leaf& leaf : part.leaves) neighbours_[at(leaf.outside)].at(at(leaf.slot)) = leaf.inside;
}

bool NetworkTree::improve(const Part& part, const std::vector<Operands>& edges, const Versions& versions,
                          const Assembly& assembly) {
  if (part.leaves.size() < 4) return false;
  cost::Network small{{{}, network_.subscripts.output}, network_.extents};
  std::vector<OperandSet> sets;
  for (const Part::Leaf& leaf : part.leaves) small.subscripts.inputs.push_back(leaf.labels), sets.push_back(leaf.operands);
  double messages = 0;
  for (const Part::Vertex& vertex : part.vertices) messages += vertex_cost(vertex.node, versions).flops;
  const TreeSearch best = best_tree(
      small, [&](Operands leaves) { return versions(part.united(leaves)); }, edges);
  if (edges.empty() && best.total.flops >= messages * (1 - 1e-9)) return false;
  const double now = messages + assembly(*this, sets);
  if (best.total.flops >= now * (1 - 1e-9)) return false;
  join(part, best.tree);
  if (best.total.flops + assembly(*this, sets) < now * (1 - 1e-9)) return true;
  put_back(part);
  return false;
}

void NetworkTree::improve(const Versions& versions, const Assembly& assembly, std::size_t most_leaves) {
  constexpr int most_sweeps = 10;
  std::vector<double> costs(neighbours_.size(), 0);
  for (std::size_t node = operand_count_; node < neighbours_.size(); ++node)
    costs[node] = vertex_cost(static_cast<std::int32_t>(node), versions).flops;
  std::vector<char> is_settled(neighbours_.size(), 0);
  const auto note = [&](const Part& part) {
    for (const Part::Vertex& vertex : part.vertices) {
      costs[at(vertex.node)] = vertex_cost(vertex.node, versions).flops;
      is_settled[at(vertex.node)] = 0;
      for (const std::int32_t next : neighbours_[at(vertex.node)]) is_settled[at(next)] = 0;
    }
  };
  const auto improve_around = [&](std::int32_t node) {
    bool gained = false;
    const Part part = part_around(node, costs, most_leaves);
    if (improve(part, {}, versions, assembly)) note(part), gained = true;
    for (std::int32_t slot = 0; slot < 3; ++slot)
      for (const Operands pair : {Operands{0b0011}, Operands{0b0101}, Operands{0b1001}}) {
        if (operand({node, slot}) >= 0) continue;
        const Part two = part_of_edge({node, slot});
        if (improve(two, {pair}, versions, assembly)) note(two), gained = true;
      }
    return gained;
  };
  for (int sweep = 0; sweep < most_sweeps; ++sweep) {
    bool gained = false;
    for (std::size_t node = operand_count_; node < neighbours_.size(); ++node) {
      if (is_settled[node] != 0) continue;
      is_settled[node] = 1;
      gained = improve_around(static_cast<std::int32_t>(node)) || gained;
    }
    if (!gained) return;
  }
}

}  // namespace tyto::optimize
