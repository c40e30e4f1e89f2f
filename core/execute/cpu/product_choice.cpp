// Sorts the loops of a contraction into rows, columns, depth and batch, for each operand that may be the right one.
#include "execute/cpu/product_choice.hpp"
#include <algorithm>
#include <optional>
#include "execute/cpu/element_type.hpp"

namespace tyto::execute::cpu {
namespace {

using arithmetic::Product;
using arithmetic::ProductIndex;
using arithmetic::ProductLoop;
using arithmetic::Walk;

/// The loop with its steps by place of the product, given which input stands where.
ProductLoop step_of(const OperandLoop& loop, std::size_t right, const std::vector<std::size_t>& left) {
  ProductLoop made{.extent = loop.extent};
  made.step[arithmetic::product_out] = loop.stride[0];
  made.step[arithmetic::product_right] = loop.stride[1 + right];
  for (std::size_t f = 0; f < left.size(); ++f) made.step[arithmetic::product_left + f] = loop.stride[1 + left[f]];
  return made;
}

void sort_by(ProductIndex& index, std::size_t place) {
  std::stable_sort(index.begin(), index.end(),
                   [place](const ProductLoop& a, const ProductLoop& b) { return a.step[place] > b.step[place]; });
}

/// Nothing if some label is summed that only one side has.
std::optional<Product> product_of(const std::vector<OperandLoop>& loops, std::size_t right, const std::vector<std::size_t>& left) {
  Product product;
  product.factors = static_cast<std::int64_t>(left.size());
  for (const OperandLoop& loop : loops) {
    const bool out = loop.present[0], on_right = loop.present[1 + right];
    const bool on_left = std::any_of(left.begin(), left.end(), [&](std::size_t input) { return loop.present[1 + input]; });
    if (!out && !(on_left && on_right)) return std::nullopt;
    ProductIndex& index = !out ? product.depth : on_left == on_right ? product.batch : on_left ? product.rows : product.columns;
    index.push_back(step_of(loop, right, left));
  }
  if (product.depth.empty()) return std::nullopt;
  sort_by(product.rows, arithmetic::product_out);
  sort_by(product.columns, arithmetic::product_right);
  sort_by(product.depth, arithmetic::product_right);
  sort_by(product.batch, arithmetic::product_out);
  return product;
}

}  // namespace

std::vector<ProductChoice> product_choices(const program::Contraction& contraction, const std::vector<program::Buffer>& buffers,
                                           const Rates& rates) {
  std::vector<ProductChoice> choices;
  const std::size_t inputs = contraction.inputs.size();
  const Dtype type = buffers[static_cast<std::size_t>(contraction.out.buffer)].dtype;
  if (inputs < 2 || inputs - 1 > arithmetic::most_factors || !is_floating(type)) return choices;
  // The factors are multiplied as they are packed; other products of many operands are cheaper one after another.
  if (inputs > 2 && static_cast<std::size_t>(contraction.factors) + 1 != inputs) return choices;
  const std::vector<OperandLoop> loops = operand_loops(contraction, buffers);
  for (std::size_t right = 0; right < (inputs > 2 ? 1 : inputs); ++right) {
    std::vector<std::size_t> left;
    for (std::size_t input = 0; input < inputs; ++input)
      if (input != right) left.push_back(input);
    const std::optional<Product> product = product_of(loops, right, left);
    if (!product) continue;
    for (const Walk way : {Walk::packed, Walk::columns_adjacent, Walk::depth_adjacent}) {
      if (!allows(*product, way)) continue;
      ProductChoice choice{.isa = rates.isa, .right = right, .left = left};
      choice.plan = with_floating_type(type, [&]<class T>() {
        const arithmetic::ProductFunctions<T>& functions = arithmetic::product_functions<T>(rates.isa);
        arithmetic::ProductPlan plan = arithmetic::plan_product(*product, way, functions, rates.caches());
        choice.tile = functions.tiling(plan.wide).tile;
        choice.column_panel = functions.tiling(plan.wide).column_panel;
        return plan;
      });
      choice.through_offsets = product->rows.size() > 1 || product->depth.size() > 1 || product->columns.size() > 1;
      choices.push_back(std::move(choice));
    }
  }
  return choices;
}

std::string class_of(const ProductChoice& choice) {
  const arithmetic::ProductPlan& plan = choice.plan;
  std::string name = arithmetic::extent_of(plan.product.batch) > 1 ? "batched gemm" : "gemm";
  if (choice.left.size() > 1) return name + " on a Khatri-Rao product";
  if (plan.right != Walk::packed) return name + " in place";
  return choice.through_offsets ? name + " through offsets" : name;
}

}  // namespace tyto::execute::cpu
