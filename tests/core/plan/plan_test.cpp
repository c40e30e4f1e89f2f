// Layouts, aliases, memory and the forecast of a plan.
#include "plan/plan.hpp"
#include <boost/test/unit_test.hpp>
#include "core/optimize/graph_values.hpp"
#include "error/fail.hpp"

using namespace tyto;

namespace {

plan::Plan planned(const std::string& text, const plan::Options& options = {}) {
  return plan::make_plan(graph::parse(text), reference_executor().model(), options);
}

graph::NodeId leaf_named(const graph::Graph& graph, const std::string& name) {
  for (const graph::NodeId id : reachable(graph))
    if (const auto* leaf = graph::as<graph::Leaf>((*graph.store)[id]); leaf != nullptr && leaf->name == name) return id;
  return -1;
}

std::string error_of(const std::function<void()>& body) {
  try {
    body();
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing was thrown";
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_permutation_is_another_view_and_no_step) {
  const plan::Plan p =
      planned("data X(i=2,j=3,k=4)\nY(k,i,j) = X(i,j,k)\nZ(j,k,i) = Y(k,i,j)\noutput y = Y\noutput z = Z\noutput x = X\n");
  BOOST_TEST(p.program->steps.empty());
  BOOST_TEST((p.output("y").axes == std::vector<std::int32_t>{2, 0, 1}));
  BOOST_TEST((p.output("z").axes == std::vector<std::int32_t>{1, 2, 0}));
  BOOST_TEST(p.program->kernels[0].output == p.program->kernels[2].output);
}

BOOST_AUTO_TEST_CASE(a_producer_writes_the_order_that_its_consumer_reads) {
  const plan::Plan p = planned(
      "data X(i=5,j=4)\nunknown B(j,r=3)\nM(i,r) = X(i,j)*B(j,r)\nN(r,i) = M(i,r)\nG(r,r') = B(j,r)*B(j,r')\nS(r,i) = "
      "solve+[r'](G(r',r), N(r',i))\nA(i,r) = S(r,i)\noutput a = A\n");
  BOOST_TEST(p.program->steps.size() == 3U);
  const program::Buffer& out = p.program->buffers[static_cast<std::size_t>(p.program->kernels[0].output)];
  BOOST_TEST((out.extents == Extents{3, 5}));
  BOOST_TEST((out.strides == Extents{1, 3}));
  BOOST_TEST((p.outputs[0].axes == std::vector<std::int32_t>{1, 0}));
}

BOOST_AUTO_TEST_CASE(a_system_reads_a_leaf_whose_axes_lie_otherwise_in_place) {
  const plan::Plan p = planned(
      "unknown M(i=5,r=3)\nunknown H(r',r)\nN(r,i) = M(i,r)\nG(r,r') = H(r',r)\n"
      "S(r,i) = solve[r'](G(r',r), N(r',i))\noutput s = S\n");
  BOOST_REQUIRE(p.program->steps.size() == 1U);
  const auto& solve = std::get<program::Solve>(p.program->steps[0].operation);
  const program::Buffer& right = p.program->buffers[static_cast<std::size_t>(solve.right)];
  BOOST_TEST((right.storage == program::Storage::leaf));
  BOOST_TEST((right.extents == Extents{3, 5}));
  BOOST_TEST((right.strides == Extents{1, 3}));
  BOOST_TEST((right.labels == std::vector<std::string>{"r", "i"}));
  BOOST_TEST(p.program->leaves.size() == 2U);
  BOOST_TEST((p.program->leaves[static_cast<std::size_t>(right.leaf)].extents == Extents{5, 3}));
}

BOOST_AUTO_TEST_CASE(values_that_live_one_after_the_other_share_memory) {
  std::string text = "unknown T0(i=100,j=100)\n";
  for (int k = 1; k <= 8; ++k) text += fmt::format("T{}(i,j) = T{}(i,l)*T{}(l,j)\n", k, k - 1, k - 1);
  text.insert(0, "dimension(l=100)\n");
  const plan::Plan p = planned(text + "output f = T8\n");
  BOOST_TEST(p.program->arena_bytes <= 2 * 8 * 100 * 100 + 128);
}

BOOST_AUTO_TEST_CASE(outputs_that_are_kept_share_memory_with_nothing) {
  const std::string text =
      "unknown A(i=9,j=9)\nS(i,l) = A(i,j)*A(j,l)\nT(i,l) = S(i,j)*S(j,l)\nU(i,l) = T(i,j)*S(j,l)\nV(i,l) = U(i,j)*U(j,l)\n"
      "output t = T\noutput u = U\noutput v = V\n";
  const plan::Plan kept = planned("dimension(l=9)\n" + text, {.keeps_outputs = true});
  for (const program::Kernel& kernel : kept.program->kernels)
    BOOST_TEST(kept.program->buffers[static_cast<std::size_t>(kernel.output)].overlaps.empty());
  BOOST_TEST(planned("dimension(l=9)\n" + text).program->arena_bytes <= kept.program->arena_bytes);
}

BOOST_AUTO_TEST_CASE(every_kernel_keeps_what_another_uses_again) {
  const std::string text =
      "unknown A(i=40,j=40) v(j)\nT(i,j) = A(i,k)*A(k,j)\nU(i) = T(i,j)*v(j)\nV(j) = T(i,j)*v(i)\noutput u = U\noutput w = V\n";
  const graph::Graph graph = graph::parse("dimension(k=40)\n" + text);
  const plan::Plan p = plan::make_plan(graph, reference_executor().model(),
                                       {.cycle = {{{"u"}, leaf_named(graph, "v")}, {{"w"}, leaf_named(graph, "v")}}});
  BOOST_TEST(p.cycle_flops == 2 * 2 * 40 * 40);  // the product of the matrices is made once, before the cycle
  BOOST_TEST(p.unshared_flops == 2 * (2 * 40 * 40 * 40 + 2 * 40 * 40));
  BOOST_TEST_REQUIRE(p.cycle.size() == 2U);
  BOOST_TEST(p.cycle[0].computed.size() == 1U);
  BOOST_TEST(p.cycle[0].reused.size() == 1U);
}

BOOST_AUTO_TEST_CASE(a_constant_is_made_once_and_costs_no_cycle) {
  const plan::Plan p = planned("data A(i=3,j=4)\nE(i,i') = I(i,i')\nT(i,j) = E(i,i')*A(i',j)\noutput t = T\n");
  BOOST_TEST(p.program->constants.size() == 1U);
  BOOST_TEST(p.program->kernels[0].steps.size() == 1U);
}

BOOST_AUTO_TEST_CASE(a_leaf_may_lie_with_strides_of_its_own) {
  const graph::Graph graph = graph::parse("data X(i=3,j=2)\nunknown v(j)\nT(i) = X(i,j)*v(j)\noutput t = T\n");
  Numbers memory(24, 1000), v{1, 10};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 2; ++j) memory[i * 8 + j * 3] = static_cast<double>(1 + i + 3 * j);
  for (const execute::Executor* executor : {&reference_executor(), &cpu_executor()}) {
    const plan::Plan p = plan::make_plan(graph, executor->model(), {.leaf_strides = {{leaf_named(graph, "X"), {8, 3}}}});
    execute::Evaluation evaluation(p.program, executor->load(p.program, {}));
    evaluation.bind(p.leaf(leaf_named(graph, "X")), Array(memory.data(), {3, 2}, {8, 3}));
    evaluation.bind(p.leaf(leaf_named(graph, "v")), Array(v.data(), {2}));
    BOOST_TEST(numbers_of(evaluation.run(0), p.outputs[0].axes) == (Numbers{41, 52, 63}), boost::test_tools::per_element());
  }
}

BOOST_AUTO_TEST_CASE(a_leaf_that_nothing_needs_has_no_number) {
  const graph::Graph graph = graph::parse("data X(i=3)\nunknown A(i)\nT(i) = 2*A(i)\noutput t = T\n");
  BOOST_TEST(plan::make_plan(graph, reference_executor().model(), {}).leaf(leaf_named(graph, "A")) == 0);
  BOOST_TEST(plan::make_plan(graph, reference_executor().model(), {}).leaf(1000) == -1);
}

BOOST_AUTO_TEST_CASE(single_precision_halves_the_memory) {
  const std::string text = "data X(i=64,j=64)\nT(j,j') = X(i,j)*X(i,j')\noutput t = T\n";
  const plan::Plan both = planned(text), single = planned(text, {.precision = Dtype::f32});
  BOOST_TEST(single.program->arena_bytes * 2 == both.program->arena_bytes);
  BOOST_TEST(single.leaf_bytes * 2 == both.leaf_bytes);
}

BOOST_AUTO_TEST_CASE(too_little_memory_is_said_with_both_numbers_and_the_largest_parts) {
  const std::string text =
      "data X(i=1000,j=500)\nunknown v(j)\nT(i,i') = X(i,j)*X(i',j)\nU(i) = X(i,j)*v(j)\noutput t = T\noutput u = U\n";
  BOOST_TEST(error_of([&] { planned(text, {.memory_limit = 10'000'000}); }) ==
             "the run needs more memory than execution.memory_limit allows\n"
             "  expected  at most 10.0 MB\n"
             "  found     12.0 MB: 8.01 MB for intermediates, 4.00 MB for data and unknowns; the largest are T1 8.00 MB, X 4.00 "
             "MB, T2 8.00 kB\n"
             "  try       a smaller rank, a higher execution.memory_limit, or execution.precision: f32");
  BOOST_TEST(error_of([&] { planned(text, {.memory_limit = 13'000'000}); }) == "nothing was thrown");
}

BOOST_AUTO_TEST_CASE(a_step_that_the_device_refuses_is_named_with_the_reason) {
  const std::string text = error_of([] { planned("data X(i=3)\nT(i) = X(i)^0.5\noutput t = T\n", {.precision = Dtype::i64}); });
  BOOST_TEST(text ==
             "T1(i) = X(i)^0.5: the executor cannot run a step\n"
             "  found     functions, powers and linear algebra need f32 or f64, not i64\n"
             "  try       execution.executor: reference runs everything, slowly");
}
