// One function for each kind of node; buffers and steps are made by the builder.
#include "plan/lower.hpp"
#include <algorithm>
#include <numeric>
#include "error/fail.hpp"
#include "graph/order.hpp"
#include "plan/builder.hpp"
#include "plan/operations.hpp"

namespace tyto::plan {

using einsum::Labels;
using graph::NodeId;
using program::BufferId;

namespace {

class Lowering {
 public:
  Lowering(const graph::Graph& graph, const device::Model& device, const Options& options, const Layouts& layouts)
      : graph_(graph),
        store_(*graph.store),
        order_(depth_first(graph)),
        numbered_(wishes()),
        builder_(graph, device, options, layouts) {}

  Lowered run() {
    for (const NodeId id : order_)
      builder_.set_value(id,
                         std::visit([&](const auto& operation) { return made(id, store_[id], operation); }, store_[id].operation));
    for (const graph::Output& output : graph_.outputs) builder_.add_kernel(output);
    return builder_.finish();
  }

 private:
  /// In which order the axes of each node are numbered in its buffer, empty where nobody cares. Steps that number axes tell the
  /// producers of their operands, so that these are not copied to be numbered otherwise.
  std::vector<Axes> wishes() const {
    std::vector<Axes> wanted(static_cast<std::size_t>(store_.size()));
    const auto wish = [&](NodeId operand, const Axes& order) {
      const Base base = base_of(store_, operand);
      Axes& of_base = wanted[static_cast<std::size_t>(base.node)];
      if (!of_base.empty()) return;
      for (const std::int32_t axis : order) of_base.push_back(base.axes[static_cast<std::size_t>(axis)]);
    };
    for (auto it = order_.rbegin(); it != order_.rend(); ++it) {
      const graph::Node& node = store_[*it];
      if (graph::is<graph::Einsum>(node)) continue;
      const Axes& own = wanted[static_cast<std::size_t>(*it)];
      for (const NodeId operand : node.operands)
        wish(operand, numbers_axes(node) || own.empty() ? counted_axes(store_[operand].shape.size()) : Axes(own));
    }
    return wanted;
  }
  Axes numbered(NodeId id) const {
    const Axes& wanted = numbered_[static_cast<std::size_t>(id)];
    return wanted.empty() ? counted_axes(store_[id].shape.size()) : wanted;
  }

  Value made(NodeId id, const graph::Node&, const graph::Leaf& leaf) { return builder_.new_leaf(id, leaf.name); }
  Value made(NodeId id, const graph::Node& node, const graph::Einsum& e) {
    Axes axes;
    if (is_permutation(node, axes)) {
      const Value& operand = builder_.value(node.operands[0]);
      Value v{operand.buffer, {}};
      for (const std::int32_t axis : axes) v.axes.push_back(operand.axes[static_cast<std::size_t>(axis)]);
      return v;
    }
    program::Contraction contraction{{}, {}, e.pair};
    const std::vector<char> skipped = repetitions(store_, node);
    for (std::size_t k = 0; k < node.operands.size(); ++k) {
      if (skipped[k] != 0) continue;
      const Value& operand = builder_.value(node.operands[k]);
      contraction.inputs.push_back({builder_.converted(id, operand.buffer), labels_of(operand, e.subscripts.inputs[k])});
    }
    const Value v = builder_.new_buffer(id, numbered(id));
    contraction.out = {v.buffer, labels_of(v, e.subscripts.output)};
    if (contraction.inputs.empty()) builder_.add_step(id, program::Fill{1, v.buffer});
    else builder_.add_step(id, contraction);
    return v;
  }
  /// Labels of node axes as labels of the axes of its buffer.
  static Labels labels_of(const Value& v, const Labels& of_node) {
    Labels labels(v.axes.size());
    for (std::size_t axis = 0; axis < labels.size(); ++axis) labels[static_cast<std::size_t>(v.axes[axis])] = of_node[axis];
    return labels;
  }
  /// All parts of a factorization are made by one step, the first that is asked for; each is then cut out.
  Value made(NodeId id, const graph::Node& node, const graph::Factorization& f) {
    const operation::Decomposition decomposition = operation::decomposition_of(f.part);
    const NodeId matrix = node.operands[0];
    const Extents extents = store_.extents(matrix);
    const auto batch = static_cast<std::size_t>(f.batch);
    const std::vector<std::int64_t> sizes = program::part_sizes(decomposition, extents[batch], extents[batch + 1]);
    const auto [known, is_new] = packed_.try_emplace({matrix, decomposition}, -1);
    if (is_new)
      known->second = factorized(id, matrix, decomposition, batch, std::accumulate(sizes.begin(), sizes.end(), std::int64_t{0}));
    const std::vector<operation::Part> parts = operation::parts_of(decomposition);
    std::int64_t first = 0;
    for (std::size_t k = 0; parts[k] != f.part; ++k) first += sizes[k];
    const Value v = builder_.new_buffer(id, counted_axes(node.shape.size()));
    BufferId out = v.buffer;
    if (const Dtype type = builder_.buffer(known->second).dtype;
        builder_.buffer(out).dtype != type) {  // real values of a complex matrix
      program::Buffer complex = builder_.buffer(out);
      complex.dtype = type;
      out = builder_.add_buffer(std::move(complex));
    }
    builder_.add_step(id, program::Part{known->second, out, f.batch, first});
    if (out != v.buffer) builder_.add_step(id, program::Map{operation::Function::real, {out}, v.buffer});
    return v;
  }
  BufferId factorized(NodeId id, NodeId matrix, operation::Decomposition decomposition, std::size_t batch, std::int64_t elements) {
    const Extents extents = store_.extents(matrix);
    const BufferId input = builder_.as_it_is(matrix);
    program::Buffer packed{.name = builder_.name(id) + " packed", .dtype = builder_.type_of(store_[matrix].field)};
    packed.extents.assign(extents.begin(), extents.begin() + static_cast<std::ptrdiff_t>(batch));
    packed.labels.assign(batch, "batch");
    packed.extents.push_back(elements), packed.labels.push_back("element");
    packed.strides = row_major(packed.extents);
    const BufferId made = builder_.add_buffer(std::move(packed));
    builder_.add_step(id, program::Factorization{decomposition, input, made});
    return made;
  }
  /// All others: one step on buffers whose axes are numbered as the node's, or all in another order.
  template <class Operation>
  Value made(NodeId id, const graph::Node& node, const Operation&) {
    const Axes order = numbers_axes(node) ? counted_axes(node.shape.size()) : numbered(id);
    std::vector<BufferId> inputs;
    for (const NodeId operand : node.operands) {
      const BufferId input = numbers_axes(node) ? builder_.as_it_is(operand) : builder_.in_order(operand, order);
      inputs.push_back(graph::is<graph::Map>(node) ? input : builder_.converted(id, input));
    }
    const Value v = builder_.new_buffer(id, order);
    builder_.add_step(id, operation_of(node, inputs, v.buffer, builder_.buffers()));
    return v;
  }

  const graph::Graph& graph_;
  const graph::Store& store_;
  std::vector<NodeId> order_;
  std::vector<Axes> numbered_;
  ProgramBuilder builder_;
  std::map<std::pair<NodeId, operation::Decomposition>, BufferId> packed_;
};

}  // namespace

Lowered lower(const graph::Graph& graph, const device::Model& device, const Options& options, const Layouts& layouts) {
  return Lowering(graph, device, options, layouts).run();
}

}  // namespace tyto::plan
