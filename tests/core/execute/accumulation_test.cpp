// Contractions with scale, addend and factors: the cpu executor against the reference, the reference against separate steps.
#include "execute/cpu/executor.hpp"
#include "execute/reference/executor.hpp"

#include <tuple>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include "core/execute/random_layout.hpp"
#include "core/execute/small_program.hpp"

using namespace tyto;
using namespace tyto::execute;
using program::BufferId;
using program::Contraction;

namespace {

struct Case {
  SmallProgram small;
  BufferId out = -1;
  Dtype type = Dtype::f64;
};

einsum::Labels random_labels(Engine& engine, std::int64_t pool) {
  einsum::Labels labels;
  for (einsum::Label label = 0; label < pool; ++label)
    if (chance(engine, 0.6) && labels.size() < 4) labels.push_back(label);
  std::shuffle(labels.begin(), labels.end(), engine);
  return labels;
}

/// A contraction with a random scale and addend. The addend is a leaf, or the value of a step that lies where the output comes.
/// With `on_diagonal` the output may have a label twice.
Case random_case(Engine& engine, std::int64_t operands, bool in_place, bool on_diagonal) {
  Case made{.type = chance(engine, 0.5) ? Dtype::f64 : Dtype::f32};
  SmallProgram& small = made.small;
  const std::int64_t pool = between(engine, 1, 5);
  Extents extent_of_label;
  for (std::int64_t label = 0; label < pool; ++label) extent_of_label.push_back(chance(engine, 0.03) ? 0 : between(engine, 1, 9));
  const auto shape = [&](const einsum::Labels& labels) {
    Extents extents;
    for (const einsum::Label label : labels) extents.push_back(extent_of_label[static_cast<std::size_t>(label)]);
    return extents;
  };
  Contraction contraction{.scale = chance(engine, 0.4) ? 1 : static_cast<double>(between(engine, -6, 6)) / 4,
                          .addend_scale = chance(engine, 0.4) ? 1 : static_cast<double>(between(engine, -6, 6)) / 4};
  for (std::int64_t k = 0; k < operands; ++k) {
    const einsum::Labels labels = random_labels(engine, pool);
    contraction.inputs.push_back({small.leaf("operand", shape(labels), random_strides(engine, shape(labels)), made.type), labels});
  }
  einsum::Labels labels = random_labels(engine, pool);
  if (on_diagonal && !labels.empty() && chance(engine, 0.4)) labels.insert(labels.begin(), labels.back());
  const Extents extents = shape(labels), strides = random_strides(engine, extents);
  made.out = small.arena("out", extents, strides, made.type);
  contraction.out = {made.out, labels};
  if (in_place) {
    contraction.addend = small.arena("addend", extents, strides, made.type);
    small.share(contraction.addend, made.out);
    const BufferId leaf = small.leaf("z", extents, made.type);
    small.step(program::Combination{{0.5}, {leaf}, contraction.addend});
  } else if (chance(engine, 0.7)) {
    contraction.addend = small.leaf("addend", extents, random_strides(engine, extents), made.type);
  }
  small.kernel("k", {small.step(contraction)}, made.out);
  small.randomize(engine);
  return made;
}

/// All steps in their order, their flops checked.
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

/// Sums of at most a few thousand products of numbers below 2.
double tolerance_of(Dtype type) { return type == Dtype::f32 ? 0x1p-23 * 4096 : 0x1p-52 * 4096; }

void compare(const std::vector<double>& found, const std::vector<double>& wanted, Dtype type) {
  BOOST_REQUIRE(found.size() == wanted.size());
  for (std::size_t e = 0; e < found.size(); ++e) BOOST_TEST(std::abs(found[e] - wanted[e]) <= tolerance_of(type));
}

}  // namespace

BOOST_AUTO_TEST_CASE(scaled_products_added_to_an_addend_agree_with_the_reference) {
  for (std::uint64_t seed = 1; seed <= 400; ++seed) BOOST_TEST_CONTEXT("seed " << seed) {
      Engine engine(seed);
      Case made = random_case(engine, between(engine, 1, 2), seed % 3 == 0, true);
      const auto cpu = cpu::make_executor(), reference = reference::make_executor();
      compare(value_on(*cpu, made.small, made.out), value_on(*reference, made.small, made.out), made.type);
    }
}

