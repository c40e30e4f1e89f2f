/// The functions of tyto/derivative.hpp: labels in, labels out.
#include <algorithm>
#include <fmt/format.h>
#include "derivative/derivative.hpp"
#include "error/fail.hpp"
#include "graph/handle.hpp"
#include "tyto/derivative.hpp"

namespace tyto::inline v1 {
using namespace graph;
namespace {

/// Expressions of several lists as nodes of one store, list by list.
struct Lists {
  std::shared_ptr<Store> store;
  std::vector<std::vector<NodeId>> nodes;
};
Lists joined_lists(const std::vector<Exprs>& lists) {
  Exprs all;
  for (const Exprs& list : lists) all.insert(all.end(), list.begin(), list.end());
  const Joined joined = joined_store(all);
  Lists result{joined.store, {}};
  auto next = joined.nodes.begin();
  for (const Exprs& list : lists) {
    result.nodes.emplace_back(next, next + static_cast<std::ptrdiff_t>(list.size()));
    next += static_cast<std::ptrdiff_t>(list.size());
  }
  return result;
}

Exprs labelled(const std::shared_ptr<Store>& store, const std::vector<NodeId>& nodes, const Exprs& like) {
  Exprs result;
  for (std::size_t k = 0; k < nodes.size(); ++k) result.emplace_back(store, nodes[k], like[k].shape());
  return result;
}

/// The labels of y, then those of x, primed and primed again until they are new.
Indices side_by_side(const Indices& y, const Indices& x) {
  Indices all = y;
  for (const Index& label : x) {
    Index second = label.prime();
    while (graph::contains(all, second)) second = second.prime();
    all.push_back(second);
  }
  return all;
}

void check_scalar(const Expr& f) {
  if (f.order() != 0)
    fail({.code = Code::not_scalar,
          .where = {.quote = f.text()},
          .what = "the gradient is of a scalar",
          .expected = "no labels",
          .found = "labels " + graph::listed(f.shape()),
          .hint = "sum() over its labels, or jacobian()"});
}

void check_real(const Expr& f) {
  if (f.field() == Field::complex)
    fail({.code = Code::not_holomorphic,
          .where = {.quote = f.text()},
          .what = "a gradient is of a real value",
          .expected = "a real scalar",
          .found = "a complex one",
          .hint = "real(), abs() or norm2() of it"});
}

/// The v's with their axes in the order of the labels of the x's.
Exprs aligned(const Exprs& xs, const Exprs& vs) {
  if (xs.size() != vs.size())
    fail(Code::shape, "there is one direction per variable", fmt::format("{}", xs.size()), fmt::format("{}", vs.size()));
  Exprs result;
  for (std::size_t k = 0; k < xs.size(); ++k) {
    if (!same_labels(xs[k].shape(), vs[k].shape()))
      fail({.code = Code::label,
            .where = {.quote = vs[k].text()},
            .what = fmt::format("the direction for {} has other labels", xs[k].text()),
            .expected = graph::listed(xs[k].shape()),
            .found = graph::listed(vs[k].shape())});
    result.push_back(permute(vs[k], xs[k].shape()));
  }
  return result;
}

}  // namespace

Expr gradient(const Expr& f, const Expr& x) { return gradient(f, Exprs{x})[0]; }

Exprs gradient(const Expr& f, const Exprs& xs) {
  check_scalar(f);
  check_real(f);
  const Lists lists = joined_lists({{f}, xs});
  return labelled(lists.store, derivative::gradient(*lists.store, lists.nodes[0][0], lists.nodes[1]), xs);
}

Expr jacobian(const Expr& y, const Expr& x) {
  const Lists lists = joined_lists({{y}, {x}});
  return Expr(lists.store, derivative::jacobian(*lists.store, lists.nodes[0][0], lists.nodes[1][0]),
              side_by_side(y.shape(), x.shape()));
}

Expr hessian(const Expr& f, const Expr& x) { return hessian(f, x, x); }
Expr hessian(const Expr& f, const Expr& x, const Expr& y) {
  check_scalar(f);
  return jacobian(gradient(f, x), y);
}

std::vector<Exprs> hessians(const Expr& f, const Exprs& xs) {
  const Exprs slopes = gradient(f, xs);
  std::vector<Exprs> blocks(xs.size(), Exprs(xs.size()));
  for (std::size_t m = 0; m < xs.size(); ++m)
    for (std::size_t n = m; n < xs.size(); ++n) {
      blocks[m][n] = jacobian(slopes[m], xs[n]);
      if (n == m) continue;
      if (xs[m].field() != xs[n].field()) {  // the gradient by a real x is no holomorphic function of a complex one
        blocks[n][m] = jacobian(slopes[n], xs[m]);
        continue;
      }
      const auto rows = static_cast<std::int32_t>(xs[m].order()), columns = static_cast<std::int32_t>(xs[n].order());
      std::vector<std::int32_t> order;
      for (std::int32_t k = 0; k < columns; ++k) order.push_back(rows + k);
      for (std::int32_t k = 0; k < rows; ++k) order.push_back(k);
      const Expr& block = blocks[m][n];
      Store& store = *block.store();
      blocks[n][m] =
          Expr(block.store(), permuted(store, conjugate(store, block.id()), order), side_by_side(xs[n].shape(), xs[m].shape()));
    }
  return blocks;
}

Exprs vjp(const Expr& y, const Exprs& xs, const Expr& v) {
  const Exprs direction = aligned({y}, {v});
  const Lists lists = joined_lists({{y}, xs, direction});
  return labelled(lists.store, derivative::reverse(*lists.store, lists.nodes[0][0], lists.nodes[1], lists.nodes[2][0]), xs);
}

Expr jvp(const Expr& y, const Exprs& xs, const Exprs& vs) {
  const Lists lists = joined_lists({{y}, xs, aligned(xs, vs)});
  return Expr(lists.store, derivative::forward(*lists.store, lists.nodes[0][0], lists.nodes[1], lists.nodes[2]), y.shape());
}

Expr jvp_by_reverse(const Expr& y, const Exprs& xs, const Exprs& vs) {
  const Lists lists = joined_lists({{y}, xs, aligned(xs, vs)});
  Store& store = *lists.store;
  const Field field = y.field();
  const Expr adjoint = make_leaf(lists.store, "adjoint", Role::input, y.shape(), field);
  const std::vector<NodeId> products = derivative::reverse(store, lists.nodes[0][0], lists.nodes[1], adjoint.id());
  std::vector<Term> terms;
  for (std::size_t k = 0; k < xs.size(); ++k)
    terms.push_back({1, derivative::reverse(store, products[k], {adjoint.id()}, lists.nodes[2][k])[0]});
  return Expr(lists.store, combination(store, terms, store[lists.nodes[0][0]].shape), y.shape());
}

Exprs hvp(const Expr& f, const Exprs& xs, const Exprs& vs) {
  Exprs products;
  for (const Expr& g : gradient(f, xs)) products.push_back(jvp(g, xs, vs));
  return products;
}

Exprs gauss_newton(const Expr& r, const Exprs& xs, const Exprs& vs) { return vjp(r, xs, jvp(r, xs, vs)); }

Expr derivative(const Expr& y, const Expr& x, int order) {
  if (order < 0) fail(Code::out_of_range, "the order of a derivative is negative", ">= 0", fmt::format("{}", order));
  Expr result = y;
  for (int k = 0; k < order; ++k) result = jacobian(result, x);
  return result;
}

}  // namespace tyto::inline v1
