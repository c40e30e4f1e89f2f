#pragma once
/// What the commands that run say while they do, how a signal ends them, and what their exit status says.
#include <cstdio>
#include <string>
#include <utility>
#include <fmt/format.h>
#include <tyto/session.hpp>
#include "command_line.hpp"

/// Prints to whoever still reads it, at once.
template <class... T>
void say(fmt::format_string<T...> text, T&&... values) {
  std::fputs(fmt::format(text, std::forward<T>(values)...).c_str(), stdout);
  std::fflush(stdout);
}

/// From now on a first SIGINT or SIGTERM makes runs end after their sweep, a second one ends the process.
void listen_to_signals();
bool was_interrupted();
void say_note(const std::string&);
/// Notes and, where `has_lines`, a line for each sweep; `has_begun` becomes true with the first one. Signals interrupt the session.
void watch(tyto::Session&, bool has_lines, bool& has_begun);
/// "converged", "stopped at a limit", ...
const char* word_of(tyto::Stop);
/// The exit status of a result; with `check` what misses `expect:` is printed after `which`.
int status_of(const tyto::Session&, const tyto::Result&, bool check, const std::string& which = {});
