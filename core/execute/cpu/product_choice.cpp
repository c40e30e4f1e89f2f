// Sorts the loops of a contraction into rows, columns, depth and batch, for each operand that may be the right one.
#include "execute/cpu/product_choice.hpp"
#include <algorithm>
#include <cmath>
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

/// Tiles have a fixed size: as many elements as are computed for so many that count.
double filled_up(double extent, double tile) { return std::ceil(extent / tile) * tile; }

double share(double extent, double half) { return extent / (extent + half); }

constexpr double line = 64, page = 4096;  // bytes

/// Seconds to pack one element: rows of adjacent elements, or one by one. A panel of rows that lie pages apart waits for each of
/// them, unless rows are read as long as they are.
double packing_seconds(const ProductIndex& across, const ProductIndex& depth, std::size_t place, bool in_long_rows,
                       const Rates& rates) {
  if (!across.empty() && across.back().step[place] == 1) {
    const bool is_far = !depth.empty() && static_cast<double>(depth.back().step[place]) * 8 >= page;
    return rates.packing + (is_far && !in_long_rows ? rates.memory.run * 8 / line : 0);
  }
  if (!depth.empty() && depth.back().step[place] == 1) return rates.transposed_packing;
  return rates.scattered_packing;
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
        return arithmetic::plan_product(*product, way, arithmetic::product_functions<T>(rates.isa), rates.caches);
      });
      choice.through_offsets = product->rows.size() > 1 || product->depth.size() > 1 || product->columns.size() > 1;
      choices.push_back(std::move(choice));
    }
  }
  return choices;
}

double seconds_of(const ProductChoice& choice, Dtype type, const Rates& rates) {
  const arithmetic::ProductPlan& plan = choice.plan;
  const bool is_packed = plan.right == Walk::packed;
  const ProductRates& rate = is_packed ? rates.packed_product : rates.product;
  const bool is_complex = program::is_complex(type);
  const double width = (type == Dtype::f32 || type == Dtype::c64 ? 0.5 : 1) * (is_complex ? 4 : 1);  // against f64
  const auto batch = static_cast<double>(arithmetic::extent_of(plan.product.batch));
  const auto rows = static_cast<double>(plan.rows), columns = static_cast<double>(plan.columns),
             depth = static_cast<double>(plan.depth);
  const double efficiency = share(rows, rate.half_rows) * share(columns, rate.half_columns) *
                            share(static_cast<double>(std::min(plan.depth_block, plan.depth_run)), rate.half_depth);
  const auto tile_rows = static_cast<double>(plan.row_vector), tile_columns = static_cast<double>(plan.tile_columns);
  const double computed = 2 * filled_up(rows, tile_rows) * filled_up(columns, tile_columns / 2) * depth;
  double seconds = rate.call + width * computed / (rate.flops * efficiency);
  const double left_passes =
      plan.packs_left_once || plan.rows <= plan.row_block ? 1 : std::ceil(columns / static_cast<double>(plan.column_block));
  double packing = 0;
  for (std::size_t f = 0; f < choice.left.size(); ++f)
    packing += packing_seconds(plan.product.rows, plan.product.depth, arithmetic::product_left + f, false, rates);
  const double left_packing = width * packing * rows * depth * left_passes;
  const double right_packing =
      is_packed ? width * packing_seconds(plan.product.columns, plan.product.depth, arithmetic::product_right, true, rates) *
                      columns * depth
                : 0;
  seconds += right_packing;
  const bool rows_lie_apart = !plan.product.rows.empty() && plan.product.rows.back().step[arithmetic::product_out] != 1;
  const double depth_blocks =
      plan.keeps_out ? 1 : std::ceil(depth / static_cast<double>(std::min(plan.depth_block, plan.depth_run)));
  if (rows_lie_apart) seconds += width * rates.scattered_packing * rows * columns * depth_blocks;
  const double right_bytes = columns * depth * static_cast<double>(size_of(type));
  if (!is_packed && !plan.asks_early && right_bytes > rates.second_level.size) seconds += right_bytes / line * rates.memory.run;
  const bool packs_left_for_all = plan.packs_left_once && !plan.left_moves;
  return batch * seconds + (packs_left_for_all ? 1 : batch) * left_packing;
}

std::string class_of(const ProductChoice& choice) {
  const arithmetic::ProductPlan& plan = choice.plan;
  std::string name = arithmetic::extent_of(plan.product.batch) > 1 ? "batched gemm" : "gemm";
  if (choice.left.size() > 1) return name + " on a Khatri-Rao product";
  if (plan.right != Walk::packed) return name + " in place";
  return choice.through_offsets ? name + " through offsets" : name;
}

}  // namespace tyto::execute::cpu
