// Axes of matrix, right side and output become copies between their strides and the column-major scratch.
#include "execute/cpu/system_plan.hpp"
#include <algorithm>
#include <optional>
#include "error/fail.hpp"

namespace tyto::execute::cpu {
namespace {

/// A few neighbouring axes of a buffer: extents and strides.
struct Axes {
  Extents extents, strides;
};

Axes axes_of(const program::Buffer& buffer, std::size_t first, std::size_t last) {
  const auto part = [&](const Extents& all) {
    return Extents(all.begin() + static_cast<std::ptrdiff_t>(first), all.begin() + static_cast<std::ptrdiff_t>(last));
  };
  return {part(buffer.extents), part(buffer.strides)};
}

/// The stride that walks the axes in row-major order, if one does; 1 for a single element.
std::optional<std::int64_t> single_stride(const Axes& axes) {
  std::optional<std::int64_t> stride;
  std::int64_t expected = 0;
  for (std::size_t a = axes.extents.size(); a-- > 0;) {
    if (axes.extents[a] == 1) continue;
    if (stride && axes.strides[a] != expected) return std::nullopt;
    if (!stride) stride = axes.strides[a];
    expected = axes.strides[a] * axes.extents[a];
  }
  return stride.value_or(1);
}

/// Axes copied between their own strides and a line of the given stride, in row-major order.
void add_line(std::vector<CopyAxis>& copies, const Axes& axes, std::int64_t line_stride, bool line_is_target) {
  const Extents line = row_major(axes.extents);
  for (std::size_t a = 0; a < axes.extents.size(); ++a) {
    const std::int64_t in_line = line[a] * line_stride;
    copies.push_back(line_is_target ? CopyAxis{axes.extents[a], in_line, axes.strides[a]}
                                    : CopyAxis{axes.extents[a], axes.strides[a], in_line});
  }
}

StridedCopy matrix_copy(const Axes& rows, const Axes& columns, std::int64_t row_stride, std::int64_t column_stride,
                        bool into_scratch) {
  std::vector<CopyAxis> copies;
  add_line(copies, rows, row_stride, into_scratch);
  add_line(copies, columns, column_stride, into_scratch);
  return StridedCopy(std::move(copies));
}

void add_systems(SystemPlan& plan, std::size_t batch, const std::vector<const program::Buffer*>& out_matrix_right) {
  for (std::size_t a = 0; a < batch; ++a) {
    Loop loop{.extent = out_matrix_right[0]->extents[a], .stride = {0, 0, 0}, .role = Role::batch};
    for (std::size_t k = 0; k < out_matrix_right.size(); ++k) {
      TYTO_ASSERT(out_matrix_right[k]->extents[a] == loop.extent);
      loop.stride[k] = out_matrix_right[k]->strides[a];
    }
    plan.systems.push_back(loop);
  }
  plan.index.assign(batch, 0);
}

/// Chooses where and how x lies: in the output if BLAS takes its strides.
void place_solution(SystemPlan& plan, const Axes& columns, const Axes& rest) {
  const std::int64_t n = plan.order, m = plan.right_sides;
  const std::optional<std::int64_t> column = single_stride(columns), right = single_stride(rest);
  plan.leading = std::max<std::int64_t>(n, 1);
  if (!column || !right) return;
  if ((n <= 1 || *column == 1) && (m <= 1 || *right >= n)) {
    plan.in_place = true;
    if (m > 1) plan.leading = std::max<std::int64_t>(*right, 1);
  } else if ((m <= 1 || *right == 1) && *column >= m) {
    plan.in_place = true;
    plan.layout = Layout::by_rows;
    plan.leading = n > 1 ? *column : std::max<std::int64_t>(m, 1);
  }
}

/// Hands out places in scratch or spare room, each a multiple of 64 bytes.
class Scratch {
 public:
  std::int64_t take(std::int64_t count, std::int64_t bytes_each) {
    const std::int64_t place = used_;
    used_ += (std::max<std::int64_t>(count, 1) * bytes_each + 63) / 64 * 64;
    return place;
  }
  std::int64_t used() const { return used_; }

