#pragma once
// The dense least-squares problem behind a block update, from nothing but a function that gives the vector of residuals.
#include <functional>
#include "objectives/plain.hpp"

namespace tyto::objectives {

/// The objective is half the sum of squares of these, at given values of the unknowns.
using Residuals = std::function<std::vector<double>(const plain::Tables&)>;

/// The block that minimizes the sum of squares with all other tables as they are, of minimum norm: the Jacobian by differences,
/// which are exact up to rounding since residuals are affine in a block, and its singular values by LAPACK.
std::vector<double> minimum_norm_solution(const Residuals&, plain::Tables, const std::string& block);

/// The vector with `factor` times the entries of the table appended.
void append(std::vector<double>& residuals, const plain::Table&, double factor = 1);

}  // namespace tyto::objectives
