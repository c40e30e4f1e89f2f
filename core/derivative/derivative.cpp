#include "derivative/derivative.hpp"
#include <algorithm>
#include "derivative/rules.hpp"
#include "error/fail.hpp"
#include "graph/calls.hpp"

namespace tyto::derivative {

using namespace graph;

namespace {

bool contains(const std::vector<NodeId>& ids, NodeId id) { return std::find(ids.begin(), ids.end(), id) != ids.end(); }

/// Nodes on the way from an x to y, in order; nothing below an x counts, since the xs are independent.
std::vector<NodeId> between(const Store& store, NodeId y, const std::vector<NodeId>& xs) {
  std::vector<char> depends(static_cast<std::size_t>(y) + 1, 0);
  std::vector<NodeId> path;
  for (const NodeId id : reachable(store, {y})) {
    const std::vector<NodeId>& operands = store[id].operands;
    const bool on_path = contains(xs, id) || std::any_of(operands.begin(), operands.end(),
                                                         [&](NodeId o) { return depends[static_cast<std::size_t>(o)] != 0; });
    depends[static_cast<std::size_t>(id)] = on_path ? 1 : 0;
    if (on_path) path.push_back(id);
  }
  return path;
}

Shape with_seeds(const Shape& seeds, const Shape& shape) {
  Shape all = seeds;
  all.insert(all.end(), shape.begin(), shape.end());
  return all;
}

}  // namespace

namespace {

/// Whether real nodes take the real part of a complex adjoint. A Jacobian by identities leaves it: it is read as a complex matrix.
enum class Real : std::int8_t { projected, as_it_is };

std::vector<NodeId> swept(Store& store, NodeId y, const std::vector<NodeId>& xs, NodeId adjoint, Real real) {
  const std::size_t seed_count = store[adjoint].shape.size() - store[y].shape.size();
  const Shape seeds(store[adjoint].shape.begin(), store[adjoint].shape.begin() + static_cast<std::ptrdiff_t>(seed_count));
  const std::vector<NodeId> path = between(store, y, xs);
  std::vector<std::vector<Term>> terms(static_cast<std::size_t>(y) + 1);
  terms.back() = {{1, adjoint}};
  const auto total = [&](NodeId id) {
    const NodeId all = combination(store, terms[static_cast<std::size_t>(id)], with_seeds(seeds, store[id].shape));
    const bool is_projected = real == Real::projected && store[id].field == Field::real;
    return is_projected ? map(store, operation::Function::real, {all}) : all;
  };
  for (auto it = path.rbegin(); it != path.rend(); ++it) {
    const NodeId id = *it;
    if (contains(xs, id)) continue;
    const NodeId own = total(id);
    if (is_zero(store, own)) continue;
    for (std::size_t k = 0; k < store[id].operands.size(); ++k) {
      const NodeId operand = store[id].operands[k];
      if (std::binary_search(path.begin(), path.end(), operand))
        terms[static_cast<std::size_t>(operand)].push_back({1, backward(store, id, k, own, seed_count)});
    }
  }
  std::vector<NodeId> results;
  for (const NodeId x : xs) results.push_back(x <= y ? total(x) : fill(store, 0, with_seeds(seeds, store[x].shape)));
  return results;
}

/// The product over the axes of y of I(a, a'), axes (a..., a'...).
NodeId identities(Store& store, const Shape& shape) {
  if (shape.empty()) return fill(store, 1, {});
  const auto order = static_cast<einsum::Label>(shape.size());
  std::vector<NodeId> operands;
  einsum::Subscripts subscripts{{}, counted(2 * shape.size())};
  for (einsum::Label axis = 0; axis < order; ++axis) {
    const DimensionId d = shape[static_cast<std::size_t>(axis)];
    operands.push_back(identity(store, d, d));
    subscripts.inputs.push_back({axis, axis + order});
  }
  return graph::einsum(store, operands, subscripts);
}

NodeId seeded_jacobian(Store& store, NodeId y, NodeId x, Real real) {
  const NodeId seed = identities(store, store[y].shape);
  return swept(store, y, {x}, seed, real)[0];
}

/// The first node between x and y without a derivative by a complex operand, -1 if there is none.
NodeId not_holomorphic(const Store& store, NodeId y, NodeId x) {
  for (const NodeId id : between(store, y, {x})) {
    if (id == x) continue;
    const auto* m = as<Map>(store[id]);
    if ((m != nullptr && !operation::is_holomorphic(m->function)) || is<Factorization>(store[id])) return id;
  }
  return -1;
}

}  // namespace

std::vector<NodeId> reverse(Store& store, NodeId y, const std::vector<NodeId>& xs, NodeId adjoint) {
  return swept(store, y, xs, adjoint, Real::projected);
}

NodeId forward(Store& store, NodeId y, const std::vector<NodeId>& xs, const std::vector<NodeId>& tangents) {
  TYTO_ASSERT(xs.size() == tangents.size());
  std::vector<NodeId> tangent_of(static_cast<std::size_t>(y) + 1, -1);
  for (const NodeId id : between(store, y, xs)) {
    std::vector<Term> terms;
    for (std::size_t n = 0; n < xs.size(); ++n)
      if (xs[n] == id) terms.push_back({1, tangents[n]});
    if (terms.empty()) {
      const std::vector<NodeId> operands = store[id].operands;
      for (std::size_t k = 0; k < operands.size(); ++k)
        if (const NodeId t = tangent_of[static_cast<std::size_t>(operands[k])]; t >= 0)
          terms.push_back({1, derivative::forward(store, id, k, t)});
    }
    tangent_of[static_cast<std::size_t>(id)] = combination(store, terms, store[id].shape);
  }
  return tangent_of.back() >= 0 ? tangent_of.back() : fill(store, 0, store[y].shape);
}

NodeId jacobian(Store& store, NodeId y, NodeId x) {
  if (store[x].field == Field::complex) {
    if (const NodeId blamed = not_holomorphic(store, y, x); blamed >= 0)
      fail({.code = Code::not_holomorphic,
            .what = "a Jacobian by a complex tensor needs a holomorphic expression",
            .expected = "no conj, real, imag, abs or factorization between the two",
            .found = std::visit([](const auto& operation) { return as_call(operation) ? as_call(operation)->name : std::string(); },
                                store[blamed].operation),
            .hint = "gradient() of a real value, vjp(), jvp() and hvp() have no such condition"});
    return conjugate(store, seeded_jacobian(store, y, x, Real::as_it_is));
  }
  if (store[y].field == Field::real) return seeded_jacobian(store, y, x, Real::projected);
  const NodeId re = seeded_jacobian(store, map(store, operation::Function::real, {y}), x, Real::projected);
  const NodeId im = seeded_jacobian(store, map(store, operation::Function::imag, {y}), x, Real::projected);
  const einsum::Labels axes = counted(store[im].shape.size());
  const NodeId i_im = graph::einsum(store, {store.insert_source(ImaginaryUnit{}, {}), im}, {{{}, axes}, axes});
  return combination(store, {{1, re}, {1, i_im}}, store[re].shape);
}

std::vector<NodeId> gradient(Store& store, NodeId f, const std::vector<NodeId>& xs) {
  TYTO_ASSERT(store[f].shape.empty());
  return reverse(store, f, xs, fill(store, 1, {}));
}

}  // namespace tyto::derivative
