// Writing the history line by line.
#include "result/history.hpp"
#include "result/json.hpp"
#include "error/fail.hpp"
#include <fmt/format.h>
#include <cerrno>
#include <set>
#include <system_error>

namespace tyto::result {

std::string history_line(const Progress& p) {
  JsonWriter json(JsonStyle::one_line);
  json.open_object();
  json.key("start").integer(p.start).key("sweep").integer(p.sweep).key("objective").number(p.objective);
  json.key("relative_error");
  p.relative_error < 0 ? json.null() : json.number(p.relative_error);
  json.key("change").number(p.change).key("seconds").number(p.seconds);
  std::set<std::string> taken = {"start", "sweep", "objective", "relative_error", "change", "seconds"};
  for (const auto& [name, value] : p.columns) {
    std::string key = name;
    while (!taken.insert(key).second) key = "columns." + key;
    json.key(key).number(value);
  }
  return json.close_object().str();
}

void HistoryWriter::append(const Progress& progress) {
  const std::filesystem::path path = folder_ / "history.jsonl";
  errno = 0;
  if (!file_.is_open()) {
    std::error_code ignored;
    std::filesystem::remove(folder_ / "result.json", ignored);
    file_.open(path, std::ios::trunc);
  }
  file_ << history_line(progress) << '\n' << std::flush;
  if (!file_)
    fail(Code::output, fmt::format("cannot write {}", path.string()), {}, std::generic_category().message(errno),
         "freeing space on that disk, or another output.directory");
}

}  // namespace tyto::result
