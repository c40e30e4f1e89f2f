// How products are cut into blocks: by the caches, and by what the walk over the right operand allows.
#include <algorithm>
#include <complex>
#include <numeric>
#include "arithmetic/product.hpp"

namespace tyto::arithmetic {
namespace {

std::int64_t rounded_up(std::int64_t value, std::int64_t unit) { return (value + unit - 1) / unit * unit; }

bool moves(const ProductLoop& loop, std::int64_t factors) {
  return std::any_of(loop.step.begin() + product_left, loop.step.begin() + product_left + factors,
                     [](std::int64_t step) { return step != 0; });
}

/// Elements of depth that the right operand walks with one step: those of the inner loops that chain.
std::int64_t even_run(const ProductIndex& depth) {
  std::int64_t run = 1;
  for (auto loop = depth.rbegin(); loop != depth.rend(); ++loop) {
    if (loop->extent == 1) continue;
    if (loop->step[product_right] != run * depth.back().step[product_right]) break;
    run *= loop->extent;
  }
  return run;
}

/// Whether lines that are `step` bytes apart spread over the sets of a cache, whose period is a page.
bool spreads(std::int64_t step, std::int64_t lines) {
  constexpr std::int64_t page = 4096, line = 64, ways = 8;
  const std::int64_t apart = std::gcd(step, page), places = std::min(page / apart, page / line);
  return lines <= places * ways / 2;
}

/// Depth of a packed block: little where few rows or columns use the other side, of which so many then fit the second-level cache
/// that they are read in long rows.
std::int64_t packed_depth(std::int64_t rows, std::int64_t columns) {
  constexpr std::int64_t few = 64;
  return std::min(rows, columns) <= few ? 64 : 256;
}

/// Blocks of depth, of which none crosses a run.
std::int64_t depth_blocks(const ProductPlan& plan) {
  if (plan.depth_run <= 0 || plan.depth_block <= 0) return 1;
  const std::int64_t runs = plan.depth / plan.depth_run, rest = plan.depth % plan.depth_run;
  const auto blocks = [&](std::int64_t run) { return (run + plan.depth_block - 1) / plan.depth_block; };
  return runs * blocks(plan.depth_run) + blocks(rest);
}

template <class T>
void size_scratch(ProductPlan& plan, std::int64_t row_vector, std::int64_t column_panel) {
  constexpr auto bytes = static_cast<std::int64_t>(sizeof(T));
  plan.offset_rows = plan.packs_left_once ? plan.rows : plan.row_block;
  const std::int64_t padded = rounded_up(plan.offset_rows, row_vector);  // each panel, at least a vector, may be followed by a gap
  const std::int64_t blocks = plan.packs_left_once ? depth_blocks(plan) : 1;
  plan.left_elements =
      padded * (plan.packs_left_once ? plan.depth : plan.depth_block) + blocks * padded / row_vector * panel_gap<T>;
  if (plan.right == Walk::packed)
    plan.right_elements = (plan.packs_ahead ? 2 : 1) * ((plan.column_block + column_panel - 1) / column_panel) *
                          panel_step<T>(column_panel, plan.depth_block);
  if (plan.keeps_out) plan.out_elements = plan.column_block * padded;
  const std::int64_t offsets[] = {plan.offset_rows, plan.offset_rows * plan.product.factors, plan.column_block, plan.column_block,
                                  plan.depth_block, plan.depth_block * plan.product.factors};
  plan.scratch_bytes =
      scratch_part(plan.left_elements, bytes) + scratch_part(plan.right_elements, bytes) + scratch_part(plan.out_elements, bytes);
  for (const std::int64_t count : offsets) plan.scratch_bytes += scratch_part(count, 8);
  if (plan.keeps_out) plan.scratch_bytes += scratch_part(plan.offset_rows, 8) + scratch_part(plan.column_block, 8);
}

}  // namespace

std::int64_t extent_of(const ProductIndex& index) {
  std::int64_t extent = 1;
  for (const ProductLoop& loop : index) extent *= loop.extent;
  return extent;
}

bool allows(const Product& product, Walk right) {
  switch (right) {
    case Walk::packed: return true;
    case Walk::columns_adjacent:
      return !product.columns.empty() && !product.depth.empty() && product.columns.back().step[product_right] == 1;
    case Walk::depth_adjacent: return !product.depth.empty() && product.depth.back().step[product_right] == 1;
  }
  return false;
}

template <class T>
ProductPlan plan_product(Product product, Walk right, const ProductFunctions<T>& functions, const Caches& caches) {
  ProductPlan plan{.product = std::move(product), .right = right};
  const Product& p = plan.product;
  plan.rows = extent_of(p.rows);
  plan.columns = extent_of(p.columns);
  plan.depth = extent_of(p.depth);
  plan.left_moves = std::any_of(p.batch.begin(), p.batch.end(), [&](const ProductLoop& loop) { return moves(loop, p.factors); });
  plan.wide = functions.suits_wide(plan.rows);
  const Tiling& tiling = functions.tiling(plan.wide);
  plan.row_vector = functions.row_vector;
  plan.tile_columns = tiling.tile.columns;
  constexpr auto bytes = static_cast<std::int64_t>(sizeof(T));
  const std::int64_t second = caches.second / 2 / bytes;
  const std::int64_t tall = tiling.tile.vectors * functions.row_vector;
  // In place, the tile's columns of the right operand stay in the first-level cache; adjacent columns touch one line for each
  // depth, and lines that are far apart fall on few sets of the cache.
  constexpr std::int64_t far_depth = 32;
  plan.depth_run = right == Walk::packed ? std::max<std::int64_t>(plan.depth, 1) : even_run(p.depth);
  plan.depth_block = right == Walk::packed ? packed_depth(plan.rows, plan.columns)
                     : right == Walk::columns_adjacent
                         ? (plan.columns * plan.depth <= second / 2 ? packed_depth(plan.rows, plan.columns) : far_depth)
                         : caches.first / 8 / bytes;
  plan.depth_block = std::max<std::int64_t>(1, std::min({plan.depth_block, plan.depth, plan.depth_run}));
  plan.packs_left_once = rounded_up(plan.rows, functions.row_vector) * plan.depth <= second;
  // Where columns are few, the block of the output stays near too until all of them have filled its lines.
  const std::int64_t near_columns = plan.columns * plan.depth_block <= second / 4 ? plan.columns : 0;
  plan.row_block = std::max(tall, second / (plan.depth_block + near_columns) / tall * tall);
  if (plan.packs_left_once || plan.row_block > plan.rows) plan.row_block = std::max<std::int64_t>(plan.rows, 1);
  const bool is_skinny = plan.rows <= plan.row_block;  // what is read of the right operand is read once
  if (right == Walk::columns_adjacent)
    plan.asks_early = is_skinny && spreads(bytes * p.depth.back().step[product_right], plan.depth_block);
  if (right == Walk::depth_adjacent && !p.columns.empty())
    plan.asks_early = is_skinny && spreads(bytes * p.columns.back().step[product_right], 2 * tiling.tile.columns);
  std::int64_t columns = right == Walk::packed && !is_skinny ? 4080 : 510;
  if (right == Walk::packed && is_skinny)  // blocks that are packed ahead, two at a time, take half of the second-level cache
    columns = std::clamp<std::int64_t>(second / 2 / plan.depth_block - tiling.column_panel + 1, 1, columns);
  plan.column_block = std::max<std::int64_t>(1, std::min(rounded_up(columns, tiling.column_panel), plan.columns));
  const bool has_next = plan.column_block < plan.columns || plan.depth_block < plan.depth || extent_of(p.batch) > 1;
  plan.packs_ahead = right == Walk::packed && is_skinny && has_next;
  const bool lies_apart = !p.rows.empty() && p.rows.back().step[product_out] != 1;
  plan.keeps_out =
      lies_apart && plan.packs_left_once && plan.depth_block < plan.depth && plan.rows * plan.column_block <= second / 4;
  size_scratch<T>(plan, functions.row_vector, tiling.column_panel);
  return plan;
}

template ProductPlan plan_product(Product, Walk, const ProductFunctions<double>&, const Caches&);
template ProductPlan plan_product(Product, Walk, const ProductFunctions<float>&, const Caches&);
template ProductPlan plan_product(Product, Walk, const ProductFunctions<std::complex<double>>&, const Caches&);
template ProductPlan plan_product(Product, Walk, const ProductFunctions<std::complex<float>>&, const Caches&);

}  // namespace tyto::arithmetic
