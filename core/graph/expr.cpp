/// Expr: a node with labels on its axes. Here labels are matched and errors speak in labels; nodes know positions only.
#include "graph/handle.hpp"
#include <algorithm>
#include <fmt/format.h>
#include "error/fail.hpp"

namespace tyto::graph {

std::string listed(const Indices& labels) {
  std::string text;
  for (const Index& label : labels) text += (text.empty() ? "" : ",") + label.name();
  return text;
}

bool contains(const Indices& labels, const Index& label) { return std::find(labels.begin(), labels.end(), label) != labels.end(); }

Indices united(const Exprs& expressions) {
  Indices all;
  for (const Expr& e : expressions)
    for (const Index& label : e.shape())
      if (!contains(all, label)) all.push_back(label);
  return all;
}

Joined joined_store(const Exprs& expressions) {
  Joined joined;
  for (const Expr& e : expressions)
    if (e.store() && (!joined.store || e.store()->size() > joined.store->size())) joined.store = e.store();
  if (!joined.store) joined.store = std::make_shared<Store>();
  for (const Expr& e : expressions)
    joined.nodes.push_back(e.store() ? joined.store->import(*e.store(), e.id()) : complex_fill(*joined.store, e.constant(), {}));
  return joined;
}

std::vector<std::int32_t> positions(const Indices& wanted, const Indices& present) {
  std::vector<std::int32_t> order;
  for (const Index& label : wanted)
    order.push_back(static_cast<std::int32_t>(std::find(present.begin(), present.end(), label) - present.begin()));
  return order;
}

bool is_constant(const Expr& e) { return !e.store(); }

Shape shape_of_labels(Store& store, const Indices& labels) {
  Shape shape;
  for (const Index& label : labels) shape.push_back(store.dimension(label.dimension()));
  return shape;
}

Expr everywhere(const std::shared_ptr<Store>& store, std::complex<double> value, const Indices& labels) {
  return Expr(store, complex_fill(*store, value, shape_of_labels(*store, labels)), labels);
}

void check_once(const Indices& labels, const std::string& what, const Expr& e) {
  for (const Index& label : labels)
    if (std::count(labels.begin(), labels.end(), label) > 1)
      fail({.code = Code::label,
            .where = {.quote = e.text()},
            .what = fmt::format("{} {} is given twice", what, label.name()),
            .expected = "each label once",
            .found = graph::listed(labels)});
}

namespace {
std::string labels_of(const Expr& e) { return e.order() == 0 ? "no labels" : "labels " + graph::listed(e.shape()); }
}  // namespace

void check_same(const Expr& a, const Expr& b, const std::string& quote, const std::string& hint) {
  if (same_labels(a.shape(), b.shape())) return;
  Finding finding{.code = Code::label,
                  .where = {.quote = quote},
                  .what = "the two sides have different labels",
                  .expected = labels_of(a),
                  .found = labels_of(b),
                  .hint = hint};
  for (const Index& label : b.shape()) {
    const auto is_namesake = [&](const Index& other) { return other.name() == label.name() && !(other == label); };
    if (contains(a.shape(), label) || std::none_of(a.shape().begin(), a.shape().end(), is_namesake)) continue;
    finding.found += fmt::format(", where {} is another index of that name", label.name());
    finding.hint = "make the index once and use it for every tensor that shares it";
  }
  fail(std::move(finding));
}

namespace {

/// Labels of a fact as axes of the leaf.
std::vector<std::int32_t> axes_of(const Indices& labels, const Indices& shape, const std::string& name) {
  for (const Index& label : labels)
    if (!contains(shape, label))
      fail(Code::label, fmt::format("a fact of tensor '{}' names label {}, which it does not have", name, label.name()),
           listed(shape), label.name());
  return positions(labels, shape);
}

}  // namespace

Expr make_leaf(const std::shared_ptr<Store>& store, std::string name, Role role, const Indices& labels, Field field,
               const Facts& facts) {
  for (const Index& label : labels)
    if (std::count(labels.begin(), labels.end(), label) > 1)
      fail(Code::label, fmt::format("tensor '{}' has label {} twice", name, label.name()),
           "different labels; i.prime() shares the extent", listed(labels));
  LeafFacts known{{}, axes_of(facts.orthonormal, labels, name), facts.nonzeros};
  for (const Indices& group : facts.symmetric) {
    known.symmetric.push_back(axes_of(group, labels, name));
    for (const Index& label : group)
      if (label.extent() != group[0].extent())
        fail(Code::extent, fmt::format("symmetric labels of tensor '{}' have different extents", name),
             fmt::format("{}={}", group[0].name(), group[0].extent()), fmt::format("{}={}", label.name(), label.extent()));
  }
  Leaf leaf{std::move(name), role, std::make_shared<const char>('\0'), field, std::move(known)};
  const NodeId id = store->insert_source(std::move(leaf), shape_of_labels(*store, labels));
  return Expr(store, id, labels);
}

bool same_labels(const Indices& a, const Indices& b) {
  const auto within = [](const Indices& some, const Indices& others) {
    return std::all_of(some.begin(), some.end(), [&](const Index& label) { return contains(others, label); });
  };
  return a.size() == b.size() && within(a, b) && within(b, a);
}

}  // namespace tyto::graph

