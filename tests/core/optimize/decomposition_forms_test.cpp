// What the kernels of decompositions and tensor networks come out as, for any order and unequal extents: the forms that papers
// give.
#include <boost/test/unit_test.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include "core/derivative/declared.hpp"
#include "core/optimize/graph_values.hpp"
#include "core/optimize/same_form.hpp"
#include "optimize/pipeline.hpp"
#include "tyto/derivative.hpp"

using namespace tyto::v1;
namespace graph = tyto::graph;
using tyto::test::Declared, tyto::test::has_form;

namespace {

/// The formula before it is split into steps; factoring, which chooses by extents, is off. What is declared as a constant does not
/// change.
graph::Graph simplified(const std::shared_ptr<graph::Store>& store, graph::NodeId node) {
  tyto::optimize::Context context;
  context.changes = [store](graph::NodeId leaf) { return graph::as<graph::Leaf>((*store)[leaf])->role != graph::Role::constant; };
  return tyto::optimize::simplify({store, {{"result", node}}}, context, {"factor"}).graph;
}

/// All values are the same before and after.
void check_values(const graph::Graph& before, const graph::Graph& after, tyto::LeafNumbers& leaves) {
  const std::string wrong =
      tyto::difference(tyto::Expected(before, leaves), tyto::values_of(after, leaves, tyto::reference_executor()));
  BOOST_TEST(wrong.empty(), wrong);
}

/// The formula is the one of the text, and its values are those of the expression that it came from.
void check_form(const std::shared_ptr<graph::Store>& store, graph::NodeId node, const std::string& text) {
  const graph::Graph before{store, {{"result", node}}}, after = simplified(store, node);
  BOOST_TEST(has_form(after, text), graph::print(after) << "\ninstead of\n" << text);
  tyto::LeafNumbers leaves(before, 5);
  check_values(before, after, leaves);
}
void check_form(const Expr& e, const std::string& text) { check_form(e.store(), e.id(), text); }

/// Makes the columns of a row-major matrix orthonormal, one after the other (Gram and Schmidt).
void orthonormalize(tyto::Numbers& matrix, std::size_t columns) {
  const std::size_t rows = matrix.size() / columns;
  const auto inner = [&](std::size_t a, std::size_t b) {
    double sum = 0;
    for (std::size_t i = 0; i < rows; ++i) sum += matrix[i * columns + a] * matrix[i * columns + b];
    return sum;
  };
  for (std::size_t column = 0; column < columns; ++column) {
    for (std::size_t before = 0; before < column; ++before) {
      const double part = inner(before, column);
      for (std::size_t i = 0; i < rows; ++i) matrix[i * columns + column] -= part * matrix[i * columns + before];
    }
    const double length = std::sqrt(inner(column, column));
    for (std::size_t i = 0; i < rows; ++i) matrix[i * columns + column] /= length;
  }
}

std::string joined(const std::vector<std::string>& parts, const char* between) {
  return fmt::format("{}", fmt::join(parts, between));
}

/// Modes a, b, c, ... of extents 2, 3, 4, ...; factors A0, A1, ... with columns r, or with columns p, q, ... of their own.
struct Decomposition {
  int order;
  Declared declared;
  Indices modes;
  Index r{"r", 2};
  Exprs factors;
  Expr x;

