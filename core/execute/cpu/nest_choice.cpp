// Tries every pair of loops as rows and columns and takes the cheapest by the estimate below.
#include "execute/cpu/nest_choice.hpp"
#include <algorithm>
#include "execute/cpu/rates.hpp"

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

double seconds_of_call(const Form& form, const Loop& rows, const Loop& columns) {
  const auto row_count = static_cast<double>(rows.extent), points = row_count * static_cast<double>(columns.extent);
  if (form.kernel == RowKernel::any) return rates::row_call + row_count * rates::row_start + 2 * points / rates::scalar_flops;
  const bool in_registers = form.kernel == RowKernel::multiply_add || form.kernel == RowKernel::scale_add;
  return rates::row_call + row_count * rates::row_start * (in_registers ? 0.5 : 1) +
         2 * points / rates::vector_flops * (in_registers ? 1 : 1.5);
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
  choice.seconds = static_cast<double>(choice.calls) * seconds_of_call(form, choice.rows, choice.columns);
  return choice;
}

}  // namespace

NestChoice choose_nest(const std::vector<Loop>& loops) {
  const auto count = static_cast<std::ptrdiff_t>(loops.size());
  NestChoice best = choice_of(loops, -1, count > 0 ? 0 : -1);
  for (std::ptrdiff_t columns = 0; columns < count; ++columns) {
    for (std::ptrdiff_t rows = -1; rows < count; ++rows) {
      if (rows == columns) continue;
      NestChoice choice = choice_of(loops, rows, columns);
      const bool better = choice.seconds < best.seconds * 0.999;
      const bool nearer = choice.seconds < best.seconds * 1.001 && movement(choice.columns) < movement(best.columns);
      if (better || nearer) best = std::move(choice);
    }
  }
  order_outer(best.outer);
  return best;
}

}  // namespace tyto::execute::cpu
