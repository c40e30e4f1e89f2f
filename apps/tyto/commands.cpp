#include "commands.hpp"
#include <cstdio>
#include <fmt/format.h>
#include <tyto/host.hpp>
#include <tyto/session.hpp>
#include "derivatives.hpp"
#include "processes.hpp"
#include "run.hpp"
#include "scan.hpp"

namespace {

void refuse_several(const Processes& processes) {
  if (processes.size() == 1) return;
  throw tyto::Error(tyto::Finding{.code = tyto::Code::ranks,
                                  .what = "runs over several processes are not part of this version",
                                  .expected = "1 process",
                                  .found = fmt::format("{} processes", processes.size()),
                                  .hint = "starting tyto without mpirun; execution.threads uses several cores"});
}

std::string checked(const Arguments& a) {
  session_of(a).check();
  return a.operand + " is fine\n";
}

int show(const std::string& text) {
  if (std::fputs(text.c_str(), stdout) >= 0 && std::fflush(stdout) == 0) return exit_status::done;
  std::perror("tyto: cannot write the output");
  return exit_status::failed;
}

int check_derivatives(const Arguments& a) {
  std::string notes;
  tyto::Session session = session_of(a);
  session.on_message([&](const std::string& text) { notes += fmt::format("note: {}\n", text); });
  const std::vector<tyto::ObjectiveDerivative> all = session.check_derivatives();
  const int shown = show(notes + table_of(all));
  return all_agree(all) ? shown : exit_status::failed;
}

std::string explanation(const Arguments& a) {
  tyto::Session session = session_of(a);
  session.on_message([](const std::string& text) { fmt::print(stderr, "note: {}\n", text); });
  return a.analyze ? session.analyze() : session.explain();
}

std::string calibrated(const Arguments& a) {
  return tyto::calibrate(a.output, [](const std::string& what) {
    fmt::print(stderr, "measuring {}\n", what);
    std::fflush(stderr);
  });
}

/// What the commands show that run nothing.
std::string text_of(const Arguments& a) {
  if (a.wish == Arguments::Wish::help) return usage();
  if (a.wish == Arguments::Wish::version) return fmt::format("tyto {}\n", tyto::version());
  if (a.command == "check") return checked(a);
  if (a.command == "explain") return explanation(a);
  if (a.command == "calibrate") return calibrated(a);
  if (a.command == "convert") return tyto::convert(a.operand, a.second);
  if (a.command == "list") return tyto::plugin_list();
  if (a.command == "describe") return tyto::plugin_help(a.operand);
  return tyto::file_info(a.operand);
}

}  // namespace

tyto::Session session_of(const Arguments& a) {
  tyto::Session session = a.command == "resume" ? tyto::Session::from_checkpoint(a.operand) : tyto::Session::from_file(a.operand);
  for (const auto& [key, value] : a.settings) session.set(key, value);
  return session;
}

int execute(const Arguments& a) {
  const Processes processes;
  try {
    refuse_several(processes);
    if (a.command == "check-derivative") return check_derivatives(a);
    if (a.command == "scan") return scan(a);
    return a.command == "run" || a.command == "resume" ? run(a) : show(text_of(a));
  } catch (const tyto::Error& error) {
    if (processes.rank() == 0) fmt::print(stderr, "{}\n", error.what());
    return exit_status::refused;
  }
}
