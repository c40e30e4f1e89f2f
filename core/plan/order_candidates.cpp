// Contractions are looked at through their labels: an order of a tensor is a sequence of labels, axes of extent 1 left out.
#include "plan/order_candidates.hpp"
#include <algorithm>
#include <iterator>
#include "plan/operations.hpp"

namespace tyto::plan {
namespace {

using einsum::Label;
using einsum::Labels;
using graph::NodeId;

/// A tensor of a contraction: base node, label of each of its axes.
struct Factor {
  NodeId node = -1;
  Labels labels;
};

Labels without(const Labels& all, const Labels& some) {
  Labels rest;
  for (const Label label : all)
    if (!einsum::contains(some, label)) rest.push_back(label);
  return rest;
}
Labels within(const Labels& all, const Labels& some) {
  Labels rest;
  for (const Label label : all)
    if (einsum::contains(some, label)) rest.push_back(label);
  return rest;
}

void add_distinct(std::vector<Labels>& all, Labels sequence) {
  if (std::find(all.begin(), all.end(), sequence) == all.end()) all.push_back(std::move(sequence));
}

class Candidates {
 public:
  Candidates(const graph::Graph& graph, const std::vector<NodeId>& order, const Options& options, std::size_t most)
      : graph_(graph), store_(*graph.store), order_(order), options_(options), most_(most) {
    orders_.resize(static_cast<std::size_t>(store_.size()));
    is_free_.assign(orders_.size(), 0);
    long_axes_.assign(orders_.size(), 0);
    for (const NodeId id : order) {
      is_free_[at(id)] = has_free_order(store_[id]) ? 1 : 0;
      for (const std::int64_t extent : store_.extents(id)) long_axes_[at(id)] += extent != 1 ? 1 : 0;
    }
  }

  std::vector<std::vector<Axes>> run() {
    for (const NodeId id : order_) orders_[at(id)] = {natural(id)};
    for (const graph::Output& output : graph_.outputs) add_view(output.node, counted_axes(store_[output.node].shape.size()));
    constexpr int rounds = 2;  // first from natural orders alone, then from all that those made
    for (int round = 0; round < rounds; ++round) {
      known_ = orders_;
      for (const NodeId id : order_) add_neighbours(id);
    }
    for (const NodeId id : order_) add_all_of_few_axes(id);
    return std::move(orders_);
  }

 private:
  static std::size_t at(NodeId id) { return static_cast<std::size_t>(id); }

  bool is_full(NodeId id) const { return is_free_[at(id)] == 0 || orders_[at(id)].size() >= most_; }
  /// So few that all orders are taken.
  bool has_few_axes(NodeId id) const { return long_axes_[at(id)] <= 3; }
  /// As axes are numbered; of a solution see below.
  Axes natural(NodeId id) const {
    const graph::Node& node = store_[id];
    const auto given = options_.leaf_strides.find(id);
    if (given != options_.leaf_strides.end()) return memory_order(given->second);
    if (const auto* solve = graph::as<graph::Solve>(node)) return natural(node, *solve);
    return counted_axes(node.shape.size());
  }
  /// As the right side, so that what was (i, r) before stays (i, r), but the unknowns of a system together, and so its right sides:
  /// then it is solved in place. What lies fastest in the right side comes last.
  Axes natural(const graph::Node& node, const graph::Solve& solve) const {
    const NodeId right = node.operands[1];
    const auto unknowns = static_cast<std::int32_t>(store_[node.operands[0]].shape.size()) - solve.batch - solve.rows;
    Axes order = counted_axes(node.shape.size());
    const Axes of_right = seen(right, orders_[at(base_of(store_, right).node)].front());
    const auto fastest = std::find_if(of_right.rbegin(), of_right.rend(), [&](std::int32_t axis) { return is_long(right, axis); });
    const bool is_unknown = fastest != of_right.rend() && *fastest >= solve.batch && *fastest < solve.batch + solve.rows;
    const auto first = order.begin() + solve.batch;
    if (is_unknown) std::rotate(first, first + unknowns, order.end());
    return order;
  }
  /// An order of the base of a node as one of the node.
  Axes seen(NodeId id, const Axes& of_base) const {
    const Axes to_node = inverse_of(base_of(store_, id).axes);
    Axes order;
    for (const std::int32_t axis : of_base) order.push_back(to_node[static_cast<std::size_t>(axis)]);
    return order;
  }
  bool is_long(NodeId id, std::int32_t axis) const { return store_.extent(store_[id].shape[static_cast<std::size_t>(axis)]) != 1; }

