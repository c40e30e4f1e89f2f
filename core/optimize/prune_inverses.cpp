#include "optimize/prune_inverses.hpp"
#include <algorithm>
#include <map>
#include "optimize/canonical.hpp"
#include "optimize/matching.hpp"

namespace tyto::optimize {

using einsum::contains;
using einsum::Label;
using einsum::Labels;
using graph::NodeId;
using graph::Store;

namespace {

/// An inverse that more products than this contain is made once: three factorizations cost what one inversion does.
constexpr int most_solutions = 3;

Product cleaned(Store& store, const Product& p) {
  return without_factors(store, without_identities(store, fused(store, without_factors(store, p))));
}

bool are_distinct(Labels labels) {
  std::sort(labels.begin(), labels.end());
  return std::adjacent_find(labels.begin(), labels.end()) == labels.end();
}

/// An operand of a product that is an inverse, its labels by what they number.
struct InverseOperand {
  std::size_t position = 0;
  NodeId matrix = -1;
  Labels batch, rows, columns;
};

std::vector<InverseOperand> inverses_of(const Store& store, const Product& p) {
  std::vector<InverseOperand> all;
  for (std::size_t k = 0; k < p.operands.size(); ++k) {
    const graph::Node& node = store[p.operands[k]];
    const auto* inverse = graph::as<graph::Inverse>(node);
    const Labels& labels = p.subscripts.inputs[k];
    if (inverse == nullptr || !are_distinct(labels)) continue;
    const auto rows = labels.begin() + inverse->batch, columns = rows + inverse->rows;
    all.push_back({k, node.operands[0], {labels.begin(), rows}, {rows, columns}, {columns, labels.end()}});
  }
  return all;
}

/// The product without the operands at these places.
Product without_operands(const Product& p, const std::vector<std::size_t>& places) {
  Product rest{p.coefficient, {}, {{}, p.subscripts.output}};
  for (std::size_t k = 0; k < p.operands.size(); ++k)
    if (std::find(places.begin(), places.end(), k) == places.end())
      rest.operands.push_back(p.operands[k]), rest.subscripts.inputs.push_back(p.subscripts.inputs[k]);
  return rest;
}

bool has_label(const Product& p, Label label) {
  return contains(p.subscripts.output, label) || std::any_of(p.subscripts.inputs.begin(), p.subscripts.inputs.end(),
                                                             [&](const Labels& labels) { return contains(labels, label); });
}

/// The matrix as a product whose output is its axes: batch, rows, columns.
Product matrix_product_of(Store& store, NodeId matrix) {
  const graph::Term term = graph::without_factor(store, matrix);
  Product p = fused(store, as_product(store, term.node));
  p.coefficient *= term.coefficient;
  return p;
}

/// Replaces the inverse and its matrix, which meet in every label of `contracted`, by identities between `free` and the matrix's
/// other axes; nothing if the matrix is not there.
std::optional<Product> without_pair(Store& store, const Product& p, const InverseOperand& inverse, bool contracts_rows) {
  const Labels& contracted = contracts_rows ? inverse.rows : inverse.columns;
  const Labels& free = contracts_rows ? inverse.columns : inverse.rows;
  const Product pattern = matrix_product_of(store, inverse.matrix);
  const Labels& axes = pattern.subscripts.output;
  const std::size_t batch = inverse.batch.size(), rows = inverse.rows.size();
  if (!are_distinct(axes) || pattern.coefficient == 0) return std::nullopt;
  Labels known(static_cast<std::size_t>(einsum::label_count(pattern.subscripts)), -1), of_free;
  for (std::size_t m = 0; m < batch; ++m) known[static_cast<std::size_t>(axes[m])] = inverse.batch[m];
  for (std::size_t m = 0; m < rows; ++m) {
    known[static_cast<std::size_t>(axes[batch + m + (contracts_rows ? 0 : rows)])] = contracted[m];
    of_free.push_back(axes[batch + m + (contracts_rows ? rows : 0)]);
  }
  const auto gone = [&](const Match& match) {
    std::vector<std::size_t> places = match.places;
    places.push_back(inverse.position);
    return without_operands(p, places);
  };
  // What the pair sums over must be nowhere else.
  const auto is_closed = [&](const Match& match) {
    const Product rest = gone(match);
    for (Label own = 0; own < static_cast<Label>(match.labels.size()); ++own) {
      const bool is_open = contains(of_free, own) || std::find(axes.begin(), axes.begin() + static_cast<std::ptrdiff_t>(batch),
                                                               own) != axes.begin() + static_cast<std::ptrdiff_t>(batch);
      const Label there = match.labels[static_cast<std::size_t>(own)];
      if (!is_open && there >= 0 && (has_label(rest, there) || contains(free, there))) return false;
    }
    return true;
  };
  const auto match = find_match(store, pattern, p, known, inverse.position, is_closed);
  if (!match) return std::nullopt;
  Product result = gone(*match);
  result.coefficient /= pattern.coefficient;
  const graph::Shape shape = store[inverse.matrix].shape;
  for (std::size_t m = 0; m < rows; ++m) {
    result.operands.push_back(graph::identity(store, shape[batch + m], shape[batch + rows + m]));
    result.subscripts.inputs.push_back({free[m], match->labels[static_cast<std::size_t>(of_free[m])]});
  }
  for (std::size_t m = 0; m < batch; ++m)
    result.operands.push_back(graph::fill(store, 1, {shape[m]})), result.subscripts.inputs.push_back({inverse.batch[m]});
  return cleaned(store, result);
}

/// Pairs of an inverse and its matrix replaced as long as there are any.
Product without_pairs(Store& store, Product p) {
  for (bool again = true; again;) {
    again = false;
    for (const InverseOperand& inverse : inverses_of(store, p))
      for (const bool contracts_rows : {true, false}) {
        if (again) break;
        if (std::optional<Product> less = without_pair(store, p, inverse, contracts_rows)) p = std::move(*less), again = true;
      }
  }
  return p;
}

/// The factors of a square matrix in their order from row to column, each with its labels in the matrix's product; empty unless
/// each is a square matrix that stands between two labels of one extent.
std::vector<std::size_t> chain_of(const Store& store, const Product& matrix) {
  const Labels& ends = matrix.subscripts.output;
  const cost::Network network = network_of(store, matrix);
  if (ends.size() != 2 || ends[0] == ends[1]) return {};
  std::vector<std::size_t> chain;
  for (Label at = ends[0]; at != ends[1];) {
    std::vector<std::size_t> next;
    for (std::size_t k = 0; k < matrix.operands.size(); ++k)
      if (contains(matrix.subscripts.inputs[k], at) && !(!chain.empty() && chain.back() == k)) next.push_back(k);
    if (next.size() != 1) return {};
    const Labels& labels = matrix.subscripts.inputs[next[0]];
    if (labels.size() != 2 || labels[0] == labels[1] || std::find(chain.begin(), chain.end(), next[0]) != chain.end()) return {};
    at = labels[0] == at ? labels[1] : labels[0];
    if (network.extents[static_cast<std::size_t>(at)] != network.extents[static_cast<std::size_t>(ends[0])]) return {};
    chain.push_back(next[0]);
  }
  return chain.size() == matrix.operands.size() ? chain : std::vector<std::size_t>{};
}

/// (A B C)^-T = A^-T B^-T C^-T, for square factors in a chain from the row to the column; nothing for other matrices.
std::optional<Product> with_inverse_of_factors(Store& store, const Product& p, const InverseOperand& inverse) {
  if (!inverse.batch.empty() || inverse.rows.size() != 1) return std::nullopt;
  const Product matrix = matrix_product_of(store, inverse.matrix);
  const std::vector<std::size_t> chain = chain_of(store, matrix);
  if (chain.size() < 2 || matrix.coefficient == 0) return std::nullopt;
  const Label next = einsum::label_count(p.subscripts);
  Product result = without_operands(p, {inverse.position});
  result.coefficient /= matrix.coefficient;
  for (const std::size_t k : chain) {
    Labels labels = matrix.subscripts.inputs[k];
    for (Label& label : labels)
      label = label == matrix.subscripts.output[0]   ? inverse.rows[0]
              : label == matrix.subscripts.output[1] ? inverse.columns[0]
                                                     : next + label;
    result.operands.push_back(store.insert(graph::Inverse{0, 1}, {matrix.operands[k]}));
    result.subscripts.inputs.push_back(labels);
  }
  return result;
}

/// Inverses of products taken apart where a factor then meets its own.
Product without_factors_of_inverses(Store& store, Product p) {
  for (const InverseOperand& inverse : inverses_of(store, p)) {
    const std::optional<Product> apart = with_inverse_of_factors(store, p, inverse);
    if (!apart) continue;
    Product less = without_pairs(store, *apart);
    if (less.operands.size() < apart->operands.size()) return without_factors_of_inverses(store, std::move(less));
  }
  return p;
}

/// Whether a real matrix (batch, rows, columns) is seen to be symmetric: each of its terms is the same product when rows and
/// columns are exchanged.
bool is_seen_symmetric(Store& store, NodeId matrix, std::size_t batch, std::size_t rows) {
  const graph::Node node = store[matrix];
  if (node.field != Field::real) return false;
  if (graph::is<graph::Combination>(node))
    return std::all_of(node.operands.begin(), node.operands.end(),
                       [&](NodeId term) { return is_seen_symmetric(store, term, batch, rows); });
  const Product p = fused(store, as_product(store, matrix));
  Product exchanged = p;
  const auto first = exchanged.subscripts.output.begin() + static_cast<std::ptrdiff_t>(batch);
  std::swap_ranges(first, first + static_cast<std::ptrdiff_t>(rows), first + static_cast<std::ptrdiff_t>(rows));
  const Product a = canonical(store, p), b = canonical(store, exchanged);
  return a.operands == b.operands && a.subscripts == b.subscripts;
}

/// A product in which one inverse and the operands `right` become the solution of a system.
class Solution {
 public:
  Solution(Store& store, const Product& p, const InverseOperand& inverse, bool contracts_rows, std::vector<std::size_t> right)
      : store_(store),
        inverse_(inverse),
        contracts_rows_(contracts_rows),
        contracted_(contracts_rows ? inverse.rows : inverse.columns),
        free_(contracts_rows ? inverse.columns : inverse.rows) {
    std::vector<std::size_t> gone = right;
    gone.push_back(inverse.position);
    rest_ = without_operands(p, gone);
    right_.coefficient = 1;
    for (const std::size_t k : right)
      right_.operands.push_back(p.operands[k]), right_.subscripts.inputs.push_back(p.subscripts.inputs[k]);
    for (const Labels& labels : right_.subscripts.inputs)
      for (const Label label : labels)
        if (!contains(open_, label) && !contains(inverse.batch, label) && has_label(rest_, label)) open_.push_back(label);
    of_shape(p);
  }

