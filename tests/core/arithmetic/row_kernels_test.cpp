#include "arithmetic/row_kernels.hpp"
#include <cmath>
#include <limits>
#include <random>
#include <vector>
#include <boost/test/unit_test.hpp>

namespace tyto::arithmetic {
namespace {

constexpr RowKernel kernels[] = {RowKernel::multiply, RowKernel::scale, RowKernel::multiply_add, RowKernel::scale_add,
                                 RowKernel::dot,      RowKernel::sum,   RowKernel::any};

/// Rows as a kernel wants them: its strides along columns, any strides along rows.
template <class T>
Rows<T> random_rows(RowKernel kernel, std::mt19937_64& engine) {
  const auto between = [&](std::int64_t low, std::int64_t high) {
    return std::uniform_int_distribution<std::int64_t>(low, high)(engine);
  };
  const bool is_any = kernel == RowKernel::any;
  Rows<T> r;
  r.rows = between(1, 40);
  r.columns = between(0, 3) == 0 ? between(40, 700) : between(1, 40);
  r.columns_summed = kernel == RowKernel::dot || kernel == RowKernel::sum || (is_any && between(0, 1) == 1);
  r.rows_summed =
      kernel == RowKernel::multiply_add || kernel == RowKernel::scale_add || ((is_any || r.columns_summed) && between(0, 1) == 1);
  r.accumulate = between(0, 1) == 1;
  r.left_column = is_any ? between(0, 3) : 1;
  r.right_column =
      is_any ? between(0, 3) : (kernel == RowKernel::scale || kernel == RowKernel::scale_add || kernel == RowKernel::sum ? 0 : 1);
  r.out_column = r.columns_summed ? 0 : is_any ? between(1, 3) : 1;
  r.left_row = between(0, 5) * r.columns + between(0, 2);
  r.right_row = between(0, 2) * r.columns + between(0, 3);
  r.out_row = r.rows_summed ? 0 : r.columns_summed ? between(1, 3) : r.columns * r.out_column + between(0, 2);
  return r;
}

template <class T>
std::vector<T> random_values(std::int64_t count, std::mt19937_64& engine) {
  std::uniform_real_distribution<T> value(-1, 1);
  std::vector<T> values(static_cast<std::size_t>(count));
  for (T& v : values) v = value(engine);
  return values;
}

template <class T>
void check(RowKernel kernel, std::mt19937_64& engine) {
  Rows<T> r = random_rows<T>(kernel, engine);
  const auto size = [&](std::int64_t row, std::int64_t column) { return (r.rows - 1) * row + (r.columns - 1) * column + 1; };
  const std::vector<T> left = random_values<T>(size(r.left_row, r.left_column), engine),
                       right = random_values<T>(size(r.right_row, r.right_column), engine),
                       before = random_values<T>(size(r.out_row, r.out_column), engine);
  std::vector<long double> expected(before.begin(), before.end());
  if (!r.accumulate)
    for (std::int64_t j = 0; j < r.rows; ++j)
      for (std::int64_t c = 0; c < r.columns; ++c) expected[static_cast<std::size_t>(j * r.out_row + c * r.out_column)] = 0;
  for (std::int64_t j = 0; j < r.rows; ++j)
    for (std::int64_t c = 0; c < r.columns; ++c)
      expected[static_cast<std::size_t>(j * r.out_row + c * r.out_column)] +=
          static_cast<long double>(left[static_cast<std::size_t>(j * r.left_row + c * r.left_column)]) *
          static_cast<long double>(right[static_cast<std::size_t>(j * r.right_row + c * r.right_column)]);
  r.left = left.data();
  r.right = right.data();
  const double tolerance = static_cast<double>(r.rows * r.columns + 1) * std::numeric_limits<T>::epsilon();
  for (const Isa isa : available_isas()) {
    std::vector<T> out = before;
    r.out = out.data();
    row_function<T>(isa, kernel)(r);
    double worst = 0;
    for (std::size_t e = 0; e < out.size(); ++e) worst = std::max(worst, std::abs(static_cast<double>(out[e] - expected[e])));
    BOOST_TEST(worst <= tolerance, name_of(isa) << ", kernel " << static_cast<int>(kernel) << ", " << r.rows << " x " << r.columns);
  }
}

BOOST_AUTO_TEST_CASE(rows_of_all_lengths_agree_with_plain_loops_for_every_instruction_set) {
  std::mt19937_64 engine(1);
  for (const RowKernel kernel : kernels) {
    for (int repetition = 0; repetition < 60; ++repetition) {
      check<double>(kernel, engine);
      check<float>(kernel, engine);
    }
  }
}

}  // namespace
}  // namespace tyto::arithmetic