  /// Adds an order of a base node, axes of extent 1 first, unless it is known. Repeated and missing axes make it none.
  void add(NodeId id, const Axes& order) {
    std::vector<Axes>& known = orders_[at(id)];
    if (is_full(id)) return;
    const auto only_long = [&](const Axes& axes) {
      Axes rest;
      std::copy_if(axes.begin(), axes.end(), std::back_inserter(rest), [&](std::int32_t axis) { return is_long(id, axis); });
      return rest;
    };
    const Axes moving = only_long(order);
    Axes distinct = moving;
    std::sort(distinct.begin(), distinct.end());
    distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
    if (moving.size() != distinct.size() || moving.size() != long_axes_[at(id)]) return;
    for (const Axes& other : known)
      if (only_long(other) == moving) return;
    Axes whole;
    for (std::size_t axis = 0; axis < store_[id].shape.size(); ++axis)
      if (!is_long(id, static_cast<std::int32_t>(axis))) whole.push_back(static_cast<std::int32_t>(axis));
    whole.insert(whole.end(), moving.begin(), moving.end());
    known.push_back(std::move(whole));
  }
  /// Adds an order of a node, which may be a permutation of another.
  void add_view(NodeId id, const Axes& order) {
    const Base base = base_of(store_, id);
    Axes of_base;
    for (const std::int32_t axis : order) of_base.push_back(base.axes[static_cast<std::size_t>(axis)]);
    add(base.node, of_base);
  }

  void add_neighbours(NodeId id) {
    const graph::Node& node = store_[id];
    if (graph::is<graph::Einsum>(node)) return add_contraction(id);
    for (std::size_t k = 0; k < node.operands.size(); ++k) {
      const NodeId operand = node.operands[k];
      const bool is_right = graph::is<graph::Solve>(node) && k == 1 && store_[operand].shape.size() == node.shape.size();
      if (numbers_axes(node)) add_view(operand, counted_axes(store_[operand].shape.size()));
      if (numbers_axes(node) && !is_right && !graph::is<graph::Inverse>(node)) continue;
      for (const Axes& order : known_[at(base_of(store_, operand).node)]) add(id, seen(operand, order));
      for (const Axes& order : known_[at(id)]) add_view(operand, order);
    }
  }

  /// The orders of a factor known so far, as labels. A factor with a label twice, a diagonal, has none.
  std::vector<Labels> sequences(const Factor& factor) const {
    std::vector<Labels> all;
    for (const Axes& order : known_[at(factor.node)]) {
      Labels labels;
      for (const std::int32_t axis : order)
        if (is_long(factor.node, axis)) labels.push_back(factor.labels[static_cast<std::size_t>(axis)]);
      if (std::find(all.begin(), all.end(), labels) == all.end()) all.push_back(labels);
    }
    return all;
  }
  void add_labels(const Factor& factor, const Labels& sequence) {
    Axes order;
    for (const Label label : sequence)
      order.push_back(
          static_cast<std::int32_t>(std::find(factor.labels.begin(), factor.labels.end(), label) - factor.labels.begin()));
    add(factor.node, order);
  }
  /// `block` at each place within `others`, `shared` before and after all of it.
  void add_blocks(const Factor& factor, const Labels& shared, const Labels& block, const Labels& others) {
    for (std::size_t place = block.empty() ? others.size() : 0; place <= others.size() && !is_full(factor.node); ++place) {
      Labels sequence = others;
      sequence.insert(sequence.begin() + static_cast<std::ptrdiff_t>(place), block.begin(), block.end());
      for (const bool is_first : {true, false}) {
        Labels whole = sequence;
        whole.insert(is_first ? whole.begin() : whole.end(), shared.begin(), shared.end());
        add_labels(factor, whole);
      }
    }
  }

