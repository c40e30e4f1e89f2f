#include "optimize/kronecker_sum.hpp"
#include <algorithm>
#include "optimize/product.hpp"

namespace tyto::optimize {

using einsum::contains;
using einsum::Label;
using einsum::Labels;
using graph::NodeId;
using graph::Store;

namespace {

using Axes = std::vector<std::size_t>;  // row axes, counted without the batch

/// The terms of a matrix with rows 0...n-1 and columns n...2n-1, each with the axes that an identity ties.
struct Term {
  Product product;
  Axes tied, open;
};

class KroneckerSum {
 public:
  KroneckerSum(Store& store, NodeId matrix, std::size_t rows) : store_(store), matrix_(matrix), rows_(rows) {}

  /// Whether every term acts on one of two sets of axes that share none.
  bool find() {
    const graph::Node node = store_[matrix_];
    const auto* sum = graph::as<graph::Combination>(node);
    if (sum == nullptr || node.operands.size() < 2 || node.shape.size() != 2 * rows_) return false;
    for (std::size_t k = 0; k < node.operands.size(); ++k) {
      Product p = as_product(store_, node.operands[k]);
      p.coefficient *= sum->coefficients[k];
      p.subscripts = einsum::renumbered(p.subscripts);
      terms_.push_back(with_ties(std::move(p)));
    }
    for (const Term& t : terms_)
      if (!t.open.empty()) (first_.empty() || first_ == t.open ? first_ : second_) = t.open;
    if (first_.empty() || second_.empty()) return false;
    for (const Term& t : terms_)
      if (!t.open.empty() && t.open != first_ && t.open != second_) return false;
    const bool is_disjoint = std::none_of(first_.begin(), first_.end(), [&](std::size_t m) { return has(second_, m); });
    return is_disjoint && first_.size() + second_.size() == rows_;
  }

  NodeId solution(NodeId right) {
    const graph::Shape& shape = store_[right].shape;
    const NodeId a = matrix_of(first_, true), b = matrix_of(second_, false);
    // Labels: rows 0...n-1, the rest of the right side, then the eigenvalue axes of A and of B.
    const Labels all = graph::counted(shape.size());
    const auto i = static_cast<Label>(shape.size()), j = i + 1;
    const NodeId u = split(part(a, operation::Part::vectors), first_), v = split(part(b, operation::Part::vectors), second_);
    const Labels of_u = with(first_, i), of_v = with(second_, j), rest(all.begin() + static_cast<std::ptrdiff_t>(rows_), all.end());
    Labels in_eigenvectors{i, j};
    in_eigenvectors.insert(in_eigenvectors.end(), rest.begin(), rest.end());
    const NodeId projected = graph::einsum(store_, {graph::conjugate(store_, u), graph::conjugate(store_, v), right},
                                           {{of_u, of_v, all}, in_eigenvectors});
    const NodeId scaled = graph::einsum(store_, {projected, reciprocals(a, b)}, {{in_eigenvectors, {i, j}}, in_eigenvectors});
    return graph::einsum(store_, {u, v, scaled}, {{of_u, of_v, in_eigenvectors}, all});
  }
  /// Rough flops of both ways: eigenvectors and products, or one factorization of the whole.
  bool is_cheaper(std::int64_t right_sides) const {
    const auto p = static_cast<double>(count(first_)), q = static_cast<double>(count(second_)), n = p * q;
    const auto m = static_cast<double>(right_sides);
    return 9 * (p * p * p + q * q * q) + 4 * n * (p + q) * m < n * n * n / 3 + 2 * n * n * m;
  }

