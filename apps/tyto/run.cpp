#include "run.hpp"
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>
#include "compare.hpp"

namespace {

// Set by a signal; the run asks for it after each sweep. A second signal ends the process at once.
volatile std::sig_atomic_t interrupted = 0;
extern "C" void on_signal(int) {
  interrupted = 1;
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
  constexpr char text[] = "finishing the sweep; a second signal ends the run at once, without a result\n";
  if (write(STDERR_FILENO, text, sizeof text - 1) < 0) return;  // nobody reads it
}

void listen_to_signals() {
  std::signal(SIGINT, on_signal);
  std::signal(SIGTERM, on_signal);
  std::signal(SIGPIPE, SIG_IGN);  // whoever watched may leave: the result is written to files
}

/// Prints to whoever still reads it, at once.
template <class... T>
void say(fmt::format_string<T...> text, T&&... values) {
  std::fputs(fmt::format(text, std::forward<T>(values)...).c_str(), stdout);
  std::fflush(stdout);
}

void say_progress(const tyto::Progress& p) {
  std::string line = p.starts > 1 ? fmt::format("start {:>2}  ", p.start) : "";
  line += fmt::format("sweep {:>4}  ", p.sweep);
  line += p.relative_error >= 0 ? fmt::format("relative error {:<12.7g}", p.relative_error)
                                : fmt::format("objective {:<18.12g}", p.objective);
  if (p.sweep > 1) line += fmt::format("  change {:<8.2g}", p.change);
  for (const auto& [name, value] : p.columns) line += fmt::format("  {} {:.6g}", name, value);
  say("{}  {:.2f} s\n", line, p.seconds);
}

const char* word_of(tyto::Stop stop) {
  switch (stop) {
    case tyto::Stop::converged: return "converged";
    case tyto::Stop::sweep_limit:
    case tyto::Stop::time_limit: return "stopped at a limit";
    case tyto::Stop::interrupted: return "interrupted";
    case tyto::Stop::stalled: return "stalled";
    case tyto::Stop::degenerate: return "degenerate";
    case tyto::Stop::failed: return "failed";
  }
  return "";
}

/// Those of the files of a result that were written.
std::vector<std::string> files_in(const std::filesystem::path& folder) {
  std::vector<std::string> files;
  std::error_code ignored;
  for (const char* name :
       {"result.json", "history.jsonl", "unknowns", "observed", "ktensor.txt", "report.html", "plots", "checkpoint"})
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

int status_of(const tyto::Session& session, const tyto::Result& result, bool check) {
  const std::vector<std::string> misses = check ? session.unmet(result) : std::vector<std::string>{};
  for (const std::string& miss : misses) fmt::print(stderr, "{}\n", miss);
  if (!misses.empty() || result.outcome.stop == tyto::Stop::failed) return exit_status::failed;
  const bool needs_convergence = session.requires_convergence() && result.outcome.stop != tyto::Stop::converged;
  return needs_convergence ? exit_status::not_converged : exit_status::done;
}

}  // namespace

namespace {

void watch(tyto::Session& session, const Arguments& a, bool& has_begun) {
  session.interrupt_when([] { return interrupted != 0; });
  session.on_message([](const std::string& text) { say("note: {}\n", text); });
  session.on_progress([&](const tyto::Progress& p) {
    has_begun = true;
    if (!a.quiet) say_progress(p);
  });
}

int run_once(const Arguments& a, bool& has_begun) {
  tyto::Session session = session_of(a);
  watch(session, a, has_begun);
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
    watch(session, a, has_begun);
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
