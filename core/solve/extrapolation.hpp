#pragma once
/// Alternating sweeps that go further than each block's minimum: along the way from its solution of the sweep before.
#include "solve/state.hpp"

namespace tyto::solve {

/// After block n is solved, x_n <- x_n + w (x_n - solution of the sweep before), within its bounds; the last block of a sweep
/// stays, so the objective after a sweep is known as without extrapolation. Where it has risen the sweep is undone, the next one
/// goes nowhere further, and w is divided by 1.5; else w grows by 1.05 up to a ceiling that rises by 1.01 and falls to the w that
/// failed. Ang, Cohen, Hien, Gillis, Extrapolated alternating algorithms for approximate canonical polyadic decomposition (ICASSP
/// 2020); there a sweep that failed is kept without its extrapolation, here it is undone, so that the objective never rises. All
/// but what belongs to one sweep is in tensors of the state.
class Extrapolation {
 public:
  static constexpr std::int64_t pace_entries = 4;  ///< of the tensor Objective::pace
  /// Of the block solves of one objective; setup and state outlive it.
  Extrapolation(const Setup&, std::int32_t objective, State&);

  /// The weight w of this sweep.
  double weight() const;
  /// After a block solve has written its solution; whether the unknown moved on.
  bool move(std::int32_t block_solve);
  /// After a sweep that brought the objective from `before` to `now`; true if it has been undone, then `changed` has been told of
  /// the unknowns.
  bool finish(double before, double now, const std::function<void(std::int32_t tensor)>& changed);
  /// The unknowns have been changed by something else: the next sweep goes no further than its solutions.
  void rest();

 private:
  enum Entry : std::int8_t { present, ceiling, is_resting, last_block };
  double get(Entry e) const { return state_.get(pace_, e); }
  void set(Entry e, double value) { state_.set(pace_, e, value); }
  void keep(bool back, const std::function<void(std::int32_t tensor)>& changed);

  const Setup& setup_;
  std::int32_t objective_, pace_;
  State& state_;
  bool has_moved_ = false;         // in this sweep
  std::int32_t solved_last_ = -1;  // in this sweep
};

}  // namespace tyto::solve
