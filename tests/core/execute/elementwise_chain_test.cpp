// Chains of elementwise operations: the cpu executor for every instruction set against the reference, the reference against steps
// that do one instruction each.
#include "execute/cpu/elementwise_chain.hpp"
#include "execute/cpu/executor.hpp"
#include "execute/reference/executor.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <complex>
#include "core/execute/random_layout.hpp"
#include "core/execute/small_program.hpp"

using namespace tyto;
using namespace tyto::execute;
using program::BufferId;
using program::Elementwise;
using Kind = program::Elementwise::Kind;

namespace {

struct Case {
  SmallProgram small;
  Elementwise chain;
  Dtype type = Dtype::f64;
};

/// Values stay within a few units whatever the instructions are.
Elementwise::Instruction random_instruction(Engine& engine, std::int32_t values) {
  const auto any = [&] { return static_cast<std::int32_t>(between(engine, 0, values - 1)); };
  const double choice = std::uniform_real_distribution<double>(0, 1)(engine);
  if (choice < 0.4) {
    Elementwise::Instruction sum{.kind = Kind::combination};
    const std::int64_t count = between(engine, 0, 5);
    for (std::int64_t k = 0; k < count; ++k) {
      sum.arguments.push_back(any());
      sum.coefficients.push_back(chance(engine, 0.3) ? 1.0 : static_cast<double>(between(engine, -4, 4)) / 8);
    }
    if (chance(engine, 0.4)) sum.constant = 0.5;
    return sum;
  }
  if (choice < 0.6) {
    Elementwise::Instruction product{.kind = Kind::product, .arguments = {any(), any()}};
    if (chance(engine, 0.3)) product.arguments.push_back(any());
    return product;
  }
  if (choice < 0.8) return {.kind = Kind::power, .arguments = {any()}, .exponent = chance(engine, 0.7) ? 2.0 : 3.0};
  if (chance(engine, 0.5)) return {.kind = Kind::function, .arguments = {any()}, .function = operation::Function::tanh};
  return {.kind = Kind::function, .arguments = {any(), any()}, .function = operation::Function::maximum};
}

Case random_case(Engine& engine) {
  Case made{.type = chance(engine, 0.5) ? Dtype::f64 : Dtype::f32};
  const std::int64_t order = between(engine, 0, 4);
  einsum::Labels all(static_cast<std::size_t>(order));
  Extents extent_of_label;
  for (std::int64_t label = 0; label < order; ++label) {
    all[static_cast<std::size_t>(label)] = static_cast<einsum::Label>(label);
    extent_of_label.push_back(chance(engine, 0.03) ? 0 : between(engine, 1, 6));
  }
  if (order > 0 && chance(engine, 0.4)) extent_of_label[0] = between(engine, 60, 700);  // several tiles
  const auto operand = [&](bool is_output) {
    einsum::Labels labels;
    for (const einsum::Label label : all)
      if (chance(engine, 0.7)) labels.push_back(label);
    if (!is_output && !labels.empty() && chance(engine, 0.1)) labels.push_back(labels[0]);
    std::shuffle(labels.begin(), labels.end(), engine);
    Extents extents;
    for (const einsum::Label label : labels) extents.push_back(extent_of_label[static_cast<std::size_t>(label)]);
    const Extents strides = random_strides(engine, extents);
    return program::Operand{
        is_output ? made.small.arena("out", extents, strides, made.type) : made.small.leaf("x", extents, strides, made.type),
        labels};
  };
  const std::int64_t inputs = between(engine, 1, 4), instructions = between(engine, 0, 6);
  for (std::int64_t k = 0; k < inputs; ++k) made.chain.inputs.push_back(operand(false));
  for (std::int64_t k = 0; k < instructions; ++k)
    made.chain.instructions.push_back(random_instruction(engine, static_cast<std::int32_t>(inputs + k)));
  made.chain.out = operand(true);
  if (chance(engine, 0.3)) made.chain.scale = -0.5;
  made.small.step(made.chain);
  made.small.randomize(engine);
  return made;
}

std::vector<double> value_on(const Executor& executor, SmallProgram& small, BufferId out) {
  const auto instance = executor.load(small.finish(executor.model()), {});
  small.bind_all(*instance);
  std::int64_t flops = 0;
  for (program::StepId step = 0; step < static_cast<program::StepId>(small.made.steps.size()); ++step) {
    instance->run(step);
    flops += small.made.steps[static_cast<std::size_t>(step)].flops;
  }
  BOOST_TEST(instance->counts().flops == flops);
  return contents(instance->value(out));
}

/// The chain on this instruction set, into memory of its own.
template <class T>
std::vector<double> value_with(Case& made, arithmetic::Isa isa) {
  cpu::ChainPlan plan = cpu::plan_of(made.chain, made.small.made.buffers, cpu::built_in_rates(isa));
  cpu::Workers workers(1, 0);
  const program::Buffer& out = made.small.buffer(made.chain.out.buffer);
  std::vector<T> result(static_cast<std::size_t>(span_of(out.extents, out.strides)));
  std::vector<char> scratch(static_cast<std::size_t>(plan.scratch_bytes) + 1);
  std::vector<const void*> inputs;
  for (const program::Operand& input : made.chain.inputs)
    inputs.push_back(made.small.memory[static_cast<std::size_t>(made.small.buffer(input.buffer).leaf)].data());
  BOOST_TEST(cpu::run<T>(plan, result.data(), inputs.data(), scratch.data(), workers) == made.small.made.steps[0].flops);
  return {result.begin(), result.end()};
}

void compare(const std::vector<double>& found, const std::vector<double>& wanted, Dtype type) {
  const double epsilon = type == Dtype::f32 ? 0x1p-23 : 0x1p-52;
  BOOST_REQUIRE(found.size() == wanted.size());
  for (std::size_t e = 0; e < found.size(); ++e)
    if (!(std::abs(found[e] - wanted[e]) <= 64 * epsilon * (100 + std::abs(wanted[e]))))
      BOOST_ERROR("element " << e << ": " << found[e] << " is not " << wanted[e]);
}

}  // namespace

