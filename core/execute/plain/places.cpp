#include "execute/plain/places.hpp"

namespace tyto::execute::plain {
namespace {

/// Offsets of the elements over axes [first, last), row-major.
std::vector<std::int64_t> offsets(const program::Buffer& buffer, std::size_t first, std::size_t last) {
  std::vector<std::int64_t> result = {0};
  for (std::size_t axis = first; axis < last; ++axis) {
    std::vector<std::int64_t> next;
    for (const std::int64_t offset : result)
      for (std::int64_t i = 0; i < buffer.extents[axis]; ++i) next.push_back(offset + i * buffer.strides[axis]);
    result = std::move(next);
  }
  return result;
}

}  // namespace

Places places_of(const program::Buffer& buffer, std::size_t batch) {
  return {offsets(buffer, 0, batch), offsets(buffer, batch, buffer.extents.size())};
}

}  // namespace tyto::execute::plain
