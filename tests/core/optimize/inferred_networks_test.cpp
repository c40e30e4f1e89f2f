// Products that are one network without an operand each share messages though nothing names the network, and never cost more.
#include "optimize/inferred_networks.hpp"
#include <boost/test/unit_test.hpp>
#include <fmt/ranges.h>
#include <iostream>
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

/// The networks of the outputs of a graph, as text: "X(a,b) A(b) -> (a)".
struct Found {
  explicit Found(const std::string& text) : graph(graph::parse(text)) {
    for (const optimize::Product& network : optimize::inferred_networks(*graph.store, products_of(graph), log))
      networks.push_back(written(network));
  }
  std::string written(const optimize::Product& network) const {
    std::string text;
    for (const graph::NodeId operand : network.operands)
      text += graph::as<graph::Leaf>((*graph.store)[operand])->name + " ";
    return text + fmt::format("-> {}", network.subscripts.output.size());
  }
  graph::Graph graph;
  optimize::Log log;
  std::vector<std::string> networks;
};

/// A graph whose outputs are all asked for in one event, `times` in a row before the data changes.
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

BOOST_AUTO_TEST_CASE(scratch) {
  for (std::size_t order = 3; order <= 6; ++order)
    for (bool tucker : {false, true}) {
      Planned p(all_but_one(Extents(order, 10), 4, tucker));
      std::cout << order << tucker << " " << p.flops_without_tree() << " " << p.flops() << " / " << 16 * power(10, order) << "\n";
      for (auto& l : p.log.rewrites()) std::cout << "  " << l << "\n";
      for (auto& l : p.log.near_misses()) std::cout << "  - " << l << "\n";
      Planned q(all_but_one(Extents(order, 10), 4, tucker));
      auto c = optimize::cycle_of(q.graph, q.context);
      q.context.cycle = c; q.context.cycle.insert(q.context.cycle.end(), c.begin(), c.end());
      std::cout << "twice " << order << tucker << " " << q.flops_without_tree() << " " << q.flops() << " / " << 16 * power(10, order) << "\n";
      for (auto& l : q.log.rewrites()) std::cout << "  " << l << "\n";
      for (auto& l : q.log.near_misses()) std::cout << "  - " << l << "\n";
    }
}
