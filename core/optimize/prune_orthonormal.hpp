#pragma once
/// A leaf that is declared orthonormal (tyto::Facts), contracted with its own conjugate over all axes but the named ones, is an
/// identity, and identities that only rename a label are gone at once.
///
/// before:
///     input Q(i=5,r=2; orthonormal r) A(r,s=3)
///     T(r,s) = Q(i,r)*Q(i,r')*A(r',s)
///     output t = T
/// after:
///     input A(r=2,s=3)
///     output t = A
#include "optimize/pass.hpp"

namespace tyto::optimize {
graph::Graph prune_orthonormal(const graph::Graph&, const Context&, Log&);
}  // namespace tyto::optimize
