#include "execute/plain/step.hpp"
#include <algorithm>
#include <cmath>
#include "error/fail.hpp"
#include <fmt/format.h>

namespace tyto::execute::plain {
namespace {

using Buffers = std::vector<program::Buffer>;

bool is_integer(Dtype type) { return type == Dtype::i16 || type == Dtype::i32 || type == Dtype::i64; }

Dtype type_of(program::BufferId id, const Buffers& buffers) { return buffers[static_cast<std::size_t>(id)].dtype; }

/// Functions whose output may be of another type than their input.
bool changes_type(const program::Operation& operation) {
  const auto* map = std::get_if<program::Map>(&operation);
  return std::holds_alternative<program::Convert>(operation) || (map != nullptr && operation::is_real(map->function));
}

/// The numbers that the values of an operation are multiplied with.
std::vector<double> coefficients_of(const program::Operation& operation) {
  if (const auto* combination = std::get_if<program::Combination>(&operation)) return combination->coefficients;
  if (const auto* contraction = std::get_if<program::Contraction>(&operation))
    return {contraction->scale, contraction->addend_scale};
  const auto* elementwise = std::get_if<program::Elementwise>(&operation);
  if (elementwise == nullptr) return {};
  std::vector<double> all = {elementwise->scale};
  for (const program::Elementwise::Instruction& instruction : elementwise->instructions) {
    all.insert(all.end(), instruction.coefficients.begin(), instruction.coefficients.end());
    all.push_back(instruction.constant);
  }
  return all;
}

bool is_linear(const program::Elementwise& elementwise) {
  using enum program::Elementwise::Kind;
  return std::all_of(elementwise.instructions.begin(), elementwise.instructions.end(),
                     [](const auto& instruction) { return instruction.kind == combination || instruction.kind == product; });
}

std::optional<std::string> refused_integers(const program::Operation& operation, Dtype type) {
  for (const double c : coefficients_of(operation))
    if (c != std::trunc(c) || std::abs(c) > 9e15)
      return fmt::format("the coefficient {} of a combination of {} is not an integer", c, name_of(type));
  const auto* elementwise = std::get_if<program::Elementwise>(&operation);
  if (std::holds_alternative<program::Combination>(operation) || (elementwise != nullptr && is_linear(*elementwise)))
    return std::nullopt;
  const bool is_fine = std::holds_alternative<program::Contraction>(operation) ||
                       std::holds_alternative<program::Identity>(operation) || std::holds_alternative<program::Fill>(operation) ||
                       std::holds_alternative<program::Reshape>(operation) || std::holds_alternative<program::Slice>(operation) ||
                       std::holds_alternative<program::Assemble>(operation);
  if (is_fine) return std::nullopt;
  return fmt::format("functions, powers and linear algebra need f32 or f64, not {}", name_of(type));
}

}  // namespace

std::optional<std::string> Step::refuses(const program::Operation& operation, const Buffers& buffers) {
  const Dtype type = type_of(program::output_of(operation), buffers);
  for (const program::BufferId input : program::inputs_of(operation)) {
    const Dtype of_input = type_of(input, buffers);
    const bool fits = of_input == type || (changes_type(operation) && program::real_type(of_input) == program::real_type(type));
    if (!fits) return "the operands have different element types";
  }
  if (is_integer(type)) return refused_integers(operation, type);
  const auto* contraction = std::get_if<program::Contraction>(&operation);
  if (contraction != nullptr && program::is_complex(type) && contraction->pair.reduce != einsum::Reduce::sum)
    return "complex numbers have no largest or smallest";
  return std::nullopt;
}

Step::Step(const program::Operation& operation, const Buffers& buffers) : operation_(operation) {
  const std::vector<program::BufferId> inputs = program::inputs_of(operation);
  const program::BufferId out = program::output_of(operation);
  type_ = type_of(inputs.empty() ? out : inputs.front(), buffers);
  flops_ = program::flops_of(operation, buffers);
  if (const auto* contraction = std::get_if<program::Contraction>(&operation)) {
    prepared_.emplace<LoopNest>(*contraction, buffers);
  } else if (const auto* elementwise = std::get_if<program::Elementwise>(&operation)) {
    prepared_.emplace<Chain>(*elementwise, buffers);
  } else if (const auto* solve = std::get_if<program::Solve>(&operation)) {
    prepared_.emplace<Systems>(*solve, buffers);
  } else if (const auto* inverse = std::get_if<program::Inverse>(&operation)) {
    prepared_.emplace<Systems>(*inverse, buffers);
  } else if (const auto* reshape = std::get_if<program::Reshape>(&operation)) {
    prepared_.emplace<Arrangement>(*reshape, buffers);
  } else if (const auto* slice = std::get_if<program::Slice>(&operation)) {
    prepared_.emplace<Arrangement>(*slice, buffers);
  } else if (const auto* assemble = std::get_if<program::Assemble>(&operation)) {
    prepared_.emplace<Arrangement>(*assemble, buffers);
  } else if (const auto* part = std::get_if<program::Part>(&operation)) {
    prepared_.emplace<Arrangement>(*part, buffers);
  } else if (const auto* log_sum_exp = std::get_if<program::LogSumExp>(&operation)) {
    prepared_.emplace<Reduction>(*log_sum_exp, buffers);
  } else if (const auto* softmax = std::get_if<program::Softmax>(&operation)) {
    prepared_.emplace<Reduction>(*softmax, buffers);
  } else if (const auto* reciprocal = std::get_if<program::Reciprocal>(&operation)) {
    prepared_.emplace<Reduction>(*reciprocal, buffers);
  } else if (const auto* factorization = std::get_if<program::Factorization>(&operation)) {
    prepared_.emplace<Factorization>(*factorization, buffers);
  } else {
    std::vector<program::BufferId> ids = {out};
    ids.insert(ids.end(), inputs.begin(), inputs.end());
    prepared_.emplace<ElementLoop>(ids, buffers);
  }
}

void Step::run(void* out, const void* const* inputs, Counts& counts) {
  if (auto* arrangement = std::get_if<Arrangement>(&prepared_)) return arrangement->run(out, inputs);
  switch (type_) {
    case Dtype::i16: return run_as<std::int16_t>(out, inputs, counts);
    case Dtype::i32: return run_as<std::int32_t>(out, inputs, counts);
    case Dtype::i64: return run_as<std::int64_t>(out, inputs, counts);
    case Dtype::f32: return run_as<float>(out, inputs, counts);
    case Dtype::f64: return run_as<double>(out, inputs, counts);
    case Dtype::c64: return run_as<std::complex<float>>(out, inputs, counts);
    case Dtype::c128: return run_as<std::complex<double>>(out, inputs, counts);
  }
}

template <class T>
void Step::run_as(void* out, const void* const* inputs, Counts& counts) {
  if (auto* nest = std::get_if<LoopNest>(&prepared_)) {
    counts.flops += nest->run<T>(static_cast<T*>(out), inputs);
  } else if (auto* chain = std::get_if<Chain>(&prepared_)) {
    counts.flops += chain->run<T>(static_cast<T*>(out), inputs);
  } else if (auto* elements = std::get_if<ElementLoop>(&prepared_)) {
    run_elements<T>(*elements, out, inputs, counts);
  } else if constexpr (!std::is_integral_v<T>) {
    run_numbers<T>(out, inputs, counts);
  }
}

template <class T>
void Step::run_elements(ElementLoop& elements, void* out, const void* const* inputs, Counts& counts) {
  if (const auto* combination = std::get_if<program::Combination>(&operation_)) {
    counts.flops += elements.combine<T>(static_cast<T*>(out), inputs, combination->coefficients);
  } else if (const auto* power = std::get_if<program::Power>(&operation_)) {
    counts.flops += elements.power<T>(static_cast<T*>(out), inputs, power->exponent);
  } else if (const auto* fill = std::get_if<program::Fill>(&operation_)) {
    if constexpr (std::is_arithmetic_v<T>) elements.fill<T>(static_cast<T*>(out), static_cast<T>(fill->value));
    else elements.fill<T>(static_cast<T*>(out), static_cast<T>(fill->imaginary ? Complex(0, fill->value) : Complex(fill->value)));
  } else if (std::holds_alternative<program::Identity>(operation_)) {
    elements.identity<T>(static_cast<T*>(out));
  } else if (const auto* triangle = std::get_if<program::Triangle>(&operation_)) {
    elements.triangle<T>(static_cast<T*>(out), triangle->diagonal);
  } else if constexpr (!std::is_integral_v<T>) {
    if (const auto* map = std::get_if<program::Map>(&operation_)) {
      counts.flops += elements.map<T>(out, inputs, map->function);
    } else if constexpr (std::is_floating_point_v<T>) {
      TYTO_ASSERT(std::holds_alternative<program::Convert>(operation_));
      elements.convert<T>(static_cast<std::complex<T>*>(out), static_cast<const T*>(inputs[0]));
    }
  }
}

template <class T>
void Step::run_numbers(void* out, const void* const* inputs, Counts& counts) {
  if (auto* systems = std::get_if<Systems>(&prepared_)) {
    const bool has_right = std::holds_alternative<program::Solve>(operation_);
    systems->run<T>(static_cast<T*>(out), static_cast<const T*>(inputs[0]), has_right ? static_cast<const T*>(inputs[1]) : nullptr,
                    counts);
    return;
  }
  if (auto* factorization = std::get_if<Factorization>(&prepared_)) {
    factorization->run<T>(static_cast<T*>(out), static_cast<const T*>(inputs[0]), counts);
  } else if constexpr (std::is_floating_point_v<T>) {
    std::get<Reduction>(prepared_).run<T>(static_cast<T*>(out), static_cast<const T*>(inputs[0]));
  }
  counts.flops += flops_;
}

}  // namespace tyto::execute::plain