  /// Whether the sum over the contracted labels is all that joins the inverse and the right side.
  bool is_valid() const {
    const auto on_right = [&](Label label) {
      return std::any_of(right_.subscripts.inputs.begin(), right_.subscripts.inputs.end(),
                         [&](const Labels& labels) { return contains(labels, label); });
    };
    return std::all_of(contracted_.begin(), contracted_.end(), [&](Label l) { return on_right(l) && !has_label(rest_, l); }) &&
           std::none_of(free_.begin(), free_.end(), on_right);
  }
  double flops() const {
    double order = 1, columns = 1, count = 1;
    for (const Label label : contracted_) order *= extent(label);
    for (const Label label : open_) columns *= extent(label);
    for (const Label label : inverse_.batch) count *= extent(label);
    Product rest = rest_;
    rest.operands.push_back(inverse_.matrix), rest.subscripts.inputs.push_back(axes_of_solution());
    const auto path_flops = [&](const Product& p) {
      cost::Network network{p.subscripts, extents_};
      return cost::best_path(network, cost::quick_search).total.flops;
    };
    return path_flops(right_side()) + count * (2.0 / 3 * order * order * order + 2 * order * order * columns) + path_flops(rest);
  }
  /// The right side as a product; batch labels that it lacks are along a fill.
  Product right_side() const {
    Product p = right_;
    p.subscripts.output = inverse_.batch;
    p.subscripts.output.insert(p.subscripts.output.end(), contracted_.begin(), contracted_.end());
    p.subscripts.output.insert(p.subscripts.output.end(), open_.begin(), open_.end());
    for (std::size_t m = 0; m < inverse_.batch.size(); ++m)
      p.operands.push_back(graph::fill(store_, 1, {store_[inverse_.matrix].shape[m]})),
          p.subscripts.inputs.push_back({inverse_.batch[m]});
    return p;
  }
  graph::Shape shape_of_right_side() const {
    graph::Shape shape;
    for (const Label label : right_side().subscripts.output) shape.push_back(dimensions_[static_cast<std::size_t>(label)]);
    return shape;
  }
  Product with(NodeId right_side) const {
    const auto batch = static_cast<std::int32_t>(inverse_.batch.size()), rows = static_cast<std::int32_t>(contracted_.size());
    const bool is_symmetric = is_seen_symmetric(store_, inverse_.matrix, inverse_.batch.size(), contracted_.size());
    NodeId matrix = inverse_.matrix;
    if (!contracts_rows_) {  // sum over columns of the transposed inverse: a system with the transposed matrix
      std::vector<std::int32_t> order;
      for (std::int32_t m = 0; m < batch; ++m) order.push_back(m);
      for (std::int32_t m = 0; m < rows; ++m) order.push_back(batch + rows + m);
      for (std::int32_t m = 0; m < rows; ++m) order.push_back(batch + m);
      if (!is_symmetric) matrix = graph::permuted(store_, matrix, order);
    }
    const auto system = is_symmetric ? operation::System::symmetric : operation::System::general;
    Product p = rest_;
    p.operands.push_back(store_.insert(graph::Solve{batch, rows, system}, {matrix, right_side}));
    p.subscripts.inputs.push_back(axes_of_solution());
    return p;
  }

