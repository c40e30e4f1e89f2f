#pragma once
/// The command line, taken apart and checked: what is to be done, to what, and how.
#include <string>
#include <utility>
#include <vector>

struct Arguments {
  enum class Wish { command, help, version };
  Wish wish = Wish::command;
  std::string command, operand, second;                       ///< second: of convert, where to write
  std::vector<std::pair<std::string, std::string>> settings;  ///< of --set: key and value
  std::vector<std::pair<std::string, std::string>> over;      ///< of scan: the one key that is scanned, and the text of its values
  bool apart = false;                                         ///< --apart: no run of a scan starts from another's result
  bool check = false;                                         ///< --check: compare the result with `expect:`
  bool quiet = false;
  bool analyze = false;                   ///< --analyze: run the cycle and show times
  std::string output;                     ///< of --output
  std::vector<std::string> compare = {};  ///< of --compare: names of backends or executors, two or more
};

/// Error{syntax} for what no command takes.
Arguments parse(int argc, const char* const* argv);
/// The text of --help.
std::string usage();
