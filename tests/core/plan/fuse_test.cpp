// Which steps become one and which stay, and that values are the same with every fusion on and off.
#include "plan/fuse.hpp"
#include <boost/test/unit_test.hpp>
#include "core/optimize/graph_values.hpp"
#include "core/optimize/random_graph.hpp"
#include "optimize/pipeline.hpp"

using namespace tyto;
using program::Combination;
using program::Contraction;
using program::Elementwise;

namespace {

graph::NodeId leaf_named(const graph::Graph& graph, const std::string& name) {
  for (const graph::NodeId id : reachable(graph))
    if (const auto* leaf = graph::as<graph::Leaf>((*graph.store)[id]); leaf != nullptr && leaf->name == name) return id;
  return -1;
}

/// What repeats: the outputs, then a change of one leaf; without a leaf every output once.
plan::Plan planned(const std::string& text, const std::string& changing = {}, const std::vector<std::string>& off = {}) {
  const graph::Graph graph = graph::parse(text);
  plan::Options options{.switched_off = off};
  if (!changing.empty()) {
    plan::Event event{{}, leaf_named(graph, changing)};
    for (const graph::Output& output : graph.outputs) event.outputs.push_back(output.name);
    options.cycle = {event};
  }
  return plan::make_plan(graph, cpu_executor().model(), options);
}
/// The same for the reference executor, which multiplies factors.
plan::Plan planned_plainly(const std::string& text, const std::vector<std::string>& off = {}) {
  return plan::make_plan(graph::parse(text), reference_executor().model(), {.switched_off = off});
}

template <class Operation>
std::int64_t count_of(const plan::Plan& plan) {
  return std::count_if(plan.program->steps.begin(), plan.program->steps.end(),
                       [](const program::Step& step) { return std::holds_alternative<Operation>(step.operation); });
}
template <class Operation>
const Operation& last(const plan::Plan& plan) {
  return std::get<Operation>(plan.program->steps.back().operation);
}
const program::Buffer& buffer(const plan::Plan& plan, program::BufferId id) {
  return plan.program->buffers[static_cast<std::size_t>(id)];
}

/// Values on both executors with all fusions on against none.
void check_values(const std::string& text) {
  const graph::Graph graph = graph::parse(text);
  LeafNumbers leaves(graph, 1);
  const Expected expected(graph, leaves);
  for (const execute::Executor* executor : {&reference_executor(), &cpu_executor()})
    BOOST_TEST(difference(expected, values_of(graph, leaves, *executor)) == "", executor->name() << "\n" << text);
}

const std::string difference_and_norm =
    "data X(i=40,j=50) W(i,j)\nunknown Y(i,j)\nD(i,j) = X(i,j) - Y(i,j)\nN() = D(i,j)*D(i,j)*W(i,j)\nf() = 0.5*N()\n";
const std::string sum_of_products =
    "dimension(s=30)\nunknown A(i=50,s) V(i,s) G(s,r=30) Z(s,r) M(i,r)\nP(i,r) = V(i,s)*G(s,r)\nQ(i,r) = A(i,s)*Z(s,r)\n"
    "H(i,r) = P(i,r) + 2*Q(i,r) - M(i,r)\noutput h = H\n";
const std::string mttkrp =
    "data X(i=9,j=8,k=7)\nunknown B(j,r=3) C(k,r)\nK(j,k,r) = B(j,r)*C(k,r)\nM(i,r) = X(i,j,k)*K(j,k,r)\noutput m = M\n";

}  // namespace

BOOST_AUTO_TEST_CASE(a_norm_of_a_difference_is_one_step) {
  const std::string text = difference_and_norm + "output f = f\n";
  const plan::Plan p = planned(text);
  BOOST_REQUIRE(p.program->steps.size() == 1U);
  const Elementwise& chain = last<Elementwise>(p);
  BOOST_TEST(chain.inputs.size() == 3U);
  BOOST_TEST(chain.scale == 0.5);
  BOOST_TEST(p.program->buffers.size() == 4U);  // nothing is left of D and N
  BOOST_TEST(p.cycle_flops == planned(text, {}, plan::fusion_names()).cycle_flops);
  check_values(text);
}

BOOST_AUTO_TEST_CASE(a_value_that_others_read_stays) {
  BOOST_TEST(planned(difference_and_norm + "output f = f\noutput d = D\n").program->steps.size() == 2U);
  BOOST_TEST(planned(difference_and_norm + "E(i) = D(i,j)*W(i,j)\noutput f = f\noutput e = E\n").program->steps.size() == 3U);
}

