#pragma once
/// A sparse matrix of coefficients as a product of two of the smallest inner extent: G(row, column) = sum over states of
/// left(row, state) right(state, column), with as many states as the rank of G.
///
/// Rows stand for what an operator sum does left of a bond, columns for what it does right of it, states become the values of
/// the bond. Coefficients are left alone as far as the rank allows:
///
///   1. A row with one column left makes this column a state (right has a 1 there), a column with one row left makes this row one
///      (left has a 1 there). Both lower the rank of the rest by exactly one; it is how R. M. Karp and M. Sipser, "Maximum matching
///      in sparse random graphs", FOCS 1981, begin a matching, and what the bipartite graphs of J. Ren, W. Li, T. Jiang and Z.
///      Shuai, J. Chem. Phys. 153, 084118 (2020), find for generic coefficients.
///   2. What remains falls into connected blocks. In each, elimination with complete pivoting finds the rank, as the removal of
///   linearly
///      dependent rows and columns does in C. Hubig, I. P. McCulloch and U. Schollwoeck, Phys. Rev. B 95, 035129 (2017). At
///      full rank all rows or all columns are states; else the pivot rows are, and the other rows are combinations of them.
///
/// So `right` holds nothing but elements of G and ones, however many bonds are treated one after the other. Elements count as zero
/// where they are no larger than their own rounding error, so neither the scale of a row nor that of a column matters.
#include <complex>
#include <cstdint>
#include <vector>

namespace tyto::hamiltonian {

struct Coefficient {
  std::int64_t column = 0;
  std::complex<double> value;
  double magnitude = 0;  ///< scale of the rounding error of the value: at least its absolute value
};
using CoefficientRow = std::vector<Coefficient>;  ///< each column at most once

struct RankFactorization {
  struct Element {
    std::int64_t row = 0, state = 0;
    std::complex<double> value;
  };
  std::vector<Element> left;
  std::vector<CoefficientRow> right;  ///< by state: rows in their order, then columns from the largest number down
};

/// Elements that arise in elimination and are at most eps^2 times `scale` are zero, too, and step 1 does not rest on elements as
/// small as that: what underflow does to coefficients that decay is no structure.
RankFactorization rank_factorization(const std::vector<CoefficientRow>&, double scale);

}  // namespace tyto::hamiltonian
