// Footprints of the inner loops, from the innermost outward, until the cache is full.
#include "execute/cpu/traffic.hpp"
#include <algorithm>

namespace tyto::execute::cpu {
namespace {

constexpr double line = 64;  // bytes

/// What some inner loops touch of one operand: pieces without gaps, and the bytes of one.
struct Footprint {
  double pieces = 1, piece_bytes = 0;
  /// Whole lines; a piece that begins anywhere touches 7/8 of a line more than it has.
  double bytes() const { return pieces > 1 ? pieces * (std::max(piece_bytes, 8.0) + line - 8) : piece_bytes; }
};

class Footprints {
 public:
  /// Of the loops from `first` on, by place.
  Footprints(const std::vector<Loop>& loops, std::int64_t element_bytes) : loops_(loops), element_bytes_(element_bytes) {
    for (std::size_t place = 0; place < 3; ++place) {
      std::vector<std::size_t>& order = by_stride_[place];
      for (std::size_t at = 0; at < loops.size(); ++at)
        if (loops[at].stride[place] != 0) order.push_back(at);
      std::sort(order.begin(), order.end(),
                [&](std::size_t a, std::size_t b) { return loops[a].stride[place] < loops[b].stride[place]; });
    }
  }

  Footprint of(std::size_t place, std::size_t first) const {
    Footprint found{.pieces = 1, .piece_bytes = static_cast<double>(element_bytes_)};
    for (const std::size_t at : by_stride_[place]) {
      if (at < first) continue;
      const auto extent = static_cast<double>(loops_[at].extent);
      const double stride = static_cast<double>(loops_[at].stride[place] * element_bytes_);
      const bool touches = found.pieces == 1 && stride <= std::max(found.piece_bytes, line / 2);  // gaps share the lines
      if (touches) found.piece_bytes += stride * (extent - 1);
      else found.pieces *= extent;
    }
    return found;
  }

  double bytes(std::size_t first) const { return of(0, first).bytes() + of(1, first).bytes() + of(2, first).bytes(); }

 private:
  const std::vector<Loop>& loops_;
  std::int64_t element_bytes_;
  std::array<std::vector<std::size_t>, 3> by_stride_;
};

Traffic traffic_into(const Footprints& footprints, const LoopOrder& order, double size) {
  std::size_t first = order.loops.size() - std::min(order.block, order.loops.size());
  while (first > 0 && footprints.bytes(first - 1) <= size) --first;
  Traffic traffic;
  for (std::size_t place = 0; place < 3; ++place) {
    const Footprint inner = footprints.of(place, first);
    double times = place == Place::out ? 2 : 1;
    bool has_moved = false;  // until it does, an operand is still there
    for (std::size_t at = first; at-- > 0;) {
      has_moved = has_moved || order.loops[at].stride[place] != 0;
      if (has_moved) times *= static_cast<double>(order.loops[at].extent);
    }
    traffic.bytes += times * inner.bytes();
    traffic.runs += times * inner.pieces;
  }
  return traffic;
}

}  // namespace

Traffic traffic_into(const LoopOrder& order, std::int64_t element_bytes, double size) {
  return traffic_into(Footprints(order.loops, element_bytes), order, size);
}

double seconds_with_traffic(double near, const LoopOrder& order, std::int64_t element_bytes, const Rates& rates) {
  const Footprints footprints(order.loops, element_bytes);
  const double all = footprints.bytes(0);
  const auto seconds_from = [&](const LevelRates& level, double size_before) {
    if (all <= size_before) return 0.0;
    const Traffic traffic = traffic_into(footprints, order, size_before);
    return traffic.bytes / level.speed + traffic.runs * level.run;
  };
  return std::max(near, seconds_from(rates.second_level, rates.first_level_size)) +
         std::max(seconds_from(rates.last_level, rates.second_level.size), seconds_from(rates.memory, rates.last_level.size));
}

}  // namespace tyto::execute::cpu
