#pragma once
/// Which loops of a contraction become one matrix product, the others looping over it; and what that is expected to cost.
#include <optional>
#include "execute/cpu/loops.hpp"
#include "execute/cpu/rates.hpp"

namespace tyto::execute::cpu {

/// The product out(m,n) = left(m,k) right(k,n), repeated by the outer loops. A loop that the product lacks has extent 1.
struct GemmChoice {
  Loop m, n, k;
  bool out_by_columns = false;  ///< m has the unit stride of out: BLAS's own order; otherwise n has it
  std::vector<Loop> outer;      ///< slowest first
  std::int64_t calls = 1;
};
/// Seconds of all calls, the arithmetic and the moving of operands; without packing.
double seconds_of(const GemmChoice&, std::int64_t element_bytes, const Rates&);

/// A matrix with strides along rows and columns as BLAS takes it; nothing if neither stride is 1.
struct MatrixForm {
  bool by_columns = false;  ///< rows have the unit stride
  std::int64_t leading = 1;
};
std::optional<MatrixForm> matrix_form(std::int64_t rows, std::int64_t row_stride, std::int64_t columns, std::int64_t column_stride);

/// The cheapest choice that needs no copies; nothing if there is none.
std::optional<GemmChoice> choose_gemm(const std::vector<Loop>& loops, std::int64_t element_bytes, const Rates&);

}  // namespace tyto::execute::cpu
