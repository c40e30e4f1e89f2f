/// Products of tyto/expr.hpp that have a name or numpy's notation: all become einsums.
#include <algorithm>
#include <fmt/format.h>
#include "error/fail.hpp"
#include "graph/handle.hpp"

namespace tyto::inline v1 {
using namespace graph;
namespace {

std::string described(const Index& label) { return fmt::format("{}={}", label.name(), label.extent()); }

bool fits(const Index& a, const Index& b) {
  return a.dimension() == b.dimension() || (!a.varies() && !b.varies() && a.extent() == b.extent());
}

/// A label that is not among those taken, primed as often as needed.
Index apart(Index label, const Indices& taken) {
  while (contains(taken, label)) label = label.prime();
  return label;
}

void check_order(const Expr& e, int least, const char* what) {
  if (e.order() < least)
    fail({.code = Code::shape,
          .where = {.quote = e.text()},
          .what = fmt::format("{} needs an operand of more labels", what),
          .expected = fmt::format("at least {} labels", least),
          .found = fmt::format("{}", e.order())});
}

void check_matrix(const Expr& e, const char* what) {
  if (e.order() != 2)
    fail({.code = Code::shape,
          .where = {.quote = e.text()},
          .what = fmt::format("{} is of matrices", what),
          .expected = "2 labels",
          .found = fmt::format("{}", e.order())});
}

void check_contracted(const Expr& a, const Index& of_a, const Expr& b, const Index& of_b) {
  if (!fits(of_a, of_b))
    fail({.code = Code::extent,
          .where = {.quote = fmt::format("{} and {}", a.text(), b.text())},
          .what = "contracted labels have different extents",
          .expected = described(of_a),
          .found = described(of_b)});
}

/// The index that each letter of the subscripts stands for: that of the first axis that has it.
Indices letters(const einsum::Subscripts& s, const Exprs& operands, const std::string& text) {
  Indices of(static_cast<std::size_t>(einsum::label_count(s)));
  std::vector<std::size_t> owner(of.size(), operands.size());
  for (std::size_t k = 0; k < operands.size(); ++k)
    for (std::size_t axis = 0; axis < s.inputs[k].size(); ++axis) {
      const auto letter = static_cast<std::size_t>(s.inputs[k][axis]);
      const Index& label = operands[k].shape()[axis];
      if (owner[letter] == operands.size()) {
        of[letter] = label, owner[letter] = k;
      } else if (!fits(of[letter], label)) {
        const std::string name = letter < 26 ? std::string(1, static_cast<char>('a' + letter)) : fmt::format("{}", letter);
        fail({.code = Code::extent,
              .where = {.quote = text},
              .what = fmt::format("label {} (numbered by appearance) joins axes of different extents", name),
              .expected = fmt::format("{} of {}", described(of[letter]), operands[owner[letter]].text()),
              .found = fmt::format("{} of {}", described(label), operands[k].text()),
              .hint = "extents of 1 are not repeated silently; sum() removes them and expand() repeats values"});
      }
    }
  return of;
}

}  // namespace

Expr einsum(const std::string& text, const Exprs& operands) {
  std::vector<std::int32_t> orders;
  for (const Expr& e : operands) orders.push_back(e.order());
  einsum::Subscripts s = einsum::parse(text, orders);
  const Indices of = letters(s, operands, text);
  const Joined joined = joined_store(operands);
  std::vector<NodeId> nodes = joined.nodes;
  Indices labels;
  auto next = static_cast<einsum::Label>(of.size());
  for (std::size_t axis = 0; axis < s.output.size(); ++axis) {
    const einsum::Label letter = s.output[axis];
    if (static_cast<std::size_t>(letter) >= of.size() || !of[static_cast<std::size_t>(letter)].dimension())
      fail({.code = Code::label,
            .where = {.quote = text},
            .what = "an output label is on no operand",
            .expected = "labels of the operands",
            .found = fmt::format("axis {} of the output", axis)});
    const Index& index = of[static_cast<std::size_t>(letter)];
    labels.push_back(apart(index, labels));
    if (std::find(s.output.begin(), s.output.begin() + static_cast<std::ptrdiff_t>(axis), letter) ==
        s.output.begin() + static_cast<std::ptrdiff_t>(axis))
      continue;
    const DimensionId d = joined.store->dimension(index.dimension());  // entries off the diagonal are 0
    nodes.push_back(graph::identity(*joined.store, d, d));
    s.inputs.push_back({letter, next});
    s.output[axis] = next++;
  }
  return Expr(joined.store, graph::einsum(*joined.store, nodes, s), labels);
}

Expr matmul(const Expr& a, const Expr& b) {
  check_order(a, 1, "matmul");
  check_order(b, 1, "matmul");
  const bool is_vector = b.order() == 1;
  const int inner = is_vector ? 0 : b.order() - 2;
  check_contracted(a, a.axis(a.order() - 1), b, b.axis(inner));
  const Index summed = apart(a.axis(a.order() - 1).as("summed"), united({a, b}));
  Indices of_a = a.shape(), of_b = b.shape();
  of_a.back() = summed;
  of_b[static_cast<std::size_t>(inner)] = summed;
  Indices out(of_a.begin(), of_a.end() - 1);
  if (!is_vector && contains(of_a, of_b.back())) {
    Indices taken = united({a, b});
    taken.push_back(summed);
    of_b.back() = apart(of_b.back(), taken);
  }
  for (const Index& label : of_b)
    if (!(label == summed) && !contains(out, label)) out.push_back(label);
  return einsum({a(of_a), b(of_b)}, out);
}

Expr tensordot(const Expr& a, const Expr& b, const Indices& over_a, const Indices& over_b) {
  if (over_a.size() != over_b.size())
    fail({.code = Code::label,
          .where = {.quote = fmt::format("{} and {}", a.text(), b.text())},
          .what = "tensordot pairs labels of both sides",
          .expected = graph::listed(over_a),
          .found = graph::listed(over_b)});
  check_once(over_a, "contracted label", a);
  check_once(over_b, "contracted label", b);
  Indices of_b, out;
  for (const Index& label : a.shape())
    if (!contains(over_a, label)) out.push_back(label);
  for (const Index& label : b.shape()) {
    const auto at = std::find(over_b.begin(), over_b.end(), label);
    if (at == over_b.end()) {
      Indices taken = united({a, b});
      taken.insert(taken.end(), of_b.begin(), of_b.end());
      of_b.push_back(contains(a.shape(), label) ? apart(label, taken) : label);
      out.push_back(of_b.back());
    } else {
      of_b.push_back(over_a[static_cast<std::size_t>(at - over_b.begin())]);
      check_contracted(a, of_b.back(), b, label);
    }
  }
  for (const auto& [over, e] : {std::pair(over_a, a), std::pair(over_b, b)})
    for (const Index& label : over)
      if (!contains(e.shape(), label))
        fail({.code = Code::label,
              .where = {.quote = e.text()},
              .what = fmt::format("contracted label {} is not there", label.name()),
              .expected = graph::listed(e.shape()),
              .found = label.name()});
  return einsum({a, b(of_b)}, out);
}

Expr hadamard(const Expr& a, const Expr& b) {
  check_same(a, b, fmt::format("hadamard({}, {})", a.text(), b.text()), "the product of tensors with other labels is a * b");
  return a * b;
}

Expr kronecker(const Expr& a, const Expr& b, const Index& row, const Index& column) {
  check_matrix(a, "a Kronecker product");
  check_matrix(b, "a Kronecker product");
  const Index k = apart(b.axis(0), a.shape()), l = apart(b.axis(1), {a.axis(0), a.axis(1), k});
  const Expr product = einsum({a, b({k, l})}, {a.axis(0), k, a.axis(1), l});
  return reshape(product, {row, column});
}

Expr khatri_rao(const Expr& a, const Expr& b, const Index& row) {
  check_matrix(a, "a Khatri-Rao product");
  check_matrix(b, "a Khatri-Rao product");
  check_contracted(a, a.axis(1), b, b.axis(1));
  const Index j = apart(b.axis(0), a.shape());
  return reshape(einsum({a, b({j, a.axis(1)})}, {a.axis(0), j, a.axis(1)}), {row, a.axis(1)});
}

}  // namespace tyto::inline v1
