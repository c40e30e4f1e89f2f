#pragma once
/// Linear combinations, powers and functions, element by element, in one pass over all operands.
#include <vector>
#include "execute/cpu/workers.hpp"
#include "program/program.hpp"

namespace tyto::execute::cpu {

/// Prepared loops over output and inputs; axes that chain in all of them are one loop.
struct ElementwisePlan {
  struct Axis {
    std::int64_t extent = 1;
    std::vector<std::int64_t> stride;  ///< of the output, then of each input
  };
  std::vector<Axis> outer;  ///< slowest first
  Axis row;
  std::vector<double> coefficients;  ///< of a combination
  double exponent = 1;               ///< of a power
  std::int64_t flops = 0;            ///< per element
  std::int64_t elements = 1;
};
ElementwisePlan plan_of(const program::Combination&, const std::vector<program::Buffer>&);
ElementwisePlan plan_of(const program::Power&, const std::vector<program::Buffer>&);
ElementwisePlan plan_of(const program::Map&, const std::vector<program::Buffer>&);

/// out = sum of coefficients[k] * inputs[k]. Returns flops.
template <class T>
std::int64_t run_combination(const ElementwisePlan&, T* out, const void* const* inputs, Workers&);
/// out = input ^ exponent. Returns flops.
template <class T>
std::int64_t run_power(const ElementwisePlan&, T* out, const T* input, Workers&);
/// out = f(a) or f(a, b). Returns flops.
template <class T>
std::int64_t run_map(const ElementwisePlan&, T* out, const T* a, const T* b, operation::Function, Workers&);

}  // namespace tyto::execute::cpu
