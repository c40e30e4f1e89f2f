// The reference executor against numbers worked out by hand and against itself: its answers are the definition.
#include "execute/reference/executor.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>
#include "core/execute/random_layout.hpp"
#include "core/execute/small_program.hpp"

using namespace tyto;
using namespace tyto::execute;
using program::BufferId;
using program::Contraction;

namespace {

std::vector<double> run_all(SmallProgram& small, BufferId out) {
  const auto executor = reference::make_executor();
  const auto instance = executor->load(small.finish(executor->model()), {});
  small.bind_all(*instance);
  for (program::StepId step = 0; step < static_cast<program::StepId>(small.made.steps.size()); ++step) instance->run(step);
  return contents(instance->value(out));
}

template <class T>
void set(SmallProgram& small, BufferId id, const std::vector<T>& values) {
  std::copy(values.begin(), values.end(), small.numbers<T>(id));
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_matrix_product_is_what_it_is) {
  SmallProgram small;
  const BufferId a = small.leaf("A", {2, 2}), b = small.leaf("B", {2, 2}), out = small.arena("out", {2, 2});
  small.step(Contraction{.inputs = {{a, {0, 1}}, {b, {1, 2}}}, .out = {out, {0, 2}}});
  set<double>(small, a, {1, 2, 3, 4});
  set<double>(small, b, {5, 6, 7, 8});
  BOOST_TEST((run_all(small, out) == std::vector<double>{19, 22, 43, 50}));
}

BOOST_AUTO_TEST_CASE(repeated_labels_take_and_fill_diagonals) {
  SmallProgram small;
  const BufferId a = small.leaf("A", {2, 2}), out = small.arena("out", {2, 2}), trace = small.arena("t", {});
  small.step(Contraction{.inputs = {{a, {0, 0}}}, .out = {out, {0, 0}}});
  small.step(Contraction{.inputs = {{a, {0, 0}}}, .out = {trace, {}}});
  set<double>(small, a, {1, 2, 3, 4});
  BOOST_TEST((run_all(small, out) == std::vector<double>{1, 0, 0, 4}));
  BOOST_TEST((run_all(small, trace) == std::vector<double>{5}));
}

BOOST_AUTO_TEST_CASE(labels_of_the_output_alone_repeat) {
  SmallProgram small;
  const BufferId a = small.leaf("a", {2}), out = small.arena("out", {2, 3});
  small.step(Contraction{.inputs = {{a, {0}}}, .out = {out, {0, 1}}});
  set<double>(small, a, {1, 2});
  BOOST_TEST((run_all(small, out) == std::vector<double>{1, 1, 1, 2, 2, 2}));
}

BOOST_AUTO_TEST_CASE(other_pairs_of_operations_replace_sum_and_product) {
  SmallProgram small;
  const BufferId a = small.leaf("A", {2, 2}), b = small.leaf("B", {2, 2});
  const BufferId shortest = small.arena("min,+", {2, 2}), largest = small.arena("max,*", {2, 2});
  const std::vector<program::Operand> inputs = {{a, {0, 1}}, {b, {1, 2}}};
  small.step(Contraction{.inputs = inputs, .out = {shortest, {0, 2}}, .pair = {einsum::Reduce::min, einsum::Combine::sum}});
  small.step(Contraction{.inputs = inputs, .out = {largest, {0, 2}}, .pair = {einsum::Reduce::max, einsum::Combine::product}});
  set<double>(small, a, {1, 2, 3, 4});
  set<double>(small, b, {5, 6, -7, 8});
  BOOST_TEST((run_all(small, shortest) == std::vector<double>{-5, 7, -3, 9}));
  BOOST_TEST((run_all(small, largest) == std::vector<double>{5, 16, 15, 32}));
}

BOOST_AUTO_TEST_CASE(reducing_nothing_gives_the_neutral_element) {
  SmallProgram small;
  const BufferId a = small.leaf("A", {0}), sum = small.arena("sum", {}), least = small.arena("min", {}),
                 most = small.arena("max", {});
  small.step(Contraction{.inputs = {{a, {0}}}, .out = {sum, {}}});
  small.step(Contraction{.inputs = {{a, {0}}}, .out = {least, {}}, .pair = {einsum::Reduce::min, einsum::Combine::sum}});
  small.step(Contraction{.inputs = {{a, {0}}}, .out = {most, {}}, .pair = {einsum::Reduce::max, einsum::Combine::sum}});
  BOOST_TEST(run_all(small, sum)[0] == 0);
  BOOST_TEST(run_all(small, least)[0] == std::numeric_limits<double>::infinity());
  BOOST_TEST(run_all(small, most)[0] == -std::numeric_limits<double>::infinity());
}

BOOST_AUTO_TEST_CASE(integers_are_contracted_and_combined_exactly) {
  SmallProgram small;
  const BufferId a = small.leaf("A", {2, 2}, Dtype::i64), out = small.arena("out", {2, 2}, Dtype::i64);
  const BufferId twice = small.arena("twice", {2, 2}, Dtype::i64);
  small.step(Contraction{.inputs = {{a, {0, 1}}, {a, {1, 2}}}, .out = {out, {0, 2}}});
  small.step(program::Combination{{2, 1}, {out, a}, twice});
  const std::int64_t large = (std::int64_t{1} << 53) + 1;
  set<std::int64_t>(small, a, {1, 0, large, 1});
  run_all(small, out);
  const auto executor = reference::make_executor();
  const auto instance = executor->load(small.finish(executor->model()), {});
  small.bind_all(*instance);
  instance->run(0);
  instance->run(1);
  BOOST_TEST(static_cast<const std::int64_t*>(instance->value(out).data)[2] == 2 * large);
  BOOST_TEST(static_cast<const std::int64_t*>(instance->value(twice).data)[2] == 5 * large);
}

BOOST_AUTO_TEST_CASE(many_operands_equal_their_composition) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    BOOST_TEST_CONTEXT("seed " << seed) {
      Engine engine(seed);
      SmallProgram small;
      const Extents extent = {between(engine, 1, 4), between(engine, 1, 4), between(engine, 1, 4), between(engine, 1, 4)};
      const auto shape = [&](const einsum::Labels& labels) {
        Extents result;
        for (const einsum::Label label : labels) result.push_back(extent[static_cast<std::size_t>(label)]);
        return result;
      };
      std::vector<program::Operand> inputs;
      for (const einsum::Labels& labels :
           {einsum::Labels{0, 3}, einsum::Labels{1, 3}, einsum::Labels{2, 3, 2}, einsum::Labels{0, 1}})
        inputs.push_back({small.leaf("operand", shape(labels), random_strides(engine, shape(labels))), labels});
      const einsum::Labels kept = chance(engine, 0.5) ? einsum::Labels{2, 0} : einsum::Labels{3};
      const BufferId all = small.arena("all", shape(kept)), pair = small.arena("pair", shape({0, 1, 3}));
      const BufferId three = small.arena("three", shape({0, 1, 2, 3})), parts = small.arena("parts", shape(kept));
      small.step(Contraction{.inputs = inputs, .out = {all, kept}});
      small.step(Contraction{.inputs = {inputs[0], inputs[1]}, .out = {pair, {0, 1, 3}}});
      small.step(Contraction{.inputs = {{pair, {0, 1, 3}}, inputs[2]}, .out = {three, {0, 1, 2, 3}}});
      small.step(Contraction{.inputs = {{three, {0, 1, 2, 3}}, inputs[3]}, .out = {parts, kept}});
      small.randomize(engine);
      const std::vector<double> at_once = run_all(small, all), composed = run_all(small, parts);
      for (std::size_t e = 0; e < at_once.size(); ++e) BOOST_TEST(std::abs(at_once[e] - composed[e]) <= 1e-13);
    }
  }
}

