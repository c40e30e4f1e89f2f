// Formulas of fused steps.
#include "explain/step_formula.hpp"
#include <boost/test/unit_test.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

using namespace tyto;
using program::Contraction;
using program::Elementwise;
using Kind = program::Elementwise::Kind;

namespace {

program::Buffer named(const std::string& name, const std::vector<std::string>& labels) {
  program::Buffer buffer{.name = name};
  buffer.labels = labels;
  buffer.extents.assign(labels.size(), 2);
  buffer.strides = row_major(buffer.extents);
  return buffer;
}

const std::vector<program::Buffer> buffers = {named("A", {"i", "r"}),  named("B", {"j", "r"}), named("H", {"i", "r"}),
                                              named("G", {"r", "r'"}), named("f", {}),         named("X", {"i", "j", "k"}),
                                              named("C", {"k", "r"})};

std::string formula(const program::Operation& operation) {
  return explain::step_formula(operation, buffers, [](program::BufferId id, const std::vector<std::string>& labels) {
    const std::string& name = buffers[static_cast<std::size_t>(id)].name;
    return labels.empty() ? name : fmt::format("{}({})", name, fmt::join(labels, ","));
  });
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_scaled_product_shows_what_it_is_added_to) {
  const Contraction product{.inputs = {{0, {0, 1}}, {3, {1, 2}}}, .out = {2, {0, 2}}, .scale = 2, .addend = 0, .addend_scale = -1};
  BOOST_TEST(explain::is_fused(product));
  BOOST_TEST(formula(product) == "H(i,r) = 2*A(i,[r']) G([r'],r) - A(i,r)");
  BOOST_TEST(formula(Contraction{.inputs = {{0, {0, 1}}, {0, {0, 1}}}, .out = {4, {}}, .scale = -1}) ==
             "f = -A([i],[r]) A([i],[r])");
  BOOST_TEST(!explain::is_fused(Contraction{.inputs = {{0, {0, 1}}}, .out = {2, {0, 1}}}));
}

BOOST_AUTO_TEST_CASE(factors_stand_in_parentheses) {
  const Contraction mttkrp{.inputs = {{5, {0, 1, 2}}, {1, {1, 3}}, {6, {2, 3}}}, .out = {2, {0, 3}}, .factors = 2};
  BOOST_TEST(explain::is_fused(mttkrp));
  BOOST_TEST(formula(mttkrp) == "H(i,r) = X(i,[j],[k]) (B([j],r) C([k],r))");
}

BOOST_AUTO_TEST_CASE(a_chain_is_one_expression) {
  const Elementwise norm{.inputs = {{0, {0, 1}}, {2, {0, 1}}},
                         .instructions = {{.kind = Kind::combination, .arguments = {0, 1}, .coefficients = {1, -2}},
                                          {.kind = Kind::product, .arguments = {2, 2}}},
                         .out = {4, {}},
                         .scale = 0.5};
  BOOST_TEST(formula(norm) == "f = 0.5*sum[i,r] (A(i,r) - 2*H(i,r))^2");
  const Elementwise chain{.inputs = {{0, {0, 1}}},
                          .instructions = {{.kind = Kind::power, .arguments = {0}, .exponent = 2},
                                           {.kind = Kind::combination, .arguments = {1, 0}, .coefficients = {-1, 3}, .constant = 1},
                                           {.kind = Kind::function, .arguments = {2}, .function = operation::Function::tanh},
                                           {.kind = Kind::product, .arguments = {3, 2}}},
                          .out = {2, {0, 1}}};
  BOOST_TEST(formula(chain) == "H(i,r) = tanh(-A(i,r)^2 + 3*A(i,r) + 1)*(-A(i,r)^2 + 3*A(i,r) + 1)");
}

BOOST_AUTO_TEST_CASE(a_long_chain_names_its_operands) {
  Elementwise chain{.inputs = {{0, {0, 1}}}, .instructions = {}, .out = {2, {0, 1}}};
  for (std::int32_t k = 0; k < 9; ++k)
    chain.instructions.push_back({.kind = Kind::combination, .arguments = {k, k}, .coefficients = {1, 2}});
  BOOST_TEST(formula(chain) == "H(i,r) = 9 operations on A(i,r)");
}

BOOST_AUTO_TEST_CASE(a_combination_of_what_is_left_is_a_sum) {
  BOOST_TEST(formula(program::Combination{{1, -0.5}, {0, 2}, 2}) == "H(i,r) = A(i,r) - 0.5*H(i,r)");
}
