// The search for a tree against the enumeration of all of them.
#include <boost/test/unit_test.hpp>
#include <bit>
#include <random>
#include <fmt/format.h>
#include "core/optimize/unrooted_trees.hpp"
#include "optimize/tree.hpp"

using namespace tyto;
using optimize::Operands;

namespace {

einsum::Labels ascending(const std::set<einsum::Label>& labels) { return {labels.begin(), labels.end()}; }

/// Of every message of the tree, as often as `versions` says.
cost::Cost cost_of(const UnrootedTree& tree, const cost::Network& network, const std::function<double(Operands)>& versions) {
  const auto labels = [&](LeafSet set) { return ascending(labels_of_set(network.subscripts, set)); };
  cost::Cost total;
  for (const auto& [a, b, c] : tree)
    for (const auto& [left, right] : {std::pair{a, b}, std::pair{a, c}, std::pair{b, c}})
      total += versions(left | right) * cost::pair_cost(labels(left), labels(right), labels(left | right), network.extents);
  return total;
}

bool has_edge(const UnrootedTree& tree, LeafSet edge, LeafSet all) {
  for (const auto& vertex : tree)
    for (const LeafSet part : vertex)
      if (part == edge || part == (all ^ edge)) return true;
  return false;
}

cost::Cost least_cost(const cost::Network& network, const std::function<double(Operands)>& versions,
                      const std::vector<Operands>& edges) {
  cost::Cost least{.flops = 1e300};
  const LeafSet all = (LeafSet{1} << network.subscripts.inputs.size()) - 1;
  UnrootedTrees(network.subscripts.inputs.size(), [&](const UnrootedTree& tree) {
    for (const Operands edge : edges)
      if (!has_edge(tree, edge, all)) return;
    least = std::min(least, cost_of(tree, network, versions));
  });
  return least;
}

cost::Network random_network(std::mt19937_64& engine, std::size_t operands) {
  const auto below = [&](int n) { return std::uniform_int_distribution<int>(0, n - 1)(engine); };
  cost::Network network;
  const int label_count = 2 + below(6);
  for (int l = 0; l < label_count; ++l) network.extents.push_back(1 + below(9));
  for (std::size_t k = 0; k < operands; ++k) {
    std::set<einsum::Label> labels;
    for (int axis = below(4); axis >= 0; --axis) labels.insert(below(label_count));
    network.subscripts.inputs.emplace_back(ascending(labels));
  }
  return network;
}

}  // namespace

BOOST_AUTO_TEST_CASE(there_are_as_many_trees_as_there_should_be) {
  for (const auto& [leaves, wanted] : {std::pair<std::size_t, int>{3, 1}, {4, 3}, {5, 15}, {6, 105}, {7, 945}}) {
    std::set<std::set<std::array<LeafSet, 3>>> trees;
    UnrootedTrees(leaves, [&](const UnrootedTree& tree) { trees.insert({tree.begin(), tree.end()}); });
    BOOST_TEST(static_cast<int>(trees.size()) == wanted);
  }
}

BOOST_AUTO_TEST_CASE(finds_the_cheapest_of_all_trees) {
  std::mt19937_64 engine(7);
  for (int k = 0; k < 150; ++k) {
    const cost::Network network = random_network(engine, 3 + static_cast<std::size_t>(k % 4));
    const std::uint64_t salt = engine();
    const auto versions = [salt](Operands set) { return static_cast<double>((salt >> (set * 7 % 60)) % 4); };
    const optimize::TreeSearch found = optimize::best_tree(network, versions, {});
    const cost::Cost wanted = least_cost(network, versions, {});
    BOOST_TEST((found.total == wanted), "case " << k << ": " << found.total.flops << " flop instead of " << wanted.flops);
  }
}

BOOST_AUTO_TEST_CASE(the_tree_found_costs_what_the_search_says) {
  std::mt19937_64 engine(8);
  for (int k = 0; k < 50; ++k) {
    const std::size_t n = 3 + static_cast<std::size_t>(k % 6);
    const cost::Network network = random_network(engine, n);
    const auto versions = [](Operands set) { return static_cast<double>(1 + set % 3); };
    const optimize::TreeSearch found = optimize::best_tree(network, versions, {});
    cost::Cost total;
    const std::vector<Operands> messages = found.tree.messages();
    BOOST_TEST((std::set<Operands>(messages.begin(), messages.end()).size() == 2 * (2 * n - 3)));
    for (const Operands message : messages) {
      if (std::popcount(message) == 1) continue;
      const auto [a, b] = found.tree.parts(message);
      BOOST_TEST((a != 0 && b != 0 && (a & b) == 0 && (a | b) == message));
      const auto labels = [&](Operands set) { return ascending(labels_of_set(network.subscripts, set)); };
      total += versions(message) * cost::pair_cost(labels(a), labels(b), labels(message), network.extents);
    }
    BOOST_TEST((total == found.total));
  }
}

BOOST_AUTO_TEST_CASE(edges_that_are_asked_for_are_in_the_tree) {
  std::mt19937_64 engine(9);
  for (int k = 0; k < 100; ++k) {
    const std::size_t n = 4 + static_cast<std::size_t>(k % 3);
    const Operands all = (Operands{1} << n) - 1;
    const cost::Network network = random_network(engine, n);
    std::vector<Operands> edges;
    for (int tries = 0; tries < 4; ++tries) {
      const Operands edge = 1 + static_cast<Operands>(engine() % (all - 1));
      if (std::all_of(edges.begin(), edges.end(), [&](Operands e) { return optimize::compatible(e, edge, all); }))
        edges.push_back(edge);
    }
    const auto versions = [](Operands set) { return static_cast<double>(set % 3); };
    const optimize::TreeSearch found = optimize::best_tree(network, versions, edges);
    const std::vector<Operands> messages = found.tree.messages();
    for (const Operands edge : edges) BOOST_TEST((std::find(messages.begin(), messages.end(), edge) != messages.end()));
    BOOST_TEST((found.total == least_cost(network, versions, edges)));
  }
}

BOOST_AUTO_TEST_CASE(crossing_edges_are_not_compatible) {
  BOOST_TEST(optimize::compatible(0b0011, 0b1100, 0b1111));
  BOOST_TEST(optimize::compatible(0b0001, 0b0011, 0b1111));
  BOOST_TEST(optimize::compatible(0b0011, 0b0110, 0b0111));  // together they are everything
  BOOST_TEST(!optimize::compatible(0b0011, 0b0110, 0b1111));
}
