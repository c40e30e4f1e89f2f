// Writing the history line by line.
#include "result/history.hpp"
#include "error/fail.hpp"
#include "text/json.hpp"
#include <fmt/format.h>
#include <cerrno>
#include <set>
#include <system_error>

namespace tyto::result {

std::string history_line(const Progress& p) {
  JsonWriter json(JsonWriter::Layout::line);
  json.begin_object();
  json.member("start", p.start).member("sweep", p.sweep).member("objective", p.objective);
  json.key("relative_error");
  p.relative_error < 0 ? json.null() : json.value(p.relative_error);
  json.member("change", p.change).member("seconds", p.seconds);
  std::set<std::string> taken = {"start", "sweep", "objective", "relative_error", "change", "seconds"};
  for (const auto& [name, value] : p.columns) {
    std::string key = name;
    while (!taken.insert(key).second) key = "columns." + key;
    json.member(key, value);
  }
  return json.end_object().text();
}

void HistoryWriter::append(const Progress& progress) {
  const std::filesystem::path path = folder_ / "history.jsonl";
  errno = 0;
  if (!file_.is_open()) {
    std::error_code ignored;
    std::filesystem::remove(folder_ / "result.json", ignored);
    if (earlier_.empty()) std::filesystem::remove(folder_ / "checkpoint", ignored);  // of an earlier run, not of this one
    file_.open(path, std::ios::trunc);
    for (const Progress& row : earlier_) file_ << history_line(row) << '\n';
  }
  file_ << history_line(progress) << '\n' << std::flush;
  if (!file_)
    fail(Code::output, fmt::format("cannot write {}", path.string()), {}, std::generic_category().message(errno),
         "freeing space on that disk, or another output.directory");
}

}  // namespace tyto::result
