#include "optimize/structured_solve.hpp"
#include <algorithm>
#include <numeric>
#include <fmt/format.h>
#include "optimize/column_order.hpp"
#include "optimize/diagonal_blocks.hpp"
#include "optimize/kronecker_product.hpp"
#include "optimize/kronecker_sum.hpp"
#include "optimize/product.hpp"

namespace tyto::optimize {

using graph::NodeId;
using graph::Store;

namespace {

/// Order of the matrix of a system or inverse.
std::int64_t order_of(const Store& store, NodeId matrix, std::int32_t batch, std::int32_t rows) {
  std::int64_t order = 1;
  for (std::int32_t m = 0; m < rows; ++m) order *= store.extent(store[matrix].shape[static_cast<std::size_t>(batch + m)]);
  return order;
}

/// Axes of a tensor whose axis first + order[m] is to be axis first + m.
std::vector<std::int32_t> arranged(std::size_t axes, std::int32_t first, const std::vector<std::int32_t>& order) {
  std::vector<std::int32_t> result(axes);
  std::iota(result.begin(), result.end(), 0);
  for (std::size_t m = 0; m < order.size(); ++m) result[static_cast<std::size_t>(first) + m] = first + order[m];
  return result;
}
/// The way back.
std::vector<std::int32_t> arranged_back(std::size_t axes, std::int32_t first, const std::vector<std::int32_t>& order) {
  std::vector<std::int32_t> result(axes);
  std::iota(result.begin(), result.end(), 0);
  for (std::size_t m = 0; m < order.size(); ++m)
    result[static_cast<std::size_t>(first + order[m])] = first + static_cast<std::int32_t>(m);
  return result;
}

/// Systems and inverses by smaller ones. Each function gives -1 where it finds no structure.
class Structures {
 public:
  Structures(Store& store, Log& log) : store_(store), log_(log) {}

  NodeId solution(const graph::Solve& solve, NodeId matrix, NodeId right) {
    const graph::Term term = graph::without_factor(store_, matrix);
    if (const std::optional<operation::System> system = without_factor(solve.system, term.coefficient);
        term.node != matrix && system) {
      const graph::Solve other{solve.batch, solve.rows, *system};
      return graph::scaled(store_, 1 / term.coefficient, solved(other, term.node, right));
    }
    if (!operation::is_linear(solve.system)) return nonnegative_solution(solve, matrix, right);
    if (const NodeId x = kronecker_sum(store_, solve, matrix, right); x >= 0) {
      log_.rewrote("A x I + I x B is solved in the eigenvectors of A and B");
      return x;
    }
    if (const NodeId x = kronecker_solution(store_, solve, matrix, right, log_); x >= 0) return x;
    if (const NodeId x = with_columns_arranged(solve, matrix, right); x >= 0) return x;
    return by_blocks(solve, matrix, right);
  }
  NodeId inverse(const graph::Inverse& inverse, NodeId matrix) {
    if (const auto* inner = graph::as<graph::Inverse>(store_[matrix]); inner != nullptr && *inner == inverse)
      return store_[matrix].operands[0];
    const graph::Term term = graph::without_factor(store_, matrix);
    if (term.node != matrix) return graph::scaled(store_, 1 / term.coefficient, inverted(inverse, term.node));
    const auto plain = [&](NodeId of) { return kronecker_inverse(store_, inverse, of, log_); };
    if (const NodeId x = plain(matrix); x >= 0) return x;
    if (const auto order = column_order(store_, matrix, inverse.batch, inverse.rows)) {
      const std::size_t axes = store_[matrix].shape.size();
      const std::int32_t first = inverse.batch + inverse.rows;
      const NodeId x = plain(with_axes(matrix, arranged(axes, first, *order)));
      if (x >= 0) return graph::permuted(store_, x, arranged_back(axes, first, *order));
    }
    return by_blocks(inverse, matrix);
  }

