#include "progress.hpp"
#include <csignal>
#include <unistd.h>
#include "commands.hpp"

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

void say_progress(const tyto::Progress& p) {
  std::string line = p.starts > 1 ? fmt::format("start {:>2}  ", p.start) : "";
  line += fmt::format("sweep {:>4}  ", p.sweep);
  line += p.relative_error >= 0 ? fmt::format("relative error {:<12.7g}", p.relative_error)
                                : fmt::format("objective {:<18.12g}", p.objective);
  if (p.sweep > 1) line += fmt::format("  change {:<8.2g}", p.change);
  for (const auto& [name, value] : p.columns) line += fmt::format("  {} {:.6g}", name, value);
  say("{}  {:.2f} s\n", line, p.seconds);
}

}  // namespace

void listen_to_signals() {
  std::signal(SIGINT, on_signal);
  std::signal(SIGTERM, on_signal);
  std::signal(SIGPIPE, SIG_IGN);  // whoever watched may leave: the result is written to files
}

bool was_interrupted() { return interrupted != 0; }

void say_note(const std::string& text) { say("note: {}\n", text); }

void watch(tyto::Session& session, bool has_lines, bool& has_begun) {
  session.interrupt_when(was_interrupted);
  session.on_message(say_note);
  session.on_progress([has_lines, &has_begun](const tyto::Progress& p) {
    has_begun = true;
    if (has_lines) say_progress(p);
  });
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

int status_of(const tyto::Session& session, const tyto::Result& result, bool check, const std::string& which) {
  const std::vector<std::string> misses = check ? session.unmet(result) : std::vector<std::string>{};
  for (const std::string& miss : misses) fmt::print(stderr, "{}{}\n", which, miss);
  if (!misses.empty() || result.outcome.stop == tyto::Stop::failed) return exit_status::failed;
  const bool needs_convergence = session.requires_convergence() && result.outcome.stop != tyto::Stop::converged;
  return needs_convergence ? exit_status::not_converged : exit_status::done;
}
