#pragma once
/// Combinations, powers, functions and products without sums whose values only the next of them reads become one step.
///
///   before:  D(i,j) = X(i,j) - Y(i,j)   N = D([i],[j]) D([i],[j])   f = 0.5 N
///   after:   f = 0.5 sum (X(i,j) - Y(i,j))^2, which reads X and Y once and writes one number
#include "plan/fuse.hpp"

namespace tyto::plan {

/// An inner value goes only where it has all labels of the step that reads it: elsewhere it would be computed again and again.
Lowered fuse_elementwise(const Lowered&, const FusionContext&);

}  // namespace tyto::plan
