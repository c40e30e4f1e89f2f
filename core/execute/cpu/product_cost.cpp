// Follows the loops of arithmetic/product.hpp: how often each part is visited, and in how long pieces.
#include "execute/cpu/product_cost.hpp"
#include <algorithm>
#include <cmath>
#include <numeric>
#include "execute/cpu/element_type.hpp"
#include "execute/cpu/traffic.hpp"

namespace tyto::execute::cpu {
namespace {

using arithmetic::ProductIndex;
using arithmetic::ProductLoop;
using arithmetic::ProductPlan;
using arithmetic::Walk;

double as_double(std::int64_t count) { return static_cast<double>(count); }

/// Elements of the inner loops that follow each other at `step` in one tensor.
std::int64_t run_of(const ProductIndex& index, std::size_t place, std::int64_t step = 1) {
  std::int64_t run = 1;
  for (auto loop = index.rbegin(); loop != index.rend(); ++loop) {
    if (loop->extent == 1) continue;
    if (loop->step[place] != run * step) break;
    run *= loop->extent;
  }
  return run;
}

std::int64_t inner_step(const ProductIndex& index, std::size_t place) { return index.empty() ? 0 : index.back().step[place]; }

/// The innermost `count` elements of an index, and what is around them.
struct Split {
  ProductIndex around, inside;
};
Split split(const ProductIndex& index, std::int64_t count) {
  Split parts;
  for (auto loop = index.rbegin(); loop != index.rend(); ++loop) {
    const std::int64_t taken = std::min(loop->extent, count);
    ProductLoop inner = *loop, outer = *loop;
    inner.extent = taken;
    outer.extent = (loop->extent + taken - 1) / taken;
    for (std::int64_t& step : outer.step) step *= taken;
    parts.inside.insert(parts.inside.begin(), inner);
    parts.around.insert(parts.around.begin(), outer);
    count = taken < loop->extent ? 1 : std::max<std::int64_t>(1, count / taken);
  }
  return parts;
}

/// Loops around each other, slowest first.
ProductIndex nested(std::initializer_list<ProductIndex> parts) {
  ProductIndex all;
  for (const ProductIndex& part : parts)
    for (const ProductLoop& loop : part)
      if (loop.extent > 1) all.push_back(loop);
  return all;
}

/// Of the groups of `width` that an index is cut into, the share that lies within one run.
double share_within(std::int64_t run, std::int64_t width, std::int64_t extent) {
  if (run >= extent) return 1;
  const std::int64_t apart = std::gcd(run, width);  // groups begin at all multiples of it
  return run < width ? 0 : as_double((run - width) / apart + 1) / as_double(run / apart);
}

class Pricing {
 public:
  Pricing(const ProductChoice& choice, Dtype type, const Rates& rates)
      : choice_(choice),
        plan_(choice.plan),
        rates_(rates),
        rate_(plan_.right == Walk::packed ? rates.packed_product : rates.product) {
    bytes_ = as_double(size_of(type));
    is_complex_ = program::is_complex(type);
    halving_ = type == Dtype::f32 || type == Dtype::c64 ? 0.5 : 1;
    batch_ = as_double(arithmetic::extent_of(plan_.product.batch));
    rows_ = as_double(plan_.rows), columns_ = as_double(plan_.columns), depth_ = as_double(plan_.depth);
    depth_blocks_ = blocks_of_depth();
    written_ = plan_.keeps_out ? 1 : depth_blocks_;
    all_bytes_ = all_bytes();
  }

  ProductCost cost() const {
    ProductCost cost;
    cost.calls = batch_ * (rate_.call + offsets() * rates_.offset);
    cost.tiles = batch_ * tiles();
    cost.writing = batch_ * writing();
    cost.packing = left_packing() + right_packing(cost.tiles);
    cost.waiting = waiting(cost.tiles);
    return cost;
  }

