// Kernels asked for in any order, leaves changed at any time: a value is never stale and never overwritten while it is needed.
#include <boost/test/unit_test.hpp>
#include "core/optimize/graph_values.hpp"
#include "core/optimize/random_graph.hpp"
#include "core/plan/slab_executor.hpp"
#include "optimize/pipeline.hpp"

using namespace tyto;

namespace {

/// The same program with a place of its own for every buffer.
std::shared_ptr<const program::Program> without_sharing(const program::Program& shared) {
  program::Program p = shared;
  std::int64_t end = 0;
  for (program::Buffer& b : p.buffers) {
    b.overlaps.clear();
    b.offset = end;
    end += (element_count(b.extents) * size_of(b.dtype) + 63) / 64 * 64;
  }
  std::int64_t scratch = 0;
  for (program::Step& step : p.steps) step.scratch_offset = end, scratch = std::max(scratch, step.scratch_bytes);
  p.arena_bytes = end + scratch;
  return std::make_shared<const program::Program>(std::move(p));
}

class Replay {
 public:
  Replay(std::uint64_t seed, const execute::Executor& executor)
      : engine_(seed), random_(seed), graph_(optimized(seed)), leaves_(random_.graph, seed) {
    plan::Options options;
    for (const optimize::Event& event : random_.context.cycle) options.cycle.push_back({event.outputs, event.changes});
    plan_ = plan::make_plan(graph_, executor.model(), options);
    const std::shared_ptr<const program::Program> apart = without_sharing(*plan_.program);
    tested_ = std::make_unique<execute::Evaluation>(plan_.program, executor.load(plan_.program, {}));
    truth_ = std::make_unique<execute::Evaluation>(apart, executor.load(apart, {}));
    for (std::size_t leaf = 0; leaf < plan_.leaves.size(); ++leaf)
      for (execute::Evaluation* e : {tested_.get(), truth_.get()})
        e->bind(static_cast<program::LeafId>(leaf),
                Array(leaves_.of(plan_.leaves[leaf]).data(), plan_.program->leaves[leaf].dtype, plan_.program->leaves[leaf].extents,
                      plan_.program->leaves[leaf].strides));
  }

  /// The recorded order first, then any.
  std::string wrong(int actions) {
    for (const optimize::Event& event : random_.context.cycle) {
      for (const std::string& name : event.outputs)
        if (!is_right(plan_.output(name))) return "in the recorded order: " + name;
      if (event.changes >= 0) change(event.changes);
    }
    for (int k = 0; k < actions; ++k) {
      if (!plan_.leaves.empty() && below(plan_.leaves.size()) % 3 == 0) change(plan_.leaves[below(plan_.leaves.size())]);
      const plan::Output& output = plan_.outputs[below(plan_.outputs.size())];
      if (!is_right(output)) return fmt::format("action {}: {}", k, output.name);
      if (below(4) == 0 && !tested_->is_current(output.kernel))
        return fmt::format("action {}: {} is not current after it ran", k, output.name);
    }
    return {};
  }
  std::string text() const { return graph::print(graph_); }

 private:
  graph::Graph optimized(std::uint64_t seed) {
    return seed % 3 == 0 ? random_.graph : optimize::optimize(random_.graph, random_.context).graph;
  }
  std::size_t below(std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(engine_); }
  void change(graph::NodeId node) {
    const program::LeafId leaf = plan_.leaf(node);
    if (leaf < 0) return;
    for (double& x : leaves_.of(node)) x *= below(2) == 0 ? 1.25 : 0.875;
    tested_->touch(leaf);
  }
  bool is_right(const plan::Output& output) {
    const Numbers found = numbers_of(tested_->run(output.kernel), output.axes);
    for (std::size_t leaf = 0; leaf < plan_.leaves.size(); ++leaf) truth_->touch(static_cast<program::LeafId>(leaf));
    const Numbers wanted = numbers_of(truth_->run(output.kernel), output.axes);
    return found.size() == wanted.size() &&
           std::equal(found.begin(), found.end(), wanted.begin(), [](double a, double b) { return a == b || (a != a && b != b); });
  }

  std::mt19937_64 engine_;
  RandomGraph random_;
  graph::Graph graph_;
  LeafNumbers leaves_;
  plan::Plan plan_;
  std::unique_ptr<execute::Evaluation> tested_, truth_;
};

}  // namespace

/// In slabs, sums have another order than without them: values are as near as roundings allow.
BOOST_AUTO_TEST_CASE(kernels_together_and_apart_give_fresh_values_in_slabs) {
  std::int64_t together = 0;
  for (std::uint64_t seed = 1000; seed < 1060; ++seed) {
    RandomGraph random(seed);
    const SlabExecutor executor(seed % 2 == 0 ? 1 : 100);
    LeafNumbers leaves(random.graph, seed);
    const plan::Plan plan = plan::make_plan(random.graph, executor.model(), all_together(random.graph));
    execute::Evaluation evaluation(plan.program, executor.load(plan.program, {}));
    const auto bind = [&](std::size_t leaf) {
      const program::Leaf& l = plan.program->leaves[leaf];
      evaluation.bind(static_cast<program::LeafId>(leaf),
                      Array(leaves.of(plan.leaves[leaf]).data(), l.dtype, l.extents, l.strides));
    };
    for (std::size_t leaf = 0; leaf < plan.leaves.size(); ++leaf) bind(leaf);
    std::mt19937_64 engine(seed);
    const auto below = [&](std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(engine); };
    for (int action = 0; action < 8; ++action) {
      if (!plan.leaves.empty()) {
        const std::size_t leaf = below(plan.leaves.size());
        for (double& number : leaves.of(plan.leaves[leaf])) number *= 0.875;
        bind(leaf);
      }
      const Expected expected(random.graph, leaves);
      if (!expected.is_finite()) break;
      if (below(2) == 0) (void)evaluation.run(plan.outputs[below(plan.outputs.size())].kernel);
      if (!plan.program->joined.empty() && below(2) == 0) {
        evaluation.run_joined(plan.program->joined[below(plan.program->joined.size())].kernels);
        ++together;
      }
      std::vector<Numbers> found;
      for (const plan::Output& output : plan.outputs) found.push_back(numbers_of(evaluation.run(output.kernel), output.axes));
      const std::string wrong = difference(expected, found);
      BOOST_TEST(wrong.empty(), "seed " << seed << ", action " << action << ": " << wrong << "\n" << graph::print(random.graph));
    }
  }
  BOOST_TEST(together > 20);
}

BOOST_AUTO_TEST_CASE(any_order_of_kernels_and_changes_gives_fresh_values) {
  for (std::uint64_t seed = 1000; seed < 1200; ++seed)
    for (const execute::Executor* executor : {&reference_executor(), &cpu_executor()}) {
      Replay replay(seed, *executor);
      const std::string wrong = replay.wrong(25);
      BOOST_TEST(wrong.empty(), "seed " << seed << ", " << executor->name() << ", " << wrong << "\n" << replay.text());
    }
}