 private:
  static bool has(const Axes& axes, std::size_t m) { return std::find(axes.begin(), axes.end(), m) != axes.end(); }
  std::int64_t count(const Axes& axes) const {
    std::int64_t n = 1;
    for (const std::size_t m : axes) n *= store_.extent(store_[matrix_].shape[m]);
    return n;
  }
  Term with_ties(Product p) const {
    Term term{std::move(p), {}, {}};
    for (std::size_t m = 0; m < rows_; ++m) {
      const auto row = static_cast<Label>(m), column = static_cast<Label>(rows_ + m);
      std::vector<Labels>& inputs = term.product.subscripts.inputs;
      std::size_t k = 0;
      while (k < inputs.size() && !(graph::is<graph::Identity>(store_[term.product.operands[k]]) &&
                                    (inputs[k] == Labels{row, column} || inputs[k] == Labels{column, row})))
        ++k;
      const auto is_used_again = [&](Label label) {
        for (std::size_t other = 0; other < inputs.size(); ++other)
          if (other != k && contains(inputs[other], label)) return true;
        return false;
      };
      if (k == inputs.size() || is_used_again(row) || is_used_again(column)) {
        term.open.push_back(m);
        continue;
      }
      term.product.operands.erase(term.product.operands.begin() + static_cast<std::ptrdiff_t>(k));
      inputs.erase(inputs.begin() + static_cast<std::ptrdiff_t>(k));
      term.tied.push_back(m);
    }
    return term;
  }
  /// The terms that act on these axes, as one matrix; multiples of the whole identity go with the first.
  NodeId matrix_of(const Axes& axes, bool takes_identities) {
    Labels output;
    graph::Shape shape;
    for (const std::size_t side : {std::size_t{0}, rows_})
      for (const std::size_t m : axes)
        output.push_back(static_cast<Label>(side + m)), shape.push_back(store_[matrix_].shape[side + m]);
    std::vector<graph::Term> sum;
    for (const Term& t : terms_) {
      if (t.open != axes && !(t.open.empty() && takes_identities)) continue;
      Product p = t.product;
      p.subscripts.output = output;
      if (t.open.empty())
        for (const std::size_t m : axes) {
          p.operands.push_back(graph::identity(store_, store_[matrix_].shape[m], store_[matrix_].shape[rows_ + m]));
          p.subscripts.inputs.push_back({static_cast<Label>(m), static_cast<Label>(rows_ + m)});
        }
      sum.push_back({1, to_node(store_, p, shape)});
    }
    const NodeId matrix = graph::combination(store_, sum, shape);
    const auto made = [&] {
      const std::int64_t n = count(axes);
      return axes.size() == 1 ? shape[0] : store_.dimension(std::make_shared<const Dimension>(Dimension{"n", n, n, false}));
    };
    const graph::DimensionId n = made();
    return graph::reshape(store_, matrix, axes.size() == 1 ? shape : graph::Shape{n, n});
  }
  NodeId part(NodeId matrix, operation::Part which) {
    return store_.insert(graph::Factorization{which, 0, store_[matrix].shape[0]}, {matrix});
  }
  /// Vectors with their row axis as the row axes it stands for.
  NodeId split(NodeId vectors, const Axes& axes) {
    graph::Shape shape;
    for (const std::size_t m : axes) shape.push_back(store_[matrix_].shape[m]);
    shape.push_back(store_[vectors].shape.back());
    return graph::reshape(store_, vectors, shape);
  }
  static Labels with(const Axes& axes, Label last) {
    Labels labels;
    for (const std::size_t m : axes) labels.push_back(static_cast<Label>(m));
    labels.push_back(last);
    return labels;
  }
  /// 1 / (a(i) + b(j))
  NodeId reciprocals(NodeId a, NodeId b) {
    const NodeId of_a = part(a, operation::Part::values), of_b = part(b, operation::Part::values);
    const graph::DimensionId p = store_[of_a].shape[0], q = store_[of_b].shape[0];
    const NodeId along_b = graph::einsum(store_, {of_a, graph::fill(store_, 1, {q})}, {{{0}, {1}}, {0, 1}});
    const NodeId along_a = graph::einsum(store_, {of_b, graph::fill(store_, 1, {p})}, {{{1}, {0}}, {0, 1}});
    const NodeId sums = graph::combination(store_, {{1, along_b}, {1, along_a}}, {p, q});
    const std::int64_t n = store_.extent(p) * store_.extent(q);
    const auto all = store_.dimension(std::make_shared<const Dimension>(Dimension{"n", n, n, false}));
    const NodeId inverted = store_.insert(graph::Reciprocal{false}, {graph::reshape(store_, sums, {all})});
    return graph::reshape(store_, inverted, {p, q});
  }

  Store& store_;
  NodeId matrix_;
  std::size_t rows_;
  std::vector<Term> terms_;
  Axes first_, second_;
};

}  // namespace

NodeId kronecker_sum(Store& store, const graph::Solve& solve, NodeId matrix, NodeId right) {
  if (solve.batch != 0 || !operation::is_symmetric(solve.system)) return -1;
  const graph::Shape& shape = store[matrix].shape;
  if (shape.size() != 2 * static_cast<std::size_t>(solve.rows)) return -1;
  std::int64_t order = 1;
  for (std::int32_t m = 0; m < solve.rows; ++m) order *= store.extent(shape[static_cast<std::size_t>(m)]);
  KroneckerSum sum(store, matrix, static_cast<std::size_t>(solve.rows));
  if (order == 0 || !sum.find()) return -1;
  return sum.is_cheaper(store.element_count(right) / order) ? sum.solution(right) : -1;
}

}  // namespace tyto::optimize
