// Axes are merged where they chain; those fastest on either side become the rows and columns of tiles, the others loops around
// them.
#include "execute/cpu/strided_copy.hpp"
#include <algorithm>
#include <array>
#include <numeric>
#include "error/fail.hpp"

namespace tyto::execute::cpu {
namespace {

constexpr std::int64_t side_length = 256;       // positions of a tile's side, where there are so many
constexpr std::int64_t longest_run = 1 << 15;   // elements; longer ones are cut, so that threads can share them
constexpr std::int64_t least_run = 16;          // elements from which on a tile has fewer runs the longer they are
constexpr std::int64_t whole_lines = 32;        // positions that fill cache lines whatever the type
constexpr std::int64_t task_bytes = 256 << 10;  // written by one task of a pool
constexpr std::int64_t shared_from = 1 << 20;   // bytes moved that are worth a second thread
constexpr std::size_t most_axes = 64;           // of extent 2 or more: that many make more elements than an address can tell

std::vector<CopyAxis> merged(std::vector<CopyAxis> axes) {
  std::erase_if(axes, [](const CopyAxis& axis) { return axis.extent == 1; });
  std::stable_sort(axes.begin(), axes.end(), [](const CopyAxis& a, const CopyAxis& b) { return a.to > b.to; });
  for (std::size_t a = 0; a + 1 < axes.size();) {
    CopyAxis& outer = axes[a];
    const CopyAxis& inner = axes[a + 1];
    if (outer.to == inner.to * inner.extent && outer.from == inner.from * inner.extent) {
      outer = {outer.extent * inner.extent, inner.to, inner.from};
      axes.erase(axes.begin() + static_cast<std::ptrdiff_t>(a) + 1);
      a = 0;
    } else {
      ++a;
    }
  }
  return axes;
}

/// Rounded up.
std::int64_t divided(std::int64_t count, std::int64_t parts) { return (count + parts - 1) / parts; }

/// Positions of the slowest axis of a side in one chunk: about `length` with the `inner` ones, whole cache lines if that is
/// possible, all chunks of about the same size.
std::int64_t chunk_of(std::int64_t extent, std::int64_t inner, std::int64_t length) {
  const std::int64_t lines = whole_lines / std::gcd(inner, whole_lines);
  const std::int64_t step = inner * lines <= length ? lines : 1;
  const std::int64_t most = std::max<std::int64_t>(1, length / (inner * step)) * step;
  const std::int64_t chunks = divided(extent, most);
  return std::min(extent, divided(divided(extent, chunks), step) * step);
}

/// Takes axes out of `axes`, fastest first by the stride `along`, as long as they chain, up to `length` positions. The first must
/// have the given stride, or any if that is 0; `spared` is left in place.
std::vector<CopyAxis> take_fastest(std::vector<CopyAxis>& axes, std::int64_t CopyAxis::*along, std::int64_t stride,
                                   std::int64_t length, const CopyAxis* spared) {
  std::vector<CopyAxis> taken;
  std::int64_t positions = 1;
  while (positions < length) {
    auto best = axes.end();
    for (auto axis = axes.begin(); axis != axes.end(); ++axis) {
      const bool fits = stride == 0 ? taken.empty() && (*axis).*along > 0 : (*axis).*along == stride;
      const bool is_spared = spared != nullptr && axis->to == spared->to;
      if (fits && !is_spared && (best == axes.end() || (*axis).*along < (*best).*along)) best = axis;
    }
    if (best == axes.end()) break;
    stride = (*best).*along * best->extent;
    positions *= best->extent;
    taken.push_back(*best);
    axes.erase(best);
  }
  return taken;
}

}  // namespace

StridedCopy::Side StridedCopy::side_of(const std::vector<CopyAxis>& axes, std::int64_t length) {
  Side side{.to = {0}, .from = {0}, .chunks = {}, .last = 1};
  for (const CopyAxis& axis : axes) {
    const auto inner = static_cast<std::int64_t>(side.to.size());
    const std::int64_t chunk = &axis == &axes.back() ? chunk_of(axis.extent, inner, length) : axis.extent;
    for (std::int64_t at = 1; at < chunk; ++at) {
      for (std::int64_t position = 0; position < inner; ++position) {
        side.to.push_back(side.to[static_cast<std::size_t>(position)] + at * axis.to);
        side.from.push_back(side.from[static_cast<std::size_t>(position)] + at * axis.from);
      }
    }
    side.chunks = {divided(axis.extent, chunk), chunk * axis.to, chunk * axis.from};
    side.last = inner * (axis.extent - (side.chunks.extent - 1) * chunk);
  }
  return side;
}

StridedCopy::StridedCopy(std::vector<CopyAxis> axes) : count_(1) {
  for (const CopyAxis& axis : axes) count_ *= axis.extent;
  if (count_ == 0) return;
  axes = merged(std::move(axes));
  axes_ = axes;
  TYTO_ASSERT(axes.size() < most_axes);
  if (!axes.empty() && axes.back().to == 1 && axes.back().from <= 1) {
    kind_ = axes.back().from == 0 ? Kind::fill : Kind::copy;
    run_ = axes.back().extent;
    axes.pop_back();
  }
  choose_sides(std::move(axes));
}

void StridedCopy::choose_sides(std::vector<CopyAxis> axes) {
  const auto fastest = [&](std::int64_t CopyAxis::*along) {
    const CopyAxis* best = nullptr;
    for (const CopyAxis& axis : axes)
      if (axis.*along > 0 && (best == nullptr || axis.*along < best->*along)) best = &axis;
    return best == nullptr ? CopyAxis{} : *best;
  };
  const CopyAxis row = fastest(&CopyAxis::to), column = fastest(&CopyAxis::from);
  const bool same = row.to == column.to;
  if (run_ == 1 && kind_ == Kind::copy && !same && row.to == 1 && column.from == 1) kind_ = Kind::turn;
  if (kind_ == Kind::turn) {
    const auto walked = std::find_if(axes_.begin(), axes_.end(), [&](const CopyAxis& axis) { return axis.from == 1; });
    std::rotate(walked, walked + 1, axes_.end() - 1);
  }
  runs_ = {.to = {}, .from = {}, .chunks = {divided(run_, longest_run), longest_run, kind_ == Kind::fill ? 0 : longest_run}};
  runs_.last = run_ - (runs_.chunks.extent - 1) * longest_run;
  run_ = std::min(run_, longest_run);
  const std::int64_t length = std::max<std::int64_t>(1, side_length / divided(run_, least_run));
  const std::vector<CopyAxis> rows = take_fastest(axes, &CopyAxis::to, row.to, length, same ? nullptr : &column);
  const std::vector<CopyAxis> columns = take_fastest(axes, &CopyAxis::from, 0, length, nullptr);
  rows_ = side_of(rows, length);
  columns_ = side_of(columns, length);
  outer_ = std::move(axes);
  for (const CopyAxis& chunks : {runs_.chunks, columns_.chunks, rows_.chunks}) outer_.push_back(chunks);
  for (const CopyAxis& axis : outer_) tiles_ *= axis.extent;
}

void StridedCopy::run_bytes(void* to, const void* from, std::int64_t unit, Workers& workers) const {
  if (count_ == 0) return;
  const std::int64_t bytes = count_ * unit;
  const arithmetic::CopyTile tile{.row_to = rows_.to.data(),
                                  .row_from = rows_.from.data(),
                                  .column_to = columns_.to.data(),
                                  .column_from = columns_.from.data(),
                                  .unit = unit,
                                  .run = run_ * unit,
                                  .streams = 2 * bytes >= workers.caches().last};
  const arithmetic::CopyFunction function = kind_ == Kind::turn   ? arithmetic::transpose_function(workers.isa(), unit)
                                            : kind_ == Kind::fill ? arithmetic::fill_function(workers.isa(), unit)
                                                                  : arithmetic::copy_function(workers.isa());
  const auto run_part = [&](std::int64_t first, std::int64_t last) {
    run_tiles(static_cast<char*>(to), static_cast<const char*>(from), tile, function, first, last);
    if (tile.streams) arithmetic::finish_streams();
  };
  if (2 * bytes < shared_from) return run_part(0, tiles_);
  const std::int64_t in_task = std::max<std::int64_t>(1, tiles_ * task_bytes / bytes);
  workers.pool().run((tiles_ + in_task - 1) / in_task,
                     [&](std::int64_t task, int) { run_part(task * in_task, std::min(tiles_, (task + 1) * in_task)); });
}

void StridedCopy::run_tiles(char* to, const char* from, arithmetic::CopyTile tile, arithmetic::CopyFunction function,
                            std::int64_t first, std::int64_t last) const {
  std::array<std::int64_t, most_axes + 3> index = {};
  const std::size_t depth = outer_.size();
  std::int64_t rest = first;
  for (std::size_t d = depth; d-- > 0;) {
    index[d] = rest % outer_[d].extent;
    rest /= outer_[d].extent;
    to += index[d] * outer_[d].to * tile.unit;
    from += index[d] * outer_[d].from * tile.unit;
  }
  const auto size_of = [](const Side& side, std::int64_t whole, std::int64_t chunk) {
    return chunk + 1 < side.chunks.extent ? whole : side.last;
  };
  for (std::int64_t t = first; t < last; ++t) {
    tile.run = size_of(runs_, run_, index[depth - 3]) * tile.unit;
    tile.columns = size_of(columns_, static_cast<std::int64_t>(columns_.to.size()), index[depth - 2]);
    tile.rows = size_of(rows_, static_cast<std::int64_t>(rows_.to.size()), index[depth - 1]);
    function(to, from, tile);
    for (std::size_t d = depth; d-- > 0;) {
      const CopyAxis& axis = outer_[d];
      to += axis.to * tile.unit;
      from += axis.from * tile.unit;
      if (++index[d] < axis.extent) break;
      to -= axis.extent * axis.to * tile.unit;
      from -= axis.extent * axis.from * tile.unit;
      index[d] = 0;
    }
  }
}

}  // namespace tyto::execute::cpu