 private:
  /// Only what leaves each unknown what it is: independent systems.
  NodeId nonnegative_solution(const graph::Solve& solve, NodeId matrix, NodeId right) {
    const NodeId x = kronecker_solution(store_, solve, matrix, right, log_);
    return x >= 0 ? x : by_blocks(solve, matrix, right);
  }
  NodeId solved(const graph::Solve& solve, NodeId matrix, NodeId right) {
    const NodeId x = solution(solve, matrix, right);
    return x >= 0 ? x : store_.insert(solve, {matrix, right});
  }
  NodeId inverted(const graph::Inverse& inverse, NodeId matrix) {
    const NodeId x = this->inverse(inverse, matrix);
    return x >= 0 ? x : store_.insert(inverse, {matrix});
  }
  /// What kind of system M is if c M is one of this kind; nothing if that is not known.
  static std::optional<operation::System> without_factor(operation::System system, double c) {
    if (c > 0 || system == operation::System::general || system == operation::System::symmetric) return system;
    if (system == operation::System::positive_definite) return operation::System::symmetric;
    return std::nullopt;
  }
  /// A product with its axes in another order.
  NodeId with_axes(NodeId matrix, const std::vector<std::int32_t>& order) {
    const NodeId permuted = graph::permuted(store_, matrix, order);
    return to_node(store_, fused(store_, as_product(store_, permuted)), store_[permuted].shape);
  }
  NodeId with_columns_arranged(const graph::Solve& solve, NodeId matrix, NodeId right) {
    if (solve.system == operation::System::semidefinite) return -1;  // the parts are no Gram matrices
    const auto order = column_order(store_, matrix, solve.batch, solve.rows);
    if (!order) return -1;
    const NodeId other = with_axes(matrix, arranged(store_[matrix].shape.size(), solve.batch + solve.rows, *order));
    const NodeId x = kronecker_solution(store_, {solve.batch, solve.rows, operation::System::general}, other, right, log_);
    return x < 0 ? -1 : graph::permuted(store_, x, arranged_back(store_[x].shape.size(), solve.batch, *order));
  }
  NodeId by_blocks(const graph::Solve& solve, NodeId matrix, NodeId right) {
    if (solve.rows != 1) return -1;
    const std::vector<DiagonalBlock> blocks = diagonal_blocks(store_, matrix, solve.batch);
    if (blocks.size() < 2) return -1;
    const graph::DimensionId whole = store_[matrix].shape.back();
    std::vector<NodeId> parts;
    for (const DiagonalBlock& block : blocks)
      parts.push_back(
          solved(solve, block.matrix, restricted(store_, right, solve.batch, block.first, store_[block.matrix].shape.back())));
    log_.rewrote(fmt::format("a block diagonal system becomes {} systems", blocks.size()));
    return graph::concatenate(store_, parts, {solve.batch, whole});
  }
  NodeId by_blocks(const graph::Inverse& inverse, NodeId matrix) {
    if (inverse.rows != 1) return -1;
    const std::vector<DiagonalBlock> blocks = diagonal_blocks(store_, matrix, inverse.batch);
    if (blocks.size() < 2) return -1;
    const graph::Shape shape = store_[matrix].shape;
    std::vector<graph::Term> sum;
    for (const DiagonalBlock& block : blocks) {
      NodeId part = inverted(inverse, block.matrix);
      for (const std::int32_t axis : {inverse.batch, inverse.batch + 1})
        part = graph::pad(store_, part, {axis, block.first, 1, shape[static_cast<std::size_t>(axis)]});
      sum.push_back({1, part});
    }
    log_.rewrote(fmt::format("the inverse of a block diagonal matrix is that of its {} blocks", blocks.size()));
    return graph::combination(store_, sum, shape);
  }

  Store& store_;
  Log& log_;
};

}  // namespace

graph::Graph structured_solve(const graph::Graph& graph, const Context&, Log& log) {
  Structures structures(*graph.store, log);
  return rewritten(graph, [&](graph::Store& store, const graph::Node& node, NodeId) {
    const auto* solve = graph::as<graph::Solve>(node);
    const auto* inverse = graph::as<graph::Inverse>(node);
    if (solve == nullptr && inverse == nullptr) return kept(store, node);
    const NodeId replacement = solve != nullptr ? structures.solution(*solve, node.operands[0], node.operands[1])
                                                : structures.inverse(*inverse, node.operands[0]);
    if (replacement >= 0) return replacement;
    log.near_miss(fmt::format("a {} of order {} has no structure", solve != nullptr ? "system" : "matrix to invert",
                              order_of(store, node.operands[0], solve != nullptr ? solve->batch : inverse->batch,
                                       solve != nullptr ? solve->rows : inverse->rows)));
    return kept(store, node);
  });
}

}  // namespace tyto::optimize
