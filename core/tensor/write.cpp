// The one place in this folder that writes to disk.
#include "tensor/write.hpp"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <system_error>
#include "error/fail.hpp"
#include "tensor/file.hpp"
#include "tensor/npy.hpp"
#include <fmt/format.h>
#include <fcntl.h>
#include <unistd.h>

namespace tyto::tensor {
namespace {

/// 0, or the error number.
int write_all(int file, const std::string& bytes) {
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t count = ::write(file, bytes.data() + done, bytes.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return errno;
    done += static_cast<std::size_t>(count);
  }
  return 0;
}

/// A new file beside `path`; its number counts up past what other processes left there. Negative: errno says why.
int open_beside(const std::filesystem::path& path, std::filesystem::path& temporary) {
  for (int n = 0; n < 100; ++n) {
    temporary = path.parent_path() / fmt::format(".{}.{}-{}.part", path.filename().string(), ::getpid(), n);
    const int file = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file >= 0 || errno != EEXIST) return file;
  }
  return -1;
}

[[noreturn]] void fail_writing(const std::filesystem::path& path, int error) {
  std::string hint = "another folder, or one that you may write to";
  if (error == ENOENT || error == ENOTDIR) hint = fmt::format("making the folder \"{}\" first", path.parent_path().string());
  if (error == ENOSPC || error == EDQUOT) hint = "freeing space on that disk";
  if (error == EISDIR) hint = "another name: a folder has this one";
  fail(file_finding(Code::output, path.string(), "the file cannot be written", {}, std::generic_category().message(error), hint));
}

}  // namespace

void write_file(const std::filesystem::path& path, const std::string& bytes) {
  std::filesystem::path temporary;
  const int file = open_beside(path, temporary);
  if (file < 0) fail_writing(path, errno);
  int error = write_all(file, bytes);
  if (::close(file) != 0 && error == 0) error = errno;
  if (error == 0 && ::rename(temporary.c_str(), path.c_str()) != 0) error = errno;
  if (error == 0) return;
  ::unlink(temporary.c_str());
  fail_writing(path, error);
}

void remove_unfinished(const std::filesystem::path& path) {
  namespace fs = std::filesystem;
  const std::string begin = fmt::format(".{}.", path.filename().string());
  std::error_code ignored;
  std::vector<fs::path> left;
  for (const fs::directory_entry& entry : fs::directory_iterator(path.parent_path(), ignored)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(begin) || !name.ends_with(".part")) continue;
    const long writer = std::strtol(name.c_str() + begin.size(), nullptr, 10);
    if (writer > 0 && ::kill(static_cast<pid_t>(writer), 0) != 0 && errno == ESRCH) left.push_back(entry.path());
  }
  for (const fs::path& file : left) fs::remove(file, ignored);
}

void write_npy(const std::filesystem::path& path, const ConstArray& array) { write_file(path, npy_bytes(array)); }

}  // namespace tyto::tensor
