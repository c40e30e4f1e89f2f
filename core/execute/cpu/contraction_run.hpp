#pragma once
/// Runs a planned contraction on memory. Allocates nothing.
#include "execute/cpu/contraction_plan.hpp"
#include "execute/cpu/workers.hpp"

namespace tyto::execute::cpu {

/// `inputs` has the address of every operand; `addend` may lie where `out` lies and is not read without one; `scratch` has
/// plan.scratch_bytes. Returns the flops done. `whole_out` writes one value over all of the output and is used where the plan says
/// so.
template <class T>
std::int64_t run(ContractionPlan&, StridedCopy& whole_out, T* out, const void* const* inputs, const void* addend, char* scratch,
                 Workers&);

}  // namespace tyto::execute::cpu
