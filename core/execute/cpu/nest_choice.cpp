// Tries every pair of loops as rows and columns and takes the cheapest by the estimate below.
#include "execute/cpu/nest_choice.hpp"
#include <algorithm>
#include "execute/cpu/traffic.hpp"

namespace tyto::execute::cpu {
namespace {

struct Form {
  RowKernel kernel = RowKernel::any;
  bool swapped = false;
};

Form form_of(const Loop& rows, const Loop& columns) {
  const std::int64_t out = columns.stride[Place::out];
  std::int64_t left = columns.stride[Place::left], right = columns.stride[Place::right];
  const bool swapped = left != 1 && right == 1;
  if (swapped) std::swap(left, right);
  const bool rows_summed = is_reduction(rows.role), columns_summed = is_reduction(columns.role);
  if (left != 1 || (right != 1 && right != 0) || (!columns_summed && out != 1)) return {};
  const bool moves = right == 1;
  if (columns_summed) return {moves ? RowKernel::dot : RowKernel::sum, swapped};
  if (rows_summed) return {moves ? RowKernel::multiply_add : RowKernel::scale_add, swapped};
  return {moves ? RowKernel::multiply : RowKernel::scale, swapped};
}

const RowRates& rates_of(RowKernel kernel, const Rates& rates) {
  switch (kernel) {
    case RowKernel::multiply:
    case RowKernel::scale: return rates.multiply;
    case RowKernel::multiply_add:
    case RowKernel::scale_add: return rates.multiply_add;
    case RowKernel::dot:
    case RowKernel::sum: return rates.dot;
    case RowKernel::any: break;
  }
  return rates.any;
}

NestChoice choice_of(const std::vector<Loop>& loops, std::ptrdiff_t rows, std::ptrdiff_t columns) {
  const auto loop_at = [&](std::ptrdiff_t at) { return at < 0 ? Loop{} : loops[static_cast<std::size_t>(at)]; };
  NestChoice choice;
  choice.rows = loop_at(rows);
  choice.columns = loop_at(columns);
  const Form form = form_of(choice.rows, choice.columns);
  choice.kernel = form.kernel;
  choice.swapped = form.swapped;
  for (std::size_t at = 0; at < loops.size(); ++at) {
    const auto place = static_cast<std::ptrdiff_t>(at);
    if (place == rows || place == columns) continue;
    choice.outer.push_back(loops[at]);
    choice.calls *= loops[at].extent;
  }
  order_outer(choice.outer);
  return choice;
}

double near_seconds(const NestChoice& choice, std::int64_t element_bytes, const Rates& rates) {
  const RowRates& row = rates_of(choice.kernel, rates);
  const auto rows = static_cast<double>(choice.rows.extent), columns = static_cast<double>(choice.columns.extent);
  const double narrowing = choice.kernel == RowKernel::any ? 1 : static_cast<double>(element_bytes) / 8;  // vectors hold more
  return static_cast<double>(choice.calls) * (row.call + rows * (row.row + 2 * columns * narrowing / row.flops));
}

}  // namespace

double seconds_of(const NestChoice& choice, std::int64_t element_bytes, const Rates& rates) {
  LoopOrder order{.loops = choice.outer, .block = 1};
  order.loops.insert(order.loops.end(), {choice.rows, choice.columns});
  return seconds_with_traffic(near_seconds(choice, element_bytes, rates), order, element_bytes, rates);
}

NestChoice choose_nest(const std::vector<Loop>& loops, std::int64_t element_bytes, const Rates& rates) {
  const auto count = static_cast<std::ptrdiff_t>(loops.size());
  NestChoice best = choice_of(loops, -1, count > 0 ? 0 : -1);
  double least = seconds_of(best, element_bytes, rates);
  for (std::ptrdiff_t columns = 0; columns < count; ++columns) {
    for (std::ptrdiff_t rows = -1; rows < count; ++rows) {
      if (rows == columns) continue;
      NestChoice choice = choice_of(loops, rows, columns);
      if (near_seconds(choice, element_bytes, rates) >= least * 1.001) continue;
      const double seconds = seconds_of(choice, element_bytes, rates);
      const bool better = seconds < least * 0.999;
      const bool nearer = seconds < least * 1.001 && movement(choice.columns) < movement(best.columns);
      if (better || nearer) best = std::move(choice), least = seconds;
    }
  }
  return best;
}

}  // namespace tyto::execute::cpu
