// Formulas of steps: which buffers they touch, how many flops and bytes they count.
#include "program/program.hpp"

#include <boost/test/unit_test.hpp>

using namespace tyto;
using namespace tyto::program;

namespace {

Buffer dense(Extents extents, Dtype type = Dtype::f64) {
  Buffer buffer{.dtype = type, .extents = extents};
  buffer.strides = row_major(extents);
  return buffer;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_matrix_product_counts_a_multiply_and_an_add_per_point) {
  const std::vector<Buffer> buffers = {dense({3, 4}), dense({4, 5}), dense({3, 5})};
  const Contraction product{.inputs = {{0, {0, 1}}, {1, {1, 2}}}, .out = {2, {0, 2}}};
  BOOST_TEST(output_of(product) == 2);
  BOOST_TEST((inputs_of(product) == std::vector<BufferId>{0, 1}));
  BOOST_TEST(flops_of(product, buffers) == 2 * 3 * 4 * 5);
  BOOST_TEST(bytes_of(product, buffers) == 8 * (12 + 20 + 15));
}

BOOST_AUTO_TEST_CASE(labels_may_be_any_integers) {
  const std::vector<Buffer> buffers = {dense({3, 4}), dense({4, 5}), dense({3, 5})};
  const Contraction product{.inputs = {{0, {700, 31}}, {1, {31, 5}}}, .out = {2, {700, 5}}};
  BOOST_TEST(flops_of(product, buffers) == 2 * 3 * 4 * 5);
}

BOOST_AUTO_TEST_CASE(a_buffer_used_twice_is_read_once) {
  const std::vector<Buffer> buffers = {dense({7, 3}, Dtype::f32), dense({3, 3}, Dtype::f32)};
  const Contraction gram{.inputs = {{0, {0, 1}}, {0, {0, 2}}}, .out = {1, {1, 2}}};
  BOOST_TEST(bytes_of(gram, buffers) == 4 * (21 + 9));
}

BOOST_AUTO_TEST_CASE(transposition_diagonal_and_repetition_cost_no_flops) {
  std::vector<Buffer> buffers = {dense({3, 4}), dense({4, 3}), dense({4, 4}), dense({4})};
  BOOST_TEST(flops_of(Contraction{.inputs = {{0, {0, 1}}}, .out = {1, {1, 0}}}, buffers) == 0);
  const Contraction diagonal{.inputs = {{2, {0, 0}}}, .out = {3, {0}}};
  BOOST_TEST(flops_of(diagonal, buffers) == 0);
  BOOST_TEST(bytes_of(diagonal, buffers) == 8 * (4 + 4));
  const Contraction repetition{.inputs = {{3, {0}}}, .out = {2, {0, 1}}};
  BOOST_TEST(flops_of(repetition, buffers) == 0);
  BOOST_TEST(bytes_of(repetition, buffers) == 8 * (4 + 16));
  buffers[3].strides = {0};
  BOOST_TEST(bytes_of(repetition, buffers) == 8 * (1 + 16));
}

BOOST_AUTO_TEST_CASE(a_sum_counts_an_add_per_point) {
  const std::vector<Buffer> buffers = {dense({3, 4}), dense({3}), dense({0, 4})};
  BOOST_TEST(flops_of(Contraction{.inputs = {{0, {0, 1}}}, .out = {1, {0}}}, buffers) == 12);
  BOOST_TEST(flops_of(Contraction{.inputs = {{2, {0, 1}}, {1, {2}}}, .out = {1, {2}}}, buffers) == 0);
}

BOOST_AUTO_TEST_CASE(a_combination_counts_coefficients_other_than_one_and_additions) {
  const std::vector<Buffer> buffers = {dense({6}), dense({6}), dense({6})};
  BOOST_TEST(flops_of(Combination{{1, -1}, {0, 1}, 2}, buffers) == 6 * 2);
  BOOST_TEST(flops_of(Combination{{1}, {0}, 2}, buffers) == 0);
  BOOST_TEST(flops_of(Combination{{}, {}, 2}, buffers) == 0);
  BOOST_TEST(bytes_of(Combination{{1, -1}, {0, 1}, 2}, buffers) == 8 * 18);
  BOOST_TEST(bytes_of(Combination{{1, -1}, {0, 0}, 2}, buffers) == 8 * 12);
  BOOST_TEST(flops_of(Power{2, 0, 1}, buffers) == 6);
  BOOST_TEST((inputs_of(Power{2, 0, 1}) == std::vector<BufferId>{0}));
}

BOOST_AUTO_TEST_CASE(systems_count_by_order_right_sides_and_number) {
  // matrix(b, r1, r2, c) of order 6, right(b, r1, r2, m), out(b, c, m)
  const std::vector<Buffer> buffers = {dense({4, 2, 3, 6}), dense({4, 2, 3, 5}), dense({4, 6, 5})};
  Solve solve{.matrix = 0, .right = 1, .out = 2, .batch = 1, .rows = 2, .system = operation::System::semidefinite};
  const SystemSize size = size_of(solve, buffers);
  BOOST_TEST(size.order == 6);
  BOOST_TEST(size.right_sides == 5);
  BOOST_TEST(size.systems == 4);
  BOOST_TEST((inputs_of(solve) == std::vector<BufferId>{0, 1}));
  BOOST_TEST(flops_of(solve, buffers) == 4 * (6 * 7 * 13 / 6 + 2 * 36 * 5));
  solve.system = operation::System::general;
  BOOST_TEST(flops_of(solve, buffers) == 4 * (2 * 216 / 3 + 2 * 36 * 5));
  const std::vector<Buffer> nothing_asked = {dense({4, 2, 3, 6}), dense({4, 2, 3, 0}), dense({4, 6, 0})};
  BOOST_TEST(flops_of(solve, nothing_asked) == 0);
}

BOOST_AUTO_TEST_CASE(an_inverse_counts_two_cubes) {
  const std::vector<Buffer> buffers = {dense({4, 3, 3}), dense({4, 3, 3})};
  const Inverse inverse{.input = 0, .out = 1, .batch = 1, .rows = 1};
  BOOST_TEST(size_of(inverse, buffers).order == 3);
  BOOST_TEST(size_of(inverse, buffers).right_sides == 0);
  BOOST_TEST(flops_of(inverse, buffers) == 4 * 2 * 27);
  BOOST_TEST(bytes_of(inverse, buffers) == 8 * 72);
}

BOOST_AUTO_TEST_CASE(constants_read_nothing) {
  const std::vector<Buffer> buffers = {dense({3, 3})};
  BOOST_TEST(inputs_of(Identity{0}).empty());
  BOOST_TEST(inputs_of(Fill{2, 0}).empty());
  BOOST_TEST(output_of(Fill{2, 0}) == 0);
  BOOST_TEST(flops_of(Identity{0}, buffers) == 0);
  BOOST_TEST(bytes_of(Fill{1, 0}, buffers) == 72);
}
