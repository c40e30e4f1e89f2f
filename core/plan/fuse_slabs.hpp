#pragma once
/// Steps that go over the same large tensor are put behind each other, to run slab by slab: see program::Slabs. The gradient of CP
/// with respect to all factors reads its data once, and what is made of a slab is read while it is still near. In large
/// programs the largest tensors come first, until so many steps have been tried as is worth the time.
#include "plan/fuse.hpp"

namespace tyto::plan {
Lowered fuse_slabs(const Lowered&, const FusionContext&);
}  // namespace tyto::plan
