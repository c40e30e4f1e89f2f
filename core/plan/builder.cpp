#include "plan/builder.hpp"
#include <algorithm>
#include <fmt/format.h>
#include "error/fail.hpp"
#include "plan/operations.hpp"

namespace tyto::plan {

using graph::NodeId;
using program::BufferId;

namespace {

/// The buffer with its axes in the order `axes`, where it is.
program::Buffer permuted(const program::Buffer& b, const Axes& axes) {
  program::Buffer result = b;
  for (std::size_t k = 0; k < axes.size(); ++k) {
    const auto axis = static_cast<std::size_t>(axes[k]);
    result.extents[k] = b.extents[axis], result.strides[k] = b.strides[axis], result.labels[k] = b.labels[axis];
  }
  return result;
}

/// A buffer of its own for a copy, whose axes lie as those of the original.
program::Buffer copy_of(program::Buffer b) {
  b.storage = program::Storage::arena;
  b.leaf = -1;
  b.strides = strides_of(b.extents, memory_order(b.strides));
  return b;
}

}  // namespace

ProgramBuilder::ProgramBuilder(const graph::Graph& graph, const device::Model& device, const Options& options,
                               const Layouts& layouts)
    : store_(*graph.store),
      device_(device),
      options_(options),
      layouts_(layouts),
      naming_(graph),
      value_(static_cast<std::size_t>(graph.store->size())) {}

Dtype ProgramBuilder::type_of(Field field) const {
  return field == Field::complex ? program::complex_type(options_.precision) : options_.precision;
}

BufferId ProgramBuilder::add_buffer(program::Buffer b) {
  lowered_.program.buffers.push_back(std::move(b));
  return static_cast<BufferId>(lowered_.program.buffers.size()) - 1;
}

Value ProgramBuilder::new_buffer(NodeId id, const Axes& order) {
  const Extents extents = store_.extents(id);
  const program::Buffer as_numbered{.name = naming_.node(id),
                                    .dtype = type_of(store_[id].field),
                                    .extents = extents,
                                    .strides = strides_of(extents, layouts_.of(id)),
                                    .labels = naming_.axes(store_[id].shape)};
  return {add_buffer(permuted(as_numbered, order)), inverse_of(order)};
}

Value ProgramBuilder::new_leaf(NodeId id, const std::string& name) {
  const Axes natural = counted_axes(store_[id].shape.size());
  const Value v = new_buffer(id, natural);
  program::Buffer& b = buffer(v.buffer);
  const auto given = options_.leaf_strides.find(id);
  b.strides = given != options_.leaf_strides.end() ? given->second : row_major(b.extents);
  b.storage = program::Storage::leaf;
  b.leaf = static_cast<program::LeafId>(lowered_.leaves.size());
  b.depends_on = {b.leaf};
  lowered_.program.leaves.push_back({name, b.dtype, b.extents, b.strides});
  lowered_.leaves.push_back(id);
  return v;
}

void ProgramBuilder::add_step(NodeId id, program::Operation operation) {
  std::vector<program::Buffer>& buffers = lowered_.program.buffers;
  if (const auto reason = device_.refuses(operation, buffers)) {
    const auto* contraction = std::get_if<program::Contraction>(&operation);
    if (contraction != nullptr && contraction->inputs.size() > 2) {
      for (program::Contraction& part : split_product(*contraction, buffers)) add_step(id, std::move(part));
      return;
    }
    fail({.code = Code::unsupported,
          .where = {.quote = graph::print_node(store_, naming_, id)},
          .what = "the executor cannot run a step",
          .found = *reason,
          .hint = "execution.executor: reference runs everything, slowly"});
  }
  program::Step step{.operation = std::move(operation)};
  step.flops = program::flops_of(step.operation, buffers);
  step.bytes = program::bytes_of(step.operation, buffers);
  step.scratch_bytes = device_.scratch_bytes(step.operation, buffers);
  std::vector<program::LeafId> depends;
  for (const BufferId input : program::inputs_of(step.operation)) {
    const std::vector<program::LeafId>& of_input = buffer(input).depends_on;
    depends.insert(depends.end(), of_input.begin(), of_input.end());
  }
  std::sort(depends.begin(), depends.end());
  depends.erase(std::unique(depends.begin(), depends.end()), depends.end());
  program::Buffer& out = buffer(program::output_of(step.operation));
  out.depends_on = depends;
  if (depends.empty()) {
    out.storage = program::Storage::constant;
    lowered_.program.constants.push_back(static_cast<program::StepId>(lowered_.program.steps.size()));
  }
  lowered_.program.steps.push_back(std::move(step));
  lowered_.step_nodes.push_back(id);
}

BufferId ProgramBuilder::in_order(NodeId id, const Axes& order) {
  const Value& known = value(id);
  Axes of_buffer;
  for (const std::int32_t axis : order) of_buffer.push_back(known.axes[static_cast<std::size_t>(axis)]);
  if (of_buffer == counted_axes(order.size())) return known.buffer;
  const auto made = reordered_.find({known.buffer, of_buffer});
  if (made != reordered_.end()) return made->second;
  return reordered_[{known.buffer, of_buffer}] = reordered(id, known.buffer, of_buffer);
}

BufferId ProgramBuilder::reordered(NodeId id, BufferId from, const Axes& of_buffer) {
  const program::Buffer view = permuted(buffer(from), of_buffer);
  if (view.storage == program::Storage::leaf) return add_buffer(view);
  const BufferId copy = add_buffer(copy_of(view));
  add_step(id, program::Contraction{{{from, counted_axes(of_buffer.size())}}, {copy, of_buffer}, {}});
  return copy;
}

BufferId ProgramBuilder::converted(NodeId consumer, BufferId id) {
  if (store_[consumer].field == Field::real || program::is_complex(buffer(id).dtype)) return id;
  const auto known = complex_.find(id);
  if (known != complex_.end()) return known->second;
  program::Buffer copy = copy_of(buffer(id));
  copy.name += " complex";
  copy.dtype = program::complex_type(copy.dtype);
  const BufferId made = add_buffer(std::move(copy));
  add_step(consumer, program::Convert{id, made});
  return complex_[id] = made;
}

void ProgramBuilder::add_kernel(const graph::Output& output) {
  const program::Program& p = lowered_.program;
  const Value& v = value(output.node);
  program::Kernel kernel{output.name, {}, v.buffer};
  std::vector<char> wanted(p.buffers.size(), 0);
  wanted[static_cast<std::size_t>(v.buffer)] = 1;
  for (std::size_t step = p.steps.size(); step-- > 0;) {
    const program::Operation& operation = p.steps[step].operation;
    const BufferId out = program::output_of(operation);
    if (wanted[static_cast<std::size_t>(out)] == 0) continue;
    for (const BufferId input : program::inputs_of(operation)) wanted[static_cast<std::size_t>(input)] = 1;
    if (buffer(out).storage == program::Storage::arena) kernel.steps.push_back(static_cast<program::StepId>(step));
  }
  std::reverse(kernel.steps.begin(), kernel.steps.end());
  lowered_.outputs.push_back({output.name, static_cast<std::int32_t>(p.kernels.size()), v.axes});
  lowered_.program.kernels.push_back(std::move(kernel));
}

}  // namespace tyto::plan
