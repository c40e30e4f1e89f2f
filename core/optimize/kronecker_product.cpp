#include "optimize/kronecker_product.hpp"
#include <algorithm>
#include <numeric>
#include <boost/pending/disjoint_sets.hpp>
#include <fmt/format.h>
#include "optimize/canonical.hpp"
#include "optimize/definiteness.hpp"
#include "optimize/product.hpp"

namespace tyto::optimize {

using einsum::contains;
using einsum::Label;
using einsum::Labels;
using graph::NodeId;
using graph::Store;

namespace {

/// The matrix of a solve as a sum of products over common output labels: batch, then rows, then columns.
struct Matrix {
  std::size_t batch = 0, rows = 0;
  std::vector<Product> terms;
};

/// Adds a term with output labels 0, 1, ..., n-1 in the order of the axes, to a like one if there is one: half of M and half of its
/// transpose are M, where the factors are symmetric.
void add_term(const Store& store, const Product& term, std::vector<Product>& terms) {
  const Product p = canonical(store, term);  // output first, so its labels are 0..n-1
  const auto same = std::find_if(terms.begin(), terms.end(), [&](const Product& other) {
    return other.operands == p.operands && other.subscripts == p.subscripts;
  });
  if (same == terms.end()) terms.push_back(p);
  else same->coefficient += p.coefficient;
}

/// Adds the terms of coefficient * node, its axes renamed: views of sums are opened, so that terms are seen.
void add_terms(const Store& store, double coefficient, NodeId id, const Labels& axes, std::vector<Product>& terms) {
  const graph::Node& node = store[id];
  if (const auto* sum = graph::as<graph::Combination>(node)) {
    for (std::size_t k = 0; k < node.operands.size(); ++k)
      add_terms(store, coefficient * sum->coefficients[k], node.operands[k], axes, terms);
    return;
  }
  Product p = fused_where_cheaper(store, as_product(store, id));
  if (p.operands.size() == 1 && graph::is<graph::Combination>(store[p.operands[0]]) &&
      p.subscripts.inputs[0].size() == axes.size()) {
    Labels inner;
    for (const Label label : p.subscripts.inputs[0]) {
      const auto at = std::find(p.subscripts.output.begin(), p.subscripts.output.end(), label);
      inner.push_back(at == p.subscripts.output.end() ? -1 : axes[static_cast<std::size_t>(at - p.subscripts.output.begin())]);
    }
    if (!contains(inner, -1)) return add_terms(store, coefficient * p.coefficient, p.operands[0], inner, terms);
  }
  // Axis k of the node is output label axes[k].
  p.coefficient *= coefficient;
  const Labels output = p.subscripts.output;
  for (std::size_t k = 0; k < axes.size(); ++k) p.subscripts.output[static_cast<std::size_t>(axes[k])] = output[k];
  add_term(store, p, terms);
}

Matrix matrix_of(const Store& store, NodeId id, std::int32_t batch, std::int32_t rows) {
  Matrix m{static_cast<std::size_t>(batch), static_cast<std::size_t>(rows), {}};
  add_terms(store, 1, id, graph::counted(store[id].shape.size()), m.terms);
  if (std::any_of(m.terms.begin(), m.terms.end(), [](const Product& p) { return p.coefficient != 0; }))
    std::erase_if(m.terms, [](const Product& p) { return p.coefficient == 0; });
  return m;
}

/// Position of the operand I(row, column) of a term, or -1.
std::ptrdiff_t tie(const Store& store, const Product& p, Label row, Label column) {
  for (std::size_t k = 0; k < p.operands.size(); ++k) {
    if (!graph::is<graph::Identity>(store[p.operands[k]])) continue;
    const Labels& labels = p.subscripts.inputs[k];
    if (labels == Labels{row, column} || labels == Labels{column, row}) return static_cast<std::ptrdiff_t>(k);
  }
  return -1;
}

class KroneckerProduct {
 public:
  KroneckerProduct(Store& store, NodeId matrix, std::int32_t batch, std::int32_t rows, operation::System system, Log& log)
      : store_(store),
        system_(system),
        log_(log),
        matrix_(matrix_of(store, matrix, batch, rows)),
        matrix_shape_(store[matrix].shape) {}

