// What a graph is optimized to, and what that costs, does not depend on the order in which its nodes were made, nor on the order of
// factors and terms.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <map>
#include <random>
#include "core/optimize/same_form.hpp"
#include "graph/build.hpp"
#include "graph/text.hpp"
#include "optimize/pipeline.hpp"
#include "tyto/derivative.hpp"

using namespace tyto::v1;
namespace graph = tyto::graph;

namespace {

template <class T>
void shuffle(std::vector<T>& items, std::mt19937_64& engine) {
  for (std::size_t k = items.size(); k > 1; --k) std::swap(items[k - 1], items[engine() % k]);
}

/// The node with its factors or terms in another order, of operands that are in the store.
graph::NodeId reordered(graph::Store& store, const graph::Node& node, const std::vector<graph::NodeId>& operands,
                        std::mt19937_64& engine) {
  std::vector<std::size_t> order;
  for (std::size_t k = 0; k < operands.size(); ++k) order.push_back(k);
  shuffle(order, engine);
  if (const auto* e = graph::as<graph::Einsum>(node)) {
    std::vector<graph::NodeId> factors;
    graph::Einsum other{{{}, e->subscripts.output}, e->pair};
    for (const std::size_t k : order) factors.push_back(operands[k]), other.subscripts.inputs.push_back(e->subscripts.inputs[k]);
    return store.insert(other, factors);
  }
  if (const auto* sum = graph::as<graph::Combination>(node)) {
    std::vector<graph::NodeId> terms;
    graph::Combination other;
    for (const std::size_t k : order) terms.push_back(operands[k]), other.coefficients.push_back(sum->coefficients[k]);
    return store.insert(other, terms);
  }
  return store.insert(node.operation, operands);
}

/// The same formula in a store of its own: leaves in the order of their declaration, which says which factor is written first; all
/// other nodes made in a random order in which operands come first.
graph::Graph remade(const graph::Graph& original, std::uint64_t seed) {
  std::mt19937_64 engine(seed);
  graph::Graph copy{std::make_shared<graph::Store>(), {}};
  std::map<graph::NodeId, graph::NodeId> made;
  std::vector<graph::NodeId> waiting;
  for (const graph::NodeId id : reachable(original))
    if (graph::is<graph::Leaf>((*original.store)[id])) made[id] = -1;
    else waiting.push_back(id);
  for (auto& [leaf, id] : made) id = copy.store->import(*original.store, leaf);
  const auto is_made = [&](graph::NodeId operand) { return made.contains(operand); };
  while (!waiting.empty()) {
    shuffle(waiting, engine);
    const auto next = std::find_if(waiting.begin(), waiting.end(), [&](graph::NodeId id) {
      const auto& operands = (*original.store)[id].operands;
      return std::all_of(operands.begin(), operands.end(), is_made);
    });
    const graph::Node& node = (*original.store)[*next];
    std::vector<graph::NodeId> operands;
    for (const graph::NodeId operand : node.operands) operands.push_back(made.at(operand));
    made[*next] = graph::is_source(node.operation) ? copy.store->import(*original.store, *next)
                                                   : reordered(*copy.store, node, operands, engine);
    waiting.erase(next);
  }
  for (const graph::Output& output : original.outputs) copy.outputs.push_back({output.name, made.at(output.node)});
  return copy;
}

/// Multiplications of all steps.
double multiplications(const graph::Graph& graph) {
  double total = 0;
  const graph::Store& store = *graph.store;
  for (const graph::NodeId id : reachable(graph)) {
    const auto* e = graph::as<graph::Einsum>(store[id]);
    if (e == nullptr || store[id].operands.size() < 2) continue;
    std::map<std::int32_t, double> extents;
    for (std::size_t k = 0; k < store[id].operands.size(); ++k)
      for (std::size_t axis = 0; axis < e->subscripts.inputs[k].size(); ++axis)
        extents[e->subscripts.inputs[k][axis]] = static_cast<double>(store.extents(store[id].operands[k])[axis]);
    double points = 1;
    for (const auto& [label, extent] : extents) points *= extent;
    total += points;
  }
  return total;
}

/// One formula comes out, and steps of one cost. Where there are products only, also one text; terms of sums keep the order in
/// which they were made.
void check(const std::string& name, const Exprs& outputs, bool is_product = false, const std::vector<std::string>& off = {}) {
  graph::Graph original{outputs[0].store(), {}};
  for (const Expr& e : outputs)
    original.outputs.push_back({"y" + std::to_string(original.outputs.size()), original.store->import(*e.store(), e.id())});
  const graph::Graph first = remade(original, 0), closed = tyto::optimize::simplify(first, {}, off).graph;
  const double cost = multiplications(tyto::optimize::optimize(first, {}, off).graph);
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const graph::Graph other = remade(original, seed), other_closed = tyto::optimize::simplify(other, {}, off).graph;
    BOOST_TEST(tyto::test::is_same_form(other_closed, closed), name << ", seed " << seed << "\n"
                                                                    << graph::print(other_closed) << "instead of\n"
                                                                    << graph::print(closed));
    if (is_product) BOOST_TEST(graph::print(other_closed) == graph::print(closed));
    BOOST_TEST(multiplications(tyto::optimize::optimize(other, {}, off).graph) == cost, name << ", seed " << seed);
  }
}

