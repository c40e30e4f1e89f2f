// Tries every triple of a left, a right and a contracted loop; there are few.
#include "execute/cpu/gemm_choice.hpp"
#include <algorithm>
#include "execute/cpu/blas.hpp"
#include "execute/cpu/traffic.hpp"

namespace tyto::execute::cpu {
namespace {

double share(std::int64_t extent, double half) {
  const auto x = static_cast<double>(extent);
  return x / (x + half);
}

double seconds_of_product(std::int64_t m, std::int64_t n, std::int64_t k, std::int64_t element_bytes, const Rates& rates) {
  // flops that take as long in f64
  const double flops =
      static_cast<double>(element_bytes) / 8 * 2.0 * static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k);
  if (m == 1 || n == 1) return rates.vector_product_call + flops / rates.vector_product;
  const ProductRates& product = rates.product;
  const double efficiency = share(m, product.half_rows) * share(n, product.half_columns) * share(k, product.half_depth);
  return product.call + flops / (product.flops * efficiency);
}

/// Candidates for one role, with "none" as a loop of extent 1.
std::vector<std::ptrdiff_t> with_role(const std::vector<Loop>& loops, Role role) {
  std::vector<std::ptrdiff_t> found = {-1};
  for (std::size_t at = 0; at < loops.size(); ++at)
    if (loops[at].role == role) found.push_back(static_cast<std::ptrdiff_t>(at));
  return found;
}

/// The choice of loops at these places (-1: none), if BLAS takes the strides.
std::optional<GemmChoice> choice_of(const std::vector<Loop>& loops, std::ptrdiff_t m, std::ptrdiff_t n, std::ptrdiff_t k) {
  const auto loop_at = [&](std::ptrdiff_t at) { return at < 0 ? Loop{} : loops[static_cast<std::size_t>(at)]; };
  GemmChoice choice{.m = loop_at(m), .n = loop_at(n), .k = loop_at(k)};
  const auto form = [](const Loop& rows, const Loop& columns, Place place) {
    return matrix_form(rows.extent, rows.stride[place], columns.extent, columns.stride[place]);
  };
  const std::optional<MatrixForm> out = form(choice.m, choice.n, Place::out);
  if (!out || !form(choice.m, choice.k, Place::left) || !form(choice.k, choice.n, Place::right)) return std::nullopt;
  choice.out_by_columns = out->by_columns;
  for (std::size_t at = 0; at < loops.size(); ++at) {
    const auto place = static_cast<std::ptrdiff_t>(at);
    if (place == m || place == n || place == k) continue;
    choice.outer.push_back(loops[at]);
    choice.calls *= loops[at].extent;
  }
  return choice;
}

double near_seconds(const GemmChoice& choice, std::int64_t element_bytes, const Rates& rates) {
  return static_cast<double>(choice.calls) *
         seconds_of_product(choice.m.extent, choice.n.extent, choice.k.extent, element_bytes, rates);
}

}  // namespace

std::optional<MatrixForm> matrix_form(std::int64_t rows, std::int64_t row_stride, std::int64_t columns,
                                      std::int64_t column_stride) {
  if (rows > blas::largest || columns > blas::largest) return std::nullopt;
  if (columns == 1 && rows == 1) return MatrixForm{};
  if (columns == 1) column_stride = 1;
  if (rows == 1) row_stride = 1;
  if (column_stride == 1 && rows == 1) return MatrixForm{false, columns};
  if (row_stride == 1 && columns == 1) return MatrixForm{true, rows};
  if (column_stride == 1 && row_stride >= columns && row_stride <= blas::largest) return MatrixForm{false, row_stride};
  if (row_stride == 1 && column_stride >= rows && column_stride <= blas::largest) return MatrixForm{true, column_stride};
  return std::nullopt;
}

double seconds_of(const GemmChoice& choice, std::int64_t element_bytes, const Rates& rates) {
  LoopOrder order{.loops = choice.outer, .block = 3};
  order.loops.insert(order.loops.end(), {choice.m, choice.n, choice.k});
  return seconds_with_traffic(near_seconds(choice, element_bytes, rates), order, element_bytes, rates);
}

std::optional<GemmChoice> choose_gemm(const std::vector<Loop>& loops, std::int64_t element_bytes, const Rates& rates) {
  std::optional<GemmChoice> best;
  double least = 0;
  for (const std::ptrdiff_t k : with_role(loops, Role::contracted)) {
    if (k < 0) continue;
    for (const std::ptrdiff_t m : with_role(loops, Role::left)) {
      for (const std::ptrdiff_t n : with_role(loops, Role::right)) {
        if (m < 0 && n < 0) continue;
        std::optional<GemmChoice> choice = choice_of(loops, m, n, k);
        if (!choice || (best && near_seconds(*choice, element_bytes, rates) >= least)) continue;
        order_outer(choice->outer);
        const double seconds = seconds_of(*choice, element_bytes, rates);
        if (!best || seconds < least) best = std::move(choice), least = seconds;
      }
    }
  }
  return best;
}

}  // namespace tyto::execute::cpu
