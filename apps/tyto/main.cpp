// The host application: reads the command line, nothing else.
#include <algorithm>
#include <cstdio>
#include <boost/program_options.hpp>
#include <fmt/format.h>
#include <tyto/host.hpp>
#include "commands.hpp"

namespace options = boost::program_options;

int main(int argc, char** argv) try {
  Arguments a;
  std::vector<std::string> rest;
  options::options_description known;
  known.add_options()("help", "")("version", "")("quiet", options::bool_switch(&a.quiet))("check", options::bool_switch(&a.check))(
      "set", options::value(&a.settings))("words", options::value(&rest));
  options::positional_options_description words;
  words.add("words", -1);
  options::variables_map given;
  options::store(options::command_line_parser(argc, argv).options(known).positional(words).run(), given);
  options::notify(given);
  if (given.contains("version")) return fmt::print("tyto {}\n", tyto::version()), 0;
  if (given.contains("help") || rest.empty()) return fmt::print("{}", usage()), given.contains("help") ? 0 : 2;

  a.command = rest[0];
  const std::vector<std::string> with_operand{"run", "check", "explain", "describe", "info"};
  const bool needs_operand = std::find(with_operand.begin(), with_operand.end(), a.command) != with_operand.end();
  if (!needs_operand && a.command != "list") return fmt::print(stderr, "unknown command '{}'\n\n{}", a.command, usage()), 2;
  if (rest.size() != (needs_operand ? 2U : 1U)) return fmt::print(stderr, "'tyto {}' takes {}\n\n{}", a.command, needs_operand ? "one operand" : "no operand", usage()), 2;
  if (needs_operand) a.operand = rest[1];
  return run_command(a);
} catch (const options::error& error) {
  fmt::print(stderr, "{}\n\n{}", error.what(), usage());
  return 2;
}
