#pragma once
/// Random expression graphs over every operation of the graph, for comparing what passes and executors make of them. Leaves that
/// must be positive are weights.
#include <algorithm>
#include <array>
#include <optional>
#include <random>
#include "graph/build.hpp"
#include "graph/graph.hpp"
#include "optimize/pass.hpp"

namespace tyto {

class RandomGraph {
 public:
  explicit RandomGraph(std::uint64_t seed) : engine_(seed) {
    graph.store = std::make_shared<graph::Store>();
    has_empty_ = below(25) == 0;
    const char* names[] = {"i", "j", "k", "r"};
    for (const char* name : names) {
      const std::int64_t extent = has_empty_ && below(3) == 0 ? 0 : 1 + below(4);
      dimensions_.push_back(store().dimension(std::make_shared<const Dimension>(Dimension{name, extent, extent, false})));
    }
    make_leaves();
    const std::int64_t steps = 3 + below(7);
    for (std::int64_t k = 0; k < steps; ++k) add_any();
    if (below(2) == 0) add_network();
    choose_outputs();
    record_cycle();
  }

  graph::Graph graph;
  optimize::Context context;

 private:
  using Label = einsum::Label;
  using Labels = einsum::Labels;
  struct Value {
    graph::NodeId node;
    bool is_positive = false;  // every element above zero
  };

  graph::Store& store() { return *graph.store; }
  std::int64_t below(std::int64_t n) { return std::uniform_int_distribution<std::int64_t>(0, n - 1)(engine_); }
  template <class T>
  const T& one_of(const std::vector<T>& all) {
    return all[static_cast<std::size_t>(below(static_cast<std::int64_t>(all.size())))];
  }
  double coefficient() { return one_of(std::vector<double>{1, 1, -1, 2, -0.5, 3, 0}); }
  graph::DimensionId dimension() { return one_of(dimensions_); }
  const graph::Shape& shape(graph::NodeId id) { return store()[id].shape; }
  void add(graph::NodeId node, bool is_positive = false) { values_.push_back({node, is_positive}); }

  void make_leaves() {
    const graph::Role roles[] = {graph::Role::data, graph::Role::unknown, graph::Role::unknown};
    for (int k = 0; k < 5; ++k) {
      graph::Shape axes;
      const std::int64_t order = k == 0 ? 3 : below(4);
      for (std::int64_t axis = 0; axis < order; ++axis) axes.push_back(dimension());
      const std::string name = (k >= 3 ? "p" : "x") + std::to_string(k);
      const graph::Role role = k >= 3 ? graph::Role::weights : roles[k];
      const Field field = k == 1 && below(4) == 0 ? Field::complex : Field::real;
      const graph::NodeId leaf =
          store().insert_source(graph::Leaf{name, role, std::make_shared<const char>('\0'), field, {some_symmetry(axes)}}, axes);
      leaves_.push_back(leaf);
      add(leaf, k >= 3);
    }
  }
  /// Now and then, axes of one dimension may be exchanged.
  std::vector<std::vector<std::int32_t>> some_symmetry(const graph::Shape& axes) {
    for (std::size_t a = 0; a < axes.size(); ++a) {
      std::vector<std::int32_t> group;
      for (std::size_t b = a; b < axes.size(); ++b)
        if (axes[b] == axes[a]) group.push_back(static_cast<std::int32_t>(b));
      if (group.size() > 1 && below(2) == 0) return {group};
    }
    return {};
  }