BOOST_AUTO_TEST_CASE(a_value_that_the_cycle_keeps_stays) {
  const std::string text = difference_and_norm + "output f = f\n";
  BOOST_TEST(planned(text, "Y").program->steps.size() == 1U);
  const plan::Plan kept = planned(text, "W");
  BOOST_TEST(kept.program->steps.size() == 2U);
  BOOST_REQUIRE(kept.cycle.size() == 1U);
  BOOST_TEST(kept.cycle[0].reused.size() == 1U);
}

BOOST_AUTO_TEST_CASE(a_value_with_fewer_labels_than_its_reader_is_not_computed_again_and_again) {
  const std::string text =
      "data X(i=2000) Y(i) Z(i,j=20)\nS(i) = X(i) + Y(i)\nD(i) = exp(S(i))\nE(i,j) = D(i)*Z(i,j)\noutput e = E\n";
  const plan::Plan p = planned(text);
  BOOST_TEST(p.program->steps.size() == 2U);
  check_values(text);
}

BOOST_AUTO_TEST_CASE(a_transposed_copy_becomes_another_way_to_read) {
  const std::string text =
      "data X(i=200,j=150) Y(j,i)\nT(i,j) = Y(j,i)\nD(i,j) = X(i,j) + T(i,j)\nE(i,j) = D(i,j)*D(i,j)\noutput e = E\n";
  BOOST_TEST(planned(text).program->steps.size() == 1U);
  check_values(text);
}

BOOST_AUTO_TEST_CASE(both_orders_of_one_value_are_read_from_memory) {
  const std::string text = "dimension(j=20)\ndata X(i=20,j)\nD(i,j) = exp(X(i,j))\nE(i,j) = D(i,j)*D(j,i)\noutput e = E\n";
  check_values(text);
}

BOOST_AUTO_TEST_CASE(a_number_added_everywhere_needs_no_memory) {
  const std::string text = "data X(i=400)\nS(i) = X(i) + fill(1; i)\nD(i) = exp(S(i))\noutput d = D\n";
  check_values(text);
}

BOOST_AUTO_TEST_CASE(contractions_add_up_where_their_sum_is_wanted) {
  const plan::Plan p = planned(sum_of_products);
  BOOST_REQUIRE(p.program->steps.size() == 2U);
  const auto &first = std::get<Contraction>(p.program->steps[0].operation), &second = last<Contraction>(p);
  BOOST_TEST((buffer(p, first.addend).storage == program::Storage::leaf));
  BOOST_TEST(first.addend_scale == -1);
  BOOST_TEST(second.addend == first.out.buffer);
  BOOST_TEST(buffer(p, second.addend).offset == buffer(p, second.out.buffer).offset);  // in place
  BOOST_TEST(first.scale * second.scale == 2);
  BOOST_TEST(p.cycle_flops == planned(sum_of_products, {}, plan::fusion_names()).cycle_flops);
  BOOST_TEST(p.program->arena_bytes < planned(sum_of_products, {}, {"fuse_accumulation"}).program->arena_bytes);
  check_values(sum_of_products);
}

BOOST_AUTO_TEST_CASE(a_product_that_the_cycle_keeps_is_not_added_to) {
  const plan::Plan p = planned(sum_of_products, "Z");  // P, and with it P - M, stay as they are
  BOOST_REQUIRE(p.cycle.size() == 1U);
  BOOST_TEST(p.cycle_flops < planned(sum_of_products, "Z", {"fuse_accumulation"}).cycle_flops + 1);
  BOOST_TEST(!p.cycle[0].reused.empty());
}

BOOST_AUTO_TEST_CASE(a_scaled_product_is_one_step) {
  const std::string text =
      "dimension(s=30)\nunknown V(i=50,s) G(s,r=30)\nP(i,r) = V(i,s)*G(s,r)\nH(i,r) = -3*P(i,r)\noutput h = H\n";
  const plan::Plan p = planned(text);
  BOOST_REQUIRE(p.program->steps.size() == 1U);
  BOOST_TEST(last<Contraction>(p).scale == -3);
  check_values(text);
}

BOOST_AUTO_TEST_CASE(an_output_is_not_added_to) {
  const plan::Plan p = planned(sum_of_products + "output p = P\noutput q = Q\n");
  BOOST_TEST(count_of<Combination>(p) == 1);
}

BOOST_AUTO_TEST_CASE(a_khatri_rao_product_is_multiplied_on_the_way) {
  const plan::Plan p = planned_plainly(mttkrp), apart = planned_plainly(mttkrp, {"fuse_products"});
  BOOST_REQUIRE(p.program->steps.size() == 1U);
  const Contraction& fused = last<Contraction>(p);
  BOOST_TEST(fused.inputs.size() == 3U);
  BOOST_TEST(fused.factors == 2);
  BOOST_TEST(p.cycle_flops == apart.cycle_flops);
  BOOST_TEST(apart.program->steps.size() == 2U);
  check_values(mttkrp);
}

