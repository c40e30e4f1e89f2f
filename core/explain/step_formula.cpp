// Labels get the names that the axes of the output have, then those of the operands.
#include "explain/step_formula.hpp"
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace tyto::explain {

using program::Contraction;
using program::Elementwise;
using program::Operand;
using Kind = program::Elementwise::Kind;

namespace {

constexpr std::size_t widest = 160;        // a longer expression is cut to the operands
constexpr std::int32_t most_visits = 100;  // of values while an expression is written: one that is used twice is written twice

class StepFormula {
 public:
  StepFormula(const std::vector<program::Buffer>& buffers, const OperandText& text_of) : buffers_(buffers), text_of_(text_of) {}

  std::string of(const Contraction& contraction) {
    note(contraction.inputs, contraction.out);
    std::string text = operand(contraction.out) + " =" + scaled(contraction.scale, true);
    const auto first_factor = contraction.inputs.end() - contraction.factors;
    for (auto input = contraction.inputs.begin(); input != contraction.inputs.end(); ++input) {
      text += input == contraction.inputs.begin() ? "" : " ";
      if (input == first_factor) text += "(";
      text += product_operand(*input, contraction);
    }
    if (contraction.factors > 0) text += ")";
    if (contraction.addend >= 0)
      text += scaled(contraction.addend_scale, false) + operand({contraction.addend, contraction.out.labels});
    return text;
  }

  std::string of(const program::Combination& combination) {
    einsum::Labels labels(buffers_[static_cast<std::size_t>(combination.out)].extents.size());
    std::iota(labels.begin(), labels.end(), 0);
    Elementwise chain{.inputs = {}, .instructions = {{.kind = Kind::combination}}, .out = {combination.out, labels}};
    for (std::size_t k = 0; k < combination.inputs.size(); ++k) {
      chain.inputs.push_back({combination.inputs[k], labels});
      chain.instructions[0].arguments.push_back(static_cast<std::int32_t>(k));
    }
    chain.instructions[0].coefficients = combination.coefficients;
    return of(chain);
  }

  std::string of(const Elementwise& chain) {
    note(chain.inputs, chain.out);
    const program::Space space = program::space_of(chain.inputs, chain.out, buffers_);
    std::vector<std::string> summed;
    for (std::size_t k = chain.out.labels.size(); k < space.labels.size(); ++k) summed.push_back(names_.at(space.labels[k]));
    const auto last = static_cast<std::int32_t>(chain.inputs.size() + chain.instructions.size()) - 1;
    std::string value = expression(chain, last, summed.empty() && chain.scale == 1 ? Level::sum : Level::product);
    if (value.size() > widest || visits_ > most_visits) {
      std::vector<std::string> inputs;
      for (const Operand& input : chain.inputs) inputs.push_back(operand(input));
      value = fmt::format("{} operations on {}", chain.instructions.size(), fmt::join(inputs, ", "));
    }
    const std::string sum = summed.empty() ? "" : fmt::format("sum[{}] ", fmt::join(summed, ","));
    return operand(chain.out) + " =" + scaled(chain.scale, true) + sum + value;
  }

 private:
  /// What an expression may be without parentheses.
  enum class Level : std::int8_t { atom, product, sum };

  void note(const std::vector<Operand>& inputs, const Operand& out) {
    const auto name_axes = [&](const Operand& of_operand) {
      const program::Buffer& buffer = buffers_[static_cast<std::size_t>(of_operand.buffer)];
      for (std::size_t axis = 0; axis < of_operand.labels.size(); ++axis) {
        if (names_.contains(of_operand.labels[axis])) continue;
        std::string name = axis < buffer.labels.size() ? buffer.labels[axis] : "?";
        const auto is_taken = [&](const auto& known) { return known.second == name; };
        while (std::any_of(names_.begin(), names_.end(), is_taken)) name += "'";
        names_.emplace(of_operand.labels[axis], name);
      }
    };
    name_axes(out);
    std::for_each(inputs.begin(), inputs.end(), name_axes);
  }
  std::string operand(const Operand& of) const {
    std::vector<std::string> labels;
    for (const einsum::Label label : of.labels) labels.push_back(names_.at(label));
    return text_of_(of.buffer, labels);
  }
  /// [k] contracted, {r} in every operand and the result.
  std::string product_operand(const Operand& of, const Contraction& contraction) const {
    std::vector<std::string> labels;
    for (const einsum::Label label : of.labels) {
      const bool in_all =
          contraction.inputs.size() > 1 && std::all_of(contraction.inputs.begin(), contraction.inputs.end(),
                                                       [&](const Operand& input) { return einsum::contains(input.labels, label); });
      const std::string& name = names_.at(label);
      labels.push_back(!einsum::contains(contraction.out.labels, label) ? "[" + name + "]" : in_all ? "{" + name + "}" : name);
    }
    return text_of_(of.buffer, labels);
  }
  /// " 2*", " -" or " + 2*": what stands before a term.
  static std::string scaled(double coefficient, bool is_first) {
    const double size = std::abs(coefficient);
    return std::string(coefficient < 0 ? (is_first ? " -" : " - ")
                       : is_first      ? " "
                                       : " + ") +
           (size == 1 ? "" : fmt::format("{}*", size));
  }

  std::string expression(const Elementwise& chain, std::int32_t value, Level allowed) {
    if (++visits_ > most_visits) return "...";
    const auto inputs = static_cast<std::int32_t>(chain.inputs.size());
    if (value < inputs) return operand(chain.inputs[static_cast<std::size_t>(value)]);
    const Elementwise::Instruction& instruction = chain.instructions[static_cast<std::size_t>(value - inputs)];
    switch (instruction.kind) {
      case Kind::combination: return combination(chain, instruction, allowed);
      case Kind::product: return product(chain, instruction, allowed);
      case Kind::power: {
        const std::string power =
            fmt::format("{}^{}", expression(chain, instruction.arguments[0], Level::atom), instruction.exponent);
        return allowed == Level::atom ? "(" + power + ")" : power;
      }
      case Kind::function: break;
    }
    std::vector<std::string> arguments;
    for (const std::int32_t argument : instruction.arguments) arguments.push_back(expression(chain, argument, Level::sum));
    return fmt::format("{}({})", operation::name_of(instruction.function), fmt::join(arguments, ", "));
  }
  std::string combination(const Elementwise& chain, const Elementwise::Instruction& sum, Level allowed) {
    std::string text;
    for (std::size_t k = 0; k < sum.arguments.size(); ++k) {
      const std::string before = scaled(sum.coefficients[k], k == 0);
      text += (k == 0 ? before.substr(1) : before) + expression(chain, sum.arguments[k], Level::product);
    }
    if (sum.constant != 0 || sum.arguments.empty())
      text += text.empty() ? fmt::format("{}", sum.constant)
                           : fmt::format(" {} {}", sum.constant < 0 ? "-" : "+", std::abs(sum.constant));
    return allowed == Level::sum ? text : "(" + text + ")";
  }
  /// Equal factors stand as a power.
  std::string product(const Elementwise& chain, const Elementwise::Instruction& product, Level allowed) {
    std::vector<std::string> factors;
    for (auto argument = product.arguments.begin(); argument != product.arguments.end(); ++argument) {
      if (std::find(product.arguments.begin(), argument, *argument) != argument) continue;
      const auto count = std::count(product.arguments.begin(), product.arguments.end(), *argument);
      factors.push_back(expression(chain, *argument, Level::atom) + (count > 1 ? fmt::format("^{}", count) : ""));
    }
    const std::string text = fmt::format("{}", fmt::join(factors, "*"));
    return allowed == Level::atom && factors.size() > 1 ? "(" + text + ")" : text;
  }

  const std::vector<program::Buffer>& buffers_;
  const OperandText& text_of_;
  std::map<einsum::Label, std::string> names_;
  std::int32_t visits_ = 0;
};

/// Without the identity that the node multiplies by.
bool is_on_diagonal(const Contraction& contraction) {
  einsum::Labels labels = contraction.out.labels;
  std::sort(labels.begin(), labels.end());
  return std::adjacent_find(labels.begin(), labels.end()) != labels.end();
}

}  // namespace

bool is_fused(const program::Operation& operation) {
  const auto* contraction = std::get_if<Contraction>(&operation);
  if (contraction != nullptr)
    return contraction->scale != 1 || contraction->addend >= 0 || contraction->factors > 0 || is_on_diagonal(*contraction);
  return std::holds_alternative<Elementwise>(operation);
}

std::string step_formula(const program::Operation& operation, const std::vector<program::Buffer>& buffers,
                         const OperandText& text_of) {
  StepFormula formula(buffers, text_of);
  if (const auto* contraction = std::get_if<Contraction>(&operation)) return formula.of(*contraction);
  if (const auto* combination = std::get_if<program::Combination>(&operation)) return formula.of(*combination);
  return formula.of(std::get<Elementwise>(operation));
}

}  // namespace tyto::explain