  /// The solution by smaller systems, axes as the solve had them; -1 if there is no structure.
  NodeId solution(NodeId right) {
    if (!is_structured()) return -1;
    // Labels of the unknown: batch and rows as in the matrix; what is left of the right side is numbered after the matrix.
    Labels axes = graph::counted(matrix_.batch + matrix_.rows);
    const Labels rest = graph::counted(store_[right].shape.size() - axes.size(), static_cast<Label>(matrix_shape_.size()));
    axes.insert(axes.end(), rest.begin(), rest.end());
    const Labels wanted = axes;
    NodeId x = right;
    for (std::size_t part = 0; part < parts_.size(); ++part) x = solved(x, axes, parts_, part);
    log_.rewrote(summary(parts_));
    return graph::einsum(store_, {x}, {{axes}, wanted});
  }
  /// The transposed inverse as a product of smaller ones and identities; -1 if there is no structure.
  NodeId inverse() {
    if (!is_structured()) return -1;
    Product p{1, {}, {{}, graph::counted(matrix_shape_.size())}};
    for (const std::size_t m : tied_) {
      p.operands.push_back(
          graph::identity(store_, matrix_shape_[matrix_.batch + m], matrix_shape_[matrix_.batch + matrix_.rows + m]));
      p.subscripts.inputs.push_back({row(m), column(m)});
    }
    const Labels batch = batch_labels();
    for (std::size_t part = 0; part < parts_.size(); ++part) {
      Labels labels = batch;
      for (const std::size_t m : parts_[part]) labels.push_back(row(m));
      for (const std::size_t m : parts_[part]) labels.push_back(column(m));
      const graph::Inverse small{static_cast<std::int32_t>(batch.size()), static_cast<std::int32_t>(parts_[part].size())};
      p.operands.push_back(store_.insert(small, {small_matrix(batch, parts_, part)}));
      p.subscripts.inputs.push_back(labels);
    }
    log_.rewrote(summary(parts_));
    return to_node(store_, p, matrix_shape_);
  }

 private:
  /// Sorts the rows into those tied to their column and parts that are not connected.
  bool is_structured() {
    const std::size_t columns = matrix_shape_.size() - matrix_.batch - matrix_.rows;
    if (columns != matrix_.rows || matrix_.rows == 0) return false;
    for (std::size_t m = 0; m < matrix_.rows; ++m)
      if (!store_.fits(matrix_shape_[matrix_.batch + m], matrix_shape_[matrix_.batch + matrix_.rows + m])) return false;
    for (std::size_t m = 0; m < matrix_.rows; ++m) (is_tied(m) ? tied_ : open_).push_back(m);
    remove_ties();
    parts_ = kronecker_parts();
    return !tied_.empty() || parts_.size() >= 2;
  }
  /// Factors of a symmetric or definite product need not be so themselves: both may be skew, or negative. Those of a semidefinite
  /// one are seen to be semidefinite, or it is left whole: see kronecker_parts().
  operation::System system_of_parts() const {
    const bool is_kept = parts_.size() < 2 || system_ == operation::System::semidefinite;
    return is_kept ? system_ : operation::System::general;
  }
  Label row(std::size_t m) const { return static_cast<Label>(matrix_.batch + m); }
  Label column(std::size_t m) const { return static_cast<Label>(matrix_.batch + matrix_.rows + m); }

