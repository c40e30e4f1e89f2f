#include "run.hpp"
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include "compare.hpp"
#include "progress.hpp"

namespace {

/// Those of the files of a result that were written.
std::vector<std::string> files_in(const std::filesystem::path& folder) {
  std::vector<std::string> files;
  std::error_code ignored;
  for (const char* name :
       {"result.json", "history.jsonl", "unknowns", "unknowns.h5", "observed", "ktensor.txt", "report.html", "plots", "checkpoint"})
    if (std::filesystem::exists(folder / name, ignored))
      files.push_back(std::filesystem::is_directory(folder / name, ignored)
                          ? std::string(name) + (name == std::string("plots") ? "/*.svg" : "/*.npy")
                          : name);
  return files;
}

void say_result(const tyto::Result& r) {
  std::string at = r.settings.empty() ? "" : " at " + r.settings;
  if (!r.history.empty() && r.history.back().start > 0) at += fmt::format(", from start {}", r.best_start);
  if (r.relative_error >= 0)
    say("\nrelative error {:.6g}{}   ({:.6g} % explained)\n", r.relative_error, at,
        100 * (1 - r.relative_error * r.relative_error));
  else say("\nobjective {:.12g}{}\n", r.objective, at);
  std::string numbers;
  for (const std::string& name : r.observed)
    if (r.array(name).extents.empty()) numbers += fmt::format("{}{} {:.12g}", numbers.empty() ? "" : ", ", name, r.scalar(name));
  if (!numbers.empty()) say("{}\n", numbers);
  say("{}: {}   ({} sweeps, {:.2f} s)\n", word_of(r.outcome.stop), r.outcome.reason, r.sweeps, r.seconds);
  if (!r.folder.empty()) say("written to {}: {}\n", r.folder, fmt::join(files_in(r.folder), ", "));
}

int run_once(const Arguments& a, bool& has_begun) {
  tyto::Session session = session_of(a);
  watch(session, !a.quiet, has_begun);
  const tyto::Result result = session.run();
  say_result(result);
  return status_of(session, result, a.check);
}

int run_and_compare(const Arguments& a, bool& has_begun) {
  std::vector<tyto::Result> results;
  int status = exit_status::done;
  for (const std::string& name : a.compare) setting_for(name);  // all that is wrong with the names before the first run
  for (const std::string& name : a.compare) {
    tyto::Session session = session_of(a);
    session.set(setting_for(name).first, setting_for(name).second);
    if (!results.empty() && !results.front().folder.empty()) {
      session.set("output.directory", results.front().folder + "/compared/" + name);
      session.set("output.overwrite", "true");
    }
    watch(session, !a.quiet, has_begun);
    say("{}{}\n", results.empty() ? "" : "\n", name);
    results.push_back(session.run());
    say_result(results.back());
    status = std::max(status, status_of(session, results.back(), a.check));
  }
  say("{}", comparison(a.compare, results));
  return status;
}

}  // namespace

int run(const Arguments& a) {
  bool has_begun = false;
  listen_to_signals();
  try {
    return a.compare.empty() ? run_once(a, has_begun) : run_and_compare(a, has_begun);
  } catch (const tyto::Error& error) {
    if (!has_begun) throw;
    fmt::print(stderr, "{}\n", error.what());
    return exit_status::failed;
  }
}
