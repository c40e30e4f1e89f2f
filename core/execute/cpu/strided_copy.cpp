// Axes are merged where they chain; what is left runs as rows of memory copies or as a blocked transposition of two axes.
#include "execute/cpu/strided_copy.hpp"
#include <algorithm>
#include <cstring>

namespace tyto::execute::cpu {
namespace {

std::vector<CopyAxis> merged(std::vector<CopyAxis> axes) {
  std::erase_if(axes, [](const CopyAxis& axis) { return axis.extent == 1; });
  std::sort(axes.begin(), axes.end(), [](const CopyAxis& a, const CopyAxis& b) { return a.to > b.to; });
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

constexpr std::int64_t tile = 16;  // a tile of both sides fits the first-level cache

template <class T>
void copy_row(T* to, const T* from, const CopyAxis& row) {
  if (row.to == 1 && row.from == 1) {
    std::memcpy(to, from, static_cast<std::size_t>(row.extent) * sizeof(T));
  } else if (row.to == 1 && row.from == 0) {
    std::fill(to, to + row.extent, *from);
  } else {
    for (std::int64_t c = 0; c < row.extent; ++c) to[c * row.to] = from[c * row.from];
  }
}

template <class T>
void copy_tile(T* to, const T* from, std::int64_t blocks, std::int64_t columns, CopyAxis block, CopyAxis row) {
  for (std::int64_t b = 0; b < blocks; ++b)
    for (std::int64_t c = 0; c < columns; ++c) to[c * row.to + b * block.to] = from[c * row.from + b * block.from];
}

template <class T>
void copy_blocks(T* to, const T* from, const CopyAxis& block, const CopyAxis& row) {
  for (std::int64_t b = 0; b < block.extent; b += tile) {
    const std::int64_t blocks = std::min(tile, block.extent - b);
    for (std::int64_t c = 0; c < row.extent; c += tile)
      copy_tile(to + b * block.to + c * row.to, from + b * block.from + c * row.from, blocks, std::min(tile, row.extent - c), block,
                row);
  }
}

}  // namespace

StridedCopy::StridedCopy(std::vector<CopyAxis> axes) : count_(1) {
  for (const CopyAxis& axis : axes) count_ *= axis.extent;
  if (count_ == 0) return;
  outer_ = merged(std::move(axes));
  if (!outer_.empty()) {
    row_ = outer_.back();
    outer_.pop_back();
  }
  // Where `from` moves fastest along another axis, the two are walked in tiles.
  const auto fastest = std::min_element(outer_.begin(), outer_.end(), [](const CopyAxis& a, const CopyAxis& b) {
    return (a.from == 0 ? INT64_MAX : a.from) < (b.from == 0 ? INT64_MAX : b.from);
  });
  if (fastest != outer_.end() && fastest->from > 0 && row_.from > fastest->from) {
    block_ = *fastest;
    outer_.erase(fastest);
  }
  index_.assign(outer_.size(), 0);
}

std::vector<CopyAxis> StridedCopy::axes() const {
  std::vector<CopyAxis> all = outer_;
  all.insert(all.end(), {block_, row_});
  return all;
}

template <class T>
void StridedCopy::run(T* to, const T* from) {
  if (count_ == 0) return;
  std::fill(index_.begin(), index_.end(), 0);
  for (;;) {
    if (block_.extent > 1) {
      copy_blocks(to, from, block_, row_);
    } else {
      copy_row(to, from, row_);
    }
    std::size_t d = outer_.size();
    for (; d > 0; --d) {
      const CopyAxis& axis = outer_[d - 1];
      to += axis.to;
      from += axis.from;
      if (++index_[d - 1] < axis.extent) break;
      to -= axis.extent * axis.to;
      from -= axis.extent * axis.from;
      index_[d - 1] = 0;
    }
    if (d == 0) return;
  }
}

template void StridedCopy::run<double>(double*, const double*);
template void StridedCopy::run<float>(float*, const float*);

}  // namespace tyto::execute::cpu
