/// Functions of tyto/expr.hpp that move elements and compute nothing.
#include <algorithm>
#include <fmt/format.h>
#include "error/fail.hpp"
#include "graph/handle.hpp"

namespace tyto::inline v1 {
using namespace graph;
namespace {

/// An expression in a store: constants get one.
Expr stored(const Expr& e) { return is_constant(e) ? everywhere(std::make_shared<Store>(), e.constant(), {}) : e; }

void check_fixed(const Index& label, const char* what) {
  if (label.varies()) fail_unsupported(fmt::format("{} of label {}, whose extent varies", what, label.name()));
}

std::int32_t axis_of(const Expr& e, const Index& label, const char* what) {
  if (!contains(e.shape(), label))
    fail({.code = Code::label,
          .where = {.quote = e.text()},
          .what = fmt::format("{} along label {}, which is not there", what, label.name()),
          .expected = graph::listed(e.shape()),
          .found = label.name()});
  check_fixed(label, what);
  return positions({label}, e.shape())[0];
}

/// The labels with one replaced; the new one must not be there already.
Indices replaced(const Expr& e, std::int32_t axis, const Index& label) {
  Indices labels = e.shape();
  labels[static_cast<std::size_t>(axis)] = label;
  check_once(labels, "label", e);
  return labels;
}

void check_positions(const Expr& e, const char* what, std::int64_t first, std::int64_t step, const Index& part,
                     const Index& whole) {
  const std::int64_t last = first + (part.extent() - 1) * step;
  if (first >= 0 && step >= 1 && (part.extent() == 0 || last < whole.extent())) return;
  fail({.code = Code::out_of_range,
        .where = {.quote = e.text()},
        .what = fmt::format("a {} reaches beyond its label", what),
        .expected = fmt::format("positions within {}=0..{}, step 1 or more", whole.name(), whole.extent() - 1),
        .found = fmt::format("{} to {}, step {}", first, last, step)});
}

}  // namespace

Expr reshape(const Expr& given, const Indices& labels) {
  const Expr e = stored(given);
  check_once(labels, "label", e);
  std::int64_t before = 1, after = 1;
  for (const Index& label : e.shape()) check_fixed(label, "reshape"), before *= label.extent();
  for (const Index& label : labels) check_fixed(label, "reshape"), after *= label.extent();
  if (before != after) {
    std::string extents;
    for (const Index& label : labels) extents += fmt::format("{}{}={}", extents.empty() ? "" : ",", label.name(), label.extent());
    fail({.code = Code::extent,
          .where = {.quote = e.text()},
          .what = "a reshape keeps the number of elements",
          .expected = fmt::format("{} elements", before),
          .found = fmt::format("{} ({})", after, extents)});
  }
  Store& store = *e.store();
  return Expr(e.store(), graph::reshape(store, e.id(), shape_of_labels(store, labels)), labels);
}

Expr slice(const Expr& e, const Index& along, std::int64_t first, const Index& part, std::int64_t step) {
  const std::int32_t axis = axis_of(e, along, "slice");
  check_fixed(part, "slice");
  check_positions(e, "slice", first, step, part, along);
  const Indices labels = replaced(e, axis, part);
  Store& store = *e.store();
  return Expr(e.store(), graph::slice(store, e.id(), {axis, first, step, store.dimension(part.dimension())}), labels);
}

Expr index(const Expr& e, const Index& along, std::int64_t position) {
  const Index one(along.name() + "_at", 1);
  return sum(slice(e, along, position, one), {one});
}

Expr pad(const Expr& e, const Index& along, std::int64_t first, const Index& whole, std::int64_t step) {
  const std::int32_t axis = axis_of(e, along, "pad");
  check_fixed(whole, "pad");
  check_positions(e, "pad", first, step, along, whole);
  const Indices labels = replaced(e, axis, whole);
  Store& store = *e.store();
  return Expr(e.store(), graph::pad(store, e.id(), {axis, first, step, store.dimension(whole.dimension())}), labels);
}

Expr concatenate(const Exprs& parts, const Indices& along, const Index& whole) {
  if (parts.empty() || parts.size() != along.size())
    fail(Code::shape, "a concatenation names one label of each part",
         fmt::format("{} labels for {} parts", parts.size(), parts.size()), fmt::format("{}", along.size()));
  check_fixed(whole, "concatenate");
  const std::int32_t axis = axis_of(parts[0], along[0], "concatenate");
  const Indices labels = replaced(parts[0], axis, whole);
  const Joined joined = joined_store(parts);
  std::vector<NodeId> nodes;
  std::int64_t total = 0;
  for (std::size_t k = 0; k < parts.size(); ++k) {
    const std::int32_t own = axis_of(parts[k], along[k], "concatenate");
    check_same(Expr(joined.store, joined.nodes[0], labels), Expr(joined.store, joined.nodes[k], replaced(parts[k], own, whole)),
               fmt::format("concatenate({}, {})", parts[0].text(), parts[k].text()), {});
    nodes.push_back(permuted(*joined.store, joined.nodes[k], positions(labels, replaced(parts[k], own, whole))));
    total += along[k].extent();
  }
  if (total != whole.extent())
    fail({.code = Code::extent,
          .where = {.quote = parts[0].text()},
          .what = "a concatenation is as long as its parts together",
          .expected = fmt::format("{}={}", whole.name(), total),
          .found = fmt::format("{}={}", whole.name(), whole.extent())});
  const Concatenate operation{axis, joined.store->dimension(whole.dimension())};
  return Expr(joined.store, graph::concatenate(*joined.store, nodes, operation), labels);
}

}  // namespace tyto::inline v1