  bool is_tied(std::size_t m) const {
    return std::all_of(matrix_.terms.begin(), matrix_.terms.end(),
                       [&](const Product& p) { return tie(store_, p, row(m), column(m)) >= 0; });
  }
  void remove_ties() {
    for (Product& p : matrix_.terms)
      for (const std::size_t m : tied_) {
        const std::ptrdiff_t k = tie(store_, p, row(m), column(m));
        p.operands.erase(p.operands.begin() + k);
        p.subscripts.inputs.erase(p.subscripts.inputs.begin() + k);
        for (Labels& labels : p.subscripts.inputs) std::replace(labels.begin(), labels.end(), column(m), row(m));
      }
  }
  bool term_has(const Product& p, Label label) const {
    return std::any_of(p.subscripts.inputs.begin(), p.subscripts.inputs.end(),
                       [&](const Labels& labels) { return contains(labels, label); });
  }
  bool any_term_has(Label label) const {
    return std::any_of(matrix_.terms.begin(), matrix_.terms.end(), [&](const Product& p) { return term_has(p, label); });
  }
  /// Labels that number independent matrices.
  Labels batch_labels() const {
    Labels batch = graph::counted(matrix_.batch);
    for (const std::size_t m : tied_)
      if (any_term_has(row(m))) batch.push_back(row(m));
    return batch;
  }

  /// Groups of open rows that no operand connects. More than one only for a single term whose groups are square.
  std::vector<std::vector<std::size_t>> kronecker_parts() const {
    if (open_.empty() || matrix_.terms.size() != 1 || !operation::is_linear(system_)) return {open_};
    const Product& p = matrix_.terms[0];
    const Labels batch = batch_labels();
    const auto count = static_cast<std::size_t>(einsum::label_count({p.subscripts.inputs, graph::counted(matrix_shape_.size())}));
    std::vector<std::size_t> rank(count), parent(count);
    boost::disjoint_sets<std::size_t*, std::size_t*> sets(rank.data(), parent.data());
    for (std::size_t label = 0; label < count; ++label) sets.make_set(label);
    for (const Labels& labels : p.subscripts.inputs) {
      std::ptrdiff_t first = -1;
      for (const Label label : labels) {
        if (contains(batch, label)) continue;
        if (first >= 0) sets.union_set(static_cast<std::size_t>(first), static_cast<std::size_t>(label));
        first = label;
      }
    }
    std::vector<std::vector<std::size_t>> parts;
    std::vector<std::size_t> representative;
    for (const std::size_t m : open_) {
      const std::size_t of_row = sets.find_set(static_cast<std::size_t>(row(m)));
      if (of_row != sets.find_set(static_cast<std::size_t>(column(m)))) return {open_};  // permuted: left as one system
      const auto known = std::find(representative.begin(), representative.end(), of_row);
      if (known == representative.end()) {
        representative.push_back(of_row);
        parts.push_back({m});
      } else {
        parts[static_cast<std::size_t>(known - representative.begin())].push_back(m);
      }
    }
    if (parts.size() >= 2 && system_ == operation::System::semidefinite && !are_semidefinite(parts)) return {open_};
    return parts;
  }
  bool are_semidefinite(const std::vector<std::vector<std::size_t>>& parts) const {
    if (matrix_.terms[0].coefficient < 0) return false;
    Labels rows, columns;
    for (const std::vector<std::size_t>& part : parts)
      for (const std::size_t m : part) rows.push_back(row(m)), columns.push_back(column(m));
    return is_seen_semidefinite(store_, matrix_.terms[0], rows, columns);
  }

