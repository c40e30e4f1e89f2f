#pragma once
/// How long values live over a cycle of kernels, and where in the arena they go.
#include "plan/plan.hpp"

namespace tyto::plan {

/// The cycle with outputs as kernels and changes as leaves.
struct KernelEvent {
  std::vector<std::int32_t> kernels;
  program::LeafId changes = -1;
};

/// What each evaluation of the repeating cycle computes and reuses, by the versions of leaves. Values that no leaf of the cycle
/// changes are computed before the cycle and reused in it.
/// Without `keeps_slices`, slices are made again in every evaluation that reads them.
std::vector<Evaluated> simulated(const program::Program&, const std::vector<KernelEvent>& cycle, bool keeps_slices = true);

/// Sets offsets, overlaps, scratch offsets and arena_bytes. Two values share memory only if (1) while the cycle repeats they never
/// live together, (2) each kernel alone, all its steps run in order, is right, (3) a value that lives from one kernel to another
/// survives in every kernel that uses it, and (4) no step writes over what another step of its slabs reads or writes. Joined
/// kernels count as one. A value that a step reads for the last time gives its place to what the step
/// writes, element for element, where program::can_take_place allows; otherwise the two live together. With keeps_outputs, the
/// output of a kernel shares memory with nothing.
void place(program::Program&, const std::vector<KernelEvent>& cycle, bool keeps_outputs = false, bool keeps_slices = true);

}  // namespace tyto::plan
