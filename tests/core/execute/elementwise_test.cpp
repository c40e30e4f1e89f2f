// Combinations, powers and constants of the cpu executor against the reference.
#include "execute/cpu/executor.hpp"
#include "execute/reference/executor.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include "core/execute/random_layout.hpp"
#include "core/execute/small_program.hpp"

using namespace tyto;
using namespace tyto::execute;
using program::BufferId;

namespace {

/// Runs every step that is no constant on the executor and returns the memory of the buffer.
std::vector<double> value_on(const Executor& executor, SmallProgram& small, BufferId buffer) {
  const auto instance = executor.load(small.finish(executor.model()), {});
  small.bind_all(*instance);
  std::int64_t flops = 0;
  for (program::StepId step = 0; step < static_cast<program::StepId>(small.made.steps.size()); ++step) {
    if (std::find(small.made.constants.begin(), small.made.constants.end(), step) != small.made.constants.end()) continue;
    instance->run(step);
    flops += small.made.steps[static_cast<std::size_t>(step)].flops;
  }
  BOOST_TEST(instance->counts().flops == flops);
  return contents(instance->value(buffer));
}

void compare(SmallProgram& small, BufferId buffer, double tolerance) {
  const std::vector<double> fast = value_on(*cpu::make_executor(), small, buffer);
  const std::vector<double> plain = value_on(*reference::make_executor(), small, buffer);
  BOOST_REQUIRE(fast.size() == plain.size());
  for (std::size_t e = 0; e < fast.size(); ++e) {
    const bool both_nan = std::isnan(fast[e]) && std::isnan(plain[e]);
    BOOST_TEST((both_nan || fast[e] == plain[e] || std::abs(fast[e] - plain[e]) <= tolerance * std::max(1.0, std::abs(plain[e]))));
  }
}

Extents random_extents(Engine& engine) {
  Extents extents;
  const std::int64_t order = between(engine, 0, 4);
  for (std::int64_t a = 0; a < order; ++a) extents.push_back(chance(engine, 0.05) ? 0 : between(engine, 1, 7));
  if (order == 1 && chance(engine, 0.5)) extents[0] = between(engine, 250, 600);  // more than a block
  return extents;
}

}  // namespace

BOOST_AUTO_TEST_CASE(combinations_agree_with_the_reference) {
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    BOOST_TEST_CONTEXT("seed " << seed) {
      Engine engine(seed);
      SmallProgram small;
      const Dtype type = chance(engine, 0.5) ? Dtype::f64 : Dtype::f32;
      const Extents extents = random_extents(engine);
      program::Combination combination;
      const std::int64_t count = between(engine, 0, 4);
      for (std::int64_t k = 0; k < count; ++k) {
        combination.inputs.push_back(small.leaf("x", extents, random_strides(engine, extents), type));
        combination.coefficients.push_back(chance(engine, 0.3) ? 1.0 : static_cast<double>(between(engine, -8, 8)) / 4);
      }
      combination.out = small.arena("out", extents, random_strides(engine, extents), type);
      small.step(combination);
      small.randomize(engine);
      compare(small, combination.out, type == Dtype::f64 ? 1e-15 : 1e-6);
    }
  }
}

BOOST_AUTO_TEST_CASE(powers_agree_with_the_reference) {
  for (const double exponent : {2.0, 1.0, 0.5, -1.0, 0.0, 3.0, -2.0, 1.5}) {
    BOOST_TEST_CONTEXT("exponent " << exponent) {
      Engine engine(3);
      SmallProgram small;
      const BufferId in = small.leaf("x", {3, 5}, {1, 4}), out = small.arena("out", {3, 5});
      small.step(program::Power{exponent, in, out});
      small.randomize(engine);
      compare(small, out, 1e-15);
    }
  }
}

BOOST_AUTO_TEST_CASE(constants_are_written_at_load_and_not_counted) {
  for (const auto& executor : {cpu::make_executor(), reference::make_executor()}) {
    SmallProgram small;
    const BufferId identity = small.arena("I", {3, 3}), fill = small.arena("c", {2, 2}, {4, 1}), both = small.arena("d", {3, 3});
    small.constant(program::Identity{identity});
    small.constant(program::Fill{2.5, fill});
    small.constant(program::Combination{{2}, {identity}, both});
    const auto instance = executor->load(small.finish(executor->model()), {});
    BOOST_TEST((contents(instance->value(identity)) == std::vector<double>{1, 0, 0, 0, 1, 0, 0, 0, 1}));
    BOOST_TEST((contents(instance->value(fill)) == std::vector<double>{2.5, 2.5, 0, 0, 2.5, 2.5}));
    BOOST_TEST((contents(instance->value(both)) == std::vector<double>{2, 0, 0, 0, 2, 0, 0, 0, 2}));
    BOOST_TEST(instance->counts().steps == 0);
    BOOST_TEST(instance->counts().flops == 0);
  }
}
