// Orders of axes in memory: what needs no transposition gets none, no order is cheaper than the chosen one, and values do not
// depend on any of it.
#include "plan/layout.hpp"
#include <random>
#include <set>
#include <boost/test/unit_test.hpp>
#include "core/optimize/graph_values.hpp"
#include "core/plan/prepared_run.hpp"
#include "plan/lifetime.hpp"
#include "plan/lower.hpp"
#include "plan/order_candidates.hpp"

using namespace tyto;

namespace {

/// Kernels of the cpu that bring values into another order before, in place of, or after a product.
std::vector<std::string> rearranging_steps(const plan::Plan& plan) {
  std::vector<std::string> found;
  for (const program::Step& step : plan.program->steps) {
    const std::string kernel = cpu_executor().model().kernel_class(step.operation, plan.program->buffers);
    if (kernel == "copy" || kernel.find("transposition") != std::string::npos) found.push_back(kernel);
  }
  return found;
}
std::vector<std::string> rearranging_steps(const std::string& text) {
  return rearranging_steps(plan::make_plan(graph::parse(text), cpu_executor().model(), {.keeps_outputs = true}));
}

double seconds(const graph::Graph& graph, const device::Model& model, const plan::Options& options, const plan::Layouts& layouts) {
  const plan::Lowered lowered = plan::lower(graph, model, options, layouts);
  double sum = 0;
  for (const program::Step& step : lowered.program.steps) sum += model.seconds(step.operation, lowered.program.buffers);
  return sum;
}

std::vector<graph::NodeId> free_nodes(const graph::Graph& graph) {
  std::vector<graph::NodeId> nodes;
  for (const graph::NodeId id : reachable(graph))
    if (plan::has_free_order((*graph.store)[id]) && !(*graph.store)[id].shape.empty()) nodes.push_back(id);
  return nodes;
}

/// A tree of products over tensors of up to three labels, as text; its output is row-major where outputs are kept.
std::string random_tree(std::mt19937_64& engine) {
  const auto between = [&](int low, int high) { return std::uniform_int_distribution<int>(low, high)(engine); };
  const std::string all = "abcde";
  struct Tensor {
    std::string name, labels;
    std::string text() const { return fmt::format("{}({})", name, fmt::join(labels, ",")); }
  };
  const auto shuffled = [&](std::set<char> labels) {
    std::string order(labels.begin(), labels.end());
    std::shuffle(order.begin(), order.end(), engine);
    return order;
  };
  for (;;) {
    std::string text;
    for (const char label : all) text += fmt::format("dimension({}={})\n", label, between(1, 30));
    std::vector<Tensor> open;
    for (int k = 0; k < 4; ++k) {
      std::set<char> labels;
      while (labels.size() < 2 || (labels.size() < 3 && between(0, 1) == 0))
        labels.insert(all[static_cast<std::size_t>(between(0, 4))]);
      open.push_back({fmt::format("L{}", k), shuffled(labels)});
      text += "data " + open.back().text() + "\n";
    }
    bool is_small = true;
    for (int k = 0; open.size() > 1; ++k) {
      std::shuffle(open.begin(), open.end(), engine);
      const Tensor left = open[open.size() - 1], right = open[open.size() - 2];
      open.resize(open.size() - 2);
      std::set<char> labels;
      for (const char label : left.labels + right.labels) {
        bool is_needed = label == 'a' || label == 'b';
        for (const Tensor& other : open) is_needed = is_needed || other.labels.find(label) != std::string::npos;
        if (is_needed) labels.insert(label);
      }
      is_small = is_small && labels.size() <= 3;
      open.push_back({fmt::format("P{}", k), shuffled(labels)});
      text += fmt::format("{} = {}*{}\n", open.back().text(), left.text(), right.text());
    }
    if (is_small) return text + fmt::format("output f = {}\n", open[0].name);
  }
}

/// Calls body with every choice of orders for all nodes whose order is free.
void for_all_layouts(const graph::Graph& graph, const std::vector<graph::NodeId>& nodes, plan::Layouts& layouts, std::size_t first,
                     const std::function<void()>& body) {
  if (first == nodes.size()) return body();
  plan::Axes order = plan::counted_axes((*graph.store)[nodes[first]].shape.size());
  do {
    layouts.set(nodes[first], order);
    for_all_layouts(graph, nodes, layouts, first + 1, body);
  } while (std::next_permutation(order.begin(), order.end()));
}

/// Every step takes a second, but a product to extents 2, 3, 4 a tenth where these lie in the order 3, 4, 2, and copies to another
/// order as long as one says.
class FondOfOneOrder final : public device::Model {
 public:
  using Buffers = std::vector<program::Buffer>;
  explicit FondOfOneOrder(double rearrangement = 1) : rearrangement_(rearrangement) {}
  std::optional<std::string> refuses(const program::Operation&, const Buffers&) const override { return std::nullopt; }
  double seconds(const program::Operation& operation, const Buffers& buffers) const override {
    const program::Buffer &out = buffers[static_cast<std::size_t>(program::output_of(operation))],
                          &in = buffers[static_cast<std::size_t>(program::inputs_of(operation)[0])];
    if (program::inputs_of(operation).size() == 1) return in.strides == out.strides ? 1 : rearrangement_;
    return out.extents == Extents{2, 3, 4} && out.strides == Extents{1, 8, 2} ? 0.1 : 1;
  }
  std::int64_t scratch_bytes(const program::Operation&, const Buffers&) const override { return 0; }
  std::string kernel_class(const program::Operation&, const Buffers&) const override { return "any"; }
  std::int64_t memory_bytes() const override { return 1 << 30; }

