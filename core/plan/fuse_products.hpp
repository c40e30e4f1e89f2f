#pragma once
/// A product without sums that only one contraction reads is not written to memory: its factors become operands of that
/// contraction.
///
///   before:  K(j,k,r) = B(j,{r}) C(k,{r})   M(i,r) = X(i,[j],[k]) K([j],[k],r)
///   after:   M(i,r) = X(i,[j],[k]) (B([j],r) C([k],r)), K multiplied part by part while M is computed
#include "plan/fuse.hpp"

namespace tyto::plan {

Lowered fuse_products(const Lowered&, const FusionContext&);

}  // namespace tyto::plan
