#include "optimize/scaling.hpp"
#include <algorithm>
#include <bit>
#include <map>

namespace tyto::optimize {

using einsum::Label;
using graph::NodeId;
using graph::Store;

namespace {

bool contains(const std::vector<NodeId>& ids, NodeId id) { return std::find(ids.begin(), ids.end(), id) != ids.end(); }

/// The products of all scalars; nothing if one cannot be multiplied out or an unknown stands inside something that is no product.
std::optional<std::vector<Product>> all_products(Store& store, const std::vector<NodeId>& scalars,
                                                 const std::vector<NodeId>& unknowns) {
  std::vector<Product> all;
  for (const NodeId scalar : scalars) {
    const auto terms = sum_of_products(store, scalar);
    if (!terms) return std::nullopt;
    for (const Product& term : *terms)
      for (const NodeId operand : term.operands)
        for (const NodeId unknown : unknowns)
          if (operand != unknown && graph::depends_on(store, operand, unknown)) return std::nullopt;
    all.insert(all.end(), terms->begin(), terms->end());
  }
  return all;
}

/// How often each label over the dimension meets each member in a product.
bool meets_equally(const Product& p, const Balance& balance) {
  std::map<Label, std::map<NodeId, int>> counts;
  for (std::size_t k = 0; k < p.operands.size(); ++k)
    for (const Balance::Member& m : balance.members)
      if (p.operands[k] == m.leaf) ++counts[p.subscripts.inputs[k][static_cast<std::size_t>(m.axis)]][m.leaf];
  return std::all_of(counts.begin(), counts.end(), [&](const auto& of_label) {
    const std::map<NodeId, int>& meets = of_label.second;
    return meets.size() == balance.members.size() &&
           std::all_of(meets.begin(), meets.end(), [&](const auto& m) { return m.second == meets.begin()->second; });
  });
}

}  // namespace

std::vector<Balance> balances(Store& store, const std::vector<NodeId>& scalars, const std::vector<NodeId>& unknowns) {
  const auto products = all_products(store, scalars, unknowns);
  if (!products) return {};
  std::map<graph::DimensionId, Balance> candidates;
  for (const NodeId unknown : unknowns) {
    const graph::Shape& shape = store[unknown].shape;
    for (std::size_t axis = 0; axis < shape.size(); ++axis)
      if (std::count(shape.begin(), shape.end(), shape[axis]) == 1)
        candidates[shape[axis]].members.push_back({unknown, static_cast<std::int32_t>(axis)});
  }
  std::vector<Balance> result;
  for (const auto& [dimension, balance] : candidates)
    if (balance.members.size() > 1 &&
        std::all_of(products->begin(), products->end(), [&](const Product& p) { return meets_equally(p, balance); }))
      result.push_back(balance);
  return result;
}

std::optional<std::vector<NodeId>> homogeneous_with(Store& store, NodeId scalar, const std::vector<NodeId>& data,
                                                    const std::vector<NodeId>& unknowns) {
  const auto products = all_products(store, {scalar}, unknowns);
  constexpr std::size_t most_unknowns = 12;  // subsets are tried one by one
  if (!products || unknowns.size() > most_unknowns) return std::nullopt;
  for (const Product& p : *products)  // data inside something that is no product has no degree
    for (const NodeId operand : p.operands)
      for (const NodeId d : data)
        if (operand != d && graph::depends_on(store, operand, d)) return std::nullopt;
  const auto is_homogeneous = [&](std::uint32_t set) {
    return std::all_of(products->begin(), products->end(), [&](const Product& p) {
      int degree = 0;
      for (const NodeId operand : p.operands) {
        if (contains(data, operand)) ++degree;
        for (std::size_t k = 0; k < unknowns.size(); ++k) degree += (set >> k & 1) != 0 && operand == unknowns[k] ? 1 : 0;
      }
      return degree == 2;
    });
  };
  for (int size = 0; size <= static_cast<int>(unknowns.size()); ++size)
    for (std::uint32_t set = 0; set < (std::uint32_t{1} << unknowns.size()); ++set) {
      if (std::popcount(set) != size || !is_homogeneous(set)) continue;
      std::vector<NodeId> result;
      for (std::size_t k = 0; k < unknowns.size(); ++k)
        if ((set >> k & 1) != 0) result.push_back(unknowns[k]);
      return result;
    }
  return std::nullopt;
}

std::optional<int> degree_in(Store& store, NodeId node, const std::vector<NodeId>& leaves) {
  const auto products = all_products(store, {node}, leaves);
  if (!products) return std::nullopt;
  std::optional<int> degree;
  for (const Product& p : *products) {
    const auto own =
        static_cast<int>(std::count_if(p.operands.begin(), p.operands.end(), [&](NodeId id) { return contains(leaves, id); }));
    if (degree.value_or(own) != own) return std::nullopt;
    degree = own;
  }
  return degree.value_or(0);
}

}  // namespace tyto::optimize
