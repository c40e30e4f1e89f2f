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

BOOST_AUTO_TEST_CASE(scale_and_addend_count_as_the_combination_would) {
  const std::vector<Buffer> buffers = {dense({3, 4}), dense({4, 5}), dense({3, 5}), dense({3, 5})};
  Contraction product{.inputs = {{0, {0, 1}}, {1, {1, 2}}}, .out = {2, {0, 2}}, .scale = 2, .addend = 3};
  BOOST_TEST((inputs_of(product) == std::vector<BufferId>{0, 1, 3}));
  BOOST_TEST(flops_of(product, buffers) == 2 * 3 * 4 * 5 + 2 * 15);
  BOOST_TEST(bytes_of(product, buffers) == 8 * (12 + 20 + 15 + 15));
  product.addend_scale = -1;
  BOOST_TEST(flops_of(product, buffers) == 2 * 3 * 4 * 5 + 3 * 15);
  product.addend = -1;
  BOOST_TEST(flops_of(product, buffers) == 2 * 3 * 4 * 5 + 15);
}

BOOST_AUTO_TEST_CASE(factors_count_as_their_product_formed_first) {
  const std::vector<Buffer> buffers = {dense({3, 4, 5}), dense({4, 2}), dense({5, 2}), dense({3, 2})};
  const Contraction mttkrp{.inputs = {{0, {0, 1, 2}}, {1, {1, 3}}, {2, {2, 3}}}, .out = {3, {0, 3}}, .factors = 2};
  BOOST_TEST(flops_of(mttkrp, buffers) == 4 * 5 * 2 + 2 * 3 * 4 * 5 * 2);
  BOOST_TEST(bytes_of(mttkrp, buffers) == 8 * (60 + 8 + 10 + 6));
}

BOOST_AUTO_TEST_CASE(a_chain_counts_its_instructions_and_its_sum) {
  using Kind = Elementwise::Kind;
  const std::vector<Buffer> buffers = {dense({3, 4}), dense({4}), dense({3})};
  const Elementwise chain{.inputs = {{0, {0, 1}}, {1, {1}}},
                          .instructions = {{.kind = Kind::combination, .arguments = {0, 1}, .coefficients = {1, 2}, .constant = 3},
                                           {.kind = Kind::product, .arguments = {2, 2, 1}},
                                           {.kind = Kind::power, .arguments = {3}, .exponent = 2},
                                           {.kind = Kind::function, .arguments = {4}}},
                          .out = {2, {0}},
                          .scale = 0.5};
  BOOST_TEST(flops_of(chain, buffers) == 12 * (3 + 2 + 1 + 1 + 1) + 3);
  BOOST_TEST(bytes_of(chain, buffers) == 8 * (12 + 4 + 3));
  BOOST_TEST((inputs_of(chain) == std::vector<BufferId>{0, 1}));
  BOOST_TEST(output_of(chain) == 2);
}

BOOST_AUTO_TEST_CASE(every_buffer_of_an_operation_is_renamed) {
  const std::vector<BufferId> renamed = {10, 11, 12, 13};
  const auto check = [&](Operation operation, std::vector<BufferId> inputs) {
    rename_buffers(operation, renamed);
    BOOST_TEST((inputs_of(operation) == inputs));
    BOOST_TEST(output_of(operation) == 13);
  };
  check(Contraction{.inputs = {{0, {0}}, {1, {0}}}, .out = {3, {0}}, .addend = 2}, {10, 11, 12});
  check(Contraction{.inputs = {{1, {0}}}, .out = {3, {0}}}, {11});
  check(Elementwise{.inputs = {{2, {0}}}, .out = {3, {0}}}, {12});
  check(Combination{{1, 1}, {0, 2}, 3}, {10, 12});
  check(Solve{.matrix = 0, .right = 1, .out = 3}, {10, 11});
  check(Power{2, 1, 3}, {11});
  check(Fill{1, 3}, {});
}
