#pragma once
/// What is known of a finished run: its numbers and where they came from. A value, filled by the session; nothing here writes.
#include "result/factor_match.hpp"
#include "tyto/session.hpp"
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tyto::result {

/// One input of a run: X(i,j,k) with the names of its modes.
struct DataDescription {
  std::string name = {}, file = {};  ///< file is empty for an input given in memory
  Extents shape = {};
  std::vector<std::string> labels = {};  ///< names of the modes, one per extent
  double norm = 0;                       ///< Frobenius norm
};

/// How one of several starts ended.
struct StartSummary {
  int start = 0;  ///< from 0
  double objective = 0;
  double relative_error = -1;  ///< < 0: the objective is no sum of squares
  std::int64_t sweeps = 0;
  Outcome outcome = {};
};

/// The result with its provenance. Texts that are empty are left out of what is written.
struct Record {
  Result result = {};
  std::vector<StartSummary> starts = {};
  std::optional<double> kkt_residual = {};  ///< where unknowns have bounds: relative, see solve/optimality.hpp
  std::optional<FactorMatch> match = {};    ///< with the reference that the user named
  std::vector<DataDescription> data = {};
  std::int64_t model_elements = 0;  ///< numbers that stand for the first input; 0: not known
  std::string title = {};           ///< heading of the report; made from algorithm and data if empty
  std::string algorithm = {}, algorithm_version = {}, summary = {};  ///< summary: the algorithm in one line
  std::string tyto_version = {}, executor = {};
  int threads = 1;
  std::int64_t seed = 0;
  std::string config = {};                                     ///< JSON text, all defaults filled in
  std::string plan = {};                                       ///< the plan as `explain` prints it
  std::string solver = {};                                     ///< how a library's solver describes itself
  std::string started_at = {};                                 ///< ISO 8601
  std::vector<std::pair<std::string, std::string>> host = {};  ///< facts: {"processor", "..."}
};

/// Elements of the first input for each number that stands for them; 0 where that is not known.
double compression_ratio(const Record&);
/// "converged", "limit", "interrupted", "stalled", "degenerate" or "failed".
const char* status_name(Stop);
/// The values of an unknown or an observed expression; null where the run ended before it had any.
const NamedArray* find_array(const Result&, const std::string& name);

}  // namespace tyto::result
