// Packs what is packed, and walks the blocks.
#include "arithmetic/product.hpp"
#include <algorithm>
#include <complex>
#include "arithmetic/packed_right.hpp"
#include "arithmetic/product_part.hpp"

namespace tyto::arithmetic {
namespace {

/// The scratch of a product, cut into its parts.
template <class T>
struct Scratch {
  T *left = nullptr, *right = nullptr, *out = nullptr;
  std::int64_t *row_out = nullptr, *row_left = nullptr, *column_out = nullptr, *column_right = nullptr, *depth_right = nullptr,
               *depth_left = nullptr, *kept_rows = nullptr, *kept_columns = nullptr;
};

/// Part `at` of an index of `extent` that is cut into `parts` of whole units.
Range range_of(std::int64_t extent, std::int64_t unit, std::int64_t parts, std::int64_t at) {
  const std::int64_t units = (extent + unit - 1) / unit;
  return {std::min(extent, units * at / parts * unit), std::min(extent, units * (at + 1) / parts * unit)};
}

template <class T>
class Run {
 public:
  Run(const ProductPlan& plan, const ProductFunctions<T>& functions, const ProductMemory<T>& memory, T scale)
      : plan_(plan), functions_(functions), memory_(memory), scale_(scale) {
    char* next = memory.scratch;
    const auto take = [&]<class E>(E*& part, std::int64_t count) {
      part = reinterpret_cast<E*>(next);
      next += scratch_part(count, static_cast<std::int64_t>(sizeof(E)));
    };
    take(scratch_.left, plan.left_elements);
    take(scratch_.right, plan.right_elements);
    take(scratch_.out, plan.out_elements);
    take(scratch_.row_out, plan.offset_rows);
    take(scratch_.row_left, plan.offset_rows * plan.product.factors);
    take(scratch_.column_out, plan.column_block);
    take(scratch_.column_right, plan.column_block);
    take(scratch_.depth_right, plan.depth_block);
    take(scratch_.depth_left, plan.depth_block * plan.product.factors);
    if (plan.keeps_out) {
      take(scratch_.kept_rows, plan.offset_rows);
      take(scratch_.kept_columns, plan.column_block);
      for (std::int64_t i = 0; i < plan.offset_rows; ++i) scratch_.kept_rows[i] = i;
      for (std::int64_t j = 0; j < plan.column_block; ++j) scratch_.kept_columns[j] = j * kept_step();
    }
    packing_ = PackedRight<T>(plan, functions, memory.right, scratch_.right, scratch_.column_right, scratch_.depth_right);
  }

  void compute(const Part& part) {
    rows_ = part.rows, columns_ = part.columns;
    const bool columns_outside = plan_.packs_left_once || rows_.count() > plan_.row_block;
    packing_.begin(part, columns_outside);
    for (std::int64_t point = part.batch.first; point < part.batch.last; ++point) {
      move_to(point);
      if (plan_.packs_left_once && (point == part.batch.first || plan_.left_moves)) pack_whole_left();
      if (columns_outside) columns_first();
      else depth_first();
    }
  }

 private:
  void move_to(std::int64_t point) {
    const auto offset = [&](std::size_t place) {
      std::int64_t at = 0;
      fill_offsets(plan_.product.batch, place, point, 1, &at);
      return at;
    };
    point_ = point;
    out_ = memory_.out + offset(product_out);
    addend_ = memory_.addend == nullptr ? nullptr : memory_.addend + offset(product_out);
    right_ = memory_.right + offset(product_right);
    for (std::size_t f = 0; f < static_cast<std::size_t>(plan_.product.factors); ++f)
      factors_[f] = memory_.factors[f] + offset(product_left + f);
  }

  void pack_whole_left() {
    set_rows(rows_.first, rows_.count());
    left_size_ = 0;
    for (std::int64_t p = 0; p < plan_.depth; p += plan_.depth_count(p)) {
      set_depth(p);
      left_size_ += pack_left(rows_.count(), scratch_.left + left_size_);
    }
  }

  /// Column blocks outermost: the left operand is there, or too large to stay.
  void columns_first() {
    for (std::int64_t j = columns_.first; j < columns_.last; j += plan_.column_block) {
      set_columns(j);
      const T* left = scratch_.left;  // of what was packed once
      for (std::int64_t p = 0; p < plan_.depth; p += plan_.depth_count(p)) {
        set_depth(p);
        bring_right(j, p);
        if (plan_.packs_left_once) {
          multiply(left, rows_.count());
          left += left_elements(rows_.count(), block_depth_);
          continue;
        }
        for (std::int64_t i = rows_.first; i < rows_.last; i += plan_.row_block) {
          const std::int64_t count = std::min(plan_.row_block, rows_.last - i);
          set_rows(i, count);
          pack_left(count, scratch_.left);
          multiply(scratch_.left, count);
        }
      }
      if (plan_.keeps_out) write_kept();
    }
  }