 private:
  double blocks_of_depth() const {
    const double runs = std::max(1.0, depth_ / as_double(std::max<std::int64_t>(plan_.depth_run, 1)));
    return runs * std::ceil(std::min(as_double(plan_.depth_run), depth_) / as_double(plan_.depth_block));
  }
  double column_blocks() const { return std::ceil(columns_ / as_double(plan_.column_block)); }
  double row_blocks() const { return plan_.packs_left_once ? 1 : std::ceil(rows_ / as_double(plan_.row_block)); }
  bool columns_come_first() const { return plan_.packs_left_once || plan_.rows > plan_.row_block; }

  /// Filled in: of rows, columns and depth, for as often as their blocks are entered.
  double offsets() const {
    const double factors = as_double(plan_.product.factors);
    const double of_depth = (1 + factors) * depth_ * (columns_come_first() ? column_blocks() : 1);
    const double of_columns = 2 * columns_ * (columns_come_first() ? 1 : depth_blocks_);
    const double of_rows = (1 + factors) * rows_ * (row_blocks() > 1 ? depth_blocks_ * column_blocks() : 1);
    return of_depth + of_columns + of_rows;
  }

  /// Vector operations of one depth of a tile. So many must be under way at least: sums wait for the ones before them.
  double operations(std::int64_t vectors, std::int64_t columns) const {
    const double each = is_complex_ ? 4 : 1, under_way = is_complex_ ? 16 : 8;
    return std::max(each * as_double(vectors * columns), under_way);
  }

  /// One tile wide: all panels of rows.
  double tiles_across_rows(std::int64_t columns) const {
    const std::int64_t most = choice_.tile.vectors, lanes = plan_.row_vector;
    const std::int64_t vectors = (plan_.rows + lanes - 1) / lanes;
    const std::int64_t rest = vectors % most;
    const double flops = is_complex_ ? rates_.complex_product : rate_.flops;
    const double speed = flops / halving_ / as_double(2 * lanes);  // vector operations in a second
    const double whole = as_double(vectors / most) * (operations(most, columns) * depth_ / speed + rate_.tile * depth_blocks_);
    return whole + (rest > 0 ? operations(rest, columns) * depth_ / speed + rate_.tile * depth_blocks_ : 0);
  }

  /// Tiles have all their columns, half of them, or one. In place they do not cross from one run of columns to the next.
  double tiles() const {
    const std::int64_t most = choice_.tile.columns;
    std::int64_t run = plan_.columns;
    if (plan_.right == Walk::columns_adjacent) run = run_of(plan_.product.columns, arithmetic::product_right);
    if (plan_.right == Walk::depth_adjacent)
      run = run_of(plan_.product.columns, arithmetic::product_right, inner_step(plan_.product.columns, arithmetic::product_right));
    run = std::min(run, plan_.columns);
    const double runs = columns_ / as_double(run);
    std::int64_t rest = run % most;
    double seconds = as_double(run / most) * tiles_across_rows(most);
    if (plan_.right == Walk::packed) {
      const std::int64_t last = rest > most / 2 || most <= 3 ? most : rest > 1 ? most / 2 : 1;
      if (rest > 0) seconds += tiles_across_rows(last);
    } else {
      if (most > 3 && rest >= most / 2) seconds += tiles_across_rows(most / 2), rest -= most / 2;
      seconds += as_double(rest) * tiles_across_rows(1);
    }
    return runs * seconds;
  }