namespace tyto::inline v1 {
using namespace graph;

Expr::Expr() = default;
Expr::Expr(double constant) : constant_(constant) {}
Expr::Expr(std::complex<double> constant) : constant_(constant) {}
Expr::Expr(std::shared_ptr<Store> store, std::int32_t id, Indices shape)
    : store_(std::move(store)), id_(id), shape_(std::move(shape)) {}

const Index& Expr::axis(int n) const {
  if (n < 0 || n >= order())
    fail({.code = Code::shape,
          .where = {.quote = text()},
          .what = fmt::format("axis {} does not exist", n),
          .expected = order() == 0 ? "no axis of a scalar" : fmt::format("0..{}", order() - 1),
          .found = fmt::format("{}", n)});
  return shape_[static_cast<std::size_t>(n)];
}

Field Expr::field() const { return store_ ? (*store_)[id_].field : constant_.imag() == 0 ? Field::real : Field::complex; }
bool Expr::is_leaf() const { return store_ && is<Leaf>((*store_)[id_]); }
std::string Expr::name() const { return is_leaf() ? as<Leaf>((*store_)[id_])->name : std::string(); }

Expr Expr::operator()(const Indices& labels) const {
  if (labels.size() != shape_.size())
    fail({.code = Code::label,
          .where = {.quote = text()},
          .what = "the number of labels is not the order",
          .expected = fmt::format("{} labels", order()),
          .found = fmt::format("({})", listed(labels))});
  bool repeats = false;
  for (std::size_t k = 0; k < labels.size(); ++k) {
    const Index &axis = shape_[k], &label = labels[k];
    const bool fits =
        axis.dimension() == label.dimension() || (!axis.varies() && !label.varies() && axis.extent() == label.extent());
    if (!fits)
      fail({.code = Code::extent,
            .where = {.quote = text()},
            .what = fmt::format("label {} does not fit axis {}", label.name(), k),
            .expected = fmt::format("{}={}", axis.name(), axis.extent()),
            .found = fmt::format("{}={}", label.name(), label.extent())});
    repeats = repeats || std::count(labels.begin(), labels.end(), label) > 1;
  }
  if (!store_) return *this;
  const Expr relabelled(store_, id_, labels);
  if (!repeats) return relabelled;
  Indices once;
  for (const Index& label : labels)
    if (!contains(once, label)) once.push_back(label);
  return einsum({relabelled}, once);
}

Expr tensor(std::string name, Indices shape, Field field, const Facts& facts) {
  return make_leaf(std::make_shared<Store>(), std::move(name), Role::input, shape, field, facts);
}

}  // namespace tyto::inline v1
