#pragma once
/// The checkpoint of a run: a snapshot of its solve, the starts that have ended, and what it was run on, in one file.
#include "result/record.hpp"
#include "session/flow.hpp"
#include "solve/snapshot.hpp"

namespace tyto::session {

/// The starts that have ended, and the best result among them.
struct Ended {
  Result best = {};                       ///< without history and warnings
  std::optional<double> optimality = {};  ///< its KKT residual, of bounded runs
  double least = 0;                       ///< its objective as the run sees it: in the user's units it may not fit a double
  std::vector<Progress> rows = {};        ///< the history in the user's units
  std::vector<result::StartSummary> starts = {};

  /// Takes the next start in, and keeps its result where it is the best so far.
  void take(Result, double objective, std::optional<double> optimality, const std::vector<Progress>& rows);
};

/// By which an input is known again.
struct InputFacts {
  std::string name = {};
  Dtype dtype = Dtype::f64;
  Extents extents = {};
  double norm = 0;
  std::uint64_t values = 0, weights = 0;  ///< checksums; 0 without weights
};

/// What is the same in all checkpoints of a run.
struct Origin {
  std::string given = {};   ///< what the user set, as JSON that reads as a run file; paths are absolute
  std::string config = {};  ///< the same with all defaults
  std::string tyto_version = {}, algorithm_version = {}, started_at = {};
  std::uint64_t plan = 0;  ///< checksum of the plan as `explain` prints it
  std::vector<InputFacts> inputs = {};
};

struct Checkpoint {
  Origin origin;
  Ended ended;
  solve::Snapshot solve;
};

Origin origin_of(const Prepared&, const std::string& started_at);
/// Parts of it that are known before there is a plan.
std::string config_of(const Prepared&);
std::vector<InputFacts> input_facts(const std::vector<Loaded>&);

/// FOLDER/checkpoint.
std::filesystem::path checkpoint_file(const std::filesystem::path& folder);
/// Replaces the checkpoint in a folder, or leaves it whole. Error{output}.
void write_checkpoint(const std::filesystem::path& folder, const Origin&, const Ended&, const solve::Snapshot&);
/// Error{file_missing} for a folder that is none or holds no checkpoint; Error{file_format} and Error{file_truncated} as
/// read_archive().
Checkpoint read_checkpoint(const std::filesystem::path& folder);

/// Refuse a run that is not the one of the checkpoint: Error{contradiction} with a finding for each setting, or each input, that is
/// another. The settings can be compared once the config is checked, the inputs once they are loaded.
void check_same_settings(const Origin&, const Prepared&, const config::Document&);
void check_same_inputs(const Origin&, const Prepared&, const config::Document&);

/// Tells `note` what is another and may change digits: version, threads, the plan, ... Where the plan is another the snapshot
/// forgets how far its cycle had come.
void note_changes(Checkpoint&, const Prepared&, const std::function<void(const std::string&)>& note);

}  // namespace tyto::session
