#pragma once
/// A scan as files: scan.json for programs, scan.csv for spreadsheets, scan.html and plots for people.
#include "result/plots.hpp"
#include "tyto/scan.hpp"
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace tyto::result {

/// The runs and where they came from. Texts that are empty are left out of what is written.
struct ScanRecord {
  Scanned scanned = {};
  std::string status = "running";  ///< or "done", "interrupted", "failed"
  std::string reason = {};         ///< the text of the error that ended it
  std::string source = {};         ///< name of the run file
  std::string algorithm = {}, tyto_version = {};
  std::string started_at = {};  ///< ISO 8601
  bool has_reports = true;      ///< a report.html in the folder of each run
  bool has_plots = false;       ///< plots are wanted
};

/// A number of every point, of the run that is kept.
struct ScanColumn {
  std::string name = {};
  std::vector<double> values = {};  ///< NaN where a point has none
  bool is_between = false;          ///< of a point and the next one, so that the last has none
};

/// The objective; the relative error, where it is defined; observed numbers; the largest entropy of a bond and the fidelity of each
/// train.
std::vector<ScanColumn> scan_columns(const Scanned&);
/// The columns to look at: without the objective where every point has a relative error, which says more.
std::vector<ScanColumn> shown_columns(const Scanned&);

/// Where the points stand on an axis: their values where those are numbers, or logarithms of them where that spreads them better;
/// else 0, 1, 2, ...
struct ScanAxis {
  std::string name = {};
  std::vector<double> positions = {};
};
ScanAxis scan_axis(const Scanned&);

/// Text of scan.json: schema 1; keys as documented in the guide. Numbers that are not finite are null.
std::string scan_json(const ScanRecord&);
/// Text of scan.csv: a line of names, and a line for each value; what is not there is empty.
std::string scan_csv(const ScanRecord&);
/// Text of scan.html, which needs nothing else; it links to the reports of the runs.
std::string scan_html(const ScanRecord&);
/// The charts of scan.html: a column each, and where passes differ the objectives of both.
std::vector<Plot> scan_plots(const ScanRecord&);

/// Writes scan.json, and once the scan is not "running" also the others; each under a temporary name that is renamed. What an
/// earlier scan left of the others is removed by the first. Throws Error{output} with the file and the system's reason.
void write_scan(const std::filesystem::path& folder, const ScanRecord&);

}  // namespace tyto::result
