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

/// Of the point that ended worst: one that failed is worse than one that did not converge.
int worst_status(const Arguments& a, const tyto::Scanned& scanned) {
  int status = exit_status::done;
  for (const tyto::ScanPoint& point : scanned.points) {
    tyto::Session session = session_of(a);
    session.set(scanned.key, point.value());
    const int here = status_of(session, point.kept().result, a.check, fmt::format("{} = {}: ", scanned.key, point.value()));
    if (here == exit_status::failed || status == exit_status::done) status = here;
  }
  return status;
}

int run_all(const Arguments& a, bool& has_begun) {
  const auto& [key, values] = a.over.front();
  const tyto::Scanned scanned = tyto::scan({.file = a.operand,
                                            .settings = a.settings,
                                            .key = key,
                                            .values = tyto::scan_values(values),
                                            .from_neighbours = !a.apart,
                                            .on_run =
                                                [&, key = key](const tyto::ScanRun& run) {
                                                  if (!a.quiet) say_run(key, run);
                                                },
                                            .on_progress = [&](const tyto::Progress&) { has_begun = true; },
                                            .on_message = say_note,
                                            .interrupted = was_interrupted});
  if (!a.quiet) say("\n");
  say_scanned(scanned);
  return worst_status(a, scanned);
}

}  // namespace

int scan(const Arguments& a) {
  bool has_begun = false;
  listen_to_signals();
  try {
    return run_all(a, has_begun);
  } catch (const tyto::Error& error) {
    if (!has_begun) throw;
    fmt::print(stderr, "{}\n", error.what());
    return exit_status::failed;
  }
}
