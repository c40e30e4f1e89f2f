#pragma once
/// Small records for the tests of this folder.
#include "result/record.hpp"
#include "result/ktensor.hpp"
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace tyto::result {

/// X(i,j,k) = sum_r A(i,r) B(j,r) C(k,r) of shape 2 x 3 x 4 and rank 2, columns neither normalized nor sorted, with mixed signs.
inline Record small_cp() {
  Record record;
  record.algorithm = "cp-als";
  record.algorithm_version = "1.0.0";
  record.tyto_version = "0.1.0";
  record.executor = "cpu";
  record.seed = 7;
  record.config = "{\n  \"algorithm\": \"cp-als\"\n}";
  record.data = {{"X", "x.npy", {2, 3, 4}, {"i", "j", "k"}, 10}};
  Result& result = record.result;
  result.outcome = {Stop::converged, "relative change 1e-13 < 1e-12"};
  result.objective = 0.5;
  result.relative_error = 0.25;
  result.sweeps = 2;
  result.seconds = 0.125;
  result.unknowns = {"A", "B", "C"};
  result.values["A"] = {{2, 2}, {"i", "r"}, {1, -3, 2, 4}};
  result.values["B"] = {{3, 2}, {"j", "r"}, {-1, 2, -2, -5, 0.5, 1}};
  result.values["C"] = {{4, 2}, {"k", "r"}, {1, 2, 0, -1, -3, 0, 1, 4}};
  result.history = {{0, 1, 2, 0.5, 1, 0.0625, {}}, {0, 2, 0.5, 0.25, 0.75, 0.125, {{"objective", 3}, {"bond", 8}}}};
  record.starts = {{0, 0.5, 0.25, 2, result.outcome}};
  return record;
}

/// A folder of its own, removed with this object.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "tyto-result-XXXXXX").string();
    path_ = ::mkdtemp(name.data());
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

inline std::string text_of_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

inline void write_text(const std::filesystem::path& path, const std::string& text) { std::ofstream(path) << text; }

}  // namespace tyto::result
