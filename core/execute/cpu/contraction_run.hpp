#pragma once
/// Runs a planned contraction on memory. Allocates nothing.
#include "execute/cpu/contraction_plan.hpp"

namespace tyto::execute::cpu {

/// `right` is not read for one operand, `addend` (which may lie where `out` lies) without one; `scratch` has plan.scratch_bytes.
/// Returns the flops done, counted from the loops that ran.
/// `whole_out` writes zeros over all of the output and is used where the plan says so.
template <class T>
std::int64_t run(ContractionPlan& plan, StridedCopy& whole_out, T* out, const T* left, const T* right, const T* addend,
                 char* scratch);

}  // namespace tyto::execute::cpu
