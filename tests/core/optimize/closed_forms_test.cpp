// What expressions come out as, for any order and unequal extents: the forms that one would write by hand.
#include <boost/test/unit_test.hpp>
#include <map>
#include "core/optimize/same_form.hpp"
#include "graph/text.hpp"
#include "optimize/pipeline.hpp"
#include "tyto/derivative.hpp"

namespace tyto::optimize {

namespace {

using v1::einsum, v1::tensor;  // not the namespaces

/// Flops of a graph in which every product has two operands, each step once.
double flops(const graph::Graph& graph) {
  double total = 0;
  const graph::Store& store = *graph.store;
  for (const graph::NodeId id : reachable(graph)) {
    const auto* e = graph::as<graph::Einsum>(store[id]);
    if (e == nullptr || store[id].operands.size() < 2) continue;
    BOOST_TEST(store[id].operands.size() == 2U);
    std::map<std::int32_t, double> extents;
    for (std::size_t k = 0; k < 2; ++k)
      for (std::size_t axis = 0; axis < e->subscripts.inputs[k].size(); ++axis)
        extents[e->subscripts.inputs[k][axis]] = static_cast<double>(store.extent(store[store[id].operands[k]].shape[axis]));
    double points = 1;
    for (const auto& [label, extent] : extents) points *= extent;
    total += points * (extents.size() > e->subscripts.output.size() ? 2 : 1);
  }
  return total;
}

graph::Graph optimized_graph(const Expr& e) {
  Context context;
  return optimize({e.store(), {{"e", e.id()}}}, context).graph;
}

struct Cp {
  Indices modes;
  Index r{"r", 2};
  Expr x;
  Exprs factors;
  explicit Cp(int order) {
    for (int m = 0; m < order; ++m) modes.emplace_back(std::string(1, static_cast<char>('i' + m)), 6 + m);
    x = tensor("X", modes);
    for (int m = 0; m < order; ++m) factors.push_back(tensor("A" + std::to_string(m), {modes[static_cast<std::size_t>(m)], r}));
  }
  Expr loss() const { return norm2(x - einsum(factors, modes)); }
};

}  // namespace

BOOST_AUTO_TEST_CASE(elementary_algebra_cancels) {
  const Index i("i", 3), j("j", 4);
  const Expr a = tensor("A", {i, j}), t = tensor("T", {i, j});
  const Expr half = (a * 0.5) - (t * 0.5);
  BOOST_TEST(optimized(a - (half + half)).text() == "T(i,j)");
  BOOST_TEST(optimized(a - (a - t) * 0.5 - 0.5 * a).text() == "0.5*T(i,j)");
  BOOST_TEST(optimized(a - a).text() == "0");
}

BOOST_AUTO_TEST_CASE(the_gradient_of_a_cp_loss_needs_no_residual) {
  for (int order = 3; order <= 6; ++order) {
    const Cp cp(order);
    const graph::Graph graph = optimized_graph(gradient(cp.loss(), cp.factors[0]));
    double largest = 0, data = 1;
    for (const Index& mode : cp.modes) data *= static_cast<double>(mode.extent());
    for (const graph::NodeId id : reachable(graph))
      if (!graph::is<graph::Leaf>((*graph.store)[id]))
        largest = std::max(largest, static_cast<double>(graph.store->element_count(id)));
    BOOST_TEST(largest < data);
    // X is contracted once, in 2 flops for each entry and column; Grams, their product and the rest are small beside that.
    const double once = 2 * data * static_cast<double>(cp.r.extent());
    BOOST_TEST(flops(graph) >= once);
    BOOST_TEST(flops(graph) < 1.4 * once);
  }
}

BOOST_AUTO_TEST_CASE(a_jacobian_of_kronecker_products_is_one_of_products) {
  // y = A1 A2 x with A1 = B x C, A2 = D x E: dy/dx = (B D) x (C E), in O(n^4) flops.
  const std::int64_t n = 6;
  const Index a("a", n), b("b", n), c("c", n), d("d", n), e("e", n), f("f", n);
  const Expr first = tensor("B", {a, c}), second = tensor("C", {b, d}), third = tensor("D", {c, e}), fourth = tensor("E", {d, f});
  const Expr x = tensor("x", {e, f});
  const Expr inner = einsum({third, fourth, x}, {c, d}), y = einsum({first, second, inner}, {a, b});
  const auto count = static_cast<double>(n);
  const graph::Graph found = optimized_graph(jacobian(y, x));
  BOOST_TEST(flops(found) == 2 * 2 * count * count * count + std::pow(count, 4));
  const std::string form =
      "dimension(a=6,b=6,c=6,d=6,e=6,f=6)\ninput B(a,c) C(b,d) D(c,e) E(d,f)\nP(a,e) = B(a,c)*D(c,e)\nQ(b,f) = C(b,d)*E(d,f)\n"
      "J(a,b,e,f) = P(a,e)*Q(b,f)\noutput j = J\n";
  BOOST_TEST(test::has_form(found, form), graph::print(found));
}

BOOST_AUTO_TEST_CASE(an_inverse_of_a_kronecker_product_is_one_of_inverses) {
  const Index i("i", 3), j("j", 4), k("k", 5);
  const Expr a = tensor("A", {i, i.prime()}), b = tensor("B", {j, j.prime()}), c = tensor("C", {k, k.prime()});
  const graph::Graph graph = optimized_graph(inverse(a * b * c, {i, j, k}));
  std::vector<std::int64_t> inverted;
  for (const graph::NodeId id : reachable(graph))
    if (graph::is<graph::Inverse>((*graph.store)[id])) inverted.push_back(graph.store->element_count(id));
  std::sort(inverted.begin(), inverted.end());
  BOOST_TEST(inverted == (std::vector<std::int64_t>{9, 16, 25}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(orthonormal_factors_vanish_from_tucker) {
  const Index i("i", 5), j("j", 6), r("r", 2), s("s", 3);
  const Expr u = tensor("U", {i, r}, Field::real, {.orthonormal = {r}}), v = tensor("V", {j, s}, Field::real, {.orthonormal = {s}});
  const Expr core = tensor("G", {r, s});
  BOOST_TEST(optimized(norm2(einsum({core, u, v}, {i, j}))).text() == "sum[r,s] G(r,s)^2");
  const Expr w = tensor("W", {i, r});  // of which nothing is known
  BOOST_TEST(optimized(norm2(einsum({core, w, v}, {i, j}))).text().find("W") != std::string::npos);
}

}  // namespace tyto::optimize
