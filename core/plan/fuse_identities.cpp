// Each contraction loses the identities among its operands one by one, as long as that is faster.
#include "plan/fuse_identities.hpp"
#include <algorithm>
#include <optional>
#include "plan/step_editing.hpp"

namespace tyto::plan {

using program::Contraction;
using program::Operand;
using program::StepId;

namespace {

/// The contraction without operand k, an identity; nothing where that is no diagonal of the output.
std::optional<Contraction> on_diagonal(const Contraction& contraction, std::size_t k) {
  const einsum::Labels tied = contraction.inputs[k].labels;
  const auto is_kept = [&](einsum::Label label) { return einsum::contains(contraction.out.labels, label); };
  if (tied[0] == tied[1] || !std::all_of(tied.begin(), tied.end(), is_kept)) return std::nullopt;
  Contraction result = contraction;
  result.inputs.erase(result.inputs.begin() + static_cast<std::ptrdiff_t>(k));
  const auto tie = [&](Operand& operand) { std::replace(operand.labels.begin(), operand.labels.end(), tied[1], tied[0]); };
  std::for_each(result.inputs.begin(), result.inputs.end(), tie);
  tie(result.out);
  return result;
}

/// The same contraction with one identity less.
std::optional<Contraction> reduced(const StepEditing& steps, const Contraction& contraction) {
  if (!is_ordinary(contraction.pair) || contraction.factors > 0 || contraction.inputs.size() < 2) return std::nullopt;
  for (std::size_t k = 0; k < contraction.inputs.size(); ++k) {
    const StepId made_by = steps.maker(contraction.inputs[k].buffer);
    if (made_by < 0 || !std::holds_alternative<program::Identity>(steps.operation(made_by))) continue;
    std::optional<Contraction> result = on_diagonal(contraction, k);
    if (result && steps.seconds(*result) < steps.seconds(contraction)) return result;
  }
  return std::nullopt;
}

}  // namespace

Lowered fuse_identities(const Lowered& lowered, const FusionContext& context) {
  StepEditing steps(lowered, context);
  for (StepId id = 0; id < steps.count(); ++id) {
    if (!steps.is_repeated(id)) continue;
    while (const auto* contraction = std::get_if<Contraction>(&steps.operation(id))) {
      std::optional<Contraction> less = reduced(steps, *contraction);
      if (!less) break;
      steps.replace(id, std::move(*less));
    }
  }
  return steps.finished();
}

}  // namespace tyto::plan
