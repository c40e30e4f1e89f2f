#pragma once
/// A solve between two sweeps, or two parts of one: all that what follows depends on, as values.
#include <chrono>
#include <utility>
#include "solve/stopping.hpp"
#include "solve/turn.hpp"
#include "tensor/archive.hpp"

namespace tyto::solve {

/// The stopping state of one objective.
struct Sweeps {
  std::int64_t sweep = 0;
  bool is_done = false;
  double previous = 0, relative_error = -1, first_gradient = -1, at_zero = -1;
  std::chrono::steady_clock::time_point begin = {};
  std::optional<Outcome> end = {};     ///< a kernel of this sweep says that it is the last
  std::optional<Outcome> end_as = {};  ///< what the plugin calls the end, should this sweep be it
  Outcome outcome = {};
  SweepFacts last = {};                 ///< of the sweep that was finished last: judged again by the limits of a resumed run
  std::optional<Outcome> last_as = {};  ///< what the plugin called its end
};

/// What a train is beside its cores.
struct Gauge {
  std::int64_t centre = 0;                     ///< the core towards which the others are orthonormal
  std::int32_t objective = -1;                 ///< that was last solved for, -1: none
  std::vector<double> entropies, before = {};  ///< by inner bond, in nats: now, and when a sweep ended last
};

/// Taken when a sweep has been finished and before anything else is done, so that a resumed run decides anew whether it ends here;
/// or when a part of one has been.
struct Snapshot {
  std::int32_t objective = -1;  ///< whose sweep was finished, or is present
  std::int64_t part = 0;        ///< of the present sweep, that begins; 0: a sweep was finished
  int start = 0;
  std::uint64_t seed = 0;
  std::int64_t drawn = 0;  ///< how many random numbers
  bool parameter_changed = false;
  double seconds = 0;  ///< since the start began, without times between processes
  std::vector<Sweeps> sweeps;
  std::vector<double> columns;
  std::vector<Progress> history;
  std::vector<std::string> warnings;
  /// Unknowns, states and parameters, by their number among the tensors.
  std::vector<std::pair<std::int32_t, tensor::Dense>> tensors;
  std::vector<Gauge> gauges;  ///< by train
  /// How far the planned cycle has come: only for the plan under which it was taken. `values` are intermediates that are up to
  /// date, by buffer, where it matters by which steps they were computed.
  std::vector<Turn::Kept> turns;
  std::vector<std::pair<std::int32_t, tensor::Dense>> values;
};

/// Puts it into an archive under names that begin with "solve/", and gets it back.
void store(const Snapshot&, tensor::Archive&);
Snapshot stored_snapshot(const tensor::Archive&);

/// Rows of history as entries that begin with `name`; they have the same columns.
void store(const std::vector<Progress>& rows, const std::string& name, tensor::Archive&);
std::vector<Progress> stored_rows(const std::string& name, const tensor::Archive&);
/// An outcome as two entries.
void store(const Outcome&, const std::string& name, tensor::Archive&);
Outcome stored_outcome(const std::string& name, const tensor::Archive&);

}  // namespace tyto::solve