 private:
  double rearrangement_;
};

}  // namespace

BOOST_AUTO_TEST_CASE(sweeps_of_cp_need_no_transposition) {
  for (const Extents& extents : {Extents{30, 41, 52}, Extents{17, 20, 13, 24}, Extents{9, 14, 8, 11, 10}})
    for (const std::int64_t rank : {4, 16}) BOOST_TEST(rearranging_steps(CpRun(extents, rank, cpu_executor()).plan).empty());
}

BOOST_AUTO_TEST_CASE(tensor_times_matrix_chains_of_tucker_need_no_transposition) {
  // However the chains are written: here with the axes of each intermediate in an order that is of no use.
  BOOST_TEST(
      rearranging_steps("dimension(a=16)\ndimension(b=12)\ndimension(c=14)\ndata X(i=60,j=50,k=40)\nunknown A(i,a) B(j,b) C(k,c)\n"
                        "T(c,j,i) = X(i,j,k)*C(k,c)\nY1(i,b,c) = T(c,j,i)*B(j,b)\nY2(a,j,c) = T(c,j,i)*A(i,a)\n"
                        "S(k,a,j) = X(i,j,k)*A(i,a)\nY3(a,b,k) = S(k,a,j)*B(j,b)\n"
                        "output y1 = Y1\noutput y2 = Y2\noutput y3 = Y3\n")
          .empty());
  BOOST_TEST(rearranging_steps(
                 "dimension(a=8)\ndimension(b=7)\ndimension(c=6)\ndata X(i=20,j=22,k=24,l=26)\nunknown A(i,a) B(j,b) C(k,c)\n"
                 "T(c,l,j,i) = X(i,j,k,l)*C(k,c)\nS(l,b,i,c) = T(c,l,j,i)*B(j,b)\nY(a,b,c,l) = S(l,b,i,c)*A(i,a)\n"
                 "output y = Y\n")
                 .empty());
}

BOOST_AUTO_TEST_CASE(the_two_site_product_needs_no_transposition) {
  for (const int bond : {24, 64, 128}) {
    const std::string sites = fmt::format(
        "dimension(c={0})\ndimension(d={0})\ndimension(p=2)\ndimension(q=2)\ndata L(a={0},w=5,c) R(b={0},u=5,d)\n"
        "data V(w,p,s=2,v=5) W(v,q,t=2,u)\nunknown x(a,s,t,b)\n",
        bond);
    BOOST_TEST(rearranging_steps(sites +
                                 "P(u,d,t,s,a) = x(a,s,t,b)*R(b,u,d)\nQ(d,q,v,a,s) = W(v,q,t,u)*P(u,d,t,s,a)\n"
                                 "M(q,d,p,a,w) = V(w,p,s,v)*Q(d,q,v,a,s)\nY(c,p,q,d) = L(a,w,c)*M(q,d,p,a,w)\noutput y = Y\n")
                   .empty());
  }
}

BOOST_AUTO_TEST_CASE(no_orders_of_a_small_tree_are_cheaper) {
  std::mt19937_64 engine(3);
  const plan::Options options{.keeps_outputs = true};
  const device::Model& model = cpu_executor().model();
  int gains = 0;
  for (int repetition = 0; repetition < 25; ++repetition) {
    const std::string text = random_tree(engine);
    const graph::Graph graph = graph::parse(text);
    const double chosen = seconds(graph, model, options, plan::choose_layouts(graph, model, options));
    const plan::Layouts natural(*graph.store);
    std::vector<graph::NodeId> nodes = free_nodes(graph);
    std::erase(nodes, graph.outputs[0].node);
    double least = 1e300;
    plan::Layouts layouts(*graph.store);
    for_all_layouts(graph, nodes, layouts, 0, [&] { least = std::min(least, seconds(graph, model, options, layouts)); });
    gains += chosen < seconds(graph, model, options, natural) ? 1 : 0;
    BOOST_TEST(chosen <= least * (1 + 1e-6), text << chosen << " s instead of " << least);
  }
  BOOST_TEST(gains > 0);
}

