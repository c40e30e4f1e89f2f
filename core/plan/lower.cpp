#include "plan/lower.hpp"
#include <algorithm>
#include <map>
#include <numeric>
#include <fmt/format.h>
#include "error/fail.hpp"
#include "graph/order.hpp"
#include "graph/build.hpp"
#include "graph/text.hpp"

namespace tyto::plan {

using einsum::Label;
using einsum::Labels;
using graph::NodeId;
using program::BufferId;
using Axes = std::vector<std::int32_t>;

namespace {

Axes counted_axes(std::size_t n) {
  Axes axes(n);
  std::iota(axes.begin(), axes.end(), 0);
  return axes;
}

/// A node that only permutes the axes of its operand: result axis k is operand axis axes[k].
bool is_permutation(const graph::Node& node, Axes& axes) {
  const auto* e = graph::as<graph::Einsum>(node);
  if (e == nullptr || node.operands.size() != 1 || !is_ordinary(e->pair)) return false;
  const Labels &in = e->subscripts.inputs[0], &out = e->subscripts.output;
  if (in.size() != out.size()) return false;
  axes.clear();
  for (const Label label : out) axes.push_back(static_cast<std::int32_t>(std::find(in.begin(), in.end(), label) - in.begin()));
  for (const std::int32_t axis : axes)
    if (axis >= static_cast<std::int32_t>(in.size())) return false;
  Axes sorted = axes;
  std::sort(sorted.begin(), sorted.end());
  return sorted == counted_axes(in.size());
}

class Lowering {
 public:
  Lowering(const graph::Graph& graph, const device::Model& device, const Options& options)
      : graph_(graph), store_(*graph.store), device_(device), options_(options), naming_(graph), order_(depth_first(graph)) {
    const auto n = static_cast<std::size_t>(store_.size());
    value_.resize(n), wanted_.resize(n);
  }

  Lowered run() {
    wish_orders();
    for (const NodeId id : order_) make(id);
    for (const graph::Output& output : graph_.outputs) add_kernel(output);
    return std::move(result_);
  }

 private:
  /// A node as a buffer: node axis k is buffer axis axes[k].
  struct Value {
    BufferId buffer = -1;
    Axes axes;
  };

  /// The node behind permutations, and `order` (axes of `id`) as axes of that node.
  NodeId base_of(NodeId id, Axes& order) const {
    Axes axes;
    while (is_permutation(store_[id], axes)) {
      for (std::int32_t& axis : order) axis = axes[static_cast<std::size_t>(axis)];
      id = store_[id].operands[0];
    }
    return id;
  }
  /// Consumers that need axes in one order tell producers, so that the producer writes them so and nothing is transposed.
  void wish_orders() {
    const auto wish = [&](NodeId operand, Axes order) {
      const NodeId base = base_of(operand, order);
      Axes& wanted = wanted_[static_cast<std::size_t>(base)];
      if (wanted.empty()) wanted = order;
    };
    for (auto it = order_.rbegin(); it != order_.rend(); ++it) {
      const graph::Node& node = store_[*it];
      if (graph::is<graph::Solve>(node) || graph::is<graph::Inverse>(node)) {
        for (const NodeId operand : node.operands) wish(operand, counted_axes(store_[operand].shape.size()));
      } else if (graph::is<graph::Combination>(node) || graph::is<graph::Power>(node) || graph::is<graph::Map>(node)) {
        Axes own = wanted_[static_cast<std::size_t>(*it)];
        if (own.empty()) own = counted_axes(node.shape.size());
        for (const NodeId operand : node.operands) wish(operand, own);
      }
    }
  }

  Dtype type_of(Field field) const {
    return field == Field::complex ? program::complex_type(options_.precision) : options_.precision;
  }
  const Value& value(NodeId id) const { return value_[static_cast<std::size_t>(id)]; }
  program::Buffer& buffer(BufferId id) { return result_.program.buffers[static_cast<std::size_t>(id)]; }