BOOST_AUTO_TEST_CASE(what_the_reference_cannot_do_has_a_reason) {
  SmallProgram small;
  const BufferId complex = small.leaf("z", {2}, Dtype::c128), complex_out = small.arena("w", {2}, Dtype::c128);
  const BufferId whole = small.leaf("n", {2}, Dtype::i32), whole_out = small.arena("m", {2}, Dtype::i32),
                 real = small.leaf("x", {2});
  const auto executor = reference::make_executor();
  const auto reason = [&](const program::Operation& operation) {
    return executor->model().refuses(operation, small.made.buffers).value_or("none");
  };
  const program::Contraction largest{.inputs = {{complex, {0}}}, .out = {complex_out, {0}}, .pair = {einsum::Reduce::max, {}}};
  BOOST_TEST(reason(program::Combination{{1}, {complex}, complex_out}) == "none");
  BOOST_TEST(reason(largest) == "complex numbers have no largest or smallest");
  BOOST_TEST(reason(program::Combination{{1, 1}, {whole, real}, whole_out}) == "the operands have different element types");
  BOOST_TEST(reason(program::Combination{{0.5}, {whole}, whole_out}) ==
             "the coefficient 0.5 of a combination of i32 is not an integer");
  BOOST_TEST(reason(program::Power{2, whole, whole_out}) == "functions, powers and linear algebra need f32 or f64, not i32");
  BOOST_TEST(reason(program::Combination{{-2}, {whole}, whole_out}) == "none");
  small.step(largest);
  BOOST_TEST(error_of([&] { executor->load(small.finish(executor->model()), {}); }) ==
             "the executor reference cannot run a step of this plan: complex numbers have no largest or smallest");
}
