#include "plan/step_costs.hpp"
#include <algorithm>
#include "plan/operations.hpp"

namespace tyto::plan {

using graph::NodeId;
using program::BufferId;

namespace {

void describe(std::vector<std::int64_t>& description, const program::Buffer& b) {
  description.push_back(static_cast<std::int64_t>(b.dtype));
  description.push_back(static_cast<std::int64_t>(b.extents.size()));
  description.insert(description.end(), b.extents.begin(), b.extents.end());
}

void describe(std::vector<std::int64_t>& description, const program::Operand& operand) {
  description.push_back(operand.buffer);
  description.insert(description.end(), operand.labels.begin(), operand.labels.end());
}

/// Node labels as labels of the axes of the base.
einsum::Labels labels_of(const Base& base, const einsum::Labels& of_node) {
  einsum::Labels labels(of_node.size());
  for (std::size_t k = 0; k < labels.size(); ++k) labels[static_cast<std::size_t>(base.axes[k])] = of_node[k];
  return labels;
}

}  // namespace

Dtype StepCosts::type_of(NodeId id) const {
  return store_[id].field == Field::complex ? program::complex_type(options_.precision) : options_.precision;
}

program::Buffer StepCosts::buffer_of(const Base& base, Dtype type) const {
  const Extents of_base = store_.extents(base.node);
  program::Buffer b{.dtype = type};
  for (const std::int32_t axis : base.axes) b.extents.push_back(of_base[static_cast<std::size_t>(axis)]);
  b.strides = row_major(b.extents);
  b.labels.resize(b.extents.size());
  return b;
}

std::optional<LocalStep> StepCosts::step_of(NodeId id) {
  const graph::Node& node = store_[id];
  if (graph::is_source(node.operation) || graph::is<graph::Factorization>(node)) return std::nullopt;
  if (graph::is<graph::Einsum>(node)) return contraction_of(id);
  LocalStep step;
  std::vector<BufferId> inputs;
  for (const NodeId operand : node.operands) {
    inputs.push_back(static_cast<BufferId>(inputs.size()));
    step.places.push_back(base_of(store_, operand));
    step.buffers.push_back(buffer_of(step.places.back(), type_of(graph::is<graph::Map>(node) ? operand : id)));
  }
  step.places.push_back({id, counted_axes(node.shape.size())});
  step.buffers.push_back(buffer_of(step.places.back(), type_of(id)));
  step.operation = operation_of(node, inputs, static_cast<BufferId>(inputs.size()), step.buffers);
  return numbered(std::move(step), {static_cast<std::int64_t>(node.operation.index())}, id);
}

std::optional<LocalStep> StepCosts::contraction_of(NodeId id) {
  const graph::Node& node = store_[id];
  const auto& e = *graph::as<graph::Einsum>(node);
  Axes axes;
  if (is_permutation(node, axes)) return std::nullopt;
  program::Contraction contraction{{}, {}, e.pair};
  LocalStep step;
  const std::vector<char> skipped = repetitions(store_, node);
  for (std::size_t k = 0; k < node.operands.size(); ++k) {
    if (skipped[k] != 0) continue;
    const Base seen = base_of(store_, node.operands[k]);
    const auto known =
        std::find_if(step.places.begin(), step.places.end(), [&](const Base& place) { return place.node == seen.node; });
    contraction.inputs.push_back({static_cast<BufferId>(known - step.places.begin()), labels_of(seen, e.subscripts.inputs[k])});
    if (known != step.places.end()) continue;
    step.places.push_back({seen.node, counted_axes(seen.axes.size())});
    step.buffers.push_back(buffer_of(step.places.back(), type_of(id)));
  }
  if (contraction.inputs.empty()) return std::nullopt;
  contraction.out = {static_cast<BufferId>(step.places.size()), e.subscripts.output};
  step.places.push_back({id, counted_axes(node.shape.size())});
  step.buffers.push_back(buffer_of(step.places.back(), type_of(id)));
  std::vector<std::int64_t> description{static_cast<std::int64_t>(node.operation.index())};
  for (const program::Operand& operand : contraction.inputs) describe(description, operand);
  describe(description, contraction.out);
  step.operation = std::move(contraction);
  return numbered(std::move(step), std::move(description), id);
}

LocalStep StepCosts::copy_of(NodeId id) {
  LocalStep step{.places = {base_of(store_, id)}};
  const Axes labels = counted_axes(store_[id].shape.size());
  step.buffers.assign(2, buffer_of(step.places[0], type_of(id)));
  step.operation = program::Contraction{{{0, labels}}, {1, labels}, {}};
  return numbered(std::move(step), {-1, static_cast<std::int64_t>(store_[id].operation.index())}, id);
}

/// Kinds are told apart by what is described here and by the parameters of the operation, which for an einsum are its pair: its
/// labels are in the description.
LocalStep StepCosts::numbered(LocalStep step, std::vector<std::int64_t> description, NodeId id) {
  for (const program::Buffer& b : step.buffers) describe(description, b);
  std::vector<Kind>& alike = kinds_[description];
  const auto known = std::find_if(alike.begin(), alike.end(), [&](const Kind& kind) {
    const graph::Node &one = store_[kind.example], &other = store_[id];
    const auto* einsum = graph::as<graph::Einsum>(one);
    return einsum != nullptr ? einsum->pair == graph::as<graph::Einsum>(other)->pair : one.operation == other.operation;
  });
  step.kind = known != alike.end() ? known->number : kind_count_;
  if (known == alike.end()) alike.push_back({id, kind_count_++});
  step.is_refused = device_.refuses(step.operation, step.buffers).has_value();
  return step;
}

double StepCosts::seconds(LocalStep& step, const std::vector<const Extents*>& strides) const {
  for (std::size_t k = 0; k < step.places.size(); ++k)
    for (std::size_t axis = 0; axis < step.places[k].axes.size(); ++axis)
      step.buffers[k].strides[axis] = (*strides[k])[static_cast<std::size_t>(step.places[k].axes[axis])];
  if (!step.is_refused) return device_.seconds(step.operation, step.buffers);
  const auto* contraction = std::get_if<program::Contraction>(&step.operation);
  if (contraction == nullptr || contraction->inputs.size() < 3) return 0;
  std::vector<program::Buffer> buffers = step.buffers;
  double sum = 0;
  for (program::Contraction& part : split_product(*contraction, buffers)) {
    const program::Operation operation = std::move(part);
    if (!device_.refuses(operation, buffers)) sum += device_.seconds(operation, buffers);
  }
  return sum;
}

}  // namespace tyto::plan