  /// A buffer for a node. Its axes are the node's in the order `order`; in memory they lie as `memory` says (node axes, slowest
  /// first).
  Value new_buffer(NodeId id, const Axes& order, const Axes& memory, program::Storage storage) {
    const Extents extents = store_.extents(id);
    const std::vector<std::string> labels = naming_.axes(store_[id].shape);
    Extents stride(extents.size(), 1);
    std::int64_t next = 1;
    for (std::size_t k = memory.size(); k-- > 0;) {
      const auto axis = static_cast<std::size_t>(memory[k]);
      stride[axis] = next;
      next *= extents[axis];
    }
    program::Buffer made{.name = naming_.node(id), .storage = storage, .dtype = type_of(store_[id].field)};
    for (const std::int32_t axis : order) {
      const auto k = static_cast<std::size_t>(axis);
      made.extents.push_back(extents[k]), made.strides.push_back(stride[k]), made.labels.push_back(labels[k]);
    }
    result_.program.buffers.push_back(std::move(made));
    Axes inverse(order.size());
    for (std::size_t k = 0; k < order.size(); ++k) inverse[static_cast<std::size_t>(order[k])] = static_cast<std::int32_t>(k);
    return {static_cast<BufferId>(result_.program.buffers.size()) - 1, inverse};
  }
  Value new_buffer(NodeId id) {
    const Axes& wanted = wanted_[static_cast<std::size_t>(id)];
    const Axes natural = counted_axes(store_[id].shape.size());
    return new_buffer(id, wanted.empty() ? natural : wanted, natural, program::Storage::arena);
  }

  void add_step(NodeId id, program::Operation operation) {
    const std::vector<program::Buffer>& buffers = result_.program.buffers;
    if (const auto reason = device_.refuses(operation, buffers)) {
      if (auto* contraction = std::get_if<program::Contraction>(&operation);
          contraction != nullptr && contraction->inputs.size() > 2)
        return add_split(id, *contraction);
      fail({.code = Code::unsupported,
            .where = {.quote = graph::print_node(store_, naming_, id)},
            .what = "the executor cannot run a step",
            .found = *reason,
            .hint = "execution.executor: reference runs everything, slowly"});
    }
    program::Step step{.operation = operation};
    step.flops = program::flops_of(operation, buffers);
    step.bytes = program::bytes_of(operation, buffers);
    step.scratch_bytes = device_.scratch_bytes(operation, buffers);
    std::vector<program::LeafId> depends;
    for (const BufferId input : program::inputs_of(operation)) {
      const std::vector<program::LeafId>& of_input = buffers[static_cast<std::size_t>(input)].depends_on;
      depends.insert(depends.end(), of_input.begin(), of_input.end());
    }
    std::sort(depends.begin(), depends.end());
    depends.erase(std::unique(depends.begin(), depends.end()), depends.end());
    program::Buffer& out = buffer(program::output_of(operation));
    out.depends_on = depends;
    if (depends.empty()) {
      out.storage = program::Storage::constant;
      result_.program.constants.push_back(static_cast<program::StepId>(result_.program.steps.size()));
    }
    result_.program.steps.push_back(std::move(step));
    result_.step_nodes.push_back(id);
  }
  /// A product that no pass has split: from left to right, each time all labels kept that are needed later.
  void add_split(NodeId id, const program::Contraction& whole) {
    program::Operand left = whole.inputs[0];
    for (std::size_t k = 1; k < whole.inputs.size(); ++k) {
      if (k + 1 == whole.inputs.size()) return add_step(id, program::Contraction{{left, whole.inputs[k]}, whole.out, whole.pair});
      program::Buffer partial{.name = fmt::format("{}.{}", naming_.node(id), k), .dtype = type_of(store_[id].field)};
      Labels kept;
      for (const program::Operand& side : {left, whole.inputs[k]}) {
        for (std::size_t axis = 0; axis < side.labels.size(); ++axis) {
          const Label label = side.labels[axis];
          bool needed = einsum::contains(whole.out.labels, label) || !is_ordinary(whole.pair);  // others do not distribute
          for (std::size_t later = k + 1; later < whole.inputs.size(); ++later)
            needed = needed || einsum::contains(whole.inputs[later].labels, label);
          if (!needed || einsum::contains(kept, label)) continue;
          kept.push_back(label);
          partial.extents.push_back(buffer(side.buffer).extents[axis]);
          partial.labels.push_back(buffer(side.buffer).labels[axis]);
        }
      }
      partial.strides = row_major(partial.extents);
      result_.program.buffers.push_back(std::move(partial));
      const program::Operand out{static_cast<BufferId>(result_.program.buffers.size()) - 1, kept};
      add_step(id, program::Contraction{{left, whole.inputs[k]}, out, whole.pair});
      left = out;
    }
  }

