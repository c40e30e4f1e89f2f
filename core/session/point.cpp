#include "session/point.hpp"
#include <algorithm>
#include <fmt/format.h>
#include "error/fail.hpp"
#include "session/bound_leaves.hpp"

namespace tyto::session {

namespace {

[[noreturn]] void fail_without_values(const std::string& leaf) {
  fail(Code::not_bound, fmt::format("the leaf {} has no values", leaf), fmt::format("a Bound of {}", leaf));
}

}  // namespace

void require_leaf(const Expr& e) {
  if (e.is_leaf()) return;
  fail({.code = Code::label,
        .where = {.quote = e.text()},
        .what = "derivatives are checked by leaves, which have values",
        .expected = "what tensor() or a Declaration made",
        .found = e.text()});
}

Extents extents_of(const Expr& e) {
  Extents extents;
  for (const Index& label : e.shape()) extents.push_back(label.extent());
  return extents;
}

Point::Point(const std::vector<Bound>& at) {
  for (const Bound& bound : at) {
    require_leaf(bound.leaf);
    leaves_.push_back(bound.leaf), values_.push_back(tensor::Dense::copy(bound.values, Dtype::f64));
  }
}

double* Point::numbers_of(const Expr& leaf) {
  for (std::size_t k = 0; k < leaves_.size(); ++k)
    if (contains(leaves_[k], leaf)) return values_[k].view().as<double>();
  fail_without_values(leaf.name());
}

void Point::require_all(const Expr& e) const {
  if (!e.store()) return;
  for (const graph::NodeId id : graph::reachable(*e.store(), {e.id()})) {
    const auto* leaf = graph::as<graph::Leaf>((*e.store())[id]);
    const bool is_here = std::any_of(leaves_.begin(), leaves_.end(), [&](const Expr& known) {
      return leaf != nullptr && *leaf == *graph::as<graph::Leaf>((*known.store())[known.id()]);
    });
    if (leaf != nullptr && !is_here) fail_without_values(leaf->name);
  }
}

void Point::bind_to(Program& program, const Expr& e) {
  for (std::size_t k = 0; k < leaves_.size(); ++k)
    if (contains(e, leaves_[k])) program.bind(leaves_[k], values_[k].view());
}

}  // namespace tyto::session
