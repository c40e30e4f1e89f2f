#include "execute/plain/arrangement.hpp"
#include <algorithm>
#include <cstring>
#include "error/fail.hpp"

namespace tyto::execute::plain {
namespace {

const program::Buffer& at(const std::vector<program::Buffer>& buffers, program::BufferId id) {
  return buffers[static_cast<std::size_t>(id)];
}

/// Moves an offset to the next element in row-major order.
void advance(std::vector<std::int64_t>& index, const Extents& extents, const Extents& strides, std::int64_t& offset) {
  for (std::size_t axis = extents.size(); axis-- > 0;) {
    offset += strides[axis];
    if (++index[axis] < extents[axis]) return;
    offset -= extents[axis] * strides[axis];
    index[axis] = 0;
  }
}

}  // namespace

Arrangement::Arrangement(const program::Reshape& r, const std::vector<program::Buffer>& buffers) {
  const program::Buffer &in = at(buffers, r.input), &out = at(buffers, r.out);
  copies_.push_back({{in.extents, in.strides}, {out.extents, out.strides}, element_count(out.extents)});
  TYTO_ASSERT(element_count(in.extents) == copies_[0].count);
  size_ = size_of(out.dtype);
}

Arrangement::Arrangement(const program::Slice& s, const std::vector<program::Buffer>& buffers) {
  const program::Buffer &in = at(buffers, s.input), &out = at(buffers, s.out);
  const auto axis = static_cast<std::size_t>(s.axis);
  Extents strides = in.strides;
  strides[axis] *= s.step;
  copies_.push_back({{out.extents, strides, s.first * in.strides[axis]}, {out.extents, out.strides}, element_count(out.extents)});
  size_ = size_of(out.dtype);
}

Arrangement::Arrangement(const program::Assemble& a, const std::vector<program::Buffer>& buffers) {
  const program::Buffer& out = at(buffers, a.out);
  const auto axis = static_cast<std::size_t>(a.axis);
  std::int64_t covered = 0;
  for (std::size_t k = 0; k < a.inputs.size(); ++k) {
    const program::Buffer& in = at(buffers, a.inputs[k]);
    Extents strides = out.strides;
    strides[axis] *= a.step;
    copies_.push_back({{in.extents, in.strides}, {in.extents, strides, a.first[k] * out.strides[axis]}, element_count(in.extents)});
    covered += copies_.back().count;
  }
  clears_ = covered < element_count(out.extents);
  whole_ = {out.extents, out.strides};
  size_ = size_of(out.dtype);
}

Arrangement::Arrangement(const program::Part& p, const std::vector<program::Buffer>& buffers) {
  const program::Buffer &in = at(buffers, p.input), &out = at(buffers, p.out);
  const auto batch = static_cast<std::ptrdiff_t>(p.batch);
  TYTO_ASSERT(in.extents.size() == static_cast<std::size_t>(p.batch) + 1);
  Extents extents(out.extents.begin(), out.extents.begin() + batch), rest(out.extents.begin() + batch, out.extents.end());
  extents.push_back(element_count(rest));
  copies_.push_back({{extents, in.strides, p.first * in.strides.back()}, {out.extents, out.strides}, element_count(out.extents)});
  size_ = size_of(out.dtype);
}

void Arrangement::clear(void* out) {
  to_index_.assign(whole_.extents.size(), 0);
  std::int64_t offset = 0;
  const std::int64_t count = element_count(whole_.extents);
  for (std::int64_t k = 0; k < count; ++k) {
    std::memset(static_cast<char*>(out) + offset * size_, 0, static_cast<std::size_t>(size_));
    advance(to_index_, whole_.extents, whole_.strides, offset);
  }
}

void Arrangement::run(void* out, const void* const* inputs) {
  if (clears_) clear(out);
  for (std::size_t k = 0; k < copies_.size(); ++k) {
    const Copy& copy = copies_[k];
    from_index_.assign(copy.from.extents.size(), 0);
    to_index_.assign(copy.to.extents.size(), 0);
    std::int64_t from = copy.from.first, to = copy.to.first;
    for (std::int64_t n = 0; n < copy.count; ++n) {
      std::memcpy(static_cast<char*>(out) + to * size_, static_cast<const char*>(inputs[k]) + from * size_,
                  static_cast<std::size_t>(size_));
      advance(from_index_, copy.from.extents, copy.from.strides, from);
      advance(to_index_, copy.to.extents, copy.to.strides, to);
    }
  }
}

}  // namespace tyto::execute::plain