  /// The value with its buffer's axes in the order `order` of node axes; copied if it lies otherwise.
  BufferId in_order(NodeId id, const Axes& order) {
    const Value& known = value(id);
    Axes of_buffer;
    for (const std::int32_t axis : order) of_buffer.push_back(known.axes[static_cast<std::size_t>(axis)]);
    if (of_buffer == counted_axes(order.size())) return known.buffer;
    const Value copy = new_buffer(id, order, order, program::Storage::arena);
    Labels from(order.size()), to;
    for (std::size_t k = 0; k < order.size(); ++k) from[static_cast<std::size_t>(known.axes[k])] = static_cast<Label>(k);
    for (const std::int32_t axis : order) to.push_back(axis);
    add_step(id, program::Contraction{{{known.buffer, from}}, {copy.buffer, to}, {}});
    return copy.buffer;
  }
  /// As it is, for a consumer that reads any strides: a leaf that lies otherwise is viewed, where another value is copied.
  BufferId viewed(NodeId id) {
    const Value& known = value(id);
    if (buffer(known.buffer).storage != program::Storage::leaf || known.axes == counted_axes(known.axes.size()))
      return as_it_is(id);
    program::Buffer view = buffer(known.buffer);
    const program::Buffer lying = view;
    for (std::size_t k = 0; k < known.axes.size(); ++k) {
      const auto axis = static_cast<std::size_t>(known.axes[k]);
      view.extents[k] = lying.extents[axis], view.strides[k] = lying.strides[axis], view.labels[k] = lying.labels[axis];
    }
    result_.program.buffers.push_back(std::move(view));
    return static_cast<BufferId>(result_.program.buffers.size()) - 1;
  }
  BufferId as_it_is(NodeId id) { return in_order(id, counted_axes(store_[id].shape.size())); }

  /// The buffer, or complex values of it where the consumer is complex and it is real.
  BufferId converted(NodeId consumer, BufferId id) {
    if (store_[consumer].field == Field::real || program::is_complex(buffer(id).dtype)) return id;
    const auto known = complex_.find(id);
    if (known != complex_.end()) return known->second;
    program::Buffer copy = buffer(id);
    copy.name += " complex";
    copy.dtype = program::complex_type(copy.dtype);
    copy.storage = program::Storage::arena;
    copy.leaf = -1;
    copy.strides = row_major_like(copy);
    result_.program.buffers.push_back(std::move(copy));
    const auto made = static_cast<BufferId>(result_.program.buffers.size()) - 1;
    add_step(consumer, program::Convert{id, made});
    return complex_[id] = made;
  }
  /// Dense strides with the axes in the order in which they lie.
  static Extents row_major_like(const program::Buffer& b) {
    Axes memory = counted_axes(b.extents.size());
    std::stable_sort(memory.begin(), memory.end(), [&](std::int32_t x, std::int32_t y) {
      return b.strides[static_cast<std::size_t>(x)] > b.strides[static_cast<std::size_t>(y)];
    });
    Extents strides(b.extents.size(), 1);
    std::int64_t next = 1;
    for (std::size_t k = memory.size(); k-- > 0;) {
      strides[static_cast<std::size_t>(memory[k])] = next;
      next *= b.extents[static_cast<std::size_t>(memory[k])];
    }
    return strides;
  }

