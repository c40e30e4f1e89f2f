#pragma once
/// After lowering: steps that belong together become one, so that values which only the next step reads are not written to memory
/// and read again. Each fusion is a file of its own and can be switched off by name.
#include <string>
#include <vector>
#include "plan/lifetime.hpp"
#include "plan/lower.hpp"

namespace tyto::plan {

/// What a fusion may look at beside the program: a value that is current when its reader runs is worth keeping.
struct FusionContext {
  const device::Model& device;
  const std::vector<KernelEvent>& cycle;
  bool keeps_slices = true;
  bool joins_outputs = false;  ///< kernels of an event run as one
};

/// Pure: a program that computes the same outputs, each change by itself faster as the device model predicts.
struct Fusion {
  std::string name, summary;
  Lowered (*run)(const Lowered&, const FusionContext&);
};
/// In the order in which they run.
const std::vector<Fusion>& fusions();
/// Names for Options::switched_off.
std::vector<std::string> fusion_names();
Lowered fused(Lowered, const FusionContext&, const std::vector<std::string>& switched_off);

}  // namespace tyto::plan
