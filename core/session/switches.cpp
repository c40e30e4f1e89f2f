#include "session/switches.hpp"
#include <algorithm>
#include "optimize/pipeline.hpp"
#include "plan/fuse.hpp"

namespace tyto::session {

std::vector<Finding> unknown_switches(const std::vector<std::string>& switched_off) {
  return optimize::unknown_passes(switched_off, plan::fusion_names());
}

Switches switches_of(const std::vector<std::string>& switched_off) {
  std::vector<Finding> unknown = unknown_switches(switched_off);
  if (!unknown.empty()) throw Error(std::move(unknown));
  const std::vector<std::string> fusions = plan::fusion_names();
  Switches switches;
  for (const std::string& name : switched_off) {
    const bool is_fusion = std::find(fusions.begin(), fusions.end(), name) != fusions.end();
    (is_fusion ? switches.fusions : switches.passes).push_back(name);
  }
  return switches;
}

}  // namespace tyto::session
