#pragma once
/// An inverse that meets its matrix in a product is an identity, whether the matrix stands there as one operand or as the product
/// that it is; what is left of an inverse in a product becomes the solution of a system, which is cheaper and more accurate.
///
/// before:
///     unknown A(i=4,i') B(i,i') F(i,r=3) G(i,r)
///     P(i,i'') = A(i,i')*B(i',i'')
///     V(i,i'') = inverse[i](P(i,i''))
///     X(i''',r) = V(i,i'')*A(i,i')*B(i',i''')*F(i'',r)
///     W(i,i') = inverse[i](A(i,i'))
///     Y(i',r) = W(i,i')*F(i,r)
///     output x = X
///     output y = Y
/// after:
///     unknown A(i=4,i') B(i,i') F(i,r=3) G(i,r)
///     Y(i',r) = solve[i](A(i,i'), F(i,r))
///     output x = F
///     output y = Y
#include "optimize/pass.hpp"

namespace tyto::optimize {
graph::Graph prune_inverses(const graph::Graph&, const Context&, Log&);
}  // namespace tyto::optimize
