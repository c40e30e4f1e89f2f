#pragma once
/// A sum of rank-one terms, as a decomposition leaves it: X(i,j,...) = sum[r] weights(r) * A_0(i,r) * A_1(j,r) * ...
#include <filesystem>
#include <string>
#include <vector>
#include "tensor/dense.hpp"

namespace tyto::tensor {

struct Ktensor {
  std::vector<double> weights;
  std::vector<Dense> factors;  ///< one for each mode, f64, [mode][rank]

  std::int64_t rank() const { return static_cast<std::int64_t>(weights.size()); }
  Extents extents() const;
  /// The dense tensor, f64. Takes order * rank flops for each element. Throws as Dense::zeros does.
  Dense to_dense() const;
};

/// Tensor-Toolbox text: the header `ktensor`, weights, and one `matrix` for each factor; 17 significant digits, so that reading
/// gives the same numbers. Factors are real arrays [mode][rank] of any strides; Error{shape} where their ranks differ.
std::string ktensor_text(const std::vector<double>& weights, const std::vector<ConstArray>& factors);
void write_ktensor(const std::filesystem::path&, const std::vector<double>& weights, const std::vector<ConstArray>& factors);

}  // namespace tyto::tensor