BOOST_AUTO_TEST_CASE(chains_agree_with_the_reference) {
  const auto cpu = cpu::make_executor(), reference = reference::make_executor();
  for (std::uint64_t seed = 1; seed <= 500; ++seed) BOOST_TEST_CONTEXT("seed " << seed) {
      Engine engine(seed);
      Case made = random_case(engine);
      const BufferId out = made.chain.out.buffer;
      const std::vector<double> wanted = value_on(*reference, made.small, out);
      compare(value_on(*cpu, made.small, out), wanted, made.type);
      for (const arithmetic::Isa isa : arithmetic::available_isas())
        compare(made.type == Dtype::f32 ? value_with<float>(made, isa) : value_with<double>(made, isa), wanted, made.type);
    }
}

BOOST_AUTO_TEST_CASE(a_norm_of_a_difference_reads_both_operands_once) {
  SmallProgram small;
  const BufferId x = small.leaf("X", {30, 40}), y = small.leaf("Y", {40, 30}), out = small.arena("f", {});
  const Elementwise chain{.inputs = {{x, {0, 1}}, {y, {1, 0}}},
                          .instructions = {{.kind = Kind::combination, .arguments = {0, 1}, .coefficients = {1, -1}},
                                           {.kind = Kind::product, .arguments = {2, 2}}},
                          .out = {out, {}},
                          .scale = 0.5};
  small.step(chain);
  Engine engine(2);
  small.randomize(engine);
  double wanted = 0;
  for (int i = 0; i < 30; ++i)
    for (int j = 0; j < 40; ++j)
      wanted += 0.5 * std::pow(small.numbers<double>(x)[i * 40 + j] - small.numbers<double>(y)[j * 30 + i], 2);
  BOOST_TEST(value_on(*cpu::make_executor(), small, out)[0] == wanted, boost::test_tools::tolerance(1e-13));
  BOOST_TEST(small.made.steps[0].flops == 4 * 1200 + 1);  // subtract with a coefficient, multiply, add; scale once
  BOOST_TEST(small.made.steps[0].bytes == 8 * (2 * 1200 + 1));
}

