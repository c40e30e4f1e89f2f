// What is contracted before a loop of a solver and what within it: the two-site product of a tensor train against all trees.
#include <boost/test/unit_test.hpp>
#include <array>
#include <bit>
#include <cctype>
#include <functional>
#include <random>
#include <set>
#include "core/optimize/graph_values.hpp"
#include "optimize/pipeline.hpp"

using namespace tyto;

namespace {

/// A capital is a primed label: H v = L(a,w,A) V(w,s,S,x) W(x,t,T,y) R(b,y,B) v(A,S,T,B), asked for `products` times between
/// changes of what is around v.
struct TwoSiteProduct {
  std::int64_t left = 1, right = 1, sites = 2, bond = 1;  // extents of a, b, of s and t, and of w, x, y
  int products = 1;
  std::vector<std::string> changing = {};  // after the products, in order; the others are data
};

constexpr std::size_t operand_count = 5;
const std::array<std::string, operand_count> names{"L", "V", "W", "R", "v"}, labels{"awA", "wsSx", "xtTy", "byB", "ASTB"};
using Operands = std::uint32_t;

std::int64_t extent(const TwoSiteProduct& p, char label) {
  if (label == 'a' || label == 'A') return p.left;
  if (label == 'b' || label == 'B') return p.right;
  return label == 'w' || label == 'x' || label == 'y' ? p.bond : p.sites;
}

/// The labels of the contraction of some operands, those that others or the output need; of one operand: all.
std::set<char> labels_of(Operands set) {
  std::set<char> inside, outside;
  for (const char label : std::string("asbt")) outside.insert(label);
  for (std::size_t k = 0; k < operand_count; ++k)
    for (const char label : labels.at(k)) ((set >> k & 1) != 0 ? inside : outside).insert(label);
  std::set<char> both;
  for (const char label : inside)
    if (outside.contains(label)) both.insert(label);
  return both;
}

/// A rooted binary tree: the two parts of each set with more than one operand.
using RootedTree = std::map<Operands, std::pair<Operands, Operands>>;

std::vector<RootedTree> rooted_trees(Operands set) {
  if (std::has_single_bit(set)) return {{}};
  std::vector<RootedTree> all;
  const Operands lowest = set & (~set + 1);
  for (Operands part = (set - 1) & set; part != 0; part = (part - 1) & set) {
    if ((part & lowest) == 0) continue;
    for (const RootedTree& below : rooted_trees(part))
      for (const RootedTree& beside : rooted_trees(set ^ part)) {
        RootedTree tree = below;
        tree.insert(beside.begin(), beside.end());
        tree[set] = {part, set ^ part};
        all.push_back(std::move(tree));
      }
  }
  return all;
}

/// Of two sets without a common operand.
double flops_of_join(const TwoSiteProduct& p, Operands a, Operands b) {
  std::set<char> all = labels_of(a);
  all.merge(labels_of(b));
  double points = 1;
  for (const char label : all) points *= static_cast<double>(extent(p, label));
  return all.size() > labels_of(a | b).size() ? 2 * points : points;
}

/// flops_of_join of any two sets.
using JoinFlops = std::map<std::pair<Operands, Operands>, double>;
JoinFlops flops_of_joins(const TwoSiteProduct& p) {
  JoinFlops flops;
  for (Operands a = 1; a < Operands{1} << operand_count; ++a)
    for (Operands b = 1; b < Operands{1} << operand_count; ++b)
      if ((a & b) == 0) flops[{a, b}] = flops_of_join(p, a, b);
  return flops;
}

/// Of one cycle once it repeats: what is asked for is made, what depends on a changed operand is forgotten.
double cycle_flops(const TwoSiteProduct& p, const RootedTree& tree, const JoinFlops& join_flops) {
  std::set<Operands> current;
  double flops = 0;
  const std::function<void(Operands)> need = [&](Operands set) {
    if (std::has_single_bit(set) || current.contains(set)) return;
    const auto [a, b] = tree.at(set);
    need(a), need(b);
    flops += join_flops.at({a, b});
    current.insert(set);
  };
  const auto change = [&](const std::string& name) {
    const auto k = std::find(names.begin(), names.end(), name) - names.begin();
    std::erase_if(current, [&](Operands set) { return (set >> k & 1) != 0; });
  };
  double before = 0;
  for (int cycle = 0; cycle < 3; ++cycle) {
    before = flops;
    for (int product = 0; product < p.products; ++product) need((Operands{1} << operand_count) - 1), change("v");
    for (const std::string& name : p.changing) change(name);
  }
  return flops - before;
}

std::string axes(const std::string& letters) {
  std::vector<std::string> parts;
  for (const char label : letters)
    parts.push_back(std::isupper(label) != 0 ? fmt::format("{}'", static_cast<char>(std::tolower(label))) : std::string(1, label));
  return fmt::format("({})", fmt::join(parts, ","));
}

graph::Graph graph_of(const TwoSiteProduct& p) {
  std::string text, product;
  for (const char label : std::string("abstwxy")) text += fmt::format("dimension({}={})\n", label, extent(p, label));
  for (std::size_t k = 0; k < operand_count; ++k) {
    text += fmt::format("unknown {}{}\n", names.at(k), axes(labels.at(k)));
    product += fmt::format("{}{}{}", k == 0 ? "" : "*", names.at(k), axes(labels.at(k)));
  }
  return graph::parse(text + "H(a,s,t,b) = " + product + "\noutput H = H\n");
}

/// The cycle as optimize and plan take it.
template <class Event>
std::vector<Event> cycle_of(const TwoSiteProduct& p, const graph::Graph& graph) {
  std::map<std::string, graph::NodeId> leaves;
  for (const graph::NodeId id : reachable(graph))
    if (const auto* leaf = graph::as<graph::Leaf>((*graph.store)[id])) leaves[leaf->name] = id;
  std::vector<Event> cycle;
  for (int product = 0; product < p.products; ++product) cycle.push_back({{"H"}, leaves.at("v")});
  for (const std::string& name : p.changing) cycle.push_back({{}, leaves.at(name)});
  return cycle;
}

graph::Graph planned(const TwoSiteProduct& p, const graph::Graph& graph) {
  optimize::Context context;
  context.cycle = cycle_of<optimize::Event>(p, graph);
  return optimize::optimize(graph, context).graph;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_two_site_product_is_as_cheap_as_the_best_of_all_trees) {
  const std::vector<RootedTree> trees = rooted_trees((Operands{1} << operand_count) - 1);
  BOOST_TEST(trees.size() == 105u);
  std::mt19937_64 engine(1);
  const auto between = [&](int low, int high) { return std::uniform_int_distribution<int>(low, high)(engine); };
  for (int round = 0; round < 200; ++round) {
    TwoSiteProduct p{between(1, 24), between(1, 24), between(2, 4), between(1, 8), between(1, 12)};
    for (const std::string& name : names)
      if (name != "v" && between(0, 2) != 0) p.changing.push_back(name);
    const graph::Graph graph = graph_of(p);
    const double flops = static_cast<double>(
        plan::make_plan(planned(p, graph), reference_executor().model(), {.cycle = cycle_of<plan::Event>(p, graph)}).cycle_flops);
    const JoinFlops join_flops = flops_of_joins(p);
    double least = std::numeric_limits<double>::infinity();
    for (const RootedTree& tree : trees) least = std::min(least, cycle_flops(p, tree, join_flops));
    BOOST_TEST(flops == least, "round " << round << ": " << flops << " flop instead of " << least);
  }
}

BOOST_AUTO_TEST_CASE(what_is_contracted_before_the_loop_depends_on_its_length) {
  TwoSiteProduct once{6, 6, 2, 5, 1, {"L", "R"}}, often = once;
  often.products = 200;
  const graph::Graph graph = graph_of(once);
  const graph::Graph short_loop = planned(once, graph), long_loop = planned(often, graph);
  BOOST_TEST((short_loop.outputs != long_loop.outputs));
  LeafNumbers leaves(graph, 3);
  const Expected expected(graph, leaves);
  BOOST_TEST(difference(expected, values_of(short_loop, leaves, reference_executor())) == "");
  BOOST_TEST(difference(expected, values_of(long_loop, leaves, reference_executor())) == "");
}
