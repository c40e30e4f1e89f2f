#pragma once
/// Products of products become one product, so that the order of contraction is chosen for the whole. What stands several times in
/// one product stays where making it once costs less: a chain of squarings is no product of exponentially many factors.
///
/// before:
///     data X(i=2,j=3,k=4)
///     unknown B(j,r=2) C(k,r)
///     T(i,j,r) = X(i,j,k)*C(k,r)
///     M(i,r) = T(i,j,r)*B(j,r)
///     output m = M
/// after:
///     data X(i=2,j=3,k=4)
///     unknown B(j,r=2) C(k,r)
///     M(i,r) = X(i,j,k)*C(k,r)*B(j,r)
///     output m = M
#include "optimize/pass.hpp"

namespace tyto::optimize {
graph::Graph fuse(const graph::Graph&, const Context&, Log&);
}  // namespace tyto::optimize