 private:
  Labels axes_of_solution() const {
    Labels axes = inverse_.batch;
    axes.insert(axes.end(), free_.begin(), free_.end());
    axes.insert(axes.end(), open_.begin(), open_.end());
    return axes;
  }
  void of_shape(const Product& p) {
    dimensions_.assign(static_cast<std::size_t>(einsum::label_count(p.subscripts)), -1);
    for (std::size_t k = 0; k < p.operands.size(); ++k)
      for (std::size_t axis = 0; axis < p.subscripts.inputs[k].size(); ++axis)
        dimensions_[static_cast<std::size_t>(p.subscripts.inputs[k][axis])] = store_[p.operands[k]].shape[axis];
    for (const graph::DimensionId dimension : dimensions_) extents_.push_back(dimension < 0 ? 1 : store_.extent(dimension));
  }
  double extent(Label label) const { return static_cast<double>(extents_[static_cast<std::size_t>(label)]); }

  Store& store_;
  const InverseOperand& inverse_;
  const bool contracts_rows_;
  const Labels &contracted_, &free_;
  Labels open_;  // of the right side: labels that the rest or the output has
  Product rest_, right_;
  graph::Shape dimensions_;  // by label
  Extents extents_;
};

class Simplification {
 public:
  Simplification(const graph::Graph& graph, Log& log) : store_(*graph.store), log_(log) {
    for (const NodeId id : reachable(graph))
      if (graph::is<graph::Einsum>(store_[id]))
        for (const NodeId operand : store_[id].operands)
          if (graph::is<graph::Inverse>(store_[operand])) ++uses_[operand];
  }