  explicit Decomposition(int n) : order(n) {
    for (int m = 0; m < order; ++m) modes.emplace_back(mode(m), 2 + m);
    x = declared->constant("X", modes, tyto::test::Numbers(static_cast<std::size_t>(tyto::test::count(modes)), 1));
  }
  static std::string mode(int m) { return std::string(1, static_cast<char>('a' + m)); }
  void declare_columns() {
    for (int m = 0; m < order; ++m)
      factors.push_back(declared->unknown(fmt::format("A{}", m), {modes[static_cast<std::size_t>(m)], r}, {}));
  }
  std::string labels() const {
    std::vector<std::string> all;
    for (int m = 0; m < order; ++m) all.push_back(mode(m));
    return joined(all, ",");
  }
  /// "X(a,b,c)", with extents where it is declared.
  std::string data(const char* name = "X") const { return fmt::format("{}({})", name, labels()); }
  std::string declarations() const {
    std::vector<std::string> axes;
    for (int m = 0; m < order; ++m) axes.push_back(fmt::format("{}={}", mode(m), 2 + m));
    std::string text = fmt::format("dimension({0},r=2)\ninput {1} {2}", joined(axes, ","), data(), data("W"));
    for (int m = 0; m < order; ++m) text += fmt::format(" A{}({},r)", m, mode(m));
    return text + "\n";
  }
  /// Factors of a product: each but that of mode `but` under each of the column labels.
  std::string columns(int but, const std::vector<std::string>& names) const {
    std::vector<std::string> all;
    for (int m = 0; m < order; ++m)
      if (m != but)
        for (const std::string& name : names) all.push_back(fmt::format("A{}({},{})", m, mode(m), name));
    return joined(all, "*");
  }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(decomposition_forms)

BOOST_AUTO_TEST_CASE(forms_are_compared_up_to_labels_and_orders_and_nothing_else) {
  const std::string leaves = "input A(i=3,r=2) B(j=3,r) C(r,r') u(r) v(r)\n";
  const auto same = [&](const std::string& a, const std::string& b) { return has_form(graph::parse(leaves + a), leaves + b); };
  BOOST_TEST(same("T(i,j) = A(i,r)*B(j,r)\noutput t = T\n", "T(j,i) = B(j,r')*A(i,r')\noutput t = T\n"));
  BOOST_TEST(same("T(r) = C(r,r')*C(r',r'')*A(i,r'')\noutput t = T\n", "T(r) = A(i,r')*C(r'',r')*C(r,r'')\noutput t = T\n"));
  BOOST_TEST(!same("T(r,r') = A(i,r)*A(i,r')\noutput t = T\n", "T(r,r') = A(i,r)*B(j,r')\noutput t = T\n"));
  BOOST_TEST(!same("T(r,r') = C(r,r'')*C(r'',r')\noutput t = T\n", "T(r,r') = C(r,r'')*C(r',r'')\noutput t = T\n"));
  BOOST_TEST(!same("T() = A(i,r)*A(i,r)\noutput t = T\n", "T() = A(i,r)*A(i,r')\noutput t = T\n"));
  const std::string terms = "S(r,r') = C(r,r')\nU(r,r') = C(r',r)\n";
  BOOST_TEST(
      same(terms + "T(r,r') = 2*S(r,r') - U(r,r')\noutput t = T\n", terms + "T(r,r') = 2*U(r,r') - S(r,r')\noutput t = T\n"));
  BOOST_TEST(
      !same(terms + "T(r,r') = 2*S(r,r') - U(r,r')\noutput t = T\n", terms + "T(r,r') = 2*S(r,r') + U(r,r')\noutput t = T\n"));
  BOOST_TEST(!same("T(r') = solve[r](C(r,r'), v(r))\noutput t = T\n", "T(r') = solve[r](C(r,r'), u(r))\noutput t = T\n"));
}

BOOST_AUTO_TEST_CASE(a_cp_update_is_mttkrp_over_the_hadamard_product_of_grams) {
  for (int order = 3; order <= 6; ++order)
    for (int m = 0; m < order; ++m) {
      Decomposition cp(order);
      cp.declare_columns();
      const graph::NodeId update =
          cp.declared.update(0.5 * norm2(cp.x - einsum(cp.factors, cp.modes)), cp.factors[static_cast<std::size_t>(m)]);
      check_form(cp.declared.problem().store, update,
                 cp.declarations() + fmt::format("M(r,{0}) = {1}*{2}\nG(r,r') = {3}\nU(r',{0}) = solve+[r](G(r,r'), M(r,{0}))\n"
                                                 "output u = U\n",
                                                 cp.mode(m), cp.data(), cp.columns(m, {"r"}), cp.columns(m, {"r", "r'"})));
    }
}

BOOST_AUTO_TEST_CASE(a_cp_loss_is_three_products) {
  for (int order = 3; order <= 6; ++order) {
    Decomposition cp(order);
    cp.declare_columns();
    check_form(norm2(cp.x - einsum(cp.factors, cp.modes)),
               cp.declarations() + fmt::format("D() = {0}*{0}\nM() = {0}*{1}\nG() = {2}\nF() = D() - 2*M() + G()\noutput f = F\n",
                                               cp.data(), cp.columns(-1, {"r"}), cp.columns(-1, {"r", "r'"})));
  }
}

BOOST_AUTO_TEST_CASE(a_cp_gradient_is_a_product_with_grams_less_mttkrp) {
  for (int order = 3; order <= 6; ++order) {
    Decomposition cp(order);
    cp.declare_columns();
    check_form(gradient(0.5 * norm2(cp.x - einsum(cp.factors, cp.modes)), cp.factors[0]),
               cp.declarations() + fmt::format("M(a,r) = {}*{}\nG(a,r) = A0(a,r')*{}\nD(a,r) = G(a,r) - M(a,r)\noutput d = D\n",
                                               cp.data(), cp.columns(0, {"r"}), cp.columns(0, {"r", "r'"})));
  }
}

BOOST_AUTO_TEST_CASE(a_gauss_newton_product_of_a_cp_is_made_of_grams) {
  Decomposition cp(3);
  cp.declare_columns();
  const Expr v = tensor("V", cp.factors[0].shape());
  check_form(gauss_newton(cp.x - einsum(cp.factors, cp.modes), {cp.factors[0]}, {v})[0],
             cp.declarations() + "input V(a,r)\nH(a,r) = V(a,r')*A1(b,r)*A1(b,r')*A2(c,r)*A2(c,r')\noutput h = H\n");
}

BOOST_AUTO_TEST_CASE(a_masked_cp_update_is_one_small_system_per_row_and_forms_no_residual) {
  for (int order = 3; order <= 6; ++order) {
    Decomposition cp(order);
    cp.declare_columns();
    const Expr w =
        cp.declared->constant("W", cp.modes, tyto::test::Numbers(static_cast<std::size_t>(tyto::test::count(cp.modes)), 1));
    const graph::NodeId update = cp.declared.update(0.5 * norm2(w * (cp.x - einsum(cp.factors, cp.modes))), cp.factors[0]);
    check_form(cp.declared.problem().store, update,
               cp.declarations() + fmt::format("M(a,r) = {0}*{0}*{1}*{2}\nG(a,r,r') = {0}*{0}*{3}\n"
                                               "U(a,r') = solve+[r](G(a,r,r'), M(a,r))\noutput u = U\n",
                                               cp.data("W"), cp.data(), cp.columns(0, {"r"}), cp.columns(0, {"r", "r'"})));
  }
}

BOOST_AUTO_TEST_CASE(a_hessian_block_of_a_cp_is_an_identity_times_grams) {
  for (int order = 3; order <= 5; ++order) {
    Decomposition cp(order);
    cp.declare_columns();
    check_form(hessian(0.5 * norm2(cp.x - einsum(cp.factors, cp.modes)), cp.factors[0]),
               cp.declarations() + fmt::format("H(a,r,a',r') = I(a,a')*{}\noutput h = H\n", cp.columns(0, {"r", "r'"})));
  }
}

BOOST_AUTO_TEST_CASE(an_update_of_tucker_with_orthonormal_factors_is_a_chain_of_products) {
  for (int order = 3; order <= 6; ++order) {
    Decomposition tucker(order);
    // Unknown: the product of the core with factor 0, Y(a,q,s,...); the other factors are orthonormal.
    Indices of_y{tucker.modes[0]};
    std::vector<std::string> columns{"a"}, product{tucker.data()};
    std::string leaves = tucker.declarations();
    Exprs factors;
    for (int m = 1; m < order; ++m) {
      const std::string name = fmt::format("q{}", m);
      const Index& mode = tucker.modes[static_cast<std::size_t>(m)];
      of_y.emplace_back(name, m < 3 ? 2 : 1 + m % 2);
      columns.push_back(name);
      factors.push_back(tensor(fmt::format("U{}", m), {mode, of_y.back()}, Field::real, {.orthonormal = {of_y.back()}}));
      product.push_back(fmt::format("U{}({},{})", m, tucker.mode(m), name));
      leaves += fmt::format("input U{}({},{}={})\n", m, tucker.mode(m), name, of_y.back().extent());
    }
    const Expr y = tucker.declared->unknown("Y", of_y, {});
    factors.push_back(y);
    const graph::NodeId update = tucker.declared.update(0.5 * norm2(tucker.x - einsum(factors, tucker.modes)), y);
    const graph::Graph before{tucker.declared.problem().store, {{"result", update}}}, after = simplified(before.store, update);
    const std::string chain = leaves + fmt::format("T({}) = {}\n", joined(columns, ","), joined(product, "*"));
    BOOST_TEST(has_form(after, chain + "output t = T\n"), graph::print(after) << "\ninstead of\n" << chain);
    tyto::LeafNumbers numbers(before, 6);
    for (const graph::NodeId leaf : reachable(before))
      if (const auto* l = graph::as<graph::Leaf>((*before.store)[leaf]); l != nullptr && l->name.starts_with("U"))
        orthonormalize(numbers.of(leaf), static_cast<std::size_t>(before.store->extents(leaf)[1]));
    check_values(before, after, numbers);
  }
}

BOOST_AUTO_TEST_CASE(a_two_site_hessian_product_is_one_product_for_each_side) {
  const Index l("l", 3), s("s", 2), t("t", 2), r("r", 4), a("a", 2), b("b", 3), c("c", 2);
  const Indices sites{l, s, t, r}, primed{l.prime(), s.prime(), t.prime(), r.prime()};
  const Expr left = tensor("L", {l, a, l.prime()}), first = tensor("W1", {a, s, s.prime(), b}),
             second = tensor("W2", {b, t, t.prime(), c}), right = tensor("R", {r, c, r.prime()}), psi = tensor("psi", sites),
             v = tensor("v", sites);
  const Expr energy = einsum({psi, left, first, second, right, psi(primed)}, {});
  check_form(hvp(energy, {psi}, {v})[0],
             "input L(l=3,a=2,l') W1(a,s=2,s',b=3) W2(b,t=2,t',c=2) R(r=4,c,r') v(l,s,t,r)\n"
             "H(l,s,t,r) = L(l,a,l')*W1(a,s,s',b)*W2(b,t,t',c)*R(r,c,r')*v(l',s',t',r')\n"
             "K(l,s,t,r) = L(l',a,l)*W1(a,s',s,b)*W2(b,t',t,c)*R(r',c,r)*v(l',s',t',r')\n"
             "P(l,s,t,r) = H(l,s,t,r) + K(l,s,t,r)\noutput p = P\n");
}

BOOST_AUTO_TEST_SUITE_END()
