#pragma once
/// The right operand of a product, packed block by block; where the plan says so, each block while the one before it is multiplied:
/// memory then works at the same time as the tiles.
#include <algorithm>
#include "arithmetic/product_part.hpp"

namespace tyto::arithmetic {

/// Where a block of the right operand begins.
struct RightPlace {
  std::int64_t point = 0, column = 0, depth = 0;
};

template <class T>
class PackedRight {
 public:
  PackedRight() = default;
  /// `to` has plan.right_elements, `columns` and `depth` have room for the offsets of a block.
  PackedRight(const ProductPlan& plan, const ProductFunctions<T>& functions, const T* right, T* to, std::int64_t* columns,
              std::int64_t* depth)
      : plan_(&plan), functions_(&functions), right_(right), to_(to), columns_(columns), depth_(depth) {}

  /// The order in which blocks will be asked for: depth changes fastest where columns are outside, then columns, then the batch.
  void begin(const Part& part, bool columns_outside) {
    part_ = part;
    columns_outside_ = columns_outside;
    next_ = {};
  }
  /// Packs the block, unless that was done ahead; and says what to pack ahead now.
  void bring(const RightPlace& here) {
    if (next_.count == 0) {
      set_next(here, to_);
      functions_->pack_right(next_);
    }
    block_ = next_.to;
    next_.count = 0;
    if (!plan_->packs_ahead) return;
    const RightPlace next = after(here);
    if (next.point < part_.batch.last) set_next(next, block_ == to_ ? to_ + plan_->right_elements / 2 : to_);
  }
  const T* block() const { return block_; }
  /// What has to be packed before the next block is asked for; null: nothing.
  const PackedColumns<T>* next() const { return next_.count > 0 ? &next_ : nullptr; }

 private:
  void set_next(const RightPlace& place, T* to) {
    const Product& product = plan_->product;
    std::int64_t point = 0;
    fill_offsets(product.batch, product_right, place.point, 1, &point);
    next_.count = std::min(plan_->column_block, part_.columns.last - place.column);
    next_.depth_count = plan_->depth_count(place.depth);
    fill_offsets(product.columns, product_right, place.column, next_.count, columns_);
    fill_offsets(product.depth, product_right, place.depth, next_.depth_count, depth_);
    next_.to = to, next_.from = right_ + point;
    next_.columns = columns_, next_.depth = depth_;
    next_.width = functions_->tiling(plan_->wide).column_panel;
    next_.panel_step = panel_step<T>(next_.width, next_.depth_count);
  }
  RightPlace after(RightPlace place) const {
    const auto wraps = [](std::int64_t& at, std::int64_t by, const Range& range) {
      at += by;
      if (at < range.last) return false;
      at = range.first;
      return true;
    };
    const auto next_column = [&] { return wraps(place.column, plan_->column_block, part_.columns); };
    const auto next_depth = [&] { return wraps(place.depth, plan_->depth_count(place.depth), {0, plan_->depth}); };
    if (columns_outside_ ? next_depth() && next_column() : next_column() && next_depth()) ++place.point;
    return place;
  }

  const ProductPlan* plan_ = nullptr;
  const ProductFunctions<T>* functions_ = nullptr;
  const T* right_ = nullptr;
  T* to_ = nullptr;
  std::int64_t *columns_ = nullptr, *depth_ = nullptr;
  Part part_;
  bool columns_outside_ = false;
  PackedColumns<T> next_;     ///< without columns: none
  const T* block_ = nullptr;  ///< the one at hand
};

}  // namespace tyto::arithmetic
