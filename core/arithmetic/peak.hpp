#pragma once
/// A loop that does nothing but fused multiply-adds in registers: what one core can do at most.
#include <cstdint>
#include "arithmetic/isa.hpp"

namespace tyto::arithmetic {

/// Runs `rounds` rounds of independent multiply-adds on vectors of f64 and returns the flops done. The value of `seed` keeps the
/// compiler from doing them beforehand; it ends as something finite.
std::int64_t run_multiply_adds(Isa, std::int64_t rounds, double& seed);

}  // namespace tyto::arithmetic
