// The device model of the cpu executor: reasons, times that grow, scratch that suffices.
#include <boost/test/unit_test.hpp>
#include "core/execute/small_program.hpp"
#include "execute/cpu/blas.hpp"
#include "execute/cpu/executor.hpp"

using namespace tyto;
using namespace tyto::execute;
using program::BufferId;
using program::Contraction;

BOOST_AUTO_TEST_CASE(what_the_cpu_cannot_do_has_a_reason) {
  SmallProgram small;
  const BufferId x = small.leaf("x", {2}), out = small.arena("out", {2}), complex = small.arena("z", {2}, Dtype::c64);
  const BufferId whole = small.arena("n", {2}, Dtype::i32), single = small.arena("s", {2}, Dtype::f32);
  const auto executor = cpu::make_executor();
  const auto reason = [&](const program::Operation& operation) {
    return executor->model().refuses(operation, small.made.buffers).value_or("none");
  };
  const program::Operand operand{x, {0}};
  BOOST_TEST(reason(Contraction{.inputs = {operand, operand}, .out = {out, {0}}}) == "none");
  BOOST_TEST(reason(Contraction{.inputs = {operand, operand, operand}, .out = {out, {0}}}) ==
             "more than two operands: the planner splits them");
  BOOST_TEST(reason(Contraction{.inputs = {}, .out = {out, {0}}}) == "a contraction without operands");
  BOOST_TEST(reason(program::Fill{1, complex}) == "none");
  BOOST_TEST(reason(program::Fill{1, whole}) == "none");
  BOOST_TEST(reason(program::Map{operation::Function::exp, {whole}, whole}) ==
             "functions, powers and linear algebra need f32 or f64, not i32");
  BOOST_TEST(reason(program::Power{2, x, single}) == "the operands have different element types");
  small.step(program::Power{2, x, single});
  BOOST_TEST(error_of([&] { executor->load(small.finish(executor->model()), {}); }) ==
             "the executor cpu cannot run a step of this plan: the operands have different element types\n"
             "  try       `execution.executor: reference`, which is slow but knows more operations");
}

BOOST_AUTO_TEST_CASE(larger_steps_take_longer) {
  const auto executor = cpu::make_executor();
  double before = 0;
  for (const std::int64_t n : {8, 32, 128, 512}) {
    SmallProgram small;
    const BufferId a = small.leaf("a", {n, n}), b = small.leaf("b", {n, n}), out = small.arena("out", {n, n});
    const double seconds =
        executor->model().seconds(Contraction{.inputs = {{a, {0, 1}}, {b, {1, 2}}}, .out = {out, {0, 2}}}, small.made.buffers);
    const double system =
        executor->model().seconds(program::Solve{a, b, out, 0, 1, operation::System::semidefinite}, small.made.buffers);
    const double sum = executor->model().seconds(program::Combination{{1, 1}, {a, b}, out}, small.made.buffers);
    BOOST_TEST(seconds > before);
    BOOST_TEST(system > seconds / 10);
    BOOST_TEST(sum > 0);
    before = seconds;
  }
  BOOST_TEST(before < 1);
}

BOOST_AUTO_TEST_CASE(steps_have_words_for_how_they_run) {
  SmallProgram small;
  const BufferId a = small.leaf("a", {4, 4}), b = small.leaf("b", {4, 4}), out = small.arena("out", {4, 4}),
                 v = small.arena("v", {4});
  const auto executor = cpu::make_executor();
  const auto words = [&](const program::Operation& operation) {
    return executor->model().kernel_class(operation, small.made.buffers);
  };
  BOOST_TEST(words(program::Solve{a, b, out, 0, 1, operation::System::semidefinite}) == "cholesky");
  BOOST_TEST(words(program::Solve{a, b, out, 0, 1, operation::System::general}) == "lu");
  BOOST_TEST(words(program::Inverse{a, out, 0, 1}) == "inverse by lu");
  BOOST_TEST(words(program::Combination{{1, 2}, {a, b}, out}) == "linear combination");
  BOOST_TEST(words(program::Power{2, a, out}) == "square");
  BOOST_TEST(words(program::Power{3, a, out}) == "power");
  BOOST_TEST(words(program::Identity{out}) == "constant");
  BOOST_TEST(words(Contraction{.inputs = {{a, {0, 1}}}, .out = {out, {1, 0}}}) == "transposition");
  BOOST_TEST(words(Contraction{.inputs = {{a, {0, 1}}}, .out = {v, {0}}}) == "sum");
  BOOST_TEST(words(Contraction{.inputs = {{a, {0, 0}}}, .out = {v, {0}}}) == "copy");
}

BOOST_AUTO_TEST_CASE(sizes_beyond_the_linear_algebra_library_are_refused) {
  BOOST_TEST(cpu::blas::narrow(2147483647) == 2147483647);
  BOOST_TEST(error_of([] { cpu::blas::narrow(2147483648); }) ==
             "a size of 2147483648 is too large for the linear algebra library\n"
             "  expected  at most 2147483647\n"
             "  found     2147483648\n"
             "  try       smaller extents");
}

BOOST_AUTO_TEST_CASE(a_step_with_a_choice_has_a_runner_up_that_takes_longer) {
  SmallProgram small;
  const BufferId a = small.leaf("a", {60, 50}), b = small.leaf("b", {50, 40}), out = small.arena("out", {60, 40}),
                 turned = small.arena("t", {50, 60});
  const auto executor = cpu::make_executor();
  const Contraction product{.inputs = {{a, {0, 1}}, {b, {1, 2}}}, .out = {out, {0, 2}}};
  const auto next = executor->model().runner_up(product, small.made.buffers);
  BOOST_REQUIRE(next.has_value());
  BOOST_TEST(next->kernel_class != executor->model().kernel_class(product, small.made.buffers));
  BOOST_TEST(next->seconds >= executor->model().seconds(product, small.made.buffers));
  BOOST_TEST(!executor->model().runner_up(program::Power{2, a, a}, small.made.buffers).has_value());
  BOOST_TEST(
      !executor->model().runner_up(Contraction{.inputs = {{a, {0, 1}}}, .out = {turned, {1, 0}}}, small.made.buffers).has_value());
}