  void make(NodeId id) {
    value_[static_cast<std::size_t>(id)] =
        std::visit([&](const auto& operation) { return made(id, store_[id], operation); }, store_[id].operation);
  }
  Value made(NodeId id, const graph::Node&, const graph::Leaf& leaf) {
    const Axes natural = counted_axes(store_[id].shape.size());
    const Value v = new_buffer(id, natural, natural, program::Storage::leaf);
    program::Buffer& b = buffer(v.buffer);
    const auto given = options_.leaf_strides.find(id);
    if (given != options_.leaf_strides.end()) b.strides = given->second;
    b.leaf = static_cast<program::LeafId>(result_.leaves.size());
    b.depends_on = {b.leaf};
    result_.program.leaves.push_back({leaf.name, b.dtype, b.extents, b.strides});
    result_.leaves.push_back(id);
    return v;
  }
  Value made(NodeId id, const graph::Node&, const graph::Fill& fill) {
    const Value v = new_buffer(id);
    add_step(id, program::Fill{fill.value, v.buffer});
    return v;
  }
  Value made(NodeId id, const graph::Node&, const graph::Identity&) {
    const Value v = new_buffer(id);
    add_step(id, program::Identity{v.buffer});
    return v;
  }
  Value made(NodeId id, const graph::Node& node, const graph::Einsum& e) {
    Axes axes;
    if (is_permutation(node, axes)) {
      const Value& operand = value(node.operands[0]);
      Value v{operand.buffer, {}};
      for (const std::int32_t axis : axes) v.axes.push_back(operand.axes[static_cast<std::size_t>(axis)]);
      return v;
    }
    program::Contraction contraction{{}, {}, e.pair};
    const std::vector<char> skipped = repetitions(node, e);
    for (std::size_t k = 0; k < node.operands.size(); ++k) {
      if (skipped[k] != 0) continue;
      const Value& operand = value(node.operands[k]);
      Labels labels(operand.axes.size());
      for (std::size_t axis = 0; axis < labels.size(); ++axis)
        labels[static_cast<std::size_t>(operand.axes[axis])] = e.subscripts.inputs[k][axis];
      contraction.inputs.push_back({converted(id, operand.buffer), labels});
    }
    const Value v = new_buffer(id);
    if (contraction.inputs.empty()) {
      add_step(id, program::Fill{1, v.buffer});
      return v;
    }
    Labels out(v.axes.size());
    for (std::size_t axis = 0; axis < out.size(); ++axis) out[static_cast<std::size_t>(v.axes[axis])] = e.subscripts.output[axis];
    contraction.out = {v.buffer, out};
    add_step(id, contraction);
    return v;
  }
  /// Marks operands that are ones and only repeat values: each of their labels is in the output or on an operand that stays.
  std::vector<char> repetitions(const graph::Node& node, const graph::Einsum& e) const {
    std::vector<char> skipped(node.operands.size(), 0);
    for (std::size_t k = 0; k < node.operands.size(); ++k) {
      const auto* fill = graph::as<graph::Fill>(store_[node.operands[k]]);
      if (fill == nullptr || fill->value != 1 || !is_ordinary(e.pair)) continue;
      const Labels& own = e.subscripts.inputs[k];
      skipped[k] = std::all_of(own.begin(), own.end(),
                               [&](Label label) {
                                 bool is_kept = einsum::contains(e.subscripts.output, label);
                                 for (std::size_t other = 0; other < node.operands.size(); ++other)
                                   is_kept = is_kept || (other != k && skipped[other] == 0 &&
                                                         einsum::contains(e.subscripts.inputs[other], label));
                                 return is_kept;
                               })
                       ? 1
                       : 0;
    }
    return skipped;
  }
  Value made(NodeId id, const graph::Node& node, const graph::Combination& c) {
    const Value v = new_buffer(id);
    program::Combination step{c.coefficients, {}, v.buffer};
    for (const NodeId operand : node.operands) step.inputs.push_back(converted(id, in_order(operand, order_of(v))));
    add_step(id, step);
    return v;
  }
  Value made(NodeId id, const graph::Node& node, const graph::Map& m) {
    const Value v = new_buffer(id);
    if (m.function == operation::Function::complex) {
      const BufferId input = in_order(node.operands[0], order_of(v));
      if (program::is_complex(buffer(input).dtype)) add_step(id, program::Combination{{1}, {input}, v.buffer});
      else add_step(id, program::Convert{input, v.buffer});
      return v;
    }
    program::Map step{m.function, {}, v.buffer};
    for (const NodeId operand : node.operands) step.inputs.push_back(in_order(operand, order_of(v)));
    add_step(id, step);
    return v;
  }
  Value made(NodeId id, const graph::Node&, const graph::ImaginaryUnit&) {
    const Value v = new_buffer(id);
    add_step(id, program::Fill{1, v.buffer, true});
    return v;
  }
  Value made(NodeId id, const graph::Node&, const graph::Triangle& t) {
    const Value v = natural_buffer(id);
    add_step(id, program::Triangle{t.diagonal, v.buffer});
    return v;
  }
  /// Operations that number axes: operands and result as the node has them.
  Value natural_buffer(NodeId id) {
    const Axes natural = counted_axes(store_[id].shape.size());
    return new_buffer(id, natural, natural, program::Storage::arena);
  }
  template <class Made>
  Value natural(NodeId id, const graph::Node& node, Made&& made) {
    std::vector<BufferId> inputs;
    for (const NodeId operand : node.operands) inputs.push_back(converted(id, as_it_is(operand)));
    const Value v = natural_buffer(id);
    add_step(id, made(inputs, v.buffer));
    return v;
  }
  using Inputs = std::vector<BufferId>;
  Value made(NodeId id, const graph::Node& node, const graph::LogSumExp& l) {
    return natural(id, node, [&](const Inputs& in, BufferId out) { return program::LogSumExp{in[0], out, l.reduced}; });
  }
  Value made(NodeId id, const graph::Node& node, const graph::Softmax& s) {
    return natural(id, node, [&](const Inputs& in, BufferId out) { return program::Softmax{in[0], out, s.reduced}; });
  }
  Value made(NodeId id, const graph::Node& node, const graph::Reshape&) {
    return natural(id, node, [&](const Inputs& in, BufferId out) { return program::Reshape{in[0], out}; });
  }
  Value made(NodeId id, const graph::Node& node, const graph::Slice& s) {
    return natural(id, node, [&](const Inputs& in, BufferId out) { return program::Slice{in[0], out, s.axis, s.first, s.step}; });
  }
  Value made(NodeId id, const graph::Node& node, const graph::Pad& p) {
    return natural(id, node, [&](const Inputs& in, BufferId out) { return program::Assemble{in, out, p.axis, {p.first}, p.step}; });
  }
  Value made(NodeId id, const graph::Node& node, const graph::Concatenate& c) {
    return natural(id, node, [&](const Inputs& in, BufferId out) {
      std::vector<std::int64_t> first{0};
      for (const BufferId input : in) first.push_back(first.back() + buffer(input).extents[static_cast<std::size_t>(c.axis)]);
      first.pop_back();
      return program::Assemble{in, out, c.axis, first, 1};
    });
  }
  Value made(NodeId id, const graph::Node& node, const graph::Reciprocal&) {
    return natural(id, node, [&](const Inputs& in, BufferId out) { return program::Reciprocal{in[0], out}; });
  }
  /// All parts of a factorization are made by one step, the first that is asked for; each is then cut out.
  Value made(NodeId id, const graph::Node& node, const graph::Factorization& f) {
    const operation::Decomposition decomposition = operation::decomposition_of(f.part);
    const NodeId matrix = node.operands[0];
    const Extents extents = store_.extents(matrix);
    const auto batch = static_cast<std::size_t>(f.batch);
    const std::vector<std::int64_t> sizes = program::part_sizes(decomposition, extents[batch], extents[batch + 1]);
    const auto [known, is_new] = packed_.try_emplace({matrix, decomposition}, -1);
    if (is_new) {
      program::Buffer packed{.name = naming_.node(id) + " packed", .dtype = type_of(store_[matrix].field)};
      packed.extents.assign(extents.begin(), extents.begin() + f.batch);
      packed.labels.assign(batch, "batch");
      packed.extents.push_back(std::accumulate(sizes.begin(), sizes.end(), std::int64_t{0}));
      packed.labels.push_back("element");
      packed.strides = row_major(packed.extents);
      const BufferId input = as_it_is(matrix);
      result_.program.buffers.push_back(std::move(packed));
      known->second = static_cast<BufferId>(result_.program.buffers.size()) - 1;
      add_step(id, program::Factorization{decomposition, input, known->second});
    }
    const BufferId packed = known->second;
    const std::vector<operation::Part> parts = operation::parts_of(decomposition);
    std::int64_t first = 0;
    for (std::size_t k = 0; parts[k] != f.part; ++k) first += sizes[k];
    const Value v = natural_buffer(id);
    BufferId out = v.buffer;
    if (buffer(out).dtype != buffer(packed).dtype) {  // real values of a complex matrix
      program::Buffer complex = buffer(out);
      complex.dtype = buffer(packed).dtype;
      result_.program.buffers.push_back(std::move(complex));
      out = static_cast<BufferId>(result_.program.buffers.size()) - 1;
    }
    add_step(id, program::Part{packed, out, f.batch, first});
    if (out != v.buffer) add_step(id, program::Map{operation::Function::real, {out}, v.buffer});
    return v;
  }
  Value made(NodeId id, const graph::Node& node, const graph::Power& p) {
    const Value v = new_buffer(id);
    add_step(id, program::Power{p.exponent, in_order(node.operands[0], order_of(v)), v.buffer});
    return v;
  }
  Value made(NodeId id, const graph::Node& node, const graph::Inverse& i) {
    const Axes natural = counted_axes(node.shape.size());
    const BufferId input = viewed(node.operands[0]);
    const Value v = new_buffer(id, natural, natural, program::Storage::arena);
    add_step(id, program::Inverse{input, v.buffer, i.batch, i.rows});
    return v;
  }
  /// The solution lies in memory as its right side does, so that what was (i, r) before stays (i, r).
  Value made(NodeId id, const graph::Node& node, const graph::Solve& s) {
    const BufferId matrix = converted(id, viewed(node.operands[0])), right = converted(id, viewed(node.operands[1]));
    const Axes natural = counted_axes(node.shape.size());
    Axes memory = natural;
    const Extents right_strides = buffer(right).strides;
    if (right_strides.size() == memory.size())
      std::stable_sort(memory.begin(), memory.end(), [&](std::int32_t a, std::int32_t b) {
        return right_strides[static_cast<std::size_t>(a)] > right_strides[static_cast<std::size_t>(b)];
      });
    const Value v = new_buffer(id, natural, memory, program::Storage::arena);
    add_step(id, program::Solve{matrix, right, v.buffer, s.batch, s.rows, s.system});
    return v;
  }
  static Axes order_of(const Value& v) {
    Axes order(v.axes.size());
    for (std::size_t k = 0; k < order.size(); ++k) order[static_cast<std::size_t>(v.axes[k])] = static_cast<std::int32_t>(k);
    return order;
  }

