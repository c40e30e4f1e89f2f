// Every step in its turn takes in the steps that made its operands, as long as that is faster.
#include "plan/fuse_elementwise.hpp"
#include <algorithm>
#include <numeric>
#include <optional>
#include "plan/step_editing.hpp"

namespace tyto::plan {

using einsum::Labels;
using program::BufferId;
using program::Elementwise;
using program::Operand;
using program::StepId;
using Instruction = program::Elementwise::Instruction;
using Kind = program::Elementwise::Kind;

namespace {

Labels counted_labels(std::size_t count) {
  Labels labels(count);
  std::iota(labels.begin(), labels.end(), 0);
  return labels;
}

bool is_distinct(Labels labels) {
  std::sort(labels.begin(), labels.end());
  return std::adjacent_find(labels.begin(), labels.end()) == labels.end();
}

bool sums(const Elementwise& e, const std::vector<program::Buffer>& buffers) {
  return program::space_of(e.inputs, e.out, buffers).labels.size() > e.out.labels.size();
}

/// The number of an input, which is added where it is new.
std::int32_t input_number(std::vector<Operand>& inputs, const Operand& operand) {
  const auto known = std::find_if(inputs.begin(), inputs.end(), [&](const Operand& other) {
    return other.buffer == operand.buffer && other.labels == operand.labels;
  });
  if (known != inputs.end()) return static_cast<std::int32_t>(known - inputs.begin());
  inputs.push_back(operand);
  return static_cast<std::int32_t>(inputs.size()) - 1;
}

class ElementwiseFusion {
 public:
  ElementwiseFusion(const Lowered& lowered, const FusionContext& context) : steps_(lowered, context) {}

  Lowered run() {
    for (StepId id = 0; id < steps_.count(); ++id) {
      if (!steps_.is_repeated(id)) continue;
      take_constants(id);
      while (take_operand(id)) {
      }
    }
    return steps_.finished();
  }

 private:
  /// The step as instructions; nothing where it is no elementwise operation of one type.
  std::optional<Elementwise> as_elementwise(const program::Operation& operation) const {
    const Dtype type = steps_.buffer(program::output_of(operation)).dtype;
    for (const BufferId input : program::inputs_of(operation))
      if (steps_.buffer(input).dtype != type) return std::nullopt;
    if (const auto* combination = std::get_if<program::Combination>(&operation)) return from(*combination);
    if (const auto* power = std::get_if<program::Power>(&operation))
      return axis_by_axis({power->input}, power->out, {.kind = Kind::power, .exponent = power->exponent});
    if (const auto* map = std::get_if<program::Map>(&operation))
      return axis_by_axis(map->inputs, map->out, {.kind = Kind::function, .function = map->function});
    if (const auto* contraction = std::get_if<program::Contraction>(&operation)) return from(*contraction);
    if (const auto* elementwise = std::get_if<Elementwise>(&operation)) return *elementwise;
    return std::nullopt;
  }
  Elementwise axis_by_axis(const std::vector<BufferId>& inputs, BufferId out, Instruction instruction) const {
    const Labels labels = counted_labels(steps_.buffer(out).extents.size());
    Elementwise result{.out = {out, labels}};
    for (const BufferId input : inputs) instruction.arguments.push_back(input_number(result.inputs, {input, labels}));
    result.instructions = {std::move(instruction)};
    return result;
  }
  /// Inputs that hold one value everywhere are added as a number.
  std::optional<Elementwise> from(const program::Combination& combination) const {
    std::vector<BufferId> inputs;
    Instruction sum{.kind = Kind::combination};
    for (std::size_t k = 0; k < combination.inputs.size(); ++k) {
      const StepId made_by = steps_.maker(combination.inputs[k]);
      const auto* fill = made_by < 0 ? nullptr : std::get_if<program::Fill>(&steps_.operation(made_by));
      if (fill != nullptr && !fill->imaginary) {
        sum.constant += combination.coefficients[k] * fill->value;
      } else {
        inputs.push_back(combination.inputs[k]), sum.coefficients.push_back(combination.coefficients[k]);
      }
    }
    if (inputs.empty()) return std::nullopt;
    return axis_by_axis(inputs, combination.out, std::move(sum));
  }
  static std::optional<Elementwise> from(const program::Contraction& contraction) {
    if (!is_ordinary(contraction.pair) || contraction.addend >= 0 || contraction.factors > 0 || contraction.inputs.empty() ||
        !is_distinct(contraction.out.labels))
      return std::nullopt;
    Elementwise result{.out = contraction.out, .scale = contraction.scale};
    Instruction product{.kind = Kind::product};
    for (const Operand& operand : contraction.inputs) product.arguments.push_back(input_number(result.inputs, operand));
    if (product.arguments.size() > 1) result.instructions = {std::move(product)};
    return result;
  }