 private:
  std::int64_t used_ = 0;
};

/// For the factorization that is tried first.
template <class T>
void reserve_scratch(SystemPlan& plan) {
  const std::int64_t n = plan.order;
  constexpr std::int64_t element = sizeof(T), whole = sizeof(int);
  Scratch scratch;
  plan.matrix = plan.solution = scratch.take(n * n, element);
  if (!plan.in_place && !plan.is_inverse) plan.solution = scratch.take(n * plan.right_sides, element);
  if (plan.is_inverse) plan.inverse = blas::getri_work<T>(n);
  if (!plan.semidefinite) plan.pivots = scratch.take(n, whole);
  plan.values = scratch.take(n, element);
  // The diagonal of a semidefinite matrix; else what gecon wants.
  plan.work = scratch.take(plan.semidefinite ? n : std::max(4 * n, plan.inverse.real), element);
  if (!plan.semidefinite) plan.integers = scratch.take(n, whole);
  plan.scratch_bytes = scratch.used();
}

/// For the decomposition that follows where the matrix is singular.
template <class T>
void reserve_spare(SystemPlan& plan) {
  const std::int64_t n = plan.order, m = plan.right_sides;
  constexpr std::int64_t element = sizeof(T), whole = sizeof(int);
  MinimumNormPlan& spare = plan.minimum_norm;
  Scratch room;
  spare.sizes = plan.semidefinite ? blas::syevd_work<T>(n) : blas::gelsd_work<T>(n, m);
  if (plan.is_inverse || (!plan.semidefinite && plan.layout == Layout::by_rows)) spare.solution = room.take(n * m, element);
  if (plan.semidefinite) spare.copy = room.take(n * m, element);
  spare.work = room.take(spare.sizes.real, element);
  spare.integers = room.take(spare.sizes.integer, whole);
  spare.bytes = room.used();
}

template <class T>
void reserve(SystemPlan& plan) {
  reserve_scratch<T>(plan);
  reserve_spare<T>(plan);
}

void reserve(SystemPlan& plan, Dtype dtype) { dtype == Dtype::f32 ? reserve<float>(plan) : reserve<double>(plan); }

}  // namespace

SystemPlan plan_of(const program::Solve& solve, const std::vector<program::Buffer>& buffers) {
  const program::Buffer& matrix = buffers[static_cast<std::size_t>(solve.matrix)];
  const program::Buffer& right = buffers[static_cast<std::size_t>(solve.right)];
  const program::Buffer& out = buffers[static_cast<std::size_t>(solve.out)];
  const program::SystemSize size = program::size_of(solve, buffers);
  const auto batch = static_cast<std::size_t>(solve.batch), rows_end = batch + static_cast<std::size_t>(solve.rows);
  const std::size_t column_count = matrix.extents.size() - rows_end;
  SystemPlan plan;
  plan.order = size.order;
  plan.right_sides = size.right_sides;
  plan.semidefinite = operation::is_definite(solve.system);
  plan.flops = size.systems == 0 ? 0 : program::flops_of(solve, buffers) / size.systems;
  add_systems(plan, batch, {&out, &matrix, &right});
  const Axes rest = axes_of(out, batch + column_count, out.extents.size()), columns = axes_of(out, batch, batch + column_count);
  const Axes right_rest = axes_of(right, rows_end, right.extents.size());
  TYTO_ASSERT(right_rest.extents == rest.extents);
  plan.matrix_in =
      matrix_copy(axes_of(matrix, batch, rows_end), axes_of(matrix, rows_end, matrix.extents.size()), 1, plan.order, true);
  place_solution(plan, columns, rest);
  const bool by_columns = plan.layout == Layout::by_columns;
  const std::int64_t along_columns = by_columns ? 1 : plan.leading, along_rest = by_columns ? plan.leading : 1;
  plan.right_in = matrix_copy(axes_of(right, batch, rows_end), right_rest, along_columns, along_rest, true);
  plan.solution_out = matrix_copy(columns, rest, along_columns, along_rest, false);
  reserve(plan, matrix.dtype);
  return plan;
}

SystemPlan plan_of(const program::Inverse& inverse, const std::vector<program::Buffer>& buffers) {
  const program::Buffer& input = buffers[static_cast<std::size_t>(inverse.input)];
  const program::Buffer& out = buffers[static_cast<std::size_t>(inverse.out)];
  const program::SystemSize size = program::size_of(inverse, buffers);
  const auto batch = static_cast<std::size_t>(inverse.batch), rows_end = batch + static_cast<std::size_t>(inverse.rows);
  TYTO_ASSERT(out.extents == input.extents);
  SystemPlan plan;
  plan.order = size.order;
  plan.right_sides = size.order;
  plan.is_inverse = true;
  plan.flops = size.systems == 0 ? 0 : program::flops_of(inverse, buffers) / size.systems;
  plan.leading = std::max<std::int64_t>(plan.order, 1);
  add_systems(plan, batch, {&out, &input});
  const std::size_t last = input.extents.size();
  plan.matrix_in = matrix_copy(axes_of(input, batch, rows_end), axes_of(input, rows_end, last), 1, plan.order, true);
  // x(column, row) in scratch is out(row, column): the transposed inverse.
  plan.solution_out = matrix_copy(axes_of(out, batch, rows_end), axes_of(out, rows_end, last), plan.order, 1, false);
  reserve(plan, input.dtype);
  return plan;
}

}  // namespace tyto::execute::cpu
