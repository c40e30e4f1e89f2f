#pragma once
/// A run for every value of one key of a run file, each starting from the result of its neighbour.
#include <optional>
#include "tyto/session.hpp"

namespace tyto::inline v1 {

/// What is scanned.
struct TYTO_API Scan {
  std::string key = {};                  ///< "settings.model.g"
  std::vector<std::string> values = {};  ///< as YAML, in the order in which they are run

  /// The values that a text stands for: "FIRST:LAST:STEP", decimal numbers, which reach LAST where the steps do, to the last digit;
  /// or "[a, b, c]", a YAML list whose items are the values. Error{syntax}, Error{out_of_range} with `key=text` as its place.
  static Scan over(const std::string& key, const std::string& text);
};

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

/// What a scan knows of one value. There is a backward run where neighbours start from each other, except for the last value.
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
  std::string why_apart = {};          ///< why no run starts from a neighbour's result; empty: runs do
  /// Objectives of both passes that differ by more are reported: the square root of solver.tolerance, relative to the larger of the
  /// two; where there is a relative error, that is compared instead, as it is.
  double tolerance = 0;
  bool is_interrupted = false;
  /// By train: |<psi|phi>| / (|psi| |phi|) of what is kept for a value and for the next one, one entry less than there are points; a
  /// dip marks a transition (Zanardi, Paunkovic 2006). NaN where the trains do not have the same sites.
  std::map<std::string, std::vector<double>> fidelities = {};
  std::string folder = {};  ///< where it was written

  /// A line for each value, and below what is to be noted of the whole.
  std::string text() const;
};

}  // namespace tyto::inline v1
