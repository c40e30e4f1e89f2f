// Which steps run slab by slab, in which order, and that values are the same in slabs of any size.
#include "plan/fuse_slabs.hpp"
#include <boost/test/unit_test.hpp>
#include "core/optimize/graph_values.hpp"
#include "core/optimize/random_graph.hpp"
#include "core/plan/slab_executor.hpp"
#include "optimize/pipeline.hpp"

using namespace tyto;
using program::Slabs;

namespace {

plan::Plan planned(const std::string& text, const execute::Executor& executor) {
  const graph::Graph graph = graph::parse(text);
  return plan::make_plan(graph, executor.model(), all_together(graph));
}

/// The products of a tensor with all factors but one; the first two share its product with the last.
std::string products(std::int64_t i, std::int64_t j, std::int64_t k, std::int64_t rank) {
  return fmt::format(
      "data X(i={},j={},k={})\nunknown A(i,r={}) B(j,r) C(k,r)\nT(i,j,r) = X(i,j,k)*C(k,r)\nM(i,r) = T(i,j,r)*B(j,r)\n"
      "N(j,r) = T(i,j,r)*A(i,r)\nK(i,j,r) = A(i,r)*B(j,r)\nO(k,r) = X(i,j,k)*K(i,j,r)\n"
      "output m = M\noutput n = N\noutput o = O\n",
      i, j, k, rank);
}

void check_values(const std::string& text, std::int64_t near_bytes) {
  const graph::Graph graph = graph::parse(text);
  LeafNumbers leaves(graph, 1);
  const Expected expected(graph, leaves);
  const SlabExecutor executor(near_bytes);
  BOOST_TEST(!planned(text, executor).program->slabs.empty());
  BOOST_TEST(difference(expected, values_of(graph, leaves, executor, all_together(graph))) == "", near_bytes << " bytes\n" << text);
}

}  // namespace

BOOST_AUTO_TEST_CASE(all_products_of_a_large_tensor_read_it_once) {
  const plan::Plan p = planned(products(200, 210, 220, 4), cpu_executor());
  BOOST_REQUIRE(p.program->slabs.size() == 1U);
  const Slabs& slabs = p.program->slabs[0];
  BOOST_TEST(slabs.steps.size() >= 4U);  // with or without A x B
  BOOST_TEST(slabs.block >= 1);
  BOOST_TEST(slabs.block < slabs.extent);
  for (std::size_t k = 1; k < slabs.steps.size(); ++k) BOOST_TEST(slabs.steps[k] == slabs.steps[k - 1] + 1);
  BOOST_REQUIRE(p.program->joined.size() == 1U);
  BOOST_TEST(p.program->joined[0].kernels.size() == 3U);
  BOOST_TEST(p.program->joined[0].steps.size() == p.program->steps.size());
}

BOOST_AUTO_TEST_CASE(small_tensors_stay_near_anyway) {
  BOOST_TEST(planned(products(20, 21, 22, 4), cpu_executor()).program->slabs.empty());
}

BOOST_AUTO_TEST_CASE(outputs_asked_for_one_by_one_share_no_slabs) {
  const graph::Graph graph = graph::parse(products(200, 210, 220, 4));
  plan::Options options = all_together(graph);
  options.runs_outputs_together = false;
  const plan::Plan p = plan::make_plan(graph, cpu_executor().model(), options);
  for (const Slabs& slabs : p.program->slabs) BOOST_TEST(slabs.steps.size() == 2U);  // T and the first product with it
  BOOST_TEST(p.program->joined.empty());
}

BOOST_AUTO_TEST_CASE(a_device_without_near_memory_has_no_slabs) {
  BOOST_TEST(planned(products(200, 210, 220, 4), reference_executor()).program->slabs.empty());
}

BOOST_AUTO_TEST_CASE(a_fusion_that_can_be_left_out) {
  const graph::Graph graph = graph::parse(products(200, 210, 220, 4));
  plan::Options options = all_together(graph);
  options.switched_off = {"fuse_slabs"};
  BOOST_TEST(plan::make_plan(graph, cpu_executor().model(), options).program->slabs.empty());
}

/// Steps of one group share no memory with each other.
BOOST_AUTO_TEST_CASE(slabs_that_need_too_much_memory_are_left_out_before_other_fusions) {
  const graph::Graph graph =
      graph::parse(products(13, 9, 11, 5) + "D(i,r) = M(i,r) - 2*A(i,r)\nE(i,r) = D(i,r)*D(i,r)\noutput e = E\n");
  const SlabExecutor executor(300);
  plan::Options options = all_together(graph), without_slabs = options, unfused = options;
  without_slabs.switched_off = {"fuse_slabs"};
  unfused.switched_off = plan::fusion_names();
  const plan::Plan with = plan::make_plan(graph, executor.model(), options),
                   without = plan::make_plan(graph, executor.model(), without_slabs);
  BOOST_REQUIRE(!with.program->slabs.empty());
  BOOST_REQUIRE(without.program->arena_bytes < with.program->arena_bytes);
  options.memory_limit = without.needed_bytes();
  const plan::Plan limited = plan::make_plan(graph, executor.model(), options);
  BOOST_TEST(limited.program->slabs.empty());
  BOOST_TEST(limited.program->steps.size() == without.program->steps.size());
  BOOST_TEST(limited.program->steps.size() < plan::make_plan(graph, executor.model(), unfused).program->steps.size());
}

