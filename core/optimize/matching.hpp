#pragma once
/// Where the operands of one product stand among those of another.
#include <functional>
#include <optional>
#include "optimize/product.hpp"

namespace tyto::optimize {

/// Operand k of the pattern is operand places[k] of the whole; label l of the pattern is label labels[l] of the whole, -1 if it is
/// on no operand. No two operands share a place, no two labels a label.
struct Match {
  std::vector<std::size_t> places;
  einsum::Labels labels;
};

/// The first match that `accepted` takes. `known` gives labels of the pattern that are fixed (-1: free), `excluded` an operand of
/// the whole that is not to be used. Axes that a declared symmetry lets be exchanged match in any order. Backtracking, given up
/// after many steps: for patterns of few operands.
std::optional<Match> find_match(const graph::Store&, const Product& pattern, const Product& whole, const einsum::Labels& known,
                                std::size_t excluded, const std::function<bool(const Match&)>& accepted);

}  // namespace tyto::optimize