  /// The matrix of one part: batch labels, its rows, its columns. What is connected to no open row (a scalar network) and the
  /// coefficient go to the first part.
  NodeId small_matrix(const Labels& batch, const std::vector<std::vector<std::size_t>>& parts, std::size_t part) const {
    Labels output = batch;
    for (const std::size_t m : parts[part]) output.push_back(row(m));
    for (const std::size_t m : parts[part]) output.push_back(column(m));
    graph::Shape shape;
    for (const Label label : output) shape.push_back(matrix_shape_[static_cast<std::size_t>(label)]);
    std::vector<graph::Term> sum;
    for (const Product& term : matrix_.terms) {
      Product p{part == 0 ? term.coefficient : 1, {}, {{}, output}};
      for (std::size_t k = 0; k < term.operands.size(); ++k)
        if (parts.size() == 1 || part_of(term, k, parts) == part)
          p.operands.push_back(term.operands[k]), p.subscripts.inputs.push_back(term.subscripts.inputs[k]);
      for (const Label label : output)  // the system repeats along a batch axis that this term does not have
        if (!term_has(p, label))
          p.operands.push_back(graph::fill(store_, 1, {matrix_shape_[static_cast<std::size_t>(label)]})),
              p.subscripts.inputs.push_back({label});
      sum.push_back({1, to_node(store_, p, shape)});
    }
    return graph::combination(store_, sum, shape);
  }
  /// The part whose rows operand k of a term is connected to; the first if to none.
  std::size_t part_of(const Product& term, std::size_t k, const std::vector<std::vector<std::size_t>>& parts) const {
    const Labels batch = batch_labels();
    std::vector<char> reached(term.operands.size(), 0);
    std::vector<std::size_t> todo{k};
    reached[k] = 1;
    while (!todo.empty()) {
      const std::size_t at = todo.back();
      todo.pop_back();
      for (const Label label : term.subscripts.inputs[at]) {
        if (contains(batch, label)) continue;
        for (std::size_t part = 0; part < parts.size(); ++part)
          for (const std::size_t m : parts[part])
            if (label == row(m) || label == column(m)) return part;
        for (std::size_t other = 0; other < term.operands.size(); ++other)
          if (reached[other] == 0 && contains(term.subscripts.inputs[other], label)) reached[other] = 1, todo.push_back(other);
      }
    }
    return 0;
  }

  /// Solves the systems of one part; `axes` are the labels of x before and after.
  NodeId solved(NodeId x, Labels& axes, const std::vector<std::vector<std::size_t>>& parts, std::size_t part) {
    const Labels batch = batch_labels();
    Labels order = batch;
    for (const std::size_t m : parts[part]) order.push_back(row(m));
    for (const Label label : axes)
      if (!contains(order, label)) order.push_back(label);
    const NodeId right = graph::einsum(store_, {x}, {{axes}, order});
    axes = order;
    const graph::Solve small{static_cast<std::int32_t>(batch.size()), static_cast<std::int32_t>(parts[part].size()),
                             system_of_parts()};
    const NodeId matrix = small_matrix(batch, parts, part);
    const auto* value = graph::as<graph::Fill>(store_[matrix]);
    if (small.rows == 0 && value != nullptr && value->value != 0 && operation::is_linear(system_))
      return graph::scaled(store_, 1 / value->value, right);
    return store_.insert(small, {matrix, right});
  }

  std::string summary(const std::vector<std::vector<std::size_t>>& parts) const {
    const auto size = [&](const std::vector<std::size_t>& axes) {
      std::int64_t n = 1;
      for (const std::size_t m : axes) n *= store_.extent(matrix_shape_[matrix_.batch + m]);
      return n;
    };
    std::vector<std::size_t> all(matrix_.rows);
    std::iota(all.begin(), all.end(), std::size_t{0});
    std::string orders;
    for (const auto& part : parts) orders += fmt::format("{}{}", orders.empty() ? "" : " x ", size(part));
    return fmt::format("a system of {} unknowns becomes systems of order {}{}", size(all), orders,
                       batch_labels().size() > matrix_.batch ? ", one for each entry of a tied axis" : "");
  }

  Store& store_;
  const operation::System system_;
  Log& log_;
  Matrix matrix_;
  const graph::Shape matrix_shape_;
  std::vector<std::size_t> tied_, open_;
  std::vector<std::vector<std::size_t>> parts_;
};

}  // namespace

NodeId kronecker_solution(Store& store, const graph::Solve& solve, NodeId matrix, NodeId right, Log& log) {
  return KroneckerProduct(store, matrix, solve.batch, solve.rows, solve.system, log).solution(right);
}
NodeId kronecker_inverse(Store& store, const graph::Inverse& inverse, NodeId matrix, Log& log) {
  return KroneckerProduct(store, matrix, inverse.batch, inverse.rows, operation::System::general, log).inverse();
}

}  // namespace tyto::optimize
