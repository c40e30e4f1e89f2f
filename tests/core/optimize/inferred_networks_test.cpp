// Products that are one network without an operand each share messages though nothing names the network, and never cost more.
#include "optimize/inferred_networks.hpp"
#include <boost/test/unit_test.hpp>
#include <fmt/ranges.h>
#include <random>
#include <set>
#include "core/optimize/graph_values.hpp"
#include "optimize/contraction_path.hpp"
#include "optimize/message_tree.hpp"
#include "optimize/timetable.hpp"
#include "optimize/work.hpp"

using namespace tyto;

namespace {

std::vector<optimize::Product> products_of(const graph::Graph& graph) {
  std::vector<optimize::Product> products;
  for (const graph::Output& output : graph.outputs) products.push_back(optimize::as_product(*graph.store, output.node));
  return products;
}

/// The networks of the outputs of a graph: their operands, and how many labels they keep.
struct Found {
  explicit Found(const std::string& text) : graph(graph::parse(text)) {
    for (const optimize::Product& network : optimize::inferred_networks(*graph.store, products_of(graph), log))
      networks.push_back(written(network));
  }
  std::string written(const optimize::Product& network) const {
    std::string text;
    for (const graph::NodeId operand : network.operands) text += graph::as<graph::Leaf>((*graph.store)[operand])->name + " ";
    return text + fmt::format("-> {}", network.subscripts.output.size());
  }
  graph::Graph graph;
  optimize::Log log;
  std::vector<std::string> networks;
};

/// A graph whose outputs are all asked for together, then every unknown changes.
struct Planned {
  explicit Planned(const std::string& text) : graph(graph::parse(text)) {
    context.changes = [store = graph.store](graph::NodeId id) {
      return graph::as<graph::Leaf>((*store)[id])->role != graph::Role::data;
    };
  }
  graph::Graph with_tree() { return optimize::message_tree(graph, context, log); }
  double flops_of(const graph::Graph& some) {
    optimize::Log unread;
    return optimize::cycle_flops(optimize::contraction_path(some, context, unread), optimize::cycle_of(some, context));
  }
  double flops() { return flops_of(with_tree()); }
  double flops_without_tree() { return flops_of(graph); }
  std::string wrong(std::uint64_t seed) {
    LeafNumbers leaves(graph, seed);
    return difference(Expected(graph, leaves), values_of(with_tree(), leaves, reference_executor()));
  }
  graph::Graph graph;
  optimize::Context context;
  optimize::Log log;
};

/// X times all factors A_n(i_n, r) of a CP, or U_n(i_n, r_n) of a Tucker decomposition, but one: for each.
std::string all_but_one(const Extents& modes, std::int64_t rank, bool is_tucker) {
  std::vector<std::string> labels, factors;
  for (std::size_t n = 0; n < modes.size(); ++n) {
    labels.push_back(fmt::format("i{}", n));
    factors.push_back(is_tucker ? fmt::format("A{0}(i{0},r{0})", n) : fmt::format("A{0}(i{0},r)", n));
  }
  std::string text, kernels;
  for (std::size_t n = 0; n < modes.size(); ++n) text += fmt::format("dimension(i{}={})\n", n, modes[n]);
  for (std::size_t n = 0; n < (is_tucker ? modes.size() : 1); ++n)
    text += fmt::format("dimension(r{}={})\n", is_tucker ? std::to_string(n) : "", rank);
  const std::string x = fmt::format("X({})", fmt::join(labels, ","));
  text += fmt::format("data {}\nunknown {}\n", x, fmt::join(factors, " "));
  for (std::size_t n = 0; n < modes.size(); ++n) {
    std::vector<std::string> others{x}, out;
    for (std::size_t m = 0; m < modes.size(); ++m) {
      if (m != n) others.push_back(factors[m]);
      if (is_tucker) out.push_back(m == n ? labels[m] : fmt::format("r{}", m));
    }
    if (!is_tucker) out = {labels[n], "r"};
    kernels += fmt::format("M{0}({1}) = {2}\noutput M{0} = M{0}\n", n, fmt::join(out, ","), fmt::join(others, "*"));
  }
  return text + kernels;
}

double power(std::int64_t base, std::size_t exponent) { return std::pow(static_cast<double>(base), static_cast<double>(exponent)); }

}  // namespace