BOOST_AUTO_TEST_CASE(a_chain_may_lie_where_an_operand_lay) {
  for (const Extents& extents : {Extents{3, 5}, Extents{700}, Extents{2, 100}}) {
    SmallProgram small;
    const BufferId x = small.leaf("X", extents), b = small.leaf("b", {extents.back()});
    const BufferId y = small.arena("Y", extents), out = small.arena("out", extents);
    small.share(y, out);
    einsum::Labels labels(extents.size());
    for (std::size_t a = 0; a < labels.size(); ++a) labels[a] = static_cast<einsum::Label>(a);
    small.step(program::Combination{{2}, {x}, y});
    const Elementwise chain{.inputs = {{y, labels}, {b, {labels.back()}}},
                            .instructions = {{.kind = Kind::product, .arguments = {0, 0, 1}},
                                             {.kind = Kind::combination, .arguments = {2, 0, 1}, .coefficients = {1, 3, -1}}},
                            .out = {out, labels}};
    small.step(chain);
    BOOST_TEST(program::can_take_place(chain, y, small.made.buffers));
    BOOST_TEST(program::can_take_place(chain, b, small.made.buffers) == (extents.size() == 1));
    Engine engine(3);
    small.randomize(engine);
    compare(value_on(*cpu::make_executor(), small, out), value_on(*reference::make_executor(), small, out), Dtype::f64);
  }
}

BOOST_AUTO_TEST_CASE(an_operand_that_is_read_in_another_order_keeps_its_place) {
  SmallProgram small;
  const BufferId y = small.arena("Y", {4, 4}), out = small.arena("out", {4, 4});
  const Elementwise symmetrized{.inputs = {{y, {0, 1}}, {y, {1, 0}}},
                                .instructions = {{.kind = Kind::combination, .arguments = {0, 1}, .coefficients = {0.5, 0.5}}},
                                .out = {out, {0, 1}}};
  BOOST_TEST(!program::can_take_place(symmetrized, y, small.made.buffers));
  const BufferId total = small.arena("total", {4});
  const Elementwise summed{.inputs = {{y, {0, 1}}}, .out = {total, {0}}};
  BOOST_TEST(!program::can_take_place(summed, y, small.made.buffers));
}

BOOST_AUTO_TEST_CASE(complex_numbers_and_integers_go_through_plain_loops) {
  const auto cpu = cpu::make_executor();
  const auto linear = [](BufferId x, BufferId y, BufferId out) {
    return Elementwise{.inputs = {{x, {0}}, {y, {0}}},
                       .instructions = {{.kind = Kind::product, .arguments = {0, 1}},
                                        {.kind = Kind::combination, .arguments = {2, 0}, .coefficients = {2, 1}, .constant = 3}},
                       .out = {out, {}}};
  };
  {
    SmallProgram small;
    const BufferId x = small.leaf("x", {2}, Dtype::c128), y = small.leaf("y", {2}, Dtype::c128),
                   out = small.arena("s", {}, Dtype::c128);
    small.step(linear(x, y, out));
    BOOST_TEST(cpu->model().kernel_class(small.made.steps[0].operation, small.made.buffers) == "plain loops");
    using C = std::complex<double>;
    C* a = small.numbers<C>(x);
    C* b = small.numbers<C>(y);
    a[0] = {1, 2}, a[1] = {0, 1}, b[0] = {3, -1}, b[1] = {2, 2};
    const auto instance = cpu->load(small.finish(cpu->model()), {});
    small.bind_all(*instance);
    instance->run(0);
    const C wanted = 2.0 * (a[0] * b[0] + a[1] * b[1]) + a[0] + a[1] + 6.0;
    BOOST_TEST((*static_cast<const C*>(instance->value(out).data) == wanted));
    BOOST_TEST(instance->counts().flops == 4 * 2 * 5);
  }
  {
    SmallProgram small;
    const BufferId x = small.leaf("x", {2}, Dtype::i32), y = small.leaf("y", {2}, Dtype::i32),
                   out = small.arena("s", {}, Dtype::i32);
    small.step(linear(x, y, out));
    small.numbers<std::int32_t>(x)[0] = 4, small.numbers<std::int32_t>(x)[1] = -3;
    small.numbers<std::int32_t>(y)[0] = 5, small.numbers<std::int32_t>(y)[1] = 6;
    const auto instance = cpu->load(small.finish(cpu->model()), {});
    small.bind_all(*instance);
    instance->run(0);
    BOOST_TEST(*static_cast<const std::int32_t*>(instance->value(out).data) == 2 * (20 - 18) + 1 + 6);
    Elementwise half = linear(x, y, out);
    half.scale = 0.5;
    BOOST_TEST(*cpu->model().refuses(half, small.made.buffers) == "the coefficient 0.5 of a combination of i32 is not an integer");
    half = linear(x, y, out), half.instructions[0] = {.kind = Kind::power, .arguments = {0}, .exponent = 2};
    BOOST_TEST(cpu->model().refuses(half, small.made.buffers).has_value());
  }
}
