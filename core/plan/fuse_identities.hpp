#pragma once
/// A product with an identity that ties two labels of the output is zero off their diagonal: the other operands are written there,
/// after zeros, and added there to what they are added to.
///
///   before:  H(i,r,i',r') = I(i,i') G(r,r')
///   after:   H(i,r,i,r') = G(r,r')
#include "plan/fuse.hpp"

namespace tyto::plan {

Lowered fuse_identities(const Lowered&, const FusionContext&);

}  // namespace tyto::plan
