#pragma once
/// From text to tree.
///
///     sum     := product (('+' | '-') product)*
///     product := signed (('*' | '/') signed)*
///     signed  := ('-' | '+')* power
///     power   := operand ('^' signed)?
///     operand := number | name labels? | name labels? '(' sum (',' sum)* ')' | '(' sum ')' labels?
///     labels  := '[' (name (',' name)*)? ']'
#include "language/tree.hpp"

namespace tyto::language {

/// Throws Error{syntax} with the first fault.
Node parse(const Source&);
/// The left side of a definition, "model[i,j]" or "penalty": a node of kind tensor. Throws Error{syntax}.
Node parse_name(const Source&);

}  // namespace tyto::language