  /// A step with inputs that are numbers, by itself.
  void take_constants(StepId id) {
    const auto* combination = std::get_if<program::Combination>(&steps_.operation(id));
    if (combination == nullptr) return;
    const std::optional<Elementwise> chain = as_elementwise(*combination);
    if (!chain || chain->instructions[0].constant == 0) return;
    if (steps_.seconds(*chain) < steps_.seconds(steps_.operation(id))) steps_.replace(id, *chain);
  }

  /// One operand of the step that becomes part of it; false if there is none.
  bool take_operand(StepId id) {
    const std::optional<Elementwise> outer = as_elementwise(steps_.operation(id));
    if (!outer) return false;
    for (const Operand& operand : outer->inputs) {
      if (!steps_.is_inner(operand.buffer, id)) continue;
      const StepId made_by = steps_.maker(operand.buffer);
      const std::optional<Elementwise> inner = as_elementwise(steps_.operation(made_by));
      if (!inner) continue;
      const std::optional<Elementwise> both = merged(*inner, *outer);
      const double apart = steps_.seconds(steps_.operation(made_by)) + steps_.seconds(steps_.operation(id));
      if (!both || steps_.seconds(*both) >= apart) continue;
      steps_.remove(made_by);
      steps_.replace(id, *both);
      return true;
    }
    return false;
  }
  std::optional<Elementwise> merged(const Elementwise& inner, const Elementwise& outer) const {
    return sums(inner, steps_.buffers()) ? scaled(inner, outer) : chained(inner, outer);
  }
  /// After a sum there is room for a factor.
  std::optional<Elementwise> scaled(const Elementwise& inner, const Elementwise& outer) const {
    const bool is_scaling = outer.inputs.size() == 1 && outer.instructions.size() == 1 && outer.scale == 1 &&
                            outer.instructions[0].kind == Kind::combination && outer.instructions[0].arguments.size() == 1 &&
                            outer.instructions[0].constant == 0 && outer.inputs[0].labels == outer.out.labels;
    if (!is_scaling || !std::holds_alternative<Elementwise>(steps_.operation(steps_.maker(inner.out.buffer)))) return std::nullopt;
    Elementwise result = inner;
    result.scale *= outer.instructions[0].coefficients[0];
    result.out.buffer = outer.out.buffer;
    return result;
  }
  /// The instructions of the inner step, then those of the outer one.
  std::optional<Elementwise> chained(const Elementwise& inner, const Elementwise& outer) const {
    const auto first = std::find_if(outer.inputs.begin(), outer.inputs.end(),
                                    [&](const Operand& operand) { return operand.buffer == inner.out.buffer; });
    const std::size_t all = program::space_of(outer.inputs, outer.out, steps_.buffers()).labels.size();
    if (!is_distinct(first->labels) || first->labels.size() != all) return std::nullopt;
    Elementwise result{.out = outer.out, .scale = outer.scale};
    std::vector<std::int32_t> of_inner, of_outer(outer.inputs.size(), -1);  // numbers of values in the result
    for (Operand operand : inner.inputs) {
      for (einsum::Label& label : operand.labels)
        label = first->labels[static_cast<std::size_t>(std::find(inner.out.labels.begin(), inner.out.labels.end(), label) -
                                                       inner.out.labels.begin())];
      of_inner.push_back(input_number(result.inputs, operand));
    }
    for (std::size_t k = 0; k < outer.inputs.size(); ++k) {
      if (outer.inputs[k].buffer != inner.out.buffer) of_outer[k] = input_number(result.inputs, outer.inputs[k]);
      else if (outer.inputs[k].labels != first->labels) return std::nullopt;  // two orders of one value
    }
    add_instructions(result, inner.instructions, of_inner);
    if (inner.scale != 1) add_scaling(result, inner.scale, of_inner);
    for (std::int32_t& number : of_outer)
      if (number < 0) number = of_inner.back();
    add_instructions(result, outer.instructions, of_outer);
    // A label that only the inner value had, and repeated along, would no longer be summed.
    if (program::space_of(result.inputs, result.out, steps_.buffers()).labels.size() != all) return std::nullopt;
    return result;
  }
  /// `numbers` are those of the values so far, and of the new ones afterwards.
  static void add_instructions(Elementwise& result, const std::vector<Instruction>& instructions,
                               std::vector<std::int32_t>& numbers) {
    for (Instruction instruction : instructions) {
      for (std::int32_t& argument : instruction.arguments) argument = numbers[static_cast<std::size_t>(argument)];
      result.instructions.push_back(std::move(instruction));
      numbers.push_back(static_cast<std::int32_t>(result.inputs.size() + result.instructions.size()) - 1);
    }
  }
  static void add_scaling(Elementwise& result, double scale, std::vector<std::int32_t>& numbers) {
    result.instructions.push_back({.kind = Kind::combination, .arguments = {numbers.back()}, .coefficients = {scale}});
    numbers.push_back(static_cast<std::int32_t>(result.inputs.size() + result.instructions.size()) - 1);
  }

  StepEditing steps_;
};

}  // namespace

Lowered fuse_elementwise(const Lowered& lowered, const FusionContext& context) { return ElementwiseFusion(lowered, context).run(); }

}  // namespace tyto::plan
