// Looks at each contraction of two operands for one that is a product; the device model says whether the device multiplies it on
// the way, and whether that is faster.
#include "plan/fuse_products.hpp"
#include <algorithm>
#include <optional>
#include "plan/step_editing.hpp"

namespace tyto::plan {

using program::Contraction;
using program::Operand;
using program::StepId;

namespace {

bool is_distinct(einsum::Labels labels) {
  std::sort(labels.begin(), labels.end());
  return std::adjacent_find(labels.begin(), labels.end()) == labels.end();
}

/// No sums, no repetition: every label of the output is on an operand and the other way round.
bool is_plain_product(const Contraction& contraction) {
  if (!is_ordinary(contraction.pair) || contraction.inputs.size() < 2 || contraction.addend >= 0 || contraction.factors > 0 ||
      !is_distinct(contraction.out.labels))
    return false;
  const einsum::Labels& out = contraction.out.labels;
  const auto is_kept = [&](const Operand& operand) {
    return std::all_of(operand.labels.begin(), operand.labels.end(),
                       [&](einsum::Label label) { return einsum::contains(out, label); });
  };
  const auto is_read = [&](einsum::Label label) {
    return std::any_of(contraction.inputs.begin(), contraction.inputs.end(),
                       [&](const Operand& operand) { return einsum::contains(operand.labels, label); });
  };
  return std::all_of(contraction.inputs.begin(), contraction.inputs.end(), is_kept) && std::all_of(out.begin(), out.end(), is_read);
}

/// The contraction with the factors of operand k in its place, last.
std::optional<Contraction> with_factors(const Contraction& contraction, std::size_t k, const Contraction& product) {
  const einsum::Labels under = contraction.inputs[k].labels;
  if (!is_distinct(under)) return std::nullopt;
  Contraction result = contraction;
  result.inputs.erase(result.inputs.begin() + static_cast<std::ptrdiff_t>(k));
  for (const Operand& other : result.inputs)
    if (other.buffer == product.out.buffer) return std::nullopt;
  for (Operand factor : product.inputs) {
    for (einsum::Label& label : factor.labels)
      label = under[static_cast<std::size_t>(std::find(product.out.labels.begin(), product.out.labels.end(), label) -
                                             product.out.labels.begin())];
    result.inputs.push_back(std::move(factor));
  }
  result.factors = static_cast<std::int32_t>(product.inputs.size());
  result.scale *= product.scale;
  return result;
}

void take_product(StepEditing& steps, StepId id) {
  const auto* contraction = std::get_if<Contraction>(&steps.operation(id));
  if (contraction == nullptr || !is_ordinary(contraction->pair) || contraction->factors > 0 || contraction->inputs.size() != 2)
    return;
  for (std::size_t k = 0; k < contraction->inputs.size(); ++k) {
    const program::BufferId formed = contraction->inputs[k].buffer;
    if (!steps.is_inner(formed, id)) continue;
    const StepId made_by = steps.maker(formed);
    const auto* product = std::get_if<Contraction>(&steps.operation(made_by));
    if (product == nullptr || !is_plain_product(*product)) continue;
    const std::optional<Contraction> both = with_factors(*contraction, k, *product);
    if (!both || steps.seconds(*both) >= steps.seconds(*product) + steps.seconds(*contraction)) continue;
    steps.remove(made_by);
    steps.replace(id, *both);
    return;
  }
}

}  // namespace

Lowered fuse_products(const Lowered& lowered, const FusionContext& context) {
  StepEditing steps(lowered, context);
  for (StepId id = 0; id < steps.count(); ++id)
    if (steps.is_repeated(id)) take_product(steps, id);
  return steps.finished();
}

}  // namespace tyto::plan