BOOST_AUTO_TEST_CASE(a_khatri_rao_product_stays_where_it_is_wanted_or_kept) {
  BOOST_TEST(planned_plainly(mttkrp + "output k = K\n").program->steps.size() == 2U);
  const graph::Graph graph = graph::parse(mttkrp);
  const auto steps = [&](const std::string& changing) {
    return plan::make_plan(graph, reference_executor().model(), {.cycle = {{{"m"}, leaf_named(graph, changing)}}})
        .program->steps.size();
  };
  BOOST_TEST(steps("X") == 2U);
  BOOST_TEST(steps("B") == 1U);
}

BOOST_AUTO_TEST_CASE(what_an_identity_multiplies_is_written_on_a_diagonal) {
  const std::string text =
      "dimension(i=30)\nunknown A(j=40,r=20)\nG(r,s) = A(j,r)*A(j,s)\nH(i,r,i',s) = I(i,i')*G(r,s)\noutput h = H\n";
  const plan::Plan p = planned(text, "A"), apart = planned(text, "A", {"fuse_identities"});
  const Contraction& product = last<Contraction>(p);
  BOOST_REQUIRE(product.inputs.size() == 1U);
  BOOST_TEST(product.out.labels[0] == product.out.labels[2]);
  BOOST_TEST(p.cycle_flops == apart.cycle_flops - 30 * 30 * 20 * 20);
  BOOST_TEST(p.seconds < apart.seconds);
  BOOST_TEST(count_of<program::Identity>(p) == 0);
  check_values(text);
}

BOOST_AUTO_TEST_CASE(a_diagonal_is_added_and_scaled_where_it_lies) {
  const std::string text =
      "dimension(i=30)\nunknown G(r=20,s=20) M(i,r,i',s)\nP(i,r,i',s) = I(i,i')*G(r,s)\n"
      "H(i,r,i',s) = M(i,r,i',s) - 2*P(i,r,i',s)\noutput h = H\n";
  const plan::Plan p = planned(text, "G");
  BOOST_REQUIRE(p.program->steps.size() == 1U);
  BOOST_TEST(last<Contraction>(p).scale == -2);
  BOOST_TEST(last<Contraction>(p).addend >= 0);
  BOOST_TEST(p.cycle_flops == 2 * 30 * 20 * 20);  // on the diagonal alone
  check_values(text);
}

BOOST_AUTO_TEST_CASE(an_identity_that_a_sum_meets_stays) {
  const std::string text = "data X(i=30,j=20)\nT(i,j) = I(i,i')*X(i',j)\noutput t = T\n";
  BOOST_TEST(last<Contraction>(planned(text)).inputs.size() == 2U);
  check_values(text);
}

BOOST_AUTO_TEST_CASE(a_device_that_takes_two_operands_gets_the_product) {
  class TwoOperands final : public device::Model {
   public:
    using Buffers = std::vector<program::Buffer>;
    std::optional<std::string> refuses(const program::Operation& operation, const Buffers& buffers) const override {
      const auto* contraction = std::get_if<Contraction>(&operation);
      if (contraction != nullptr && contraction->inputs.size() > 2) return "more than two operands";
      return reference_executor().model().refuses(operation, buffers);
    }
    double seconds(const program::Operation& operation, const Buffers& buffers) const override {
      return reference_executor().model().seconds(operation, buffers);
    }
    std::int64_t scratch_bytes(const program::Operation&, const Buffers&) const override { return 0; }
    std::string kernel_class(const program::Operation&, const Buffers&) const override { return ""; }
    std::int64_t memory_bytes() const override { return std::int64_t{1} << 30; }
  };
  BOOST_TEST(plan::make_plan(graph::parse(mttkrp), TwoOperands(), {}).program->steps.size() == 2U);
}

BOOST_AUTO_TEST_CASE(every_fusion_is_right_on_random_graphs) {
  std::int64_t compared = 0;
  for (std::uint64_t seed = 3000; seed < 3150; ++seed) {
    RandomGraph random(seed);
    const graph::Graph graph = seed % 2 == 0 ? random.graph : optimize::optimize(random.graph, random.context).graph;
    LeafNumbers leaves(random.graph, seed);
    const Expected expected(graph, leaves);
    if (!expected.is_finite()) continue;
    ++compared;
    for (const std::string& alone : plan::fusion_names()) {
      std::vector<std::string> off = plan::fusion_names();
      std::erase(off, alone);
      for (const execute::Executor* executor : {&reference_executor(), &cpu_executor()}) {
        const std::string wrong = difference(expected, values_of(graph, leaves, *executor, {.switched_off = off}));
        BOOST_TEST(wrong.empty(), "seed " << seed << ", " << executor->name() << ", " << alone << ": " << wrong << "\n"
                                          << graph::print(graph));
      }
    }
  }
  BOOST_TEST(compared > 100);
}