BOOST_AUTO_TEST_CASE(one_step_does_what_a_contraction_and_a_combination_do) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) BOOST_TEST_CONTEXT("seed " << seed) {
      Engine engine(seed);
      Case made = random_case(engine, between(engine, 1, 3), false, false);
      const auto executor = reference::make_executor();
      const std::vector<double> at_once = value_on(*executor, made.small, made.out);
      const std::int64_t flops = made.small.made.steps[0].flops;
      Contraction bare = std::get<Contraction>(made.small.made.steps[0].operation);
      program::Combination around{{bare.scale}, {}, made.out};
      if (bare.addend >= 0) around.coefficients.push_back(bare.addend_scale);
      const program::Buffer out = made.small.buffer(made.out);
      around.inputs.push_back(made.small.arena("product", out.extents, out.strides, out.dtype));
      if (bare.addend >= 0) around.inputs.push_back(bare.addend);
      bare.scale = bare.addend_scale = 1, bare.addend = -1, bare.out.buffer = around.inputs[0];
      made.small.made.steps.clear();
      made.small.step(bare);
      made.small.step(around);
      compare(value_on(*executor, made.small, made.out), at_once, made.type);
      BOOST_TEST(made.small.made.steps[0].flops + made.small.made.steps[1].flops == flops);
    }
}

BOOST_AUTO_TEST_CASE(factors_are_multiplied_first) {
  Engine engine(5);
  Case made;
  SmallProgram& small = made.small;
  const std::int64_t i = 4, j = 5, k = 6, r = 3;
  const BufferId x = small.leaf("X", {i, j, k}), b = small.leaf("B", {j, r}), c = small.leaf("C", {k, r}, {1, k});
  const BufferId m = small.arena("M", {i, r}), formed = small.arena("BC", {j, k, r}), wanted = small.arena("wanted", {i, r});
  small.step(Contraction{.inputs = {{x, {0, 1, 2}}, {b, {1, 3}}, {c, {2, 3}}}, .out = {m, {0, 3}}, .scale = -2, .factors = 2});
  small.step(Contraction{.inputs = {{b, {1, 3}}, {c, {2, 3}}}, .out = {formed, {1, 2, 3}}});
  small.step(Contraction{.inputs = {{x, {0, 1, 2}}, {formed, {1, 2, 3}}}, .out = {wanted, {0, 3}}, .scale = -2});
  small.randomize(engine);
  BOOST_TEST(small.made.steps[0].flops == j * k * r + 2 * i * j * k * r + i * r);
  BOOST_TEST(small.made.steps[0].flops == small.made.steps[1].flops + small.made.steps[2].flops);
  const auto executor = reference::make_executor();
  compare(value_on(*executor, small, m), value_on(*executor, small, wanted), Dtype::f64);
}

BOOST_AUTO_TEST_CASE(factors_reach_all_of_the_output) {
  // Extents that are not multiples of a vector; a sum over nothing; an output of which only the diagonal is written.
  for (const auto& [i, j, out] : std::vector<std::tuple<std::int64_t, std::int64_t, einsum::Labels>>{
           {40, 21, {0, 3}}, {40, 0, {0, 3}}, {40, 21, {0, 3, 0}}}) {
    Engine engine(6);
    SmallProgram small;
    const std::int64_t k = 30, r = 9;
    const BufferId x = small.leaf("X", {i, j, k}), b = small.leaf("B", {j, r}), c = small.leaf("C", {k, r});
    const BufferId m = small.arena("M", out.size() == 3 ? Extents{i, r, i} : Extents{i, r});
    small.step(Contraction{.inputs = {{x, {0, 1, 2}}, {b, {1, 3}}, {c, {2, 3}}}, .out = {m, out}, .factors = 2});
    small.randomize(engine);
    const auto cpu = cpu::make_executor(), reference = reference::make_executor();
    compare(value_on(*cpu, small, m), value_on(*reference, small, m), Dtype::f64);
  }
}

BOOST_AUTO_TEST_CASE(only_an_addend_gives_its_place_to_the_sum) {
  SmallProgram small;
  const BufferId a = small.leaf("A", {3, 3}), z = small.arena("Z", {3, 3}), turned = small.arena("Z'", {3, 3}, {1, 3});
  const BufferId out = small.arena("out", {3, 3});
  const auto& buffers = small.made.buffers;
  const Contraction product{.inputs = {{a, {0, 1}}, {a, {1, 2}}}, .out = {out, {0, 2}}, .addend = z};
  Contraction other = product;
  BOOST_TEST(program::can_take_place(product, z, buffers));
  BOOST_TEST(!program::can_take_place(product, a, buffers));
  other.addend = turned;
  BOOST_TEST(!program::can_take_place(other, turned, buffers));
  other = product, other.inputs[0].buffer = z;
  BOOST_TEST(!program::can_take_place(other, z, buffers));
}
