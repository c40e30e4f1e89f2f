#pragma once
/// The history of a run as JSON lines: written while it runs, so that a killed run leaves it.
#include "tyto/session.hpp"
#include <filesystem>
#include <fstream>
#include <string>

namespace tyto::result {

/// One sweep as one line of JSON without the line's end: start, sweep, objective, relative_error (null if the objective is no sum
/// of squares), change, seconds, then the plugin's columns under their names ("columns.NAME" where a name is taken).
std::string history_line(const Progress&);

/// Appends to history.jsonl in a folder that exists. The file is begun, and the result.json and checkpoint of an earlier run
/// removed, with the first sweep: a run that fails before it leaves the folder as it was. Each line is flushed.
class HistoryWriter {
 public:
  /// `earlier`: rows of the run that is gone on with, written before the first of this one.
  explicit HistoryWriter(std::filesystem::path folder, std::vector<Progress> earlier = {})
      : folder_(std::move(folder)), earlier_(std::move(earlier)) {}
  /// Throws Error{output} with the system's reason.
  void append(const Progress&);

 private:
  std::filesystem::path folder_;
  std::vector<Progress> earlier_;
  std::ofstream file_;
};

}  // namespace tyto::result
