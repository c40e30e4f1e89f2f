#pragma once
/// Writes a finished run into its output folder, for people and for programs.
#include "result/record.hpp"
#include "tensor/container.hpp"
#include <filesystem>
#include <string>

namespace tyto::result {

/// Which forms are wanted besides result.json and history.jsonl, which are always written.
struct Formats {
  bool npy = true;                          ///< unknowns/NAME.npy and observed/NAME.npy, f64 in C order
  bool ktensor = true;                      ///< ktensor.txt, where the result is a CP decomposition
  bool report = true;                       ///< report.html
  bool plots = false;                       ///< plots/NAME.svg
  const tensor::Container* hdf5 = nullptr;  ///< what writes unknowns.h5, a dataset for each; null: it is not wanted
};

/// The text of result.json: schema 1; keys as documented in the guide. Numbers that are not finite are null.
std::string result_json(const Record&, const Formats& = {});

/// Writes every file under a temporary name and renames it, result.json last: where it is present, all is. Files that an earlier
/// run left and this one does not replace (other unknowns, unknowns.h5, ktensor.txt, report.html) are removed; nothing else in the
/// folder is touched. Throws Error{output} with the file and the system's reason.
void write_result(const std::filesystem::path& folder, const Record&, const Formats& = {});

}  // namespace tyto::result
