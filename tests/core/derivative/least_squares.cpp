#include "core/derivative/least_squares.hpp"
#include <cmath>

namespace tyto::test {
namespace {

using Matrix = std::vector<Numbers>;

/// Eigenvalues on the diagonal of the symmetric `matrix`, eigenvectors as rows of the result: cyclic Jacobi rotations.
Matrix diagonalize(Matrix& matrix) {
  const std::size_t n = matrix.size();
  Matrix vectors(n, Numbers(n, 0));
  for (std::size_t k = 0; k < n; ++k) vectors[k][k] = 1;
  for (int sweep = 0; sweep < 60; ++sweep)
    for (std::size_t p = 0; p < n; ++p)
      for (std::size_t q = p + 1; q < n; ++q) {
        if (matrix[p][q] == 0) continue;
        const double theta = (matrix[q][q] - matrix[p][p]) / (2 * matrix[p][q]);
        const double t = (theta >= 0 ? 1 : -1) / (std::abs(theta) + std::sqrt(theta * theta + 1)), c = 1 / std::sqrt(t * t + 1),
                     s = t * c;
        const auto rotate = [&](double& a, double& b) {
          const double old = a;
          a = c * old - s * b, b = s * old + c * b;
        };
        for (std::size_t k = 0; k < n; ++k) rotate(matrix[k][p], matrix[k][q]);
        for (std::size_t k = 0; k < n; ++k) rotate(matrix[p][k], matrix[q][k]), rotate(vectors[p][k], vectors[q][k]);
      }
  return vectors;
}

}  // namespace

Numbers least_squares(const std::vector<Square>& squares, const Expr& block, const Values& values) {
  const std::size_t n = static_cast<std::size_t>(count(block.shape()));
  Matrix gram(n, Numbers(n, 0));
  Numbers right(n, 0);
  for (const Square& square : squares) {
    Evaluator residual(Exprs{square.residual});
    const auto at = [&](const Numbers& numbers) { return residual(Values(values).set(block, numbers))[0]; };
    const Numbers offset = at(Numbers(n, 0));
    Matrix columns;
    for (std::size_t k = 0; k < n; ++k) {
      Numbers unit(n, 0);
      unit[k] = 1;
      columns.push_back(at(unit));
      for (std::size_t e = 0; e < offset.size(); ++e) columns[k][e] -= offset[e];
    }
    for (std::size_t e = 0; e < offset.size(); ++e)
      for (std::size_t a = 0; a < n; ++a) {
        right[a] -= square.coefficient * columns[a][e] * offset[e];
        for (std::size_t b = 0; b < n; ++b) gram[a][b] += square.coefficient * columns[a][e] * columns[b][e];
      }
  }
  const Matrix vectors = diagonalize(gram);
  double most = 0;
  for (std::size_t k = 0; k < n; ++k) most = std::max(most, std::abs(gram[k][k]));
  Numbers solution(n, 0);
  for (std::size_t k = 0; k < n; ++k) {
    if (std::abs(gram[k][k]) <= 1e-11 * most) continue;  // the null space stays out
    double along = 0;
    for (std::size_t e = 0; e < n; ++e) along += vectors[k][e] * right[e];
    for (std::size_t e = 0; e < n; ++e) solution[e] += vectors[k][e] * along / gram[k][k];
  }
  return solution;
}

}  // namespace tyto::test
