#include "core/optimize/same_form.hpp"
#include <algorithm>
#include <numeric>

namespace tyto::test {

using graph::Node;

namespace {

AxisMap in_place(std::size_t order) {
  AxisMap axes(order);
  std::iota(axes.begin(), axes.end(), 0);
  return axes;
}

std::set<AxisMap> common(const std::set<AxisMap>& a, const std::set<AxisMap>& b) {
  std::set<AxisMap> both;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::inserter(both, both.end()));
  return both;
}

/// Whether the node is an axis permutation of its operand, or the operand itself.
bool is_view(const Node& node) {
  const auto* e = graph::as<graph::Einsum>(node);
  if (e == nullptr || node.operands.size() != 1) return false;
  const auto& in = e->subscripts.inputs[0];
  return in.size() == node.shape.size() && std::set<std::int32_t>(in.begin(), in.end()).size() == in.size();
}

/// What a chain of views shows, and which axis of it each axis of the view is.
std::pair<graph::NodeId, AxisMap> seen_through(const graph::Store& store, graph::NodeId id) {
  AxisMap axes = in_place(store[id].shape.size());
  for (; is_view(store[id]); id = store[id].operands[0]) {
    const auto& [inputs, output] = graph::as<graph::Einsum>(store[id])->subscripts;
    for (std::int32_t& axis : axes)
      axis = static_cast<std::int32_t>(std::find(inputs[0].begin(), inputs[0].end(), output[static_cast<std::size_t>(axis)]) -
                                       inputs[0].begin());
  }
  return {id, axes};
}

}  // namespace

/// Which label of the right product each label of the left one is, and which factors of the right one are taken.
struct Matching::Labels {
  std::map<std::int32_t, std::int32_t> to_right, to_left;
  std::vector<char> taken;

  bool join(std::int32_t left, std::int32_t right) {
    return to_right.emplace(left, right).first->second == right && to_left.emplace(right, left).first->second == left;
  }
};

std::set<AxisMap> Matching::maps(graph::NodeId left, graph::NodeId right) {
  const auto [a, axes_a] = seen_through(left_, left);
  const auto [b, axes_b] = seen_through(right_, right);
  const auto key = std::pair(a, b);
  if (!known_.contains(key)) known_[key] = found(a, b);
  std::set<AxisMap> result;
  for (const AxisMap& inner : known_[key]) {  // axis k of the left view -> its axis below -> that of the right -> of its view
    AxisMap outer;
    for (const std::int32_t axis : axes_a)
      outer.push_back(static_cast<std::int32_t>(std::find(axes_b.begin(), axes_b.end(), inner[static_cast<std::size_t>(axis)]) -
                                                axes_b.begin()));
    result.insert(outer);
  }
  return result;
}

std::set<AxisMap> Matching::found(graph::NodeId left, graph::NodeId right) {
  const Node &a = left_[left], &b = right_[right];
  if (a.operation.index() != b.operation.index() || a.operands.size() != b.operands.size() || a.shape.size() != b.shape.size())
    return {};
  if (graph::is<graph::Einsum>(a)) return products(a, b);
  if (graph::is<graph::Combination>(a)) return sums(a, b);
  if (const auto* system = graph::as<graph::Solve>(a))
    return *system == *graph::as<graph::Solve>(b) ? systems(*system, a, b) : std::set<AxisMap>{};
  if (const auto* leaf = graph::as<graph::Leaf>(a)) {
    if (leaf->name != graph::as<graph::Leaf>(b)->name || left_.extents(left) != right_.extents(right)) return {};
    return {in_place(a.shape.size())};
  }
  if (left_.extents(left) != right_.extents(right)) return {};
  if (graph::is<graph::Identity>(a)) return {{0, 1}, {1, 0}};
  const bool is_elementwise = graph::is<graph::Power>(a) || graph::is<graph::Map>(a);
  if (!(a.operation == b.operation)) return {};
  std::set<AxisMap> result;
  for (std::size_t k = 0; k < a.operands.size(); ++k) {
    const std::set<AxisMap> of_operand = maps(a.operands[k], b.operands[k]);
    result = k == 0 ? of_operand : common(result, of_operand);
  }
  const AxisMap unmoved = in_place(a.shape.size());
  if (a.operands.empty()) return {unmoved};
  if (is_elementwise) return result;
  return result.contains(in_place(left_[a.operands[0]].shape.size())) ? std::set<AxisMap>{unmoved} : std::set<AxisMap>{};
}

