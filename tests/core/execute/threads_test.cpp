// Steps that move more than a megabyte, so that threads share them.
#include <cstring>
#include <boost/test/unit_test.hpp>
#include "core/execute/random_layout.hpp"
#include "core/execute/small_program.hpp"
#include "execute/cpu/executor.hpp"
#include "execute/evaluation.hpp"
#include "execute/reference/executor.hpp"

using namespace tyto;
using namespace tyto::execute;
using program::BufferId;
using program::Contraction;

namespace {

/// Row kernels with every kind of loop to share, copies, and elementwise steps, in kernels of one step.
struct LargeSteps {
  LargeSteps() {
    const BufferId x = small.leaf("x", {60, 50, 70}), y = small.leaf("y", {60, 50, 70}), v = small.leaf("v", {70}),
                   w = small.leaf("w", {60, 70});
    const auto out = [&](Extents extents) { return small.arena("out", std::move(extents)); };
    add(Contraction{.inputs = {{x, {0, 1, 2}}, {y, {0, 1, 2}}}, .out = {out({60, 50, 70}), {0, 1, 2}}});  // Hadamard, one loop
    add(Contraction{.inputs = {{x, {0, 1, 2}}, {y, {0, 1, 2}}}, .out = {out({60, 50}), {0, 1}}});         // batched dot
    add(Contraction{.inputs = {{x, {0, 1, 2}}, {w, {0, 2}}}, .out = {out({50, 70}), {1, 2}}});            // sums over the slowest
    add(Contraction{.inputs = {{x, {0, 1, 2}}, {v, {2}}}, .out = {out({60, 50}), {0, 1}}});               // matrix times vector
    add(Contraction{.inputs = {{x, {0, 1, 2}}, {y, {0, 1, 2}}}, .out = {out({}), {}}});                   // nothing to share
    add(Contraction{.inputs = {{x, {0, 1, 2}}}, .out = {out({70, 60, 50}), {2, 0, 1}}});
    add(Contraction{.inputs = {{x, {0, 1, 2}}}, .out = {out({70}), {2}}});
    add(program::Combination{{1, 2.5}, {x, y}, out({60, 50, 70})});
    add(program::Power{2, x, out({60, 50, 70})});
    add(program::Map{operation::Function::exp, {x}, out({60, 50, 70})});
    std::mt19937_64 engine(7);
    small.randomize(engine);
  }
  void add(const program::Operation& operation) {
    const program::StepId step = small.step(operation);
    outputs.push_back(program::output_of(operation));
    small.kernel("k", {step}, outputs.back());
  }
  /// All outputs, one behind the other.
  std::vector<double> results(const Executor& executor, int threads) {
    const auto instance = executor.load(small.finish(executor.model()), {.threads = threads});
    small.bind_all(*instance);
    std::vector<double> all;
    for (std::size_t s = 0; s < outputs.size(); ++s) {
      instance->run(static_cast<program::StepId>(s));
      const ConstArray& value = instance->value(outputs[s]);
      all.insert(all.end(), value.as<double>(), value.as<double>() + value.size());
    }
    return all;
  }
  SmallProgram small;
  std::vector<BufferId> outputs;
};

BOOST_AUTO_TEST_CASE(any_number_of_threads_gives_the_same_bits) {
  LargeSteps steps;
  const auto executor = cpu::make_executor();
  const std::vector<double> one = steps.results(*executor, 1);
  for (int threads = 2; threads <= 4; ++threads) {
    const std::vector<double> several = steps.results(*executor, threads);
    BOOST_REQUIRE(several.size() == one.size());
    BOOST_TEST(std::memcmp(several.data(), one.data(), one.size() * sizeof(double)) == 0, threads << " threads");
  }
}

BOOST_AUTO_TEST_CASE(steps_that_threads_share_are_right) {
  LargeSteps steps;
  const std::vector<double> expected = steps.results(*reference::make_executor(), 1),
                            found = steps.results(*cpu::make_executor(), 3);
  BOOST_REQUIRE(found.size() == expected.size());
  double worst = 0;
  for (std::size_t e = 0; e < found.size(); ++e)
    worst = std::max(worst, std::abs(found[e] - expected[e]) / std::max(1.0, std::abs(expected[e])));
  BOOST_TEST(worst <= 60 * 50 * 70 * std::numeric_limits<double>::epsilon());
}

}  // namespace