  /// Depth outermost: all rows are one block, packed once for each block of depth.
  void depth_first() {
    set_rows(rows_.first, rows_.count());
    for (std::int64_t p = 0; p < plan_.depth; p += plan_.depth_count(p)) {
      set_depth(p);
      pack_left(rows_.count(), scratch_.left);
      for (std::int64_t j = columns_.first; j < columns_.last; j += plan_.column_block) {
        set_columns(j);
        bring_right(j, p);
        multiply(scratch_.left, rows_.count());
      }
    }
  }

  void set_rows(std::int64_t first, std::int64_t count) {
    fill_offsets(plan_.product.rows, product_out, first, count, scratch_.row_out);
    for (std::int64_t f = 0; f < plan_.product.factors; ++f)
      fill_offsets(plan_.product.rows, product_left + static_cast<std::size_t>(f), first, count, scratch_.row_left + f * count);
  }
  void set_columns(std::int64_t first) {
    block_columns_ = std::min(plan_.column_block, columns_.last - first);
    fill_offsets(plan_.product.columns, product_out, first, block_columns_, scratch_.column_out);
    if (plan_.right != Walk::packed)
      fill_offsets(plan_.product.columns, product_right, first, block_columns_, scratch_.column_right);
  }
  void set_depth(std::int64_t first) {
    block_depth_ = plan_.depth_count(first);
    is_first_ = first == 0;
    if (plan_.right != Walk::packed) fill_offsets(plan_.product.depth, product_right, first, block_depth_, scratch_.depth_right);
    for (std::int64_t f = 0; f < plan_.product.factors; ++f)
      fill_offsets(plan_.product.depth, product_left + static_cast<std::size_t>(f), first, block_depth_,
                   scratch_.depth_left + f * plan_.depth_block);
  }

  /// Of the rows that set_rows() was called for. Returns how many elements they take.
  std::int64_t pack_left(std::int64_t count, T* to) {
    const LeftPanels panels = functions_.left_panels(count, plan_.wide);
    if (plan_.product.factors == 1) {
      functions_.pack_rows({.to = to,
                            .from = factors_[0],
                            .panels = panels,
                            .count = count,
                            .depth_count = block_depth_,
                            .rows = scratch_.row_left,
                            .depth = scratch_.depth_left});
    } else {
      pack_factors(panels, count, to);
    }
    return left_elements(count, block_depth_);
  }
  std::int64_t left_elements(std::int64_t rows, std::int64_t depth) const {
    const LeftPanels panels = functions_.left_panels(rows, plan_.wide);
    return panels.vectors * functions_.row_vector * depth + panels.count() * panel_gap<T>;
  }
  void pack_factors(const LeftPanels& panels, std::int64_t count, T* to) {
    PackedPanel<T> panel{.to = to, .depth_count = block_depth_};
    for (std::int64_t vector = 0; vector < panels.vectors;) {
      const std::int64_t vectors = panels.width(vector), row = vector * functions_.row_vector;
      panel.width = vectors * functions_.row_vector;
      panel.count = std::min(panel.width, count - row);
      for (std::int64_t f = 0; f < plan_.product.factors; ++f) {
        panel.from = factors_[static_cast<std::size_t>(f)];
        panel.across = scratch_.row_left + f * count + row;
        panel.depth = scratch_.depth_left + f * plan_.depth_block;
        panel.multiplies = f > 0;
        functions_.pack_left(panel);
      }
      panel.to += panel.width * block_depth_ + panel_gap<T>;
      vector += vectors;
    }
  }

  void bring_right(std::int64_t column, std::int64_t depth) {
    if (plan_.right == Walk::packed) packing_.bring({point_, column, depth});
  }

  void multiply(const T* left, std::int64_t rows) {
    Block<T> block{.rows = rows, .columns = block_columns_, .depth = block_depth_, .wide = plan_.wide, .left = left};
    block.walk = plan_.right;
    block.right = plan_.right == Walk::packed ? packing_.block() : right_ + scratch_.depth_right[0];
    block.right_panel_step = panel_step<T>(functions_.tiling(plan_.wide).column_panel, block_depth_);
    block.right_columns = scratch_.column_right;
    block.right_step = plan_.right != Walk::packed && block_depth_ > 1 ? scratch_.depth_right[1] - scratch_.depth_right[0] : 0;
    block.asks_early = plan_.asks_early;
    block.next = packing_.next();
    block.out = plan_.keeps_out ? scratch_.out : out_;
    block.out_rows = plan_.keeps_out ? scratch_.kept_rows : scratch_.row_out;
    block.out_columns = plan_.keeps_out ? scratch_.kept_columns : scratch_.column_out;
    block.addend = !is_first_ ? block.out : plan_.keeps_out ? nullptr : addend_;
    block.scale = scale_;
    block.write = functions_.write;
    functions_.multiply(block);
  }

