#include "objectives/least_squares.hpp"
#include <lapacke.h>

namespace tyto::objectives {

std::vector<double> minimum_norm_solution(const Residuals& residuals, plain::Tables tables, const std::string& block) {
  std::vector<double>& unknowns = tables.at(block).values;
  std::fill(unknowns.begin(), unknowns.end(), 0);
  const std::vector<double> at_zero = residuals(tables);
  const std::size_t rows = at_zero.size(), columns = unknowns.size(), leading = std::max(rows, columns);
  std::vector<double> jacobian(rows * columns), right(leading, 0), singular(std::min(rows, columns));
  for (std::size_t c = 0; c < columns; ++c) {
    unknowns[c] = 1;
    const std::vector<double> at_one = residuals(tables);
    unknowns[c] = 0;
    for (std::size_t r = 0; r < rows; ++r) jacobian[c * rows + r] = at_one[r] - at_zero[r];
  }
  for (std::size_t r = 0; r < rows; ++r) right[r] = -at_zero[r];
  constexpr double negligible = 1e-10;  // of the largest singular value
  int rank = 0;
  const int trouble =
      LAPACKE_dgelsd(LAPACK_COL_MAJOR, static_cast<int>(rows), static_cast<int>(columns), 1, jacobian.data(),
                     static_cast<int>(rows), right.data(), static_cast<int>(leading), singular.data(), negligible, &rank);
  BOOST_REQUIRE_EQUAL(trouble, 0);
  right.resize(columns);
  return right;
}

void append(std::vector<double>& residuals, const plain::Table& t, double factor) {
  for (const double v : t.values) residuals.push_back(factor * v);
}

}  // namespace tyto::objectives