struct Fixture {
  Index i{"i", 5}, j{"j", 6}, k{"k", 7}, r{"r", 2};
  Expr x = tensor("X", {i, j, k}), a = tensor("A", {i, r}), b = tensor("B", {j, r}), c = tensor("C", {k, r});
  Expr h = tensor("H", {i, i.prime()}), v = tensor("v", {i}), w = tensor("W", {i, j, k});
  Expr model = einsum({a, b, c}, {i, j, k}), loss = norm2(x - model);
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(insertion_order, Fixture)

BOOST_AUTO_TEST_CASE(of_products_and_sums) {
  check("product", {einsum({x, a, b, c}, {})}, true);
  check("gram", {einsum({a, a({i, r.prime()}), b, b({j, r.prime()})}, {r, r.prime()})}, true);
  check("sum", {a * einsum({b, b({j, r})}, {r}) + 2 * a - einsum({x, b, c}, {i, r})});
}
BOOST_AUTO_TEST_CASE(of_a_loss_and_its_derivatives) {
  check("loss", {loss});
  check("gradients", gradient(loss, Exprs{a, b, c}));
  check("loss and gradients", {loss, gradient(loss, a), gradient(loss, b), gradient(loss, c)});
  check("hessian", {hessian(loss, a)});
  check("hessian product", hvp(loss, {a, b}, {square(a), square(b)}));
}
BOOST_AUTO_TEST_CASE(of_a_masked_loss) { check("masked", {norm2(w * (x - model)), gradient(norm2(w * (x - model)), b)}); }
BOOST_AUTO_TEST_CASE(of_forms_and_systems) {
  const Expr form = einsum({v, h, v({i.prime()})}, {});
  check("form", {form, gradient(form, v), hvp(form, {v}, {square(v)})[0]});
  check("system", {solve(einsum({a, a({i, r.prime()})}, {r, r.prime()}), einsum({x, b, c}, {i, r}), {r})});
}
BOOST_AUTO_TEST_CASE(of_a_chain) {
  Exprs chain;
  Index bond("l", 2);
  for (int site = 0; site < 4; ++site) {
    const Index next("l" + std::to_string(site), 3), s("s" + std::to_string(site), 2);
    const Expr core = tensor("G" + std::to_string(site), {bond, s, next});
    chain.push_back(core), chain.push_back(core({bond.prime(), s, next.prime()}));
    bond = next;
  }
  const Expr f = einsum(chain, {});
  check("chain", {f, gradient(f, chain[2])}, false);
}

BOOST_AUTO_TEST_SUITE_END()