  void add_kernel(const graph::Output& output) {
    const Value& v = value(output.node);
    program::Kernel kernel{output.name, {}, v.buffer};
    std::vector<char> wanted(result_.program.buffers.size(), 0);
    wanted[static_cast<std::size_t>(v.buffer)] = 1;
    for (std::size_t step = result_.program.steps.size(); step-- > 0;) {
      const program::Operation& operation = result_.program.steps[step].operation;
      const BufferId out = program::output_of(operation);
      if (wanted[static_cast<std::size_t>(out)] == 0) continue;
      for (const BufferId input : program::inputs_of(operation)) wanted[static_cast<std::size_t>(input)] = 1;
      if (buffer(out).storage == program::Storage::arena) kernel.steps.push_back(static_cast<program::StepId>(step));
    }
    std::reverse(kernel.steps.begin(), kernel.steps.end());
    result_.outputs.push_back({output.name, static_cast<std::int32_t>(result_.program.kernels.size()), v.axes});
    result_.program.kernels.push_back(std::move(kernel));
  }

  const graph::Graph& graph_;
  const graph::Store& store_;
  const device::Model& device_;
  const Options& options_;
  graph::Naming naming_;
  std::vector<NodeId> order_;
  std::vector<Value> value_;
  std::vector<Axes> wanted_;
  std::map<BufferId, BufferId> complex_;  ///< of real buffers their complex copies
  std::map<std::pair<NodeId, operation::Decomposition>, BufferId> packed_;
  Lowered result_;
};

}  // namespace

Lowered lower(const graph::Graph& graph, const device::Model& device, const Options& options) {
  return Lowering(graph, device, options).run();
}

}  // namespace tyto::plan