  void add_any() {
    switch (below(16)) {
      case 0:
      case 1:
      case 2:
      case 3: return add_einsum();
      case 4:
      case 5: return add_combination();
      case 6: return add_power();
      case 7: return add_source();
      case 8: return add_solve();
      case 9: return add_inverse();
      case 10: return add_function();
      case 11: return add_function_of_two();
      case 12: return add_soft_maximum();
      case 13: return add_extreme();
      case 14: return add_arrangement();
      default: return add_factorization();
    }
  }
  void add_source() {
    graph::Shape axes{dimension(), dimension()};
    if (below(2) == 0) {
      axes[1] = axes[0];
      return add(graph::identity(store(), axes[0], axes[1]));
    }
    const double value = one_of(std::vector<double>{0, 1, 2, -1.5});
    add(store().insert_source(graph::Fill{value}, graph::Shape(axes.begin(), axes.begin() + below(3))), value > 0);
  }
  graph::NodeId identity_or_ones() {
    const graph::DimensionId d = dimension();
    return below(3) == 0 ? store().insert_source(graph::Fill{one_of(std::vector<double>{1, 2})}, {d})
                         : graph::identity(store(), d, d);
  }
  /// Operands under random labels: repeated within one, shared by several, summed or kept in any order.
  void add_einsum() {
    std::vector<graph::NodeId> operands;
    graph::Einsum e;
    graph::Shape of_label;
    bool is_positive = true;
    std::int64_t points = 1;
    const std::int64_t count = 1 + below(4);
    for (std::int64_t k = 0; k < count; ++k) {
      const Value operand = !operands.empty() && below(4) == 0 ? Value{operands.back(), false}
                            : below(6) == 0                    ? Value{identity_or_ones(), false}
                                                               : one_of(values_);
      Labels labels;
      for (const graph::DimensionId d : shape(operand.node)) {
        std::vector<Label> fitting;
        for (std::size_t l = 0; l < of_label.size(); ++l)
          if (store().fits(of_label[l], d)) fitting.push_back(static_cast<Label>(l));
        if (!fitting.empty() && (points > 600 || below(3) != 0)) {
          labels.push_back(one_of(fitting));
          continue;
        }
        labels.push_back(static_cast<Label>(of_label.size()));
        of_label.push_back(d);
        points *= std::max<std::int64_t>(1, store().extent(d));
      }
      if (points > 3000) return;
      operands.push_back(operand.node);
      e.subscripts.inputs.push_back(labels);
      is_positive = is_positive && operand.is_positive;
    }
    for (std::size_t l = 0; l < of_label.size(); ++l)
      if (e.subscripts.output.size() < 4 && below(2) == 0) e.subscripts.output.push_back(static_cast<Label>(l));
    std::shuffle(e.subscripts.output.begin(), e.subscripts.output.end(), engine_);
    add(store().insert(e, operands), is_positive && !has_empty_);
  }
  void add_combination() {
    const graph::NodeId first = one_of(values_).node;
    std::vector<Value> fitting;
    for (const Value& v : values_)
      if (store().fits(shape(v.node), shape(first))) fitting.push_back(v);
    graph::Combination sum;
    std::vector<graph::NodeId> operands;
    bool is_positive = true;
    const std::int64_t count = 1 + below(3);
    for (std::int64_t k = 0; k < count; ++k) {
      const Value v = one_of(fitting);
      sum.coefficients.push_back(coefficient());
      operands.push_back(v.node);
      is_positive = is_positive && v.is_positive && sum.coefficients.back() > 0;
    }
    add(store().insert(sum, operands), is_positive);
  }
  void add_power() {
    const Value v = one_of(values_);
    const std::vector<double> any{1, 2, 3}, positive{0.5, -1, -0.5, 1.5, 4};  // others of complex numbers have branches
    add(store().insert(graph::Power{one_of(v.is_positive && below(3) != 0 ? positive : any)}, {v.node}), v.is_positive);
  }
  bool is_real(const Value& v) { return store()[v.node].field == Field::real; }
  void add_function() {
    using operation::Function;
    const Value v = one_of(values_);
    if (!is_real(v))
      return add(graph::map(
          store(), one_of(std::vector{Function::conj, Function::real, Function::imag, Function::abs, Function::tanh}), {v.node}));
    std::vector<Function> all{Function::sin,  Function::cos, Function::tanh, Function::sigmoid,
                              Function::relu, Function::abs, Function::sign};
    if (v.is_positive) all.insert(all.end(), 4, Function::log);
    if (graph::is<graph::Leaf>(store()[v.node])) all.insert(all.end(), 4, Function::exp);
    const Function f = one_of(all);
    add(graph::map(store(), f, {v.node}), f == Function::exp || f == Function::sigmoid || (f == Function::abs && v.is_positive));
  }
  void add_function_of_two() {
    using operation::Function;
    const Value a = one_of(values_);
    Value b = one_of(values_);
    if (!is_real(a)) return;
    if (!is_real(b) || !store().fits(shape(a.node), shape(b.node))) {
      const graph::NodeId constant = graph::fill(store(), 0.3, shape(a.node));
      b = {store().insert(graph::Combination{{-0.5, 1}}, {a.node, constant}), false};
    }
    const Function f =
        one_of(std::vector{Function::maximum, Function::minimum, Function::greater, Function::greater_equal, Function::equal});
    add(graph::map(store(), f, {a.node, b.node}), f <= Function::minimum && a.is_positive && b.is_positive);
  }
  void add_soft_maximum() {
    const Value v = one_of(values_);
    if (!is_real(v) || shape(v.node).empty()) return;
    const auto reduced = static_cast<std::int32_t>(1 + below(static_cast<std::int64_t>(shape(v.node).size())));
    if (below(2) == 0) add(graph::softmax(store(), v.node, reduced), true);
    else if (!has_empty_) add(graph::log_sum_exp(store(), v.node, reduced));
  }
  void add_extreme() {
    Value v = one_of(values_);
    if (is_real(v) && !shape(v.node).empty() && below(3) == 0) {  // twice every value, so that several are the largest
      const auto last = static_cast<std::int32_t>(shape(v.node).size()) - 1;
      const graph::DimensionId whole = made("twice", 2 * store().extent(shape(v.node).back()));
      v.node = store().insert(graph::Concatenate{last, whole}, {v.node, v.node});
    }
    if (!is_real(v) || shape(v.node).empty() || has_empty_) return;
    const Labels in = graph::counted(shape(v.node).size());
    const einsum::Pair pair{below(2) == 0 ? einsum::Reduce::max : einsum::Reduce::min, einsum::Combine::product};
    add(store().insert(graph::Einsum{{{in}, Labels(in.begin(), in.end() - 1)}, pair}, {v.node}), v.is_positive);
  }
  graph::DimensionId made(const std::string& name, std::int64_t extent) {
    return store().dimension(std::make_shared<const Dimension>(Dimension{name, extent, extent, false}));
  }
  void add_arrangement() {
    const Value v = one_of(values_);
    const graph::Shape of = shape(v.node);
    if (of.empty()) return;
    const auto axis = static_cast<std::int32_t>(below(static_cast<std::int64_t>(of.size())));
    const std::int64_t extent = store().extent(of[static_cast<std::size_t>(axis)]);
    switch (below(4)) {
      case 0: return add(graph::reshape(store(), v.node, {made("all", store().element_count(v.node))}), v.is_positive);
      case 1: {
        if (extent == 0) return;
        const std::int64_t first = below(extent), step = 1 + below(2), count = 1 + below((extent - 1 - first) / step + 1);
        return add(graph::slice(store(), v.node, {axis, first, step, made("part", count)}), v.is_positive);
      }
      case 2: {
        const std::int64_t first = below(3), step = 1 + below(2);
        return add(graph::pad(store(), v.node, {axis, first, step, made("whole", first + step * extent + below(2))}));
      }
      default: return add(graph::concatenate(store(), {v.node, v.node}, {axis, made("double", 2 * extent)}), v.is_positive);
    }
  }
  /// Of random matrices, whose values differ; of a Cholesky factorization a definite one.
  void add_factorization() {
    using operation::Part;
    const graph::DimensionId row = dimension(), column = dimension();
    const std::int64_t n = store().extent(row), m = store().extent(column);
    if (n == 0 || m == 0) return;
    const auto insert = [&](Part part, graph::NodeId matrix, graph::DimensionId bond) {
      add(store().insert(graph::Factorization{part, 0, bond}, {matrix}));
    };
    if (below(4) == 0) return insert(Part::cholesky, dense_part({row}), row);
    const bool is_square = below(2) == 0;
    const graph::NodeId leaf = store().insert_source(
        graph::Leaf{"x" + std::to_string(store().size()), graph::Role::unknown, std::make_shared<const char>('\0')},
        {row, is_square ? row : column});
    leaves_.push_back(leaf);
    if (is_square) {
      const graph::NodeId symmetric =
          graph::combination(store(), {{0.5, leaf}, {0.5, graph::permuted(store(), leaf, {1, 0})}}, {row, row});
      return insert(one_of(std::vector{Part::values, Part::vectors}), symmetric, row);
    }
    if (n >= m && below(3) == 0) return insert(one_of(std::vector{Part::q, Part::r}), leaf, column);
    insert(one_of(std::vector{Part::u, Part::s, Part::v}), leaf, n < m ? row : column);
  }
  /// B(k,r) B(k,r') + 2 I(r,r') for a random B, its axes doubled: well conditioned for numbers in [-1, 1).
  graph::NodeId dense_part(const graph::Shape& rows) {
    const graph::DimensionId inner = dimension();
    graph::Shape axes{inner};
    axes.insert(axes.end(), rows.begin(), rows.end());
    const graph::NodeId leaf = store().insert_source(
        graph::Leaf{"B" + std::to_string(store().size()), graph::Role::unknown, std::make_shared<const char>('\0')}, axes);
    leaves_.push_back(leaf);
    const auto n = static_cast<Label>(rows.size());
    graph::Einsum gram{{{{2 * n}, {2 * n}}, graph::counted(rows.size() * 2)}, {}}, one{{{}, graph::counted(rows.size() * 2)}, {}};
    std::vector<graph::NodeId> identities;
    for (Label a = 0; a < n; ++a) {
      gram.subscripts.inputs[0].push_back(a), gram.subscripts.inputs[1].push_back(n + a);
      one.subscripts.inputs.push_back({a, n + a});
      identities.push_back(graph::identity(store(), rows[static_cast<std::size_t>(a)], rows[static_cast<std::size_t>(a)]));
    }
    return store().insert(graph::Combination{{1, 2}},
                          {store().insert(gram, {leaf, leaf}), graph::einsum(store(), identities, one.subscripts)});
  }
  /// Identities, dense parts and a positive batch factor over groups of rows, and now and then a second such term or a ridge.
  void add_solve() {
    const auto rows = static_cast<std::size_t>(1 + below(3)), batch = static_cast<std::size_t>(below(3) == 0 ? 1 : 0);
    graph::Shape of_rows, right;
    for (std::size_t m = 0; m < batch + rows; ++m) right.push_back(dimension());
    of_rows.assign(right.begin() + static_cast<std::ptrdiff_t>(batch), right.end());
    std::vector<graph::NodeId> terms;
    const std::int64_t count = 1 + below(2);
    for (std::int64_t t = 0; t < count; ++t) {
      graph::Einsum e{{{}, graph::counted(batch + 2 * rows)}, {}};
      std::vector<graph::NodeId> factors;
      const auto row = [&](std::size_t m) { return static_cast<Label>(batch + m); };
      const auto column = [&](std::size_t m) { return static_cast<Label>(batch + rows + m); };
      for (std::size_t m = 0; m < rows;) {
        const std::size_t width = std::min(rows - m, static_cast<std::size_t>(1 + below(2)));
        const bool ties = below(2) == 0;
        if (ties) {
          factors.push_back(graph::identity(store(), of_rows[m], of_rows[m]));
          e.subscripts.inputs.push_back({row(m), column(m)});
          if (below(2) == 0) {  // one matrix for each entry of the tied axis
            factors.push_back(positive_leaf({of_rows[m]}));
            e.subscripts.inputs.push_back({row(m)});
          }
          ++m;
          continue;
        }
        factors.push_back(dense_part(
            {of_rows.begin() + static_cast<std::ptrdiff_t>(m), of_rows.begin() + static_cast<std::ptrdiff_t>(m + width)}));
        Labels labels;
        for (std::size_t w = 0; w < width; ++w) labels.push_back(row(m + w));
        for (std::size_t w = 0; w < width; ++w) labels.push_back(column(m + w));
        e.subscripts.inputs.push_back(labels);
        m += width;
      }
      if (batch == 1) factors.push_back(positive_leaf({right[0]})), e.subscripts.inputs.push_back({0});
      if (below(3) == 0)
        factors.push_back(positive_leaf({dimension()})), e.subscripts.inputs.push_back({static_cast<Label>(batch + 2 * rows)});
      terms.push_back(store().insert(e, factors));
    }
    const graph::NodeId matrix = terms.size() == 1 ? terms[0] : store().insert(graph::Combination{{1, 0.5}}, terms);
    for (std::int64_t rest = below(2); rest > 0; --rest) right.push_back(dimension());
    const graph::NodeId b = store().insert_source(
        graph::Leaf{"b" + std::to_string(store().size()), graph::Role::data, std::make_shared<const char>('\0')}, right);
    if (batch == 0 && below(3) == 0) return add_general_solve(of_rows, b);
    if (batch == 0 && rows == 2 && below(2) == 0) return add_permuted_solve(of_rows, b);
    constexpr std::array kinds{operation::System::semidefinite, operation::System::general, operation::System::nonnegative};
    const graph::Solve solve{static_cast<std::int32_t>(batch), static_cast<std::int32_t>(rows),
                             kinds[static_cast<std::size_t>(below(3))]};
    add(store().insert(solve, {matrix, b}));
  }
  /// A product of two matrices whose columns stand the other way round.
  void add_permuted_solve(const graph::Shape& rows, graph::NodeId right) {
    const graph::NodeId matrix =
        graph::einsum(store(), {dense_part({rows[0]}), dense_part({rows[1]})}, {{{0, 3}, {1, 2}}, {0, 1, 2, 3}});
    add(store().insert(graph::Solve{0, 2, operation::System::general}, {matrix, right}));
  }
  void add_general_solve(const graph::Shape& rows, graph::NodeId right) {
    const graph::Solve solve{0, static_cast<std::int32_t>(rows.size()), operation::System::general};
    add(store().insert(solve, {general_matrix(rows), right}));
  }
  /// Nothing symmetric: 4 I + B, B random.
  graph::NodeId general_matrix(const graph::Shape& rows) {
    graph::Shape axes = rows;
    axes.insert(axes.end(), rows.begin(), rows.end());
    const graph::NodeId leaf = store().insert_source(
        graph::Leaf{"x" + std::to_string(store().size()), graph::Role::unknown, std::make_shared<const char>('\0')}, axes);
    leaves_.push_back(leaf);
    graph::Einsum one{{{}, graph::counted(axes.size())}, {}};
    std::vector<graph::NodeId> identities;
    const auto n = static_cast<Label>(rows.size());
    for (Label a = 0; a < n; ++a) {
      one.subscripts.inputs.push_back({a, n + a});
      identities.push_back(graph::identity(store(), rows[static_cast<std::size_t>(a)], rows[static_cast<std::size_t>(a)]));
    }
    return store().insert(graph::Combination{{1, 4}}, {leaf, graph::einsum(store(), identities, one.subscripts)});
  }
  graph::NodeId positive_leaf(const graph::Shape& axes) {
    return store().insert_source(
        graph::Leaf{"p" + std::to_string(store().size()), graph::Role::weights, std::make_shared<const char>('\0')}, axes);
  }
  void add_inverse() {
    const graph::Shape rows(static_cast<std::size_t>(1 + below(2)), dimension());
    if (rows.size() == 1 && below(3) == 0) return add_block_diagonal(rows[0]);
    const auto square = [&] { return below(2) == 0 ? dense_part(rows) : general_matrix(rows); };
    const graph::NodeId a = square(), b = square(), matrix = below(3) == 0 ? product_of(a, b, rows) : a,
                        inverted = below(3) == 0 ? graph::scaled(store(), 2, matrix) : matrix,
                        inverse = store().insert(graph::Inverse{0, static_cast<std::int32_t>(rows.size())}, {inverted});
    add(inverse);
    if (below(3) != 0) add_product_of_inverse(inverse, below(4) == 0 ? a : matrix, rows);
  }
  graph::NodeId product_of(graph::NodeId a, graph::NodeId b, const graph::Shape& rows) {
    const std::size_t n = rows.size();
    const auto m = static_cast<Label>(n);
    return graph::einsum(store(), {a, b},
                         {{joined(graph::counted(n), graph::counted(n, m)), joined(graph::counted(n, m), graph::counted(n, 2 * m))},
                          joined(graph::counted(n), graph::counted(n, 2 * m))});
  }
  static Labels joined(Labels a, const Labels& b) { return a.insert(a.end(), b.begin(), b.end()), a; }
  /// An inverse times its matrix and a third, meeting in any way.
  void add_product_of_inverse(graph::NodeId inverse, graph::NodeId matrix, const graph::Shape& rows) {
    const auto n = static_cast<Label>(rows.size());
    const std::vector<Labels> labels{graph::counted(rows.size()), graph::counted(rows.size(), n),
                                     graph::counted(rows.size(), 2 * n)};
    const graph::NodeId leaf = store().insert_source(
        graph::Leaf{"x" + std::to_string(store().size()), graph::Role::unknown, std::make_shared<const char>('\0')}, rows);
    leaves_.push_back(leaf);
    if (below(2) == 0)  // the two meet in all of their rows or columns
      return add(below(2) == 0
                     ? graph::einsum(store(), {inverse, matrix, leaf},
                                     {{joined(labels[0], labels[1]), joined(labels[2], labels[1]), labels[2]}, labels[0]})
                     : graph::einsum(store(), {inverse, matrix, leaf},
                                     {{joined(labels[1], labels[0]), joined(labels[1], labels[2]), labels[2]}, labels[0]}));
    const std::int64_t first = below(3), second = (first + 1 + below(2)) % 3;
    const Labels of_matrix = joined(labels[static_cast<std::size_t>(first)], labels[static_cast<std::size_t>(second)]),
                 of_leaf = one_of(labels), output = one_of(labels);
    if (below(3) == 0) {  // without the matrix
      const std::int64_t side = below(2);
      return add(graph::einsum(
          store(), {inverse, leaf},
          {{joined(labels[0], labels[1]), labels[static_cast<std::size_t>(side)]}, labels[static_cast<std::size_t>(1 - side)]}));
    }
    const bool is_there = output == labels[0] || output == labels[1] || output == of_leaf ||
                          output == labels[static_cast<std::size_t>(first)] || output == labels[static_cast<std::size_t>(second)];
    add(graph::einsum(store(), {inverse, matrix, leaf},
                      {{joined(labels[0], labels[1]), of_matrix, of_leaf}, is_there ? output : of_leaf}));
  }
  /// A system whose matrix has two blocks, padded into one.
  void add_block_diagonal(graph::DimensionId first) {
    const graph::DimensionId second = dimension();
    const std::int64_t n = store().extent(first), m = store().extent(second);
    if (n == 0 || m == 0) return;
    const auto whole = store().dimension(std::make_shared<const Dimension>(Dimension{"w", n + m, n + m, false}));
    const auto at = [&](graph::NodeId block, std::int64_t position) {
      return graph::pad(store(), graph::pad(store(), block, {0, position, 1, whole}), {1, position, 1, whole});
    };
    const graph::NodeId matrix =
        graph::combination(store(), {{1, at(dense_part({first}), 0)}, {2, at(dense_part({second}), n)}}, {whole, whole});
    const graph::NodeId right = store().insert_source(
        graph::Leaf{"x" + std::to_string(store().size()), graph::Role::data, std::make_shared<const char>('\0')}, {whole});
    if (below(2) == 0) add(store().insert(graph::Inverse{0, 1}, {matrix}));
    else
      add(store().insert(graph::Solve{0, 1, below(2) == 0 ? operation::System::semidefinite : operation::System::general},
                         {matrix, right}));
  }

