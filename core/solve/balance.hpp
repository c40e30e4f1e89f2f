#pragma once
/// Scales slices of unknowns against each other where that changes no objective, so that their norms stay alike. By powers of two:
/// no digit changes.
#include "solve/state.hpp"

namespace tyto::solve {

/// Norms further apart than this are evened out.
constexpr double largest_imbalance = 1024;

/// True if anything was scaled; `changed` is told which tensors.
bool even_out(const Balance&, const std::vector<Tensor>&, State&, const std::function<void(std::int32_t)>& changed);

}  // namespace tyto::solve
