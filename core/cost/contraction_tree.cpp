#include "cost/contraction_tree.hpp"
#include <algorithm>
#include <cmath>
#include <limits>
#include "error/fail.hpp"

namespace tyto::cost {

namespace {

double log2_sum(double a, double b) {
  const double most = std::max(a, b);
  return most + std::log2(1 + std::exp2(std::min(a, b) - most));
}

}  // namespace

double log_weight(Minimize minimize, const Value& left, const Value& right, const Step& step) {
  if (minimize == Minimize::flops) return step.points + (step.sums ? 1 : 0) + step.runs;
  const double moved = log2_sum(log2_sum(left.elements, right.elements), step.elements);
  return minimize == Minimize::elements ? moved + step.runs : moved;
}

ContractionTree::ContractionTree(const Joins& joins, const Pairs& pairs, Minimize minimize) : joins_(&joins), minimize_(minimize) {
  const std::size_t n = joins.operands().size();
  TYTO_ASSERT(pairs.size() + 1 == n);
  children_.assign(n + pairs.size(), {-1, -1});
  parents_.assign(n + pairs.size(), -1);
  weights_.assign(n + pairs.size(), -std::numeric_limits<double>::infinity());
  values_ = joins.operands();
  values_.resize(n + pairs.size());
  for (std::size_t k = 0; k < pairs.size(); ++k) set_children(static_cast<NodeId>(n + k), pairs[k].first, pairs[k].second);
  root_ = static_cast<NodeId>(n + pairs.size()) - 1;
}

void ContractionTree::link(NodeId node, NodeId left, NodeId right) {
  children_[static_cast<std::size_t>(node)] = {left, right};
  parents_[static_cast<std::size_t>(left)] = parents_[static_cast<std::size_t>(right)] = node;
}

void ContractionTree::set_children(NodeId node, NodeId left, NodeId right) {
  const auto at = static_cast<std::size_t>(node);
  Value made;
  const Step step = joins_->join(value(left), value(right), made);
  weights_[at] = cost::log_weight(minimize_, value(left), value(right), step);
  values_[at] = std::move(made);
  link(node, left, right);
}

void ContractionTree::rotate(const Rotation& r, Value& made) {
  std::swap(values_[static_cast<std::size_t>(r.inner)], made);
  weights_[static_cast<std::size_t>(r.inner)] = r.inner_weight;
  weights_[static_cast<std::size_t>(r.node)] = r.node_weight;
  link(r.inner, r.kept, r.outside);
  link(r.node, r.inner, r.leaving);
}

double ContractionTree::total() const {
  const double most = *std::max_element(weights_.begin(), weights_.end());
  if (!std::isfinite(most)) return most;
  double sum = 0;
  for (const double weight : weights_) sum += std::exp2(weight - most);
  return most + std::log2(sum);
}

std::vector<NodeId> ContractionTree::inner_nodes() const {
  std::vector<NodeId> order;
  if (is_operand(root_)) return order;
  order.push_back(root_);
  for (std::size_t k = 0; k < order.size(); ++k)
    for (const NodeId child : children(order[k]))
      if (!is_operand(child)) order.push_back(child);
  std::reverse(order.begin(), order.end());
  return order;
}

Pairs ContractionTree::pairs() const {
  const std::vector<NodeId> order = inner_nodes();
  // What each node needs while it is made, and the lowest operand below it.
  std::vector<double> peaks(children_.size(), 0);
  std::vector<NodeId> lowest(children_.size());
  for (std::size_t k = 0; k < operand_count(); ++k) lowest[k] = static_cast<NodeId>(k);
  std::vector<std::array<NodeId, 2>> in_order = children_;
  const auto held = [&](NodeId node) { return is_operand(node) ? 0 : std::exp2(value(node).elements); };
  for (const NodeId node : order) {
    auto& [first, second] = in_order[static_cast<std::size_t>(node)];
    const auto at = [](NodeId id) { return static_cast<std::size_t>(id); };
    if (lowest[at(second)] < lowest[at(first)]) std::swap(first, second);
    const auto peak = [&](NodeId a, NodeId b) { return std::max(peaks[at(a)], held(a) + peaks[at(b)]); };
    if (peak(second, first) < peak(first, second)) std::swap(first, second);
    peaks[at(node)] = std::max(peak(first, second), held(first) + held(second) + held(node));
    lowest[at(node)] = std::min(lowest[at(first)], lowest[at(second)]);
  }
  Pairs result;
  std::vector<NodeId> number(children_.size(), -1);  // in the path
  for (std::size_t k = 0; k < operand_count(); ++k) number[k] = static_cast<NodeId>(k);
  std::vector<NodeId> stack{root_};
  while (!stack.empty()) {
    const NodeId node = stack.back();
    if (number[static_cast<std::size_t>(node)] >= 0) {
      stack.pop_back();
      continue;
    }
    const auto [first, second] = in_order[static_cast<std::size_t>(node)];
    const NodeId a = number[static_cast<std::size_t>(first)], b = number[static_cast<std::size_t>(second)];
    if (a < 0) {
      stack.push_back(first);
    } else if (b < 0) {
      stack.push_back(second);
    } else {
      const bool swapped = lowest[static_cast<std::size_t>(second)] < lowest[static_cast<std::size_t>(first)];
      result.emplace_back(swapped ? b : a, swapped ? a : b);
      number[static_cast<std::size_t>(node)] = static_cast<NodeId>(operand_count() + result.size()) - 1;
      stack.pop_back();
    }
  }
  return result;
}

}  // namespace tyto::cost
