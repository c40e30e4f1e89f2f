#pragma once
/// The output folder of a run, made sure of before the run begins: it exists, may be written, and holds nothing that would be lost.
#include "tyto/error.hpp"
#include <filesystem>
#include <string>
#include <vector>

namespace tyto::result {

/// A folder that can be written. Whatever directories were created for it are removed again with this object as long as they are
/// empty, so a run that fails before it writes leaves nothing behind.
class OutputFolder {
 public:
  OutputFolder(std::filesystem::path path, std::vector<std::filesystem::path> created);
  OutputFolder(OutputFolder&&) noexcept = default;
  OutputFolder& operator=(OutputFolder&&) noexcept = delete;
  ~OutputFolder();
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  std::vector<std::filesystem::path> created_;  ///< outermost first
};

/// Creates the folder with its parents, or accepts one that is empty; with `overwrite` also one that is not. Throws Error{output}
/// where it is not empty, not a folder, not creatable or not writable, with the system's reason. Removes nothing that it finds.
OutputFolder prepare_folder(const std::string& path, bool overwrite);

/// Removes the arrays or plots (".npy", ".svg") of an earlier run; the folder too when nothing else is in it. Other files are not
/// ours.
void remove_files(const std::filesystem::path& folder, const char* extension);

}  // namespace tyto::result
