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

bool walks_alike(const ProductIndex& a, const ProductIndex& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const ProductLoop& one, const ProductLoop& other) { return one.step == other.step; });
}

/// Orders of the loops of a packed index that are worth a look: as the output lies, and the same but with the loop along which an
/// operand's elements follow each other next to the innermost: what is packed then comes in whole lines, soon after one another.
std::vector<ProductIndex> orders_of_output(ProductIndex index, std::size_t operand) {
  sort_by(index, arithmetic::product_out);
  std::vector<ProductIndex> orders = {index};
  if (index.size() < 3) return orders;
  const auto nearest = std::min_element(index.begin(), index.end(), [operand](const ProductLoop& a, const ProductLoop& b) {
    return a.step[operand] < b.step[operand];
  });
  if (nearest + 2 >= index.end()) return orders;
  std::rotate(nearest, nearest + 1, index.end() - 1);
  orders.push_back(std::move(index));
  return orders;
}

/// The same product with its loops in other orders, for operands that are packed.
std::vector<Product> reordered(const Product& product) {
  std::vector<Product> variants;
  std::vector<ProductIndex> rows = {product.rows};
  if (product.factors == 1) rows = orders_of_output(product.rows, arithmetic::product_left);
  std::vector<ProductIndex> columns = orders_of_output(product.columns, arithmetic::product_right);
  if (std::none_of(columns.begin(), columns.end(), [&](const ProductIndex& one) { return walks_alike(one, product.columns); }))
    columns.push_back(product.columns);
  for (const ProductIndex& of_rows : rows)
    for (const ProductIndex& of_columns : columns) {
      if (walks_alike(of_rows, product.rows) && walks_alike(of_columns, product.columns)) continue;
      Product variant = product;
      variant.rows = of_rows, variant.columns = of_columns;
      variants.push_back(std::move(variant));
    }
  return variants;
}

/// One product after another along columns that do not follow each other.
Product batched_by_columns(Product product) {
  product.batch.insert(product.batch.end(), product.columns.begin(), product.columns.end() - 1);
  product.columns = {product.columns.back()};
  sort_by(product.batch, arithmetic::product_out);
  return product;
}

ProductChoice choice_of(const Product& product, Walk way, Dtype type, const Rates& rates) {
  ProductChoice choice{.isa = rates.isa};
  choice.plan = with_floating_type(type, [&]<class T>() {
    const arithmetic::ProductFunctions<T>& functions = arithmetic::product_functions<T>(rates.isa);
    arithmetic::ProductPlan plan = arithmetic::plan_product(product, way, functions, rates.caches());
    choice.tile = functions.tiling(plan.wide).tile;
    choice.column_panel = functions.tiling(plan.wide).column_panel;
    return plan;
  });
  choice.through_offsets = product.rows.size() > 1 || product.depth.size() > 1 || product.columns.size() > 1;
  return choice;
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
      const auto add = [&](const Product& variant, bool once_only = false) {
        ProductChoice choice = choice_of(variant, way, type, rates);
        choice.right = right, choice.left = left;
        if (!once_only || choice.plan.packs_left_once) choices.push_back(std::move(choice));
      };
      add(*product);
      if (product->columns.size() > 1) add(batched_by_columns(*product), true);
      if (way != Walk::packed) continue;
      for (const Product& variant : reordered(*product)) add(variant);
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
