#pragma once
/// Contractions whose values only one combination reads add them up where the sum is wanted.
///
///   before:  P(i,r) = V(i,[s]) G([s],r)   Q(i,r) = A(i,[s]) Z([s],r)   H(i,r) = P + 2*Q - M
///   after:   P(i,r) = V(i,[s]) G([s],r) - M(i,r)   H(i,r) = 2*A(i,[s]) Z([s],r) + P(i,r)
#include "plan/fuse.hpp"

namespace tyto::plan {

/// Contractions are taken one after another where each makes the whole faster. What is no contraction stays a combination, unless
/// it is one value. H may lie where P lay (see place), so that nothing is copied.
Lowered fuse_accumulation(const Lowered&, const FusionContext&);

}  // namespace tyto::plan
