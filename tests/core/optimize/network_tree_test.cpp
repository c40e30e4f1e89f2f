// Unrooted trees of any size: against the exact search where that is possible, and what kernels take from them.
#include "optimize/network_tree.hpp"
#include <boost/test/unit_test.hpp>
#include <random>
#include "core/cost/random_network.hpp"

using namespace tyto;
using namespace tyto::optimize;

namespace {

cost::Network random_scalar_network(std::mt19937_64& engine, std::size_t operands) {
  cost::Network network = cost::random_network(engine, operands, 9, 2);
  network.subscripts.output.clear();
  return network;
}

/// Every message as often as the most frequent of its operands changes.
Versions versions_of(const std::vector<int>& changes) {
  return [changes](const OperandSet& set) {
    int most = 0;
    for (std::size_t k = 0; k < changes.size(); ++k)
      if (set[k]) most = std::max(most, changes[k]);
    return static_cast<double>(most);
  };
}

double nothing(const NetworkTree&, const std::vector<OperandSet>&) { return 0; }

}  // namespace

BOOST_AUTO_TEST_CASE(improving_the_tree_of_a_path_comes_near_the_cheapest_tree) {
  std::mt19937_64 engine(1);
  double improved_sum = 0, exact_sum = 0;
  for (int round = 0; round < 40; ++round) {
    const cost::Network network = random_scalar_network(engine, 8);
    std::vector<int> changes;
    for (int k = 0; k < 8; ++k) changes.push_back(static_cast<int>(engine() % 5));
    const Versions versions = versions_of(changes);
    const double exact = best_tree(network, [&](Operands set) { return versions(OperandSet(8, set)); }, {}).total.flops;
    NetworkTree tree(network, cost::best_path(network).pairs);
    const double before = tree.cost(versions).flops;
    tree.improve(versions, nothing, 6);
    const double improved = tree.cost(versions).flops;
    BOOST_TEST(improved <= before * (1 + 1e-12), "round " << round);
    BOOST_TEST(improved >= exact * (1 - 1e-12), "round " << round);
    improved_sum += improved / std::max(exact, 1.0), exact_sum += 1;
  }
  BOOST_TEST(improved_sum <= 1.02 * exact_sum, improved_sum / exact_sum << " of the cheapest on average");
}

BOOST_AUTO_TEST_CASE(a_tree_that_is_improved_still_is_one) {
  std::mt19937_64 engine(2);
  for (int round = 0; round < 20; ++round) {
    const cost::Network network = random_scalar_network(engine, 20);
    std::vector<int> changes;
    for (int k = 0; k < 20; ++k) changes.push_back(static_cast<int>(engine() % 5));
    NetworkTree tree(network, cost::best_path(network, cost::quick_search).pairs);
    tree.improve(versions_of(changes), nothing, 6);
    for (std::size_t k = 0; k < 20; ++k) {  // the message to each operand has all others, and each message what its parts have
      OperandSet others(20);
      others.set().reset(k);
      std::vector<NetworkTree::Message> open{tree.message(others)};
      std::size_t operands = 0;
      while (!open.empty()) {
        const NetworkTree::Message m = open.back();
        open.pop_back();
        if (tree.operand(m) >= 0) {
          ++operands;
          BOOST_TEST(tree.operands(m).count() == 1u);
          continue;
        }
        const auto [a, b] = tree.parts(m);
        BOOST_TEST(((tree.operands(a) | tree.operands(b)) == tree.operands(m) && !tree.operands(a).intersects(tree.operands(b))));
        open.push_back(a), open.push_back(b);
      }
      BOOST_TEST(operands == 19u);
    }
  }
}

BOOST_AUTO_TEST_CASE(pieces_are_the_largest_messages_without_what_is_left_out) {
  std::mt19937_64 engine(3);
  const cost::Network network = random_scalar_network(engine, 12);
  const NetworkTree tree(network, cost::best_path(network).pairs);
  for (int round = 0; round < 50; ++round) {
    OperandSet left_out(12);
    for (int k = 0; k < 3; ++k) left_out.set(engine() % 12);
    OperandSet together(12);
    const std::vector<NetworkTree::Message> pieces = tree.pieces(left_out);
    for (const NetworkTree::Message piece : pieces) {
      BOOST_TEST((!tree.operands(piece).intersects(together) && !tree.operands(piece).intersects(left_out)));
      together |= tree.operands(piece);
    }
    BOOST_TEST((together == ~left_out));
    for (const NetworkTree::Message piece : pieces)  // a larger one would have what comes to its end along another edge
      for (std::int32_t slot = 0; slot < (piece.to < 12 ? 1 : 3); ++slot)
        if (slot != piece.slot) BOOST_TEST(tree.operands({piece.to, slot}).intersects(left_out));
  }
}