  std::int64_t tile_rows() const { return choice_.tile.vectors * plan_.row_vector; }
  /// Share of the output that tiles write in vectors: those that are full of rows, which are adjacent.
  double written_in_vectors() const {
    if (is_complex_) return 0;
    const std::int64_t run = run_of(plan_.product.rows, arithmetic::product_out), lanes = plan_.row_vector;
    const std::int64_t full = plan_.rows / lanes, beyond = full % choice_.tile.vectors;
    // A panel that ends in a part of a vector is not full.
    const std::int64_t in_full_panels = plan_.rows % lanes == 0 ? plan_.rows : (full - beyond) * lanes;
    return share_within(run, std::min(tile_rows(), plan_.rows), plan_.rows) * as_double(in_full_panels) / rows_;
  }
  /// Share of the rest that is written in vectors all the same: of rows that are adjacent in pieces, or of four columns that are.
  double written_in_pieces() const {
    if (is_complex_) return 0;
    constexpr std::int64_t four = 4;
    const double in_rows =
        share_within(run_of(plan_.product.rows, arithmetic::product_out), std::min(plan_.row_vector, four), plan_.rows);
    const std::int64_t columns =
        std::min<std::int64_t>(plan_.keeps_out ? 64 / static_cast<std::int64_t>(bytes_) : choice_.tile.columns, plan_.columns);
    const double in_fours = as_double(columns / four * four) / as_double(columns) *
                            share_within(run_of(plan_.product.columns, arithmetic::product_out), four, plan_.columns);
    return plan_.rows < four ? in_rows : in_rows + (1 - in_rows) * in_fours;
  }
  double writing() const {
    const double in_vectors = plan_.keeps_out ? 0 : written_in_vectors(), in_pieces = (1 - in_vectors) * written_in_pieces();
    const double element = in_pieces * rates_.vector_writing + (1 - in_vectors - in_pieces) * rates_.scattered_writing;
    return rows_ * columns_ * written_ * element * halving_;
  }

  double all_bytes() const {
    double left = 0;
    for (std::size_t f = 0; f < choice_.left.size(); ++f) left += touched(arithmetic::product_left + f);
    return left + touched(arithmetic::product_out) + touched(arithmetic::product_right);
  }
  /// Bytes of a tensor that the product touches.
  double touched(std::size_t place) const {
    double elements = 1;
    for (const ProductIndex* index : {&plan_.product.rows, &plan_.product.columns, &plan_.product.depth, &plan_.product.batch})
      for (const ProductLoop& loop : *index)
        if (loop.step[place] != 0) elements *= as_double(loop.extent);
    return elements * bytes_;
  }
  /// Seconds until one tensor has come from beyond the second-level cache, walked in this order; the output also goes back.
  double fetching(std::size_t place, const ProductIndex& loops, bool is_asked_for_early = false) const {
    const bool is_out = place == arithmetic::product_out;
    LoopOrder order;
    for (const ProductLoop& loop : loops) {
      Loop walked{.extent = loop.extent};
      walked.stride[is_out ? Place::out : Place::left] = loop.step[place];
      order.loops.push_back(walked);
    }
    const auto seconds_from = [&](const LevelRates& level, double size_before) {
      if (all_bytes_ <= size_before) return 0.0;
      const Traffic traffic = traffic_into(order, static_cast<std::int64_t>(bytes_), size_before);
      return traffic.bytes / level.speed + (is_asked_for_early ? 0 : traffic.runs * level.run);
    };
    return std::max(seconds_from(rates_.last_level, rates_.second_level.size), seconds_from(rates_.memory, rates_.last_level.size));
  }