BOOST_AUTO_TEST_CASE(an_order_that_the_device_likes_is_taken_and_others_stay) {
  const graph::Graph graph = graph::parse(
      "data A(i=2,l=5) B(j=3,k=4,l)\nT(i,j,k) = A(i,l)*B(j,k,l)\nU(i,k) = T(i,j,k)*B(j,k,l)\nf() = U(i,k)*U(i,k)\noutput f = f\n");
  const plan::Layouts layouts = plan::choose_layouts(graph, FondOfOneOrder(), {});
  int changed = 0;
  for (const graph::NodeId id : free_nodes(graph)) {
    const plan::Axes order = layouts.of(id);
    if (order == plan::counted_axes(order.size())) continue;
    BOOST_TEST((order == plan::Axes{1, 2, 0}));
    ++changed;
  }
  BOOST_TEST(changed == 1);
}

BOOST_AUTO_TEST_CASE(the_copy_of_an_output_to_its_caller_is_priced) {
  const graph::Graph graph = graph::parse("data A(i=2,l=5) B(j=3,k=4,l)\nT(i,j,k) = A(i,l)*B(j,k,l)\noutput t = T\n");
  const graph::NodeId t = graph.outputs[0].node;
  const auto order = [&](double rearrangement, const plan::Options& options) {
    return plan::choose_layouts(graph, FondOfOneOrder(rearrangement), options).of(t);
  };
  BOOST_TEST((order(1.5, {}) == plan::Axes{1, 2, 0}));
  BOOST_TEST((order(2, {}) == plan::Axes{0, 1, 2}));
  BOOST_TEST((order(1.5, {.keeps_outputs = true}) == plan::Axes{0, 1, 2}));
}

BOOST_AUTO_TEST_CASE(outputs_that_are_read_in_place_are_row_major) {
  const graph::Graph graph =
      graph::parse("data A(i=20,l=50) B(j=30,k=40,l)\nT(i,j,k) = A(i,l)*B(j,k,l)\nS(k,i,j) = T(i,j,k)\noutput s = S\n");
  const plan::Plan kept = plan::make_plan(graph, cpu_executor().model(), {.keeps_outputs = true});
  const program::Buffer& b = kept.program->buffers[static_cast<std::size_t>(kept.program->kernels[0].output)];
  const ConstArray seen = solve::permuted({nullptr, b.dtype, b.extents, b.strides}, kept.outputs[0].axes);
  BOOST_TEST((seen.extents == Extents{40, 20, 30}));
  BOOST_TEST(seen.contiguous());
}

BOOST_AUTO_TEST_CASE(values_do_not_depend_on_layouts) {
  const graph::Graph graph = graph::parse(
      "data X(i=4,j=3,k=2) B(j,r=3) pH(r,r')\nG(r,r') = pH(r,r') + 9*I(r,r')\nT(k,r,i) = X(i,j,k)*B(j,r)\n"
      "N(r,i,k) = T(k,r,i)\nS(r,i,k) = solve[r'](G(r',r), N(r',i,k))\nE(r,i,k) = exp(S(r,i,k))\nC(r,i,k) = 2*E(r,i,k) + N(r,i,k)\n"
      "D(k,i,r) = C(r,i,k)*T(k,r,i)\nF(r,i,k) = softmax[1](C(r,i,k))\nH(r,p=8) = reshape(F(r,i,k))\nY(r,r') = H(r,p)*H(r',p)\n"
      "output y = Y\noutput c = C\noutput d = D\n");
  LeafNumbers leaves(graph, 5);
  const Expected expected(graph, leaves);
  std::mt19937_64 engine(7);
  for (int repetition = 0; repetition < 20; ++repetition) {
    plan::Layouts layouts(*graph.store);
    for (const graph::NodeId id : free_nodes(graph)) {
      plan::Axes order = layouts.of(id);
      std::shuffle(order.begin(), order.end(), engine);
      layouts.set(id, order);
    }
    for (const execute::Executor* executor : {&reference_executor(), &cpu_executor()}) {
      plan::Lowered lowered = plan::lower(graph, executor->model(), {}, layouts);
      plan::place(lowered.program, {{{0}, -1}, {{1}, -1}, {{2}, -1}});
      const auto program = std::make_shared<const program::Program>(std::move(lowered.program));
      execute::Evaluation evaluation(program, executor->load(program, {}));
      for (std::size_t leaf = 0; leaf < lowered.leaves.size(); ++leaf)
        evaluation.bind(static_cast<program::LeafId>(leaf), Array(leaves.of(lowered.leaves[leaf]).data(), Dtype::f64,
                                                                  program->leaves[leaf].extents, program->leaves[leaf].strides));
      std::vector<Numbers> values;
      for (const plan::Output& output : lowered.outputs) values.push_back(numbers_of(evaluation.run(output.kernel), output.axes));
      BOOST_TEST(difference(expected, values) == "");
    }
  }
}
