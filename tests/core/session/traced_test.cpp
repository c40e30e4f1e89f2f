// Functions that other systems trace, as the builder says them: compiled, all passes on, several outputs at once.
#include <boost/test/unit_test.hpp>
#include "tyto/compile.hpp"
#include "tyto/derivative.hpp"

namespace tyto::session {

namespace {

using v1::einsum, v1::tensor;  // not the namespaces
using Numbers = std::vector<double>;

struct Fixture {
  Index i{"i", 2}, j{"j", 3}, k{"k", 2};
  Expr a = tensor("A", {i, j}), b = tensor("B", {j, k}), c = tensor("C", {i, k});
  Numbers of_a{1, 2, 3, 4, 5, 6}, of_b{1, 0, 2, -1, 0, 1}, of_c{1, 1, -2, 3};
  /// A B = (5, 1; 14, 1).
  Program bound(const Exprs& outputs, const std::vector<std::pair<Expr, const Numbers*>>& leaves) const {
    Program program(outputs);
    for (const auto& [leaf, numbers] : leaves)
      program.bind(leaf, ConstArray(numbers->data(), {leaf.shape()[0].extent(), leaf.shape()[1].extent()}));
    program.run();
    return program;
  }
  static Numbers numbers(const Program& program, std::size_t n) {
    const ConstArray out = program.output(n);
    Numbers all;
    const std::int64_t columns = out.extents.size() > 1 ? out.extents[1] : 1, rows = out.extents.empty() ? 1 : out.extents[0];
    for (std::int64_t row = 0; row < rows; ++row)
      for (std::int64_t column = 0; column < columns; ++column)
        all.push_back(out.as<double>()[(out.extents.empty() ? 0 : row * out.strides[0]) +
                                       (out.extents.size() > 1 ? column * out.strides[1] : 0)]);
    return all;
  }
};
const auto per_element = boost::test_tools::per_element();

}  // namespace

BOOST_FIXTURE_TEST_SUITE(traced, Fixture)

BOOST_AUTO_TEST_CASE(a_product_plus_a_constant_with_two_outputs) {
  const Expr product = matmul(a, b);
  const Program program = bound({product + 1, product + c}, {{a, &of_a}, {b, &of_b}, {c, &of_c}});
  BOOST_TEST(numbers(program, 0) == (Numbers{6, 2, 15, 2}), per_element);
  BOOST_TEST(numbers(program, 1) == (Numbers{6, 2, 12, 4}), per_element);
}
BOOST_AUTO_TEST_CASE(an_elementwise_product) {
  BOOST_TEST(numbers(bound({c * c}, {{c, &of_c}}), 0) == (Numbers{1, 1, 4, 9}), per_element);
}
BOOST_AUTO_TEST_CASE(a_product_of_two_operands_by_position) {
  BOOST_TEST(numbers(bound({einsum("ij,jk->ki", {a, b})}, {{a, &of_a}, {b, &of_b}}), 0) == (Numbers{5, 14, 1, 1}), per_element);
}
BOOST_AUTO_TEST_CASE(a_transpose) {
  BOOST_TEST(numbers(bound({permute(a, {j, i})}, {{a, &of_a}}), 0) == (Numbers{1, 4, 2, 5, 3, 6}), per_element);
}
BOOST_AUTO_TEST_CASE(a_loss_of_a_decomposition) {
  const Expr loss = norm2(c - matmul(a, b));  // (-4, 0; -16, 2)
  const Program program = bound({loss, gradient(loss, a)}, {{a, &of_a}, {b, &of_b}, {c, &of_c}});
  BOOST_TEST(numbers(program, 0) == Numbers{276}, per_element);
  BOOST_TEST(numbers(program, 1) == (Numbers{8, 16, 0, 32, 68, -4}), per_element);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace tyto::session
