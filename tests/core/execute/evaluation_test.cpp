// What runs again and what does not: versions of leaves, values kept between kernels, memory shared between values.
#include "execute/evaluation.hpp"

#include <boost/test/unit_test.hpp>
#include "core/execute/small_program.hpp"
#include "execute/reference/executor.hpp"

using namespace tyto;
using namespace tyto::execute;
using program::BufferId;
using program::Combination;
using program::StepId;

namespace {

/// Leaves a and b; every value is a combination, so that it can be told by hand.
struct Fixture {
  Evaluation evaluation() {
    const auto executor = reference::make_executor();
    const std::shared_ptr<const program::Program> program = small.finish(executor->model());
    Evaluation made(program, executor->load(program, {}));
    for (program::LeafId leaf = 0; leaf < static_cast<program::LeafId>(small.made.leaves.size()); ++leaf)
      made.bind(leaf, small.view(leaf));
    return made;
  }
  void set(BufferId leaf, double value) { *small.numbers<double>(leaf) = value; }

  SmallProgram small;
  BufferId a = small.leaf("a", {}), b = small.leaf("b", {});
};

double number(const ConstArray& array) { return *static_cast<const double*>(array.data); }

/// Runs a kernel and returns its value and how many steps that took.
std::pair<double, std::int64_t> run(Evaluation& evaluation, std::int32_t kernel) {
  const std::int64_t before = evaluation.counts().steps;
  const double value = number(evaluation.run(kernel));
  return {value, evaluation.counts().steps - before};
}
using ValueAndSteps = std::pair<double, std::int64_t>;

}  // namespace

BOOST_FIXTURE_TEST_CASE(a_kernel_runs_again_only_when_a_leaf_it_depends_on_changed, Fixture) {
  const BufferId ten = small.arena("10a", {}), sum = small.arena("10a+b", {});
  const StepId first = small.step(Combination{{10}, {a}, ten}), second = small.step(Combination{{1, 1}, {ten, b}, sum});
  const std::int32_t whole = small.kernel("sum", {first, second}, sum), part = small.kernel("ten", {first}, ten);
  set(a, 1);
  set(b, 2);
  Evaluation it = evaluation();
  BOOST_TEST(!it.is_current(whole));
  BOOST_TEST((run(it, whole) == ValueAndSteps{12, 2}));
  BOOST_TEST(it.is_current(whole));
  BOOST_TEST((run(it, whole) == ValueAndSteps{12, 0}));
  BOOST_TEST((run(it, part) == ValueAndSteps{10, 0}));
  set(b, 5);
  it.touch(1);
  BOOST_TEST(!it.is_current(whole));
  BOOST_TEST(it.is_current(part));
  BOOST_TEST((run(it, whole) == ValueAndSteps{15, 1}));
  set(a, 2);
  it.touch(0);
  BOOST_TEST((run(it, part) == ValueAndSteps{20, 1}));
  BOOST_TEST((run(it, whole) == ValueAndSteps{25, 1}));
}

BOOST_FIXTURE_TEST_CASE(binding_other_memory_counts_as_a_change, Fixture) {
  const BufferId ten = small.arena("10a", {});
  const std::int32_t kernel = small.kernel("ten", {small.step(Combination{{10}, {a}, ten})}, ten);
  set(a, 1);
  Evaluation it = evaluation();
  BOOST_TEST((run(it, kernel) == ValueAndSteps{10, 1}));
  double other = 3;
  it.bind(0, Array(&other, Extents{}));
  BOOST_TEST((run(it, kernel) == ValueAndSteps{30, 1}));
}

BOOST_FIXTURE_TEST_CASE(a_leaf_or_a_constant_may_be_an_output, Fixture) {
  const BufferId two = small.arena("2", {});
  small.constant(program::Fill{2, two});
  const std::int32_t leaf = small.kernel("a", {}, a), constant = small.kernel("two", {}, two);
  set(a, 7);
  Evaluation it = evaluation();
  BOOST_TEST(it.is_current(leaf));
  BOOST_TEST((run(it, leaf) == ValueAndSteps{7, 0}));
  BOOST_TEST((run(it, constant) == ValueAndSteps{2, 0}));
}

