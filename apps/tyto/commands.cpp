#include "commands.hpp"
#include <csignal>
#include <cstdio>
#include <fmt/format.h>
#include <tyto/host.hpp>
#include <tyto/session.hpp>
#include "processes.hpp"

namespace {

// Set by a signal; the run asks for it after each sweep. A second signal ends the process at once.
volatile std::sig_atomic_t interrupted = 0;
extern "C" void on_signal(int signal) {
  interrupted = 1;
  std::signal(signal, SIG_DFL);
}

constexpr int done = 0, failed = 1, refused = 2, not_converged = 3;

tyto::Session session_of(const Arguments& a) {
  tyto::Session session = tyto::Session::from_file(a.operand);
  for (const std::string& setting : a.settings) {
    const std::size_t split = setting.find('=');
    if (split == std::string::npos)
      throw tyto::Error(tyto::Finding{.code = tyto::Code::syntax, .where = {.file = "--set " + setting}, .what = "an override has no value", .expected = "KEY=VALUE, as in solver.max_sweeps=5", .found = setting});
    session.set(setting.substr(0, split), setting.substr(split + 1));
  }
  return session;
}

void check_processes(const Processes& processes) {
  if (processes.size() > 1)
    throw tyto::Error(tyto::Finding{.code = tyto::Code::ranks, .what = "runs over several processes are not part of this version", .expected = "1 process", .found = fmt::format("{} processes", processes.size()),
                                    .hint = "start tyto without mpirun; execution.threads uses several cores"});
}

void print_progress(const tyto::Progress& p, bool several_starts) {
  if (several_starts) fmt::print("start {:>2}  ", p.start);
  fmt::print("sweep {:>4}  ", p.sweep);
  if (p.relative_error >= 0)
    fmt::print("relative error {:<12.7g}", p.relative_error);
  else
    fmt::print("objective {:<18.12g}", p.objective);
  if (p.sweep > 1) fmt::print("  change {:<8.2g}", p.change);
  for (const auto& [name, value] : p.columns) fmt::print("  {} {:.6g}", name, value);
  fmt::print("  {:.2f} s\n", p.seconds);
  std::fflush(stdout);
}

const char* word_of(tyto::Stop stop) {
  switch (stop) {
    case tyto::Stop::converged: return "converged";
    case tyto::Stop::sweep_limit: case tyto::Stop::time_limit: return "stopped at a limit";
    case tyto::Stop::interrupted: return "interrupted";
    case tyto::Stop::stalled: return "stalled";
    case tyto::Stop::degenerate: return "degenerate";
    case tyto::Stop::failed: return "failed";
  }
  return "";
}

void print_result(const tyto::Result& r) {
  const std::string at = r.settings.empty() ? "" : " at " + r.settings;
  if (r.relative_error >= 0)
    fmt::print("\nrelative error {:.7g}{}   (explained {:.6f} %)\n", r.relative_error, at, 100 * (1 - r.relative_error * r.relative_error));
  else
    fmt::print("\nobjective {:.12g}{}\n", r.objective, at);
  fmt::print("{}: {}   ({} sweeps, {:.2f} s)\n", word_of(r.outcome.stop), r.outcome.reason, r.sweeps, r.seconds);
  if (!r.folder.empty()) fmt::print("written to {}: result.json, history.jsonl, unknowns/, report.html\n", r.folder);
}

int run(const Arguments& a) {
  const Processes processes;
  bool has_begun = false, several_starts = false;
  try {
    check_processes(processes);
    tyto::Session session = session_of(a);
    session.interrupt_when([] { return interrupted != 0; });
    session.on_message([](const std::string& text) { fmt::print("note: {}\n", text); });
    session.on_progress([&](const tyto::Progress& p) {
      has_begun = true;
      several_starts = several_starts || p.start > 0;
      if (!a.quiet) print_progress(p, several_starts);
    });
    std::signal(SIGINT, on_signal);
    std::signal(SIGTERM, on_signal);
    const tyto::Result result = session.run();
    print_result(result);
    if (a.check)
      for (const std::string& miss : session.unmet(result)) {
        fmt::print(stderr, "{}\n", miss);
        has_begun = true;
        return failed;
      }
    if (result.outcome.stop == tyto::Stop::failed) return failed;
    return session.requires_convergence() && result.outcome.stop != tyto::Stop::converged ? not_converged : done;
  } catch (const tyto::Error& error) {
    if (processes.rank() == 0) fmt::print(stderr, "{}\n", error.what());
    return has_begun ? failed : refused;
  }
}

int show(const Arguments& a) {
  try {
    if (a.command == "check") {
      session_of(a).check();
      fmt::print("{} is fine\n", a.operand);
    } else if (a.command == "explain") {
      fmt::print("{}", session_of(a).explain());
    } else if (a.command == "list") {
      fmt::print("{}", tyto::plugin_list());
    } else if (a.command == "describe") {
      fmt::print("{}", tyto::plugin_help(a.operand));
    } else {
      fmt::print("{}", tyto::file_info(a.operand));
    }
    return done;
  } catch (const tyto::Error& error) {
    fmt::print(stderr, "{}\n", error.what());
    return refused;
  }
}

}  // namespace

std::string usage() {
  return "tyto runs declared tensor objectives: decompositions and what plugins add\n\n"
         "  tyto run FILE.yaml        run it; --check compares with `expect:`\n"
         "  tyto check FILE.yaml      find what is wrong, run nothing\n"
         "  tyto explain FILE.yaml    the plan: steps, flops, memory, and why\n"
         "  tyto list                 the algorithms there are\n"
         "  tyto describe NAME        the settings of an algorithm; `config` for the keys of FILE.yaml\n"
         "  tyto info FILE            what a data file holds\n\n"
         "  --set KEY=VALUE           instead of what FILE.yaml says, as in --set solver.max_sweeps=5; may be repeated\n"
         "  --quiet                   no line per sweep\n"
         "  --help, --version\n\n"
         "exit status: 0 done, 1 failed after the first sweep, 2 refused before it, 3 not converged where required\n";
}

int run_command(const Arguments& a) { return a.command == "run" ? run(a) : show(a); }
