#pragma once
/// All unrooted binary trees over a few leaves, and what a cycle of kernels costs on one of them, by simulation.
#include <array>
#include <bit>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <vector>
#include "cost/network.hpp"

namespace tyto {

using LeafSet = std::uint32_t;
/// A tree by its inner vertices: the three sets of leaves that each of them separates.
using UnrootedTree = std::vector<std::array<LeafSet, 3>>;

/// Calls `visit` for each of the (2n-5)!! trees over n >= 3 leaves.
class UnrootedTrees {
 public:
  UnrootedTrees(std::size_t leaf_count, const std::function<void(const UnrootedTree&)>& visit) : n_(leaf_count), visit_(visit) {
    const std::size_t centre = n_;
    std::vector<Edge> edges{{0, centre}, {1, centre}, {2, centre}};
    insert(3, edges);
  }

 private:
  using Edge = std::pair<std::size_t, std::size_t>;  // leaves are 0..n-1, inner vertices follow

  void insert(std::size_t leaf, std::vector<Edge>& edges) {
    if (leaf == n_) return visit_(tree_of(edges));
    const std::size_t vertex = n_ + leaf - 2;
    for (std::size_t e = 0; e < edges.size(); ++e) {
      std::vector<Edge> more = edges;
      more[e].second = vertex;
      more.emplace_back(vertex, edges[e].second);
      more.emplace_back(leaf, vertex);
      insert(leaf + 1, more);
    }
  }
  LeafSet leaves_behind(const std::vector<Edge>& edges, std::size_t vertex, std::size_t from) const {
    if (vertex < n_) return LeafSet{1} << vertex;
    LeafSet set = 0;
    for (const auto& [a, b] : edges) {
      if (a == vertex && b != from) set |= leaves_behind(edges, b, vertex);
      if (b == vertex && a != from) set |= leaves_behind(edges, a, vertex);
    }
    return set;
  }
  UnrootedTree tree_of(const std::vector<Edge>& edges) const {
    UnrootedTree tree;
    for (std::size_t vertex = n_; vertex < 2 * n_ - 2; ++vertex) {
      std::array<LeafSet, 3> parts{};
      std::size_t k = 0;
      for (const auto& [a, b] : edges)
        if (a == vertex || b == vertex) parts.at(k++) = leaves_behind(edges, a == vertex ? b : a, vertex);
      tree.push_back(parts);
    }
    return tree;
  }

  std::size_t n_;
  const std::function<void(const UnrootedTree&)>& visit_;
};

/// The labels of one operand, or of a contraction of several: what somebody outside of them needs.
inline std::set<einsum::Label> labels_of_set(const einsum::Subscripts& s, LeafSet set) {
  if (std::has_single_bit(set)) {
    const einsum::Labels& labels = s.inputs[static_cast<std::size_t>(std::countr_zero(set))];
    return {labels.begin(), labels.end()};
  }
  std::set<einsum::Label> inside, outside(s.output.begin(), s.output.end()), common;
  for (std::size_t k = 0; k < s.inputs.size(); ++k)
    ((set >> k & 1) != 0 ? inside : outside).insert(s.inputs[k].begin(), s.inputs[k].end());
  for (const einsum::Label l : inside)
    if (outside.contains(l)) common.insert(l);
  return common;
}

/// Flops of contracting two values to a third: one product per point, one addition if anything is summed.
inline double flops_of_pair(const std::set<einsum::Label>& a, const std::set<einsum::Label>& b, const std::set<einsum::Label>& out,
                            const Extents& extents) {
  std::set<einsum::Label> all = a;
  all.insert(b.begin(), b.end());
  double points = 1;
  for (const einsum::Label l : all) points *= static_cast<double>(extents[static_cast<std::size_t>(l)]);
  return all.size() > out.size() ? 2 * points : points;
}

/// Values on the directed edges of one tree, computed when they are asked for and dropped when an operand changes.
class TreeSimulation {
 public:
  TreeSimulation(const UnrootedTree& tree, const cost::Network& network) : network_(network) {
    for (const auto& [a, b, c] : tree) parts_[a | b] = {a, b}, parts_[a | c] = {a, c}, parts_[b | c] = {b, c};
  }
  void need(LeafSet set) {
    if ((set & (set - 1)) == 0 || current_.contains(set)) return;
    const auto [a, b] = parts_.at(set);
    need(a), need(b);
    flops += flops_of_pair(labels(a), labels(b), labels(set), network_.extents);
    current_.insert(set);
  }
  void change(LeafSet operands) {
    std::erase_if(current_, [&](LeafSet set) { return (set & operands) != 0; });
  }
  double flops = 0;

 private:
  std::set<einsum::Label> labels(LeafSet set) const { return labels_of_set(network_.subscripts, set); }
  const cost::Network& network_;
  std::map<LeafSet, std::pair<LeafSet, LeafSet>> parts_;
  std::set<LeafSet> current_;
};

}  // namespace tyto