  /// A scalar product of leaves and what is left of it without some of them: kernels that share a tree. Half of the networks are
  /// plain: no leaf twice, and each kernel is the network without one, as the blocks of an alternating method ask for them.
  void add_network() {
    const bool is_plain = below(2) == 0;
    std::vector<graph::NodeId> operands, unused = leaves_;
    std::shuffle(unused.begin(), unused.end(), engine_);
    graph::Einsum e;
    graph::Shape of_label;
    for (std::int64_t k = 3 + below(is_plain ? 2 : 3); k > 0; --k) {
      const graph::NodeId operand = is_plain ? unused[static_cast<std::size_t>(k - 1)] : one_of(leaves_);
      Labels labels;
      for (const graph::DimensionId d : shape(operand)) {
        std::vector<Label> fitting;
        for (std::size_t l = 0; l < of_label.size(); ++l)
          if (store().fits(of_label[l], d) && !einsum::contains(labels, static_cast<Label>(l)))
            fitting.push_back(static_cast<Label>(l));
        if (fitting.empty() || (of_label.size() < 5 && below(3) == 0))
          fitting = {static_cast<Label>(of_label.size())}, of_label.push_back(d);
        labels.push_back(one_of(fitting));
      }
      operands.push_back(operand);
      e.subscripts.inputs.push_back(labels);
    }
    if (of_label.size() > 6) return;
    const graph::NodeId scalar = store().insert(e, operands);
    context.objectives.push_back(scalar);
    outputs_.push_back(scalar);
    for (std::size_t out = 0; out < operands.size(); ++out)
      if (is_plain) add_kernel(e, operands, of_label, only(operands.size(), out), true);
      else if (below(4) != 0) add_kernel(e, operands, of_label, some_operands(operands.size(), out), false);
  }
  /// Operands to leave out, by place: one, or now and then two.
  static std::vector<char> only(std::size_t count, std::size_t first) {
    std::vector<char> is_left_out(count, 0);
    is_left_out[first] = 1;
    return is_left_out;
  }
  std::vector<char> some_operands(std::size_t count, std::size_t first) {
    std::vector<char> is_left_out = only(count, first);
    if (below(3) == 0) is_left_out[static_cast<std::size_t>(below(static_cast<std::int64_t>(count)))] = 1;
    return is_left_out;
  }
  /// A network without some of its operands, open where they were; unless it is plain, now and then another leaf stands in their
  /// place, a label that the network sums stays, or one that is open is summed.
  void add_kernel(const graph::Einsum& network, const std::vector<graph::NodeId>& operands, graph::Shape of_label,
                  const std::vector<char>& is_left_out, bool is_plain) {
    graph::Einsum kernel;
    std::vector<graph::NodeId> others;
    Labels outside;
    for (std::size_t k = 0; k < operands.size(); ++k) {
      const Labels& labels = network.subscripts.inputs[k];
      if (is_left_out[k] != 0) outside.insert(outside.end(), labels.begin(), labels.end());
      else others.push_back(operands[k]), kernel.subscripts.inputs.push_back(labels);
    }
    if (!is_plain && below(3) == 0) {
      const graph::NodeId stranger = one_of(leaves_);
      const std::optional<Labels> labels = labels_in_place(stranger, outside, of_label);
      if (!labels) return;
      others.push_back(stranger), kernel.subscripts.inputs.push_back(*labels);
    }
    for (std::size_t l = 0; l < of_label.size(); ++l) {
      const auto label = static_cast<Label>(l);
      const bool is_there = std::any_of(kernel.subscripts.inputs.begin(), kernel.subscripts.inputs.end(),
                                        [&](const Labels& in) { return einsum::contains(in, label); });
      const bool is_new = network_has_not(network, label), is_open = is_new || einsum::contains(outside, label);
      if (is_there && is_open != (!is_plain && below(8) == 0)) kernel.subscripts.output.push_back(label);
    }
    std::shuffle(kernel.subscripts.output.begin(), kernel.subscripts.output.end(), engine_);
    outputs_.push_back(store().insert(kernel, others));
  }
  static bool network_has_not(const graph::Einsum& network, Label label) {
    return std::none_of(network.subscripts.inputs.begin(), network.subscripts.inputs.end(),
                        [&](const Labels& in) { return einsum::contains(in, label); });
  }
  /// Labels by which a leaf meets those that were left open, and at most one of its own; none where its extents do not fit.
  std::optional<Labels> labels_in_place(graph::NodeId leaf, const Labels& outside, graph::Shape& of_label) {
    Labels labels;
    bool has_own = false;
    for (const graph::DimensionId d : shape(leaf)) {
      std::vector<Label> fitting;
      for (const Label l : outside)
        if (store().fits(of_label[static_cast<std::size_t>(l)], d) && !einsum::contains(labels, l)) fitting.push_back(l);
      if (!has_own && (fitting.empty() || below(3) == 0)) {
        fitting = {static_cast<Label>(of_label.size())};
        of_label.push_back(d), has_own = true;
      }
      if (fitting.empty()) return {};
      labels.push_back(one_of(fitting));
    }
    return labels;
  }
  void choose_outputs() {
    outputs_.push_back(values_.back().node);
    for (std::int64_t k = below(3); k > 0; --k) outputs_.push_back(one_of(values_).node);
    for (std::size_t k = 0; k < outputs_.size(); ++k) graph.outputs.push_back({"f" + std::to_string(k), outputs_[k]});
  }
  /// Mostly a cycle: of any outputs, or of all in turn. Half of the graphs may have other trees at each event, and in half of those
  /// every output is there for two turns.
  void record_cycle() {
    context.trees_by_event = below(2) == 0, context.is_thorough = below(2) == 0;
    if (context.trees_by_event && below(2) == 0)
      for (std::size_t k = 0; k < outputs_.size(); ++k) graph.outputs.push_back({"again" + std::to_string(k), outputs_[k]});
    const bool is_in_turn = below(context.trees_by_event ? 5 : 3) != 0;
    if (!is_in_turn && below(2) == 0) return;
    const auto some_leaf = [&] { return below(4) == 0 ? -1 : one_of(leaves_); };
    if (is_in_turn) {
      for (const graph::Output& output : graph.outputs) context.cycle.push_back({{output.name}, some_leaf()});
      return;
    }
    for (std::int64_t k = 1 + below(6); k > 0; --k) {
      optimize::Event event{{one_of(graph.outputs).name}, some_leaf()};
      if (below(4) == 0) event.outputs.push_back(one_of(graph.outputs).name);
      context.cycle.push_back(event);
    }
  }

  std::mt19937_64 engine_;
  bool has_empty_ = false;
  std::vector<graph::DimensionId> dimensions_;
  std::vector<graph::NodeId> leaves_, outputs_;
  std::vector<Value> values_;
};

}  // namespace tyto