  void add_contraction(NodeId id) {
    const graph::Node& node = store_[id];
    Axes axes;
    if (is_permutation(node, axes)) return;
    const einsum::Subscripts& subscripts = graph::as<graph::Einsum>(node)->subscripts;
    std::vector<Factor> factors;
    for (std::size_t k = 0; k < node.operands.size(); ++k) {
      const Base base = base_of(store_, node.operands[k]);
      Factor factor{base.node, Labels(base.axes.size())};
      for (std::size_t axis = 0; axis < base.axes.size(); ++axis)
        factor.labels[static_cast<std::size_t>(base.axes[axis])] = subscripts.inputs[k][axis];
      factors.push_back(std::move(factor));
    }
    const Factor out{id, subscripts.output};
    for (std::size_t k = 0; k < factors.size(); ++k) {
      Labels others;
      for (std::size_t other = 0; other < factors.size(); ++other)
        if (other != k) others.insert(others.end(), factors[other].labels.begin(), factors[other].labels.end());
      add_result(out, factors[k], factors, others);
      add_operand(factors[k], out, factors, others);
    }
  }
  /// The result: what only `one` of the operands has stands together among the rest.
  void add_result(const Factor& out, const Factor& one, const std::vector<Factor>& factors, const Labels& of_others) {
    if (has_few_axes(out.node)) return;
    std::vector<Labels> rests, kept_orders;
    const auto add_rests = [&](const Factor& factor) {
      for (const Labels& order : sequences(factor)) {
        const Labels all = within(order, out.labels);
        add_distinct(rests, without(all, without(one.labels, of_others)));
      }
    };
    add_rests(out);
    for (const Factor& factor : factors) add_rests(factor);
    for (const Labels& order : sequences(one)) add_distinct(kept_orders, within(order, out.labels));
    for (const Labels& kept : kept_orders) {
      const Labels shared = within(kept, of_others), block = without(kept, of_others);
      std::vector<Labels> distinct;
      for (const Labels& rest : rests) add_distinct(distinct, without(rest, shared));
      for (const Labels& rest : distinct) add_blocks(out, shared, block, rest);
    }
  }
  /// An operand: what is summed stands together among the rest.
  void add_operand(const Factor& one, const Factor& out, const std::vector<Factor>& factors, const Labels& of_others) {
    if (has_few_axes(one.node)) return;
    std::vector<Labels> summed_orders, kept_orders;
    for (const Labels& order : sequences(out)) add_distinct(kept_orders, within(order, one.labels));
    for (const Factor& factor : factors) {
      if (factor.node == one.node) continue;
      for (const Labels& order : sequences(factor)) add_distinct(summed_orders, without(within(order, one.labels), out.labels));
    }
    for (const Labels& own : sequences(one)) {
      add_distinct(kept_orders, within(own, out.labels));
      add_distinct(summed_orders, without(own, out.labels));
    }
    for (const Labels& kept : kept_orders) {
      const Labels shared = within(kept, of_others), rest = without(kept, of_others);
      for (const Labels& summed : summed_orders) add_blocks(one, shared, summed, rest);
    }
  }

  void add_all_of_few_axes(NodeId id) {
    if (is_full(id) || !has_few_axes(id)) return;
    Axes order;
    for (std::size_t axis = 0; axis < store_[id].shape.size(); ++axis)
      if (is_long(id, static_cast<std::int32_t>(axis))) order.push_back(static_cast<std::int32_t>(axis));
    do add(id, order);
    while (std::next_permutation(order.begin(), order.end()));
  }

  const graph::Graph& graph_;
  const graph::Store& store_;
  const std::vector<NodeId>& order_;
  const Options& options_;
  std::size_t most_;
  std::vector<std::vector<Axes>> orders_, known_;  ///< by NodeId; known_: before this round
  std::vector<char> is_free_;                      ///< by NodeId: whether its order may be chosen
  std::vector<std::size_t> long_axes_;             ///< by NodeId: axes whose extent is not 1
};

}  // namespace

bool has_free_order(const graph::Node& node) {
  Axes axes;
  return (graph::is<graph::Einsum>(node) && !is_permutation(node, axes)) || graph::is<graph::Solve>(node) ||
         graph::is<graph::Inverse>(node) || (!numbers_axes(node) && !graph::is_source(node.operation));
}

std::vector<std::vector<Axes>> candidate_orders(const graph::Graph& graph, const std::vector<NodeId>& order, const Options& options,
                                                std::size_t most) {
  return Candidates(graph, order, options, most).run();
}

}  // namespace tyto::plan