std::set<AxisMap> Matching::products(const Node& a, const Node& b) {
  if (!(graph::as<graph::Einsum>(a)->pair == graph::as<graph::Einsum>(b)->pair)) return {};
  Labels labels;
  labels.taken.assign(b.operands.size(), 0);
  std::set<AxisMap> all;
  pair_factors(a, b, 0, labels, all);
  return all;
}

void Matching::pair_factors(const Node& a, const Node& b, std::size_t factor, Labels& labels, std::set<AxisMap>& all) {
  const auto &of_a = graph::as<graph::Einsum>(a)->subscripts, &of_b = graph::as<graph::Einsum>(b)->subscripts;
  if (factor == a.operands.size()) {
    AxisMap map;
    for (const std::int32_t label : of_a.output) {
      const auto at = std::find(of_b.output.begin(), of_b.output.end(), labels.to_right.at(label));
      if (at == of_b.output.end()) return;
      map.push_back(static_cast<std::int32_t>(at - of_b.output.begin()));
    }
    all.insert(map);
    return;
  }
  for (std::size_t k = 0; k < b.operands.size(); ++k) {
    if (labels.taken[k] != 0) continue;
    for (const AxisMap& axes : maps(a.operands[factor], b.operands[k])) {
      Labels joined = labels;
      joined.taken[k] = 1;
      bool fits = true;
      for (std::size_t axis = 0; fits && axis < axes.size(); ++axis)
        fits = joined.join(of_a.inputs[factor][axis], of_b.inputs[k][static_cast<std::size_t>(axes[axis])]);
      if (fits) pair_factors(a, b, factor + 1, joined, all);
    }
  }
}

std::set<AxisMap> Matching::sums(const Node& a, const Node& b) {
  std::vector<char> taken(b.operands.size(), 0);
  std::set<AxisMap> all;
  pair_terms(a, b, 0, taken, {}, all);
  return all;
}

void Matching::pair_terms(const Node& a, const Node& b, std::size_t term, std::vector<char>& taken,
                          const std::set<AxisMap>& possible, std::set<AxisMap>& all) {
  if (term == a.operands.size()) return all.insert(possible.begin(), possible.end()), void();
  for (std::size_t k = 0; k < b.operands.size(); ++k) {
    if (taken[k] != 0 || graph::as<graph::Combination>(a)->coefficients[term] != graph::as<graph::Combination>(b)->coefficients[k])
      continue;
    const std::set<AxisMap> of_term = maps(a.operands[term], b.operands[k]);
    const std::set<AxisMap> left_over = term == 0 ? of_term : common(possible, of_term);
    if (left_over.empty()) continue;
    taken[k] = 1;
    pair_terms(a, b, term + 1, taken, left_over, all);
    taken[k] = 0;
  }
}

std::set<AxisMap> Matching::systems(const graph::Solve& system, const Node& a, const Node& b) {
  const std::int32_t batch = system.batch, rows = system.rows;
  const auto in = [](std::int32_t axis, std::int32_t from, std::int32_t to) { return axis >= from && axis < to; };
  std::set<AxisMap> all;
  for (const AxisMap& matrix : maps(a.operands[0], b.operands[0]))
    for (const AxisMap& right : maps(a.operands[1], b.operands[1])) {
      bool fits = true;
      for (std::int32_t k = 0; k < batch + rows; ++k) {
        const std::int32_t to = matrix[static_cast<std::size_t>(k)];
        fits = fits && to == right[static_cast<std::size_t>(k)] && (k < batch ? in(to, 0, batch) : in(to, batch, batch + rows));
      }
      if (!fits) continue;
      AxisMap map = right;  // (batch, rows, rest) -> (batch, columns, rest)
      for (std::int32_t k = batch; k < batch + rows; ++k)
        map[static_cast<std::size_t>(k)] = matrix[static_cast<std::size_t>(k + rows)] - rows;
      all.insert(map);
    }
  return all;
}

bool is_same_form(const graph::Graph& left, const graph::Graph& right) {
  if (left.outputs.size() != right.outputs.size()) return false;
  Matching matching(*left.store, *right.store);
  for (std::size_t k = 0; k < left.outputs.size(); ++k)
    if (matching.maps(left.outputs[k].node, right.outputs[k].node).empty()) return false;
  return true;
}
bool has_form(const graph::Graph& graph, const std::string& text) { return is_same_form(graph, graph::parse(text)); }

}  // namespace tyto::test