BOOST_FIXTURE_TEST_CASE(a_value_whose_memory_was_overwritten_is_computed_again, Fixture) {
  const BufferId x = small.arena("10a", {}), y = small.arena("10b", {});
  small.share(x, y);
  const std::int32_t first = small.kernel("x", {small.step(Combination{{10}, {a}, x})}, x);
  const std::int32_t second = small.kernel("y", {small.step(Combination{{10}, {b}, y})}, y);
  set(a, 1);
  set(b, 2);
  Evaluation it = evaluation();
  BOOST_TEST((run(it, first) == ValueAndSteps{10, 1}));
  BOOST_TEST((run(it, second) == ValueAndSteps{20, 1}));
  BOOST_TEST(!it.is_current(first));
  BOOST_TEST((run(it, first) == ValueAndSteps{10, 1}));
}

// t = 10a lives first, then u = 100b takes its memory. After a run u is there; when a changes, t has to be computed and
// overwrites u before u is used.
BOOST_FIXTURE_TEST_CASE(a_value_that_would_be_overwritten_before_its_use_is_not_trusted, Fixture) {
  const BufferId t = small.arena("t", {}), kept = small.arena("kept", {}), u = small.arena("u", {}), out = small.arena("out", {});
  small.share(t, u);
  const StepId make_t = small.step(Combination{{10}, {a}, t}), make_kept = small.step(Combination{{1}, {t}, kept});
  const StepId make_u = small.step(Combination{{100}, {b}, u}), make_out = small.step(Combination{{1, 1}, {kept, u}, out});
  const std::int32_t kernel = small.kernel("out", {make_t, make_kept, make_u, make_out}, out);
  set(a, 1);
  set(b, 2);
  Evaluation it = evaluation();
  BOOST_TEST((run(it, kernel) == ValueAndSteps{210, 4}));
  set(a, 3);
  it.touch(0);
  BOOST_TEST(run(it, kernel).first == 230);
  set(b, 4);
  it.touch(1);
  BOOST_TEST((run(it, kernel) == ValueAndSteps{430, 2}));
}

// Another kernel leaves a value behind that this one can use, although an earlier step of this one, not needed now, shares memory
// with nothing of it.
BOOST_FIXTURE_TEST_CASE(values_of_other_kernels_are_used, Fixture) {
  const BufferId t = small.arena("t", {}), out = small.arena("out", {}), other = small.arena("other", {});
  const StepId make_t = small.step(Combination{{10}, {a}, t});
  const std::int32_t first = small.kernel("first", {make_t, small.step(Combination{{1, 1}, {t, b}, out})}, out);
  const std::int32_t second = small.kernel("second", {make_t, small.step(Combination{{1, -1}, {t, b}, other})}, other);
  set(a, 1);
  set(b, 2);
  Evaluation it = evaluation();
  BOOST_TEST((run(it, first) == ValueAndSteps{12, 2}));
  BOOST_TEST((run(it, second) == ValueAndSteps{8, 1}));
}

// A failing step must not leave a value behind that looks current.
BOOST_FIXTURE_TEST_CASE(a_value_is_not_current_after_an_error, Fixture) {
  const BufferId ten = small.arena("10a", {});
  const std::int32_t kernel = small.kernel("ten", {small.step(Combination{{10}, {a}, ten})}, ten);
  const auto executor = reference::make_executor();
  const std::shared_ptr<const program::Program> program = small.finish(executor->model());
  Evaluation it(program, executor->load(program, {}));
  BOOST_TEST(error_of([&] { it.run(kernel); }) == "`a` is used before memory is bound to it");
  BOOST_TEST(!it.is_current(kernel));
  set(a, 1);
  it.bind(0, small.view(0));
  BOOST_TEST((run(it, kernel) == ValueAndSteps{10, 1}));
}
