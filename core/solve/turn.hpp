#pragma once
/// Which variant of a value is due: a cycle of several sweeps, and a sweep that asks for a value more than once, may compute it in
/// another way each time. All ways give the same value; the planned one costs least.
#include "execute/evaluation.hpp"
#include "solve/setup.hpp"

namespace tyto::solve {

class Turn {
 public:
  /// The variant to use now, in a sweep that counts from 1: the last one again as long as nothing that it depends on has changed,
  /// otherwise the next one of the sweep.
  std::size_t take(const Variants&, const execute::Evaluation&, std::int64_t sweep, std::int64_t sweeps_per_cycle);

 private:
  std::int64_t last_ = -1, version_ = 0, sweep_ = 0, taken_ = 0;
};

}  // namespace tyto::solve
