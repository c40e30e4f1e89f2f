#pragma once
/// An identity that ties a summed label to another only renames it; one tied to itself is a trace, its extent. What ties two
/// output labels stays: it is structure (see structured_solve).
///
/// before:
///     data A(i=3,j=4)
///     T1(i,j) = I(i,i')*A(i',j')*I(j',j)*I(i'',i'')
///     T2(i,j,i') = I(i,i')*A(i',j)
///     output a = T1
///     output b = T2
/// after:
///     data A(i=3,j=4)
///     T1(i,j) = 3*A(i,j)
///     T2(i,j,i') = I(i,i')*A(i',j)
///     output a = T1
///     output b = T2
#include "optimize/pass.hpp"

namespace tyto::optimize {
graph::Graph prune_identities(const graph::Graph&, const Context&, Log&);
}  // namespace tyto::optimize
