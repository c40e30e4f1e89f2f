#pragma once
/// A run for every value of one key of a run file, each starting from the result of its neighbour.
#include <optional>
#include "tyto/session.hpp"

namespace tyto::inline v1 {

struct ScanRun;

/// What is scanned: a run file with settings, as a Session takes them, and the values of one more key.
///
///     tyto::Scanned scanned = tyto::scan({.file = "tfim.yaml", .key = "settings.model.g", .values =
///     tyto::scan_values("0:2:0.1")});
struct Scan {
  std::string file = {};                                           ///< the run file; output.directory must be set in it, or here:
  std::vector<std::pair<std::string, std::string>> settings = {};  ///< {"solver.max_sweeps", "5"}, like --set
  std::string key = {};                                            ///< "settings.model.g"
  std::vector<std::string> values = {};                            ///< as YAML, in the order in which they are run
  bool from_neighbours = true;                                     ///< false: each run starts as the run file says
  std::function<void(const ScanRun&)> on_run = {};                 ///< called after each run
  std::function<void(const Progress&)> on_progress = {};           ///< called after each sweep of each run
  std::function<void(const std::string&)> on_message = {};         ///< what a person should know, once whatever its numbers
  std::function<bool()> interrupted = {};                          ///< asked after each sweep; true: write what there is
};

/// The values, as YAML, that a text stands for: "FIRST:LAST:STEP", decimal numbers, which reach LAST where the steps do, to the
/// last digit; or "[a, b, c]", a YAML list whose items are the values. Error{syntax}, Error{out_of_range}.
TYTO_API std::vector<std::string> scan_values(const std::string& text);

/// The first pass goes through the values in their order, the second one comes back.
enum class ScanPass { forward, backward };

/// One run of a scan.
struct ScanRun {
  std::string value = {};
  ScanPass pass = ScanPass::forward;
  std::string start = {};   ///< the neighbour from whose result it started, by value; empty: it started as the run file says
  std::string folder = {};  ///< of its result, within that of the scan: "forward/g=0.5"
  Result result = {};       ///< without its history and the values of its unknowns, which lie in the folder
};

/// What a scan knows of one value. There is a backward run where the result of the next value can be started from.
struct TYTO_API ScanPoint {
  ScanRun forward = {};
  std::optional<ScanRun> backward = {};
  bool is_split = false;  ///< both passes ended, at objectives that differ by more than Scanned::tolerance
  const std::string& value() const { return forward.value; }
  const ScanRun& kept() const;  ///< the run of lower objective; of equal ones the forward one
};

/// The runs of a scan.
struct TYTO_API Scanned {
  std::string key = {};
  std::int64_t wanted = 0;             ///< how many values there were to run
  std::vector<ScanPoint> points = {};  ///< those that were run, in the order of the values
  std::string why_apart = {};          ///< why the first run did that could not start from its neighbour; empty: all could
  /// Objectives of both passes that differ by more are reported: the square root of solver.tolerance, relative to the larger of the
  /// two; where there is a relative error, that is compared instead, as it is.
  double tolerance = 0;
  bool is_interrupted = false;
  /// By train: |<psi|phi>| / (|psi| |phi|) of what is kept for a value and for the next one, one entry less than there are points;
  /// a dip marks a transition (Zanardi, Paunkovic 2006). NaN where the trains do not have the same sites.
  std::map<std::string, std::vector<double>> fidelities = {};
  std::string folder = {};  ///< where it was written

  bool has_neighbour_starts() const;  ///< whether any run started from another's result
  /// A line for each value, and below what is to be noted of the whole.
  std::string text() const;
};

/// Runs for each value of the key, into a folder of its own below `output.directory`, and writes scan.json, scan.csv and scan.html
/// beside them. Each run starts from the result of its neighbour where the unknowns have the same shapes, forward through the
/// values and back; the lower objective is kept. All values are checked before the first one is run. An Error names the value; what
/// was run before it is written.
TYTO_API Scanned scan(const Scan&);

}  // namespace tyto::inline v1