BOOST_AUTO_TEST_CASE(kernels_of_a_cp_have_one_network_that_sums_every_label) {
  const Found found(all_but_one({4, 5, 6}, 2, false));
  BOOST_TEST(found.networks == std::vector<std::string>{"X A0 A1 A2 -> 0"}, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(products_with_all_factors_of_a_tucker_but_one_have_a_network_that_keeps_the_ranks) {
  const Found found(all_but_one({4, 5, 6}, 2, true));
  BOOST_TEST(found.networks == std::vector<std::string>{"X A0 A1 A2 -> 3"}, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(order_of_operands_and_labels_do_not_matter) {
  const Found found(
      "dimension(i=4)\ndata X(i,i',i'')\nunknown A(i,r=2) B(i,r) C(i,r)\n"
      "MA(i,r) = X(i,i',i'')*B(i',r)*C(i'',r)\nMB(r,i'') = A(i',r)*C(i,r)*X(i',i'',i)\n"
      "output A = MA\noutput B = MB\n");
  BOOST_TEST(found.networks == std::vector<std::string>{"X A B C -> 0"}, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_tensor_may_stand_in_a_network_several_times) {
  const Found symmetric(
      "dimension(i=4)\ndata X(i,i',i'')\nunknown A(i,r=2)\n"
      "P(i,r) = X(i,i',i'')*A(i',r)*A(i'',r)\nQ(i',r) = X(i,i',i'')*A(i,r)*A(i'',r)\nR(i'',r) = X(i,i',i'')*A(i,r)*A(i',r)\n"
      "output P = P\noutput Q = Q\noutput R = R\n");
  BOOST_TEST(symmetric.networks == std::vector<std::string>{"X A A A -> 0"}, boost::test_tools::per_element());
  const Found grams(
      "dimension(r=3)\nunknown A(i=4,r) B(j=5,r) C(k=6,r)\n"
      "P(i,r) = A(i,r')*B(j,r)*B(j,r')*C(k,r)*C(k,r')\nQ(j,r) = B(j,r')*A(i,r)*A(i,r')*C(k,r)*C(k,r')\n"
      "output P = P\noutput Q = Q\n");
  BOOST_TEST(grams.networks == std::vector<std::string>{"A A B B C C -> 0"}, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(neighbours_share_a_label_where_a_third_product_sums_it) {
  const std::string leaves = "dimension(a=3)\ndimension(b=4)\ndata X(i=2,j=3,k=4)\nunknown A(i,a) B(a,j,b) C(b,k)\n";
  const std::string two = "P(a,j,k) = X(i,j,k)*A(i,a)\nMA(i,a) = X(i,j,k)*B(a,j,b)*C(b,k)\nMB(a,j,b) = X(i,j,k)*A(i,a)*C(b,k)\n";
  const Found chain(leaves + two + "MC(b,k) = X(i,j,k)*A(i,a)*B(a,j,b)\noutput A = MA\noutput B = MB\noutput C = MC\n");
  BOOST_TEST(chain.networks == std::vector<std::string>{"X A B C -> 0"}, boost::test_tools::per_element());
  const Found end(leaves + two + "output A = MA\noutput B = MB\n");  // two labels are as good
  BOOST_TEST(end.networks == std::vector<std::string>{"X A B C -> 2"}, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(products_that_no_operand_makes_equal_have_no_network) {
  // Q sums k, which P keeps and A has not; R lacks two operands; S has only two.
  const Found found(
      "data X(i=2,j=3,k=4)\nunknown A(i,r=2) B(j,r) C(k,r) D(k,r) E(i,r)\n"
      "P(i,k,r) = X(i,j,k)*B(j,r)*C(k,r)\nQ(j,r) = X(i,j,k)*A(i,r)*C(k,r)\n"
      "R(r) = X(i,j,k)*E(i,r)*D(k,r)\nS(i,j,r) = X(i,j,k)*C(k,r)\n"
      "output P = P\noutput Q = Q\noutput R = R\noutput S = S\n");
  BOOST_TEST(found.networks.empty());
  BOOST_TEST(found.log.near_misses().empty());
}

BOOST_AUTO_TEST_CASE(the_log_says_where_the_search_ended) {
  std::string text = "data X(i=2,j=2,k=2)\nunknown A(i,r=2) B(j,r)\n", outputs;
  for (std::size_t k = 0; k <= optimize::most_inferred_networks; ++k) {
    text += fmt::format("unknown C{}(k,r)\n", k);
    outputs += fmt::format("P{0}(i,r) = X(i,j,k)*B(j,r)*C{0}(k,r)\noutput P{0} = P{0}\n", k);
    outputs += fmt::format("Q{0}(j,r) = X(i,j,k)*A(i,r)*C{0}(k,r)\noutput Q{0} = Q{0}\n", k);
  }
  const Found found(text + outputs);
  BOOST_TEST(found.networks.size() == optimize::most_inferred_networks);
  BOOST_TEST(found.log.near_misses() == std::vector<std::string>{"among 2 of 130 products no networks were looked for"},
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_gradient_of_a_cp_contracts_the_data_twice) {
  constexpr std::int64_t s = 10, rank = 4;
  for (std::size_t order = 3; order <= 6; ++order) {
    Planned p(all_but_one(Extents(order, s), rank, false));
    // All but the two products with the data are smaller by at least one mode.
    BOOST_TEST(p.flops() <= 4 * power(s, order) * rank + 4 * static_cast<double>(order) * power(s, order - 1) * rank);
    BOOST_TEST(p.wrong(order) == "");
  }
}

BOOST_AUTO_TEST_CASE(products_with_all_factors_of_a_tucker_but_one_contract_the_data_twice) {
  constexpr std::int64_t s = 8;
  constexpr std::int64_t rank = 3;
  for (std::size_t order = 3; order <= 4; ++order) {
    Planned p(all_but_one(Extents(order, s), rank, true));
    // Half of the factors first, then the other half, for the products that lack one of these.
    double by_hand = 4 * power(s, order) * rank;
    if (order == 3) by_hand += 3 * 2 * power(s, 2) * power(rank, 2);
    else by_hand += 2 * 2 * power(s, 3) * power(rank, 2) + 4 * 2 * power(s, 2) * power(rank, 3);
    BOOST_TEST(p.flops() == by_hand);
    BOOST_TEST(p.wrong(order) == "");
  }
}

BOOST_AUTO_TEST_CASE(kernels_within_sums_share_as_well) {
  Planned p(
      "data X(i=20,j=30,k=40)\nunknown A(i,r=3) B(j,r) C(k,r)\n"
      "MA(i,r) = X(i,j,k)*B(j,r)*C(k,r)\nMB(j,r) = X(i,j,k)*A(i,r)*C(k,r)\n"
      "GA(i,r) = A(i,r) - 2*MA(i,r)\nGB(j,r) = B(j,r) - 0.5*MB(j,r)\noutput A = GA\noutput B = GB\n");
  BOOST_TEST(p.flops() == 2 * 20 * 30 * 40 * 3 + 2 * 2 * 20 * 30 * 3);
  BOOST_TEST(p.wrong(1) == "");
}

BOOST_AUTO_TEST_CASE(what_an_objective_serves_or_nothing_asks_for_has_no_other_network) {
  Planned p(all_but_one({10, 11, 12}, 3, false));
  p.context.cycle = {{{"M0"}, -1}};
  BOOST_TEST((p.with_tree().outputs == p.graph.outputs));
  BOOST_TEST(p.log.near_misses().empty());
}

namespace {

/// Products of all of six tensors but a few, over labels of different extents; most keep what those that they lack need.
std::string random_products(std::mt19937_64& engine) {
  const auto between = [&](int low, int high) { return std::uniform_int_distribution<int>(low, high)(engine); };
  std::string text;
  for (int label = 0; label < 6; ++label) text += fmt::format("dimension(l{}={})\n", label, between(1, 5));
  const auto axes = [&](int count) {
    std::vector<std::string> all;
    for (int label = 0; label < 6; ++label) all.push_back(fmt::format("l{}", label));
    std::shuffle(all.begin(), all.end(), engine);
    all.resize(static_cast<std::size_t>(count));
    return all;
  };
  std::vector<std::vector<std::string>> tensors;
  for (int k = 0; k < 6; ++k) {
    tensors.push_back(axes(between(1, 3)));
    text += fmt::format("{} T{}({})\n", between(0, 2) == 0 ? "data" : "unknown", k, fmt::join(tensors.back(), ","));
  }
  std::string outputs;
  for (int k = 0; k < 5; ++k) {
    std::vector<std::string> factors;
    std::set<std::string> open, needed;
    for (std::size_t t = 0; t < tensors.size(); ++t) {
      if (between(0, 4) == 0) {
        needed.insert(tensors[t].begin(), tensors[t].end());
        continue;
      }
      factors.push_back(fmt::format("T{}({})", t, fmt::join(tensors[t], ",")));
      open.insert(tensors[t].begin(), tensors[t].end());
    }
    if (factors.size() < 2) continue;
    std::shuffle(factors.begin(), factors.end(), engine);
    std::vector<std::string> kept;
    for (const std::string& label : open)
      if (needed.contains(label) != (between(0, 19) == 0)) kept.push_back(label);
    outputs += fmt::format("P{0}({1}) = {2}\noutput P{0} = P{0}\n", k, fmt::join(kept, ","), fmt::join(factors, "*"));
  }
  return text + outputs;
}

}  // namespace

BOOST_AUTO_TEST_CASE(no_product_costs_more_than_without_and_all_keep_their_values) {
  int cheaper = 0;
  std::mt19937_64 engine(1);
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Planned p(random_products(engine));
    const double with = p.flops(), without = p.flops_without_tree();
    BOOST_TEST(with <= without * (1 + 1e-9), "seed " << seed << ": " << with << " flop instead of " << without);
    cheaper += with < without ? 1 : 0;
    BOOST_TEST(p.wrong(seed) == "", "seed " << seed);
  }
  BOOST_TEST(cheaper > 10);  // or the test would test nothing
}
