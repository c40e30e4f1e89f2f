#pragma once
/// For tests about files: a folder of one's own that goes away, and the text of an error with that folder written as DIR.
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <unistd.h>
#include "tyto/error.hpp"

namespace tyto::tensor {

class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "tyto_tensor_XXXXXX").string();
    path_ = ::mkdtemp(name.data());
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path file(const std::string& name, const std::string& bytes) const {
    std::ofstream(path_ / name, std::ios::binary) << bytes;
    return path_ / name;
  }
  std::int64_t count() const {
    std::int64_t files = 0;
    for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(path_)) ++files;
    return files;
  }
  /// The text of the Error that `body` throws; "" if it throws none.
  template <class Body>
  std::string error_of(Body&& body) const {
    try {
      body();
    } catch (const Error& error) {
      std::string text = error.what();
      for (std::size_t at; (at = text.find(path_.string())) != std::string::npos;) text.replace(at, path_.string().size(), "DIR");
      return text;
    }
    return {};
  }

 private:
  std::filesystem::path path_;
};

/// The text of the Error that `body` throws; "" if it throws none.
template <class Body>
std::string error_of(Body&& body) {
  try {
    body();
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

inline std::filesystem::path data_folder() { return std::filesystem::path(TYTO_SOURCE_DIR) / "share" / "data"; }

inline std::string bytes_of(const std::filesystem::path& path) {
  std::ostringstream bytes;
  bytes << std::ifstream(path, std::ios::binary).rdbuf();
  return bytes.str();
}

}  // namespace tyto::tensor
