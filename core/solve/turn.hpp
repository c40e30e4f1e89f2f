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

  /// What a checkpoint holds of it. Versions count within one process: kept is whether nothing has changed since.
  struct Kept {
    std::int64_t last = -1, sweep = 0, taken = 0;
    bool is_current = false;
  };
  Kept kept(const Variants&, const execute::Evaluation&) const;
  /// Once all leaves have the values that they had then.
  void restore(const Kept&, const Variants&, const execute::Evaluation&);

 private:
  std::int64_t last_ = -1, version_ = 0, sweep_ = 0, taken_ = 0;
};

}  // namespace tyto::solve
