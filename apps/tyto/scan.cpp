#include "scan.hpp"
#include <algorithm>
#include <filesystem>
#include <fmt/ranges.h>
#include <tyto/scan.hpp>
#include "commands.hpp"
#include "progress.hpp"

namespace {

void say_run(const std::string& key, const tyto::ScanRun& run) {
  const tyto::Result& r = run.result;
  std::string line = fmt::format("{} = {:<8} {:<8}  ", key.substr(key.find_last_of('.') + 1), run.value,
                                 run.pass == tyto::ScanPass::forward ? "forward" : "backward");
  line += r.relative_error >= 0 ? fmt::format("relative error {:<12.7g}", r.relative_error)
                                : fmt::format("objective {:<18.12g}", r.objective);
  line += fmt::format("  {:>4} sweeps  {:.2f} s  {}", r.sweeps, r.seconds, word_of(r.outcome.stop));
  say("{}{}\n", line, run.start.empty() ? "" : fmt::format(", from {}", run.start));
}

void say_scanned(const tyto::Scanned& scanned) {
  say("{}", scanned.text());
  if (scanned.is_interrupted) say("interrupted: {} of {} values were run\n", scanned.points.size(), scanned.wanted);
  std::vector<std::string> files;
  for (const char* name : {"scan.json", "scan.csv", "scan.html", "plots"})
    if (std::filesystem::exists(std::filesystem::path(scanned.folder) / name)) files.emplace_back(name);
  say("written to {}: {}, and a folder for each run\n", scanned.folder, fmt::join(files, ", "));
}

int scan_values(const Arguments& a, bool& has_begun) {
  tyto::Session session = session_of(a);
  watch(session, false, has_begun);
  const tyto::Scan asked = tyto::Scan::over(a.over.front().first, a.over.front().second);
  const auto on_run = [&](const tyto::ScanRun& run) {
    if (!a.quiet) say_run(asked.key, run);
  };
  const tyto::Scanned scanned = session.scan(asked, on_run);
  if (!a.quiet) say("\n");
  say_scanned(scanned);
  int status = exit_status::done;
  for (const tyto::ScanPoint& point : scanned.points) {
    const int of_point =
        status_of(session.set(asked.key, point.value()), point.kept().result, a.check, fmt::format("{} = {}: ", asked.key, point.value()));
    // a run that failed is worse than one that did not converge
    if (of_point == exit_status::failed || status == exit_status::done) status = of_point;
  }
  return status;
}

}  // namespace

int scan(const Arguments& a) {
  bool has_begun = false;
  listen_to_signals();
  try {
    return scan_values(a, has_begun);
  } catch (const tyto::Error& error) {
    if (!has_begun) throw;
    fmt::print(stderr, "{}\n", error.what());
    return exit_status::failed;
  }
}
