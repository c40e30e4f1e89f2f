#include "execute/occupancy.hpp"
#include <algorithm>

namespace tyto::execute {
namespace {

std::size_t at(std::int32_t id) { return static_cast<std::size_t>(id); }

/// Bytes from the first to past the last element.
std::int64_t span_bytes(const program::Buffer& buffer) {
  std::int64_t span = 1;
  for (std::size_t axis = 0; axis < buffer.extents.size(); ++axis) {
    if (buffer.extents[axis] == 0) return 0;
    span += (buffer.extents[axis] - 1) * buffer.strides[axis];
  }
  return span * size_of(buffer.dtype);
}

}  // namespace

Occupancy::Occupancy(const std::vector<program::Buffer>& buffers) : pieces_(buffers.size()), is_written_(buffers.size(), 0) {
  std::vector<std::int64_t> borders;
  for (const program::Buffer& buffer : buffers) {
    if (buffer.storage != program::Storage::arena) continue;
    borders.push_back(buffer.offset);
    borders.push_back(buffer.offset + span_bytes(buffer));
  }
  std::sort(borders.begin(), borders.end());
  borders.erase(std::unique(borders.begin(), borders.end()), borders.end());
  owners_.assign(borders.size(), -1);
  const auto piece_of = [&](std::int64_t border) {
    return static_cast<std::int32_t>(std::lower_bound(borders.begin(), borders.end(), border) - borders.begin());
  };
  for (std::size_t b = 0; b < buffers.size(); ++b)
    if (buffers[b].storage == program::Storage::arena)
      pieces_[b] = {piece_of(buffers[b].offset), piece_of(buffers[b].offset + span_bytes(buffers[b]))};
}

void Occupancy::clear(program::BufferId id) {
  is_written_[at(id)] = 0;
  for (std::int32_t piece = pieces_[at(id)].first; piece < pieces_[at(id)].last; ++piece) owners_[at(piece)] = -1;
}

void Occupancy::fill(program::BufferId id) {
  is_written_[at(id)] = 1;
  for (std::int32_t piece = pieces_[at(id)].first; piece < pieces_[at(id)].last; ++piece) owners_[at(piece)] = id;
}

bool Occupancy::holds(program::BufferId id) const {
  if (is_written_[at(id)] == 0) return false;
  for (std::int32_t piece = pieces_[at(id)].first; piece < pieces_[at(id)].last; ++piece)
    if (owners_[at(piece)] != id) return false;
  return true;
}

}  // namespace tyto::execute
