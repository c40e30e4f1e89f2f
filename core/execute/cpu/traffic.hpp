#pragma once
/// What a loop nest moves through the caches: an operand that does not fit is fetched again each time the loops come back to it, in
/// whole lines, and lines that lie apart take longer than those that follow each other.
#include <span>
#include "execute/cpu/loops.hpp"
#include "execute/cpu/rates.hpp"

namespace tyto::execute::cpu {

/// Loops as they run, slowest first; the last `block` of them count as one, whose operands a kernel walks once.
struct LoopOrder {
  std::vector<Loop> loops;
  std::size_t block = 1;
};

/// Bytes and separate runs of lines that come into a cache of `size` bytes. An output counts twice: it is fetched and written back.
struct Traffic {
  double bytes = 0, runs = 0;
};
Traffic traffic_into(const LoopOrder&, std::int64_t element_bytes, double size);

/// Seconds of a step whose arithmetic takes `near` seconds on data that are near. What comes from the second-level cache comes
/// meanwhile; what comes from further away is waited for. Operands that fit a cache together are found there.
double seconds_with_traffic(double near, const LoopOrder&, std::int64_t element_bytes, const Rates&);

}  // namespace tyto::execute::cpu