BOOST_AUTO_TEST_CASE(slabs_of_any_size_give_the_same_values) {
  for (const std::int64_t near_bytes : {1, 100, 300, 500})
    for (const std::string& text : {products(7, 5, 6, 3), products(2, 9, 4, 1), products(13, 3, 2, 5)})
      check_values(text, near_bytes);
}

/// What is complete only after the last slab is read outside of the group.
BOOST_AUTO_TEST_CASE(a_sum_over_the_slabs_is_not_read_among_them) {
  const std::string text =
      "data X(i=30,j=20)\nunknown B(j)\nS(i) = X(i,j)*B(j)\nN() = S(i)*S(i)\nY(j) = X(i,j)*S(i)\nZ(i) = X(i,j)*Y(j)\n"
      "output n = N\noutput y = Y\noutput z = Z\n";
  const plan::Plan p = planned(text, SlabExecutor(400));
  for (const Slabs& slabs : p.program->slabs)
    for (std::size_t member = 0; member < slabs.steps.size(); ++member) {
      const program::Operation& operation = p.program->steps[static_cast<std::size_t>(slabs.steps[member])].operation;
      const auto* contraction = std::get_if<program::Contraction>(&operation);
      if (contraction == nullptr || einsum::contains(contraction->out.labels, slabs.labels[member])) continue;
      for (const program::StepId other : slabs.steps)
        for (const program::BufferId input : program::inputs_of(p.program->steps[static_cast<std::size_t>(other)].operation))
          BOOST_TEST(input != contraction->out.buffer);
    }
  check_values(text, 400);
}

BOOST_AUTO_TEST_CASE(flops_are_counted_once) {
  const graph::Graph graph = graph::parse(products(7, 5, 6, 3) + "S(k,r) = 0.5*O(k,r)\noutput s = S\n");
  const SlabExecutor executor(300);
  const plan::Plan p = plan::make_plan(graph, executor.model(), all_together(graph));
  BOOST_REQUIRE(!p.program->slabs.empty());
  LeafNumbers leaves(graph, 1);
  execute::Evaluation evaluation(p.program, executor.load(p.program, {}));
  for (std::size_t leaf = 0; leaf < p.leaves.size(); ++leaf) {
    const program::Leaf& l = p.program->leaves[leaf];
    evaluation.bind(static_cast<program::LeafId>(leaf), Array(leaves.of(p.leaves[leaf]).data(), l.dtype, l.extents, l.strides));
  }
  evaluation.run_joined({0, 1, 2, 3});
  for (const plan::Output& output : p.outputs) (void)evaluation.run(output.kernel);
  for (const plan::Output& output : p.outputs) BOOST_TEST(evaluation.is_current(output.kernel));
  BOOST_TEST(evaluation.counts().flops == p.cycle_flops);
  BOOST_TEST(evaluation.counts().steps == static_cast<std::int64_t>(p.program->steps.size()));
}

BOOST_AUTO_TEST_CASE(slabs_are_right_on_random_graphs) {
  std::int64_t compared = 0, with_slabs = 0, joined = 0;
  for (std::uint64_t seed = 7000; seed < 7200; ++seed) {
    RandomGraph random(seed);
    const graph::Graph graph = seed % 2 == 0 ? random.graph : optimize::optimize(random.graph, random.context).graph;
    LeafNumbers leaves(random.graph, seed);
    const Expected expected(graph, leaves);
    if (!expected.is_finite()) continue;
    ++compared;
    const SlabExecutor executor(std::array<std::int64_t, 4>{1, 64, 200, 500}[seed % 4]);
    const plan::Plan p = plan::make_plan(graph, executor.model(), all_together(graph));
    with_slabs += p.program->slabs.empty() ? 0 : 1;
    joined += p.program->joined.empty() ? 0 : 1;
    const std::string wrong = difference(expected, values_of(graph, leaves, executor, all_together(graph)));
    BOOST_TEST(wrong.empty(), "seed " << seed << ": " << wrong << "\n" << graph::print(graph));
  }
  BOOST_TEST(compared > 130);
  BOOST_TEST(with_slabs > 30);
  BOOST_TEST(joined > 10);
}
