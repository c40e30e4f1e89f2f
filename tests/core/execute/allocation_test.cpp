// Running a loaded program allocates nothing: every allocation of the process is counted while a kernel runs.
#include <boost/test/unit_test.hpp>
#include "allocations/allocations.hpp"
#include "core/execute/small_program.hpp"
#include "execute/cpu/executor.hpp"
#include "execute/evaluation.hpp"
#include "execute/reference/executor.hpp"

using namespace tyto;
using namespace tyto::execute;
using program::BufferId;
using program::Contraction;

namespace {

/// Every kind of step, in kernels of one step, with right sides in both layouts and singular matrices.
struct EveryStep {
  explicit EveryStep(Dtype type) {
    const BufferId x = small.leaf("x", {9, 10, 11}, type), c = small.leaf("c", {11, 8}, type),
                   wide = small.leaf("w", {40, 40}, {80, 2}, type);
    const BufferId symmetric = small.leaf("s", {8, 8}, type), zero = small.leaf("z", {8, 8}, type);
    const auto out = [&](Extents extents) { return small.arena("out", extents, type); };
    add(Contraction{.inputs = {{x, {0, 1, 2}}, {c, {2, 3}}}, .out = {out({9, 10, 8}), {0, 1, 3}}});
    add(Contraction{.inputs = {{x, {2, 0, 1}}, {x, {2, 0, 3}}}, .out = {out({11, 11, 10}), {1, 3, 0}}});
    add(Contraction{.inputs = {{wide, {0, 1}}, {wide, {1, 2}}}, .out = {out({40, 40}), {0, 2}}});
    add(Contraction{.inputs = {{x, {0, 1, 2}}}, .out = {out({11, 9, 10}), {2, 0, 1}}});
    add(Contraction{.inputs = {{x, {0, 1, 2}}}, .out = {out({10}), {1}}});
    add(program::Combination{{1, 2.5}, {symmetric, zero}, out({8, 8})});
    add(program::Power{1.5, symmetric, out({8, 8})});
    for (const BufferId matrix : {symmetric, zero})
      for (const auto system : {operation::System::semidefinite, operation::System::general}) {
        add(program::Solve{matrix, symmetric, out({8, 8}), 0, 1, system});
        add(program::Solve{matrix, symmetric, small.arena("out", {8, 8}, {1, 8}, type), 0, 1, system});
        add(program::Inverse{matrix, out({8, 8}), 0, 1});
      }
    std::mt19937_64 engine(1);
    small.randomize(engine);
    for (std::int64_t e = 0; e < 64; ++e) {
      small.set(small.buffer(symmetric), e, e % 9 == 0 ? 3 : 0.25);
      small.set(small.buffer(zero), e, 0);
    }
  }
  void add(const program::Operation& operation) {
    const program::StepId step = small.step(operation);
    small.kernel("k", {step}, program::output_of(operation));
  }
  SmallProgram small;
};

}  // namespace

BOOST_AUTO_TEST_CASE(running_allocates_nothing) {
  for (const auto& executor : {cpu::make_executor(), reference::make_executor()}) {
    for (const Dtype type : {Dtype::f64, Dtype::f32}) {
      EveryStep every(type);
      const std::shared_ptr<const program::Program> program = every.small.finish(executor->model());
      Evaluation evaluation(program, executor->load(program, {}));
      for (program::LeafId leaf = 0; leaf < static_cast<program::LeafId>(program->leaves.size()); ++leaf)
        evaluation.bind(leaf, every.small.view(leaf));
      const auto kernels = static_cast<std::int32_t>(program->kernels.size());
      for (std::int32_t kernel = 0; kernel < kernels; ++kernel) evaluation.run(kernel);  // libraries set themselves up once
      for (std::int32_t kernel = 0; kernel < kernels; ++kernel) {
        for (program::LeafId leaf = 0; leaf < static_cast<program::LeafId>(program->leaves.size()); ++leaf) evaluation.touch(leaf);
        test::allocations = 0;
        test::counting = true;
        evaluation.run(kernel);
        test::counting = false;
        BOOST_TEST(test::allocations == 0, executor->name() << " allocated " << test::allocations << " times in step " << kernel);
      }
      BOOST_TEST(evaluation.counts().steps == 2 * kernels);
    }
  }
}

BOOST_AUTO_TEST_CASE(room_for_singular_systems_is_allocated_once_by_the_first_of_them) {
  for (const auto system : {operation::System::semidefinite, operation::System::general}) {
    SmallProgram small;
    const BufferId matrix = small.leaf("m", {8, 8}), right = small.leaf("b", {8, 5}), out = small.arena("out", {8, 5}),
                   second = small.arena("second", {8, 8}, {1, 8});
    small.kernel("k",
                 {small.step(program::Solve{matrix, right, out, 0, 1, system}),
                  small.step(program::Solve{matrix, matrix, second, 0, 1, system})},
                 second);
    std::mt19937_64 engine(1);
    small.randomize(engine);
    const auto executor = cpu::make_executor();
    const auto instance = executor->load(small.finish(executor->model()), {});
    small.bind_all(*instance);
    const auto allocated_with = [&](double diagonal) {
      for (std::int64_t e = 0; e < 64; ++e) small.set(small.buffer(matrix), e, e % 9 == 0 ? diagonal : 0);
      test::allocations = 0;
      test::counting = true;
      for (const program::StepId step : {0, 1}) instance->run(step);
      test::counting = false;
      return test::allocations.load();
    };
    allocated_with(2);  // libraries set themselves up once
    BOOST_TEST(allocated_with(3) == 0);
    BOOST_TEST(instance->counts().rank_deficient == 0);
    const std::int64_t at_first = allocated_with(0);  // the room, and what libraries set up for this decomposition
    BOOST_TEST((at_first >= 1 || !test::counts_functions_of_c));
    BOOST_TEST(allocated_with(0) == 0);
    BOOST_TEST(instance->counts().rank_deficient == 4);
  }
}

BOOST_AUTO_TEST_CASE(allocations_are_noticed) {
  test::allocations = 0;
  test::counting = true;
  std::vector<double>* made = new std::vector<double>(100);
  test::counting = false;
  BOOST_TEST(made->size() == 100);
  delete made;
  BOOST_TEST(test::allocations >= 2);
}
