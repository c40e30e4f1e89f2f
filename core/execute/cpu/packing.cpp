// A packed operand is contiguous; the order within its groups follows the operand that stays, so that axes still merge.
#include "execute/cpu/packing.hpp"
#include <algorithm>
#include <numeric>

namespace tyto::execute::cpu {
namespace {

/// Slowest first: batch, rows of the matrix, columns of the matrix. The contracted loops are the columns of left, the rows of
/// right.
int group_of(Role role, std::size_t place) {
  switch (role) {
    case Role::batch:
    case Role::repeated: return 0;
    case Role::left:
    case Role::left_summed: return 1;
    case Role::right:
    case Role::right_summed: return 2;
    case Role::contracted: return place == Place::left ? 2 : 1;
  }
  return 0;
}

/// The stride that orders loops within a group: of a place that is not packed where the loop has one, so that both still merge.
std::int64_t key_of(const Loop& loop, std::size_t place, int which) {
  if (loop.role == Role::contracted) {
    const std::size_t other = place == Place::left ? Place::right : Place::left;
    const bool other_stays = (which >> other & 1) == 0;
    return loop.stride[other_stays ? other : static_cast<std::size_t>(Place::left)];
  }
  if (place != Place::out && (which >> Place::out & 1) == 0) return loop.stride[Place::out];
  const std::size_t own = loop.role == Role::right ? Place::right : Place::left;
  return loop.stride[place == Place::out || (which >> own & 1) != 0 ? own : place];
}

}  // namespace

PackedLayouts packed_layouts(const std::vector<Loop>& loops, int which) {
  PackedLayouts layouts{.loops = loops, .elements = {1, 1, 1}};
  for (std::size_t place = 0; place < 3; ++place) {
    if ((which >> place & 1) == 0) continue;
    std::vector<std::size_t> order(loops.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      const int group_a = group_of(loops[a].role, place), group_b = group_of(loops[b].role, place);
      return group_a != group_b ? group_a < group_b : key_of(loops[a], place, which) > key_of(loops[b], place, which);
    });
    std::reverse(order.begin(), order.end());
    for (const std::size_t at : order) {
      if (loops[at].stride[place] == 0) continue;
      layouts.loops[at].stride[place] = layouts.elements[place];
      layouts.elements[place] *= loops[at].extent;
    }
  }
  return layouts;
}

std::array<Packing, 3> packings_of(const std::vector<Loop>& loops, const PackedLayouts& layouts, int which) {
  std::array<Packing, 3> packings;
  for (std::size_t place = 0; place < 3; ++place) {
    if ((which >> place & 1) == 0) continue;
    std::vector<CopyAxis> axes;
    for (std::size_t at = 0; at < loops.size(); ++at) {
      const std::int64_t there = loops[at].stride[place], packed = layouts.loops[at].stride[place];
      if (there == 0) continue;
      axes.push_back(place == Place::out ? CopyAxis{loops[at].extent, there, packed} : CopyAxis{loops[at].extent, packed, there});
    }
    packings[place].used = true;
    packings[place].copy = StridedCopy(std::move(axes));
  }
  return packings;
}

}  // namespace tyto::execute::cpu
