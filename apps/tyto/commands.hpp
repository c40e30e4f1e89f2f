#pragma once
/// The verbs of the host. Each prints for a person and returns an exit status: 0 done, 1 the run failed after its first sweep
/// began, 2 anything found before that, 3 not converged where the config requires it.
#include <string>
#include <vector>

struct Arguments {
  std::string command, operand;
  std::vector<std::string> settings;  ///< of --set, "key=value"
  bool check = false;                 ///< --check: compare the result with `expect:`
  bool quiet = false;
};

int run_command(const Arguments&);
/// The text of --help.
std::string usage();
