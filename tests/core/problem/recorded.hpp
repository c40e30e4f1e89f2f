#pragma once
/// A recorder with some inputs, and what a user says about unknowns.
#include <map>
#include "evaluate/error_text.hpp"
#include "problem/recorder.hpp"

namespace tyto::test {

struct Recorded {
  Where at{"run.yaml", 7, 3};
  std::vector<problem::Input> inputs{{"X", {2, 3}, {"0", "1"}, false, false, at},
                                     {"Y", {2, 4}, {"row", "column"}, true, true, at},
                                     {"Z", {4, 5}, {"column", "depth"}, true, false, at},
                                     {"bad", {3}, {"row"}, true, false, {"run.yaml", 9, 5}}};
  std::map<std::string, problem::UserTraits> traits;
  problem::Recorder recorder{inputs, [this](const std::string& name) {
                               const auto known = traits.find(name);
                               return known == traits.end() ? problem::UserTraits{} : known->second;
                             }};
  Index i{"i", 2}, j{"j", 3}, r{"r", 2};
};

}  // namespace tyto::test