  std::int64_t kept_step() const { return plan_.out_elements / plan_.column_block; }
  /// A line of each row at a time.
  void write_kept() const {
    Sums<T> sums{.column_size = kept_step(), .rows = plan_.rows, .out = out_, .addend = addend_, .out_rows = scratch_.row_out};
    for (std::int64_t first = 0; first < block_columns_; first += elements_of_line<T>) {
      sums.from = scratch_.out + scratch_.kept_columns[first];
      sums.columns = std::min(elements_of_line<T>, block_columns_ - first);
      sums.out_columns = scratch_.column_out + first;
      functions_.write(sums);
    }
  }

  const ProductPlan& plan_;
  const ProductFunctions<T>& functions_;
  const ProductMemory<T>& memory_;
  bool is_first_ = true;
  T scale_;
  Scratch<T> scratch_;
  T* out_ = nullptr;
  const T *addend_ = nullptr, *right_ = nullptr;
  std::array<const T*, most_factors> factors_ = {};
  PackedRight<T> packing_;
  Range rows_, columns_;
  std::int64_t point_ = 0;  ///< of the batch
  std::int64_t left_size_ = 0, block_columns_ = 0, block_depth_ = 0;
};

constexpr std::int64_t least_shared_work = 1 << 19;  // multiply-adds below which waking threads costs more than it saves

struct Parts {
  std::int64_t batch = 1, rows = 1, columns = 1;
};

/// Some four parts for each thread, so that none waits long for the last: of the batch, then of the columns, then of the rows.
Parts parts_of(const ProductPlan& plan, std::int64_t column_panel, std::int64_t threads) {
  const std::int64_t wanted = 4 * threads;
  const auto cut = [&](std::int64_t units, std::int64_t have) {
    return std::clamp<std::int64_t>((wanted + have - 1) / have, 1, std::max<std::int64_t>(units, 1));
  };
  Parts parts;
  parts.batch = cut(extent_of(plan.product.batch), 1);
  parts.columns = cut(plan.columns / (4 * column_panel), parts.batch);
  if (!plan.packs_left_once) parts.rows = cut(plan.rows / plan.row_block, parts.batch * parts.columns);
  return parts;
}

}  // namespace

template <class T>
void run(const ProductPlan& plan, const ProductFunctions<T>& functions, const ProductMemory<T>& memory, T scale, Pool& pool) {
  const std::int64_t batch = extent_of(plan.product.batch);
  if (pool.threads() == 1 || batch * plan.rows * plan.columns * plan.depth < least_shared_work) {
    Run<T>(plan, functions, memory, scale).compute({{0, batch}, {0, plan.rows}, {0, plan.columns}});
    return;
  }
  const Parts parts = parts_of(plan, functions.tiling(plan.wide).column_panel, pool.threads());
  pool.run(parts.batch * parts.rows * parts.columns, [&](std::int64_t tile, int worker) {
    ProductMemory<T> own = memory;
    if (worker > 0) own.scratch = memory.worker_scratch + (worker - 1) * plan.scratch_bytes;
    const std::int64_t column = tile % parts.columns, row = tile / parts.columns % parts.rows,
                       point = tile / parts.columns / parts.rows;
    Run<T>(plan, functions, own, scale)
        .compute({range_of(batch, 1, parts.batch, point), range_of(plan.rows, plan.row_block, parts.rows, row),
                  range_of(plan.columns, functions.tiling(plan.wide).column_panel, parts.columns, column)});
  });
}

template void run<double>(const ProductPlan&, const ProductFunctions<double>&, const ProductMemory<double>&, double, Pool&);
template void run<float>(const ProductPlan&, const ProductFunctions<float>&, const ProductMemory<float>&, float, Pool&);
template void run(const ProductPlan&, const ProductFunctions<std::complex<double>>&, const ProductMemory<std::complex<double>>&,
                  std::complex<double>, Pool&);
template void run(const ProductPlan&, const ProductFunctions<std::complex<float>>&, const ProductMemory<std::complex<float>>&,
                  std::complex<float>, Pool&);

}  // namespace tyto::arithmetic
