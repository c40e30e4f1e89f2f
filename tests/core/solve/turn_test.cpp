// Which variant of a value a run uses: by sweep, by how often the sweep has asked, and again while nothing has changed.
#include <boost/test/unit_test.hpp>
#include "execute/reference/executor.hpp"
#include "solve/turn.hpp"

using namespace tyto;

namespace {

/// Four kernels that copy one leaf.
struct Copies {
  Copies() {
    program::Program p;
    p.leaves.push_back({"A", Dtype::f64, {1}, {1}});
    p.buffers.push_back(
        {.name = "A", .storage = program::Storage::leaf, .extents = {1}, .strides = {1}, .leaf = 0, .depends_on = {0}});
    for (std::int32_t k = 0; k < 4; ++k) {
      p.buffers.push_back({.name = "T", .extents = {1}, .strides = {1}, .offset = 64 * k, .depends_on = {0}});
      p.steps.push_back({program::Power{1, 0, k + 1}});
      p.kernels.push_back({"T", {k}, k + 1});
      variants.of.push_back({k, {0}});
    }
    p.arena_bytes = 256;
    const auto program = std::make_shared<const program::Program>(std::move(p));
    evaluation.emplace(program, execute::reference::make_executor()->load(program, {}));
  }
  solve::Variants variants;
  std::optional<execute::Evaluation> evaluation;
};

}  // namespace

BOOST_AUTO_TEST_CASE(each_sweep_of_the_cycle_has_a_variant) {
  Copies c;
  solve::Turn turn;
  for (std::int64_t sweep = 1; sweep <= 9; ++sweep) {
    BOOST_TEST(turn.take(c.variants, *c.evaluation, sweep, 4) == static_cast<std::size_t>((sweep - 1) % 4));
    c.evaluation->touch(0);
  }
}

BOOST_AUTO_TEST_CASE(a_sweep_that_asks_twice_has_two) {
  Copies c;
  solve::Turn turn;
  for (const auto& [sweep, wanted] : {std::pair<std::int64_t, std::size_t>{1, 0}, {1, 1}, {2, 2}, {2, 3}, {3, 0}, {4, 2}, {5, 0}}) {
    BOOST_TEST(turn.take(c.variants, *c.evaluation, sweep, 2) == wanted);
    c.evaluation->touch(0);
  }
}

BOOST_AUTO_TEST_CASE(the_variant_stays_while_nothing_has_changed) {
  Copies c;
  solve::Turn turn;
  BOOST_TEST(turn.take(c.variants, *c.evaluation, 1, 4) == 0U);
  BOOST_TEST(turn.take(c.variants, *c.evaluation, 1, 4) == 0U);
  BOOST_TEST(turn.take(c.variants, *c.evaluation, 2, 4) == 0U);
  c.evaluation->touch(0);
  BOOST_TEST(turn.take(c.variants, *c.evaluation, 2, 4) == 1U);
}