  /// Copies all of an operand to panels of `width` once.
  double packing_of(const ProductIndex& across, std::size_t place, std::int64_t width) const {
    const ProductIndex& depth = plan_.product.depth;
    const std::int64_t extent = arithmetic::extent_of(across);
    const std::int64_t across_run = run_of(across, place), depth_run = run_of(depth, place);
    const double in_rows = is_complex_ ? 0 : share_within(across_run, std::min(width, extent), extent);
    const bool transposes =
        !is_complex_ && depth_run >= plan_.depth_block && plan_.depth_block >= 4 && choice_.isa != arithmetic::Isa::portable;
    const double panels = std::ceil(as_double(extent) / as_double(width)), elements = as_double(extent) * depth_;
    return in_rows * (elements * rates_.packing * halving_ + panels * depth_ * rates_.packing_row) +
           (1 - in_rows) * elements * (transposes ? rates_.transposed_packing : rates_.scattered_packing);
  }
  /// Fetches an operand that is packed panel by panel, or in rows as long as they are.
  double fetching_packed(const ProductIndex& across, std::size_t place, std::int64_t width, bool in_long_rows,
                         const ProductIndex& batch) const {
    const Split depth = split(plan_.product.depth, plan_.depth_block);
    if (in_long_rows && run_of(across, place) >= arithmetic::extent_of(across))
      return fetching(place, nested({batch, depth.around, depth.inside, across}));
    const Split panels = split(across, width);
    return fetching(place, nested({batch, depth.around, panels.around, depth.inside, panels.inside}));
  }
  double left_packing() const {
    const double passes = plan_.packs_left_once || plan_.rows <= plan_.row_block ? 1 : column_blocks();
    const bool for_all = plan_.packs_left_once && !plan_.left_moves;
    double copying = 0, waiting = 0;
    for (std::size_t f = 0; f < choice_.left.size(); ++f) {
      const std::size_t place = arithmetic::product_left + f;
      const bool in_long_rows = choice_.left.size() == 1;
      copying += packing_of(plan_.product.rows, place, tile_rows());
      waiting +=
          fetching_packed(plan_.product.rows, place, tile_rows(), in_long_rows, for_all ? ProductIndex{} : plan_.product.batch);
    }
    return passes * (copying * (for_all ? 1 : batch_) + waiting);
  }
  /// What is packed ahead comes from far while tiles are computed.
  double right_packing(double tiles) const {
    if (plan_.right != Walk::packed) return 0;
    const ProductIndex& columns = plan_.product.columns;
    const double fetching = fetching_packed(columns, arithmetic::product_right, choice_.column_panel, true, plan_.product.batch);
    return batch_ * packing_of(columns, arithmetic::product_right, choice_.column_panel) +
           (plan_.packs_ahead ? std::max(0.0, fetching - tiles / 2) : fetching);
  }

  /// For a right operand in place, which comes while tiles are computed if it is asked for early; and for the output.
  double waiting(double tiles) const {
    const ProductIndex& batch = plan_.product.batch;
    const Split columns = split(plan_.product.columns, choice_.tile.columns), depth = split(plan_.product.depth, plan_.depth_block);
    constexpr std::int64_t piece = 256;  // rows, whose lines stay near until all columns of a tile have been there
    const bool in_blocks = !plan_.packs_left_once && plan_.rows > plan_.row_block;
    const Split blocks_of_rows = split(plan_.product.rows, in_blocks ? plan_.row_block : plan_.rows);
    const Split rows = split(blocks_of_rows.inside, piece);
    const Split blocks_of_columns = split(plan_.product.columns, in_blocks ? plan_.column_block : plan_.columns);
    const Split out_columns = split(blocks_of_columns.inside, choice_.tile.columns);
    // Tiles ask for the lines that they will write; of rows that lie apart, for a few of them only.
    const bool asks = written_ == 1 && !plan_.keeps_out && run_of(plan_.product.rows, arithmetic::product_out) >= plan_.row_vector;
    const double out = written_ * fetching(arithmetic::product_out,
                                           nested({batch, blocks_of_columns.around, blocks_of_rows.around, out_columns.around,
                                                   rows.around, rows.inside, out_columns.inside}),
                                           asks);
    double right = 0;
    if (plan_.right != Walk::packed) {
      const double passes = plan_.packs_left_once ? 1 : row_blocks();
      right = passes * fetching(arithmetic::product_right,
                                nested({batch, depth.around, columns.around, depth.inside, columns.inside}), plan_.asks_early);
    }
    const double early = (asks ? out : 0) + (plan_.asks_early ? right : 0);
    return std::max(0.0, early - tiles / 2) + out + right - early;
  }

  const ProductChoice& choice_;
  const ProductPlan& plan_;
  const Rates& rates_;
  const ProductRates& rate_;
  bool is_complex_ = false;
  double halving_ = 1;  ///< of times in single precision
  double bytes_ = 8, all_bytes_ = 0, batch_ = 1, rows_ = 1, columns_ = 1, depth_ = 1, depth_blocks_ = 1;
  double written_ = 1;  ///< how often each element of the output is
};

}  // namespace

ProductCost cost_of(const ProductChoice& choice, Dtype type, const Rates& rates) { return Pricing(choice, type, rates).cost(); }

double seconds_of(const ProductChoice& choice, Dtype type, const Rates& rates) { return cost_of(choice, type, rates).seconds(); }

}  // namespace tyto::execute::cpu
