#include "verify/magnitude.hpp"
#include <cmath>
#include "derivative/rules.hpp"
#include "error/fail.hpp"

namespace tyto::verify {

using namespace graph;
using operation::Function;

namespace {

NodeId absolute_value(Store& store, NodeId node) { return map(store, Function::abs, {node}); }

/// x(columns, rest) = sum over rows of |inverse(matrix)|(rows, columns) right(rows, rest)
NodeId absolute_solution(Store& store, const Solve& s, NodeId matrix, NodeId right) {
  const auto batch = static_cast<std::size_t>(s.batch), rows = static_cast<std::size_t>(s.rows);
  const einsum::Labels of_matrix = counted(store[matrix].shape.size());
  const einsum::Labels rest = counted(store[right].shape.size() - batch - rows, static_cast<einsum::Label>(of_matrix.size()));
  einsum::Labels of_right(of_matrix.begin(), of_matrix.begin() + static_cast<std::ptrdiff_t>(batch + rows));
  of_right.insert(of_right.end(), rest.begin(), rest.end());
  einsum::Labels out(of_matrix.begin(), of_matrix.begin() + static_cast<std::ptrdiff_t>(batch));
  out.insert(out.end(), of_matrix.begin() + static_cast<std::ptrdiff_t>(batch + rows), of_matrix.end());
  out.insert(out.end(), rest.begin(), rest.end());
  const NodeId inverse = store.insert(Inverse{s.batch, s.rows}, {matrix});
  return graph::einsum(store, {absolute_value(store, inverse), right}, {{of_matrix, of_right}, out});
}

}  // namespace

NodeId Magnitudes::of(NodeId id) {
  for (const NodeId node : reachable(store_, {id})) {
    if (known_.contains(node)) continue;
    const NodeId own = absolute_value(store_, node);
    if (const auto* solve = as<Solve>(store_[node]); solve != nullptr && !operation::is_linear(solve->system)) {
      // Of the unknowns that are not held at 0 it solves a part of the system, whose inverse is no larger than that of the whole.
      const Solve whole{solve->batch, solve->rows, operation::System::semidefinite};
      const NodeId linear = store_.insert(whole, std::vector<NodeId>(store_[node].operands));
      known_[node] = combination(store_, {{1, own}, {1, of(linear)}}, store_[own].shape);
      continue;
    }
    std::vector<Term> terms{{1, own}};
    const std::vector<NodeId> operands = store_[node].operands;
    if (const auto* e = as<Einsum>(store_[node]); e != nullptr && !is_ordinary(e->pair)) {
      known_[node] = plus_largest(own, *e, operands);
      continue;
    }
    for (std::size_t k = 0; k < operands.size(); ++k) {
      const Node& operand = store_[operands[k]];
      Leaf leaf{"tangent", Role::input, std::make_shared<const char>('\0'), operand.field};
      const NodeId input = store_.insert_source(std::move(leaf), operand.shape);
      terms.push_back({1, absolute(derivative::forward(store_, node, k, input), input, known_.at(operands[k]))});
    }
    known_[node] = normwise(node, combination(store_, terms, store_[own].shape));
  }
  return known_.at(id);
}

/// Algorithms for matrices are stable by norm, not entry by entry: what one entry may be wrong by, all of its matrix may be.
NodeId Magnitudes::normwise(NodeId node, NodeId magnitude) {
  std::int32_t batch = -1;
  if (const auto* solve = as<Solve>(store_[node])) batch = solve->batch;
  if (const auto* inverse = as<Inverse>(store_[node])) batch = inverse->batch;
  if (const auto* factorization = as<Factorization>(store_[node])) batch = factorization->batch;
  if (batch < 0) return magnitude;
  const Shape shape = store_[magnitude].shape;
  const einsum::Labels all = counted(shape.size()), of_batch(all.begin(), all.begin() + batch);
  const NodeId total = graph::einsum(store_, {magnitude}, {{all}, of_batch});
  return graph::einsum(store_, {total, fill(store_, 1, shape)}, {{of_batch, all}, all});
}

/// No smallest or largest value changes by more than the largest change among those it is chosen from.
NodeId Magnitudes::plus_largest(NodeId own, const Einsum& e, const std::vector<NodeId>& operands) {
  Einsum largest = e;
  if (e.pair.reduce == einsum::Reduce::min) largest.pair.reduce = einsum::Reduce::max;
  std::vector<NodeId> magnitudes;
  for (const NodeId operand : operands) magnitudes.push_back(known_.at(operand));
  return combination(store_, {{1, own}, {1, store_.insert(largest, magnitudes)}}, store_[own].shape);
}

NodeId Magnitudes::absolute(NodeId tangent, NodeId input, NodeId value) {
  std::map<NodeId, NodeId> made;
  std::map<NodeId, char> depends;
  for (const NodeId id : reachable(store_, {tangent})) {
    const Node node = store_[id];
    std::vector<char> is_linear;
    bool any = id == input;
    for (const NodeId operand : node.operands) is_linear.push_back(depends.at(operand)), any = any || is_linear.back() != 0;
    depends[id] = any ? 1 : 0;
    if (id == input) {
      made[id] = value;
    } else if (!any) {
      made[id] = absolute_value(store_, id);
    } else {
      std::vector<NodeId> operands;
      for (std::size_t k = 0; k < node.operands.size(); ++k)  // the matrix of a system is inverted as it is
        operands.push_back(is<Solve>(node) && k == 0 ? node.operands[0] : made.at(node.operands[k]));
      made[id] = absolute_node(node, operands, is_linear);
    }
  }
  return made.at(tangent);
}

NodeId Magnitudes::absolute_node(const Node& node, const std::vector<NodeId>& operands, const std::vector<char>& is_linear) {
  if (const auto* sum = as<Combination>(node)) {
    std::vector<Term> terms;
    for (std::size_t k = 0; k < operands.size(); ++k) terms.push_back({std::abs(sum->coefficients[k]), operands[k]});
    return combination(store_, terms, store_[operands[0]].shape);
  }
  if (const auto* solve = as<Solve>(node)) {
    TYTO_ASSERT(is_linear[0] == 0);
    return absolute_solution(store_, *solve, operands[0], operands[1]);
  }
  if (is<Map>(node)) return operands[0];           // conj, real or imag: nothing else is linear
  return store_.insert(node.operation, operands);  // products, and what moves elements
}

}  // namespace tyto::verify