  /// The product with fewer inverses, or -1 if it has none.
  NodeId simplified(const Product& product, const graph::Shape& shape) {
    Product p = fused(store_, without_factors(store_, product));
    if (inverses_of(store_, p).empty()) return -1;
    const Product all = cleaned(store_, p);
    p = without_factors_of_inverses(store_, without_pairs(store_, all));
    if (p.operands.size() < all.operands.size()) log_.rewrote("an inverse meets its matrix: an identity");
    while (std::optional<Product> next = with_solution(p)) p = std::move(*next);
    return to_node(store_, p, shape);
  }

 private:
  /// One inverse that is contracted with others replaced by a solution, in the cheapest way.
  std::optional<Product> with_solution(const Product& p) {
    for (const InverseOperand& inverse : inverses_of(store_, p)) {
      const auto uses = uses_.find(p.operands[inverse.position]);
      if (uses != uses_.end() && uses->second > most_solutions) {
        log_.near_miss("an inverse that many products share is made once");
        continue;
      }
      std::optional<Solution> best;
      double least = 0;
      for (const bool contracts_rows : {true, false})
        for (const std::vector<std::size_t>& right : right_sides(p, inverse, contracts_rows)) {
          const Solution solution(store_, p, inverse, contracts_rows, right);
          if (!solution.is_valid()) continue;
          const double flops = solution.flops();
          if (!best || flops < least) best.emplace(solution), least = flops;
        }
      if (!best) continue;
      log_.rewrote("a product with an inverse becomes the solution of a system");
      const Product right = best->right_side();
      const NodeId inner = simplified(right, best->shape_of_right_side());
      const NodeId node = inner >= 0 ? inner : to_node(store_, without_factors(store_, right), best->shape_of_right_side());
      return cleaned(store_, best->with(node));
    }
    return std::nullopt;
  }
  /// Candidates: the operands that share a contracted label, and all operands.
  std::vector<std::vector<std::size_t>> right_sides(const Product& p, const InverseOperand& inverse, bool contracts_rows) const {
    std::vector<std::size_t> neighbours, all;
    for (std::size_t k = 0; k < p.operands.size(); ++k) {
      if (k == inverse.position) continue;
      all.push_back(k);
      const Labels& labels = p.subscripts.inputs[k];
      if (std::any_of(labels.begin(), labels.end(),
                      [&](Label l) { return contains(contracts_rows ? inverse.rows : inverse.columns, l); }))
        neighbours.push_back(k);
    }
    std::vector<std::vector<std::size_t>> sides{neighbours};
    if (neighbours != all) sides.push_back(all);
    return sides;
  }

  Store& store_;
  Log& log_;
  std::map<NodeId, int> uses_;  // products that an inverse is an operand of
};

}  // namespace

graph::Graph prune_inverses(const graph::Graph& graph, const Context&, Log& log) {
  Simplification simplification(graph, log);
  return rewritten(graph, [&](Store& store, const graph::Node& node, NodeId) {
    const auto* e = graph::as<graph::Einsum>(node);
    if (e == nullptr || !is_ordinary(e->pair)) return kept(store, node);
    const NodeId replacement = simplification.simplified({1, node.operands, e->subscripts}, node.shape);
    return replacement >= 0 ? replacement : kept(store, node);
  });
}

}  // namespace tyto::optimize
