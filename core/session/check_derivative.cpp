/// tyto::check_derivative: a Jacobian, entry by entry, against slopes of the values: by a complex step where that is possible, else
/// by differences.
#include <algorithm>
#include <fmt/format.h>
#include "error/fail.hpp"
#include "graph/handle.hpp"
#include "session/bound_leaves.hpp"
#include "session/complex_step.hpp"
#include "tyto/derivative.hpp"

namespace tyto::inline v1 {
using namespace session;

namespace {

constexpr double deviations = 20;        // ten times what wavers is no accident
constexpr double most_uncertain = 1e-9;  // of a complex step that is exact but for rounding, relative to the largest entry

Numbers values_of(Program& program) {
  program.run();
  const tensor::Dense values = tensor::Dense::copy(program.output(0), Dtype::f64);
  return {values.view().as<double>(), values.view().as<double>() + values.size()};
}

Numbers jacobian_at(const Expr& y, const Expr& x, Point& point) {
  const Expr j = jacobian(y, x);
  Program program({j});
  point.bind_to(program, j);
  return values_of(program);
}

/// By how much the entries of the Jacobian may be wrong: as for slopes, by what they waver by as x moves along a line.
Numbers rounding_of_jacobian(const Expr& y, const Expr& x, Point& point) {
  const Expr j = jacobian(y, x);
  Program program({j});
  point.bind_to(program, j);
  double* const numbers = point.numbers_of(x);
  const Numbers start(numbers, numbers + element_count(extents_of(x)));
  Numbers rounding = rounding_of(
      [&](double t) {
        for (std::size_t k = 0; k < start.size(); ++k) numbers[k] = start[k] + t * start[k];
        Numbers values = values_of(program);
        std::copy(start.begin(), start.end(), numbers);
        return values;
      },
      1);
  return rounding;
}

/// The Jacobian by differences, y before x.
Slopes differences_at(const Expr& y, const Expr& x, Point& point) {
  Program program({y});
  point.bind_to(program, y);
  double* const numbers = point.numbers_of(x);
  const Numbers start(numbers, numbers + element_count(extents_of(x)));
  const double usual = size_of_step(start);
  const auto rows = static_cast<std::size_t>(element_count(extents_of(y)));
  Slopes all{Numbers(rows * start.size()), Numbers(rows * start.size())};
  for (std::size_t column = 0; column < start.size(); ++column) {
    const Line line = [&](double t) {
      numbers[column] = start[column] + t;
      Numbers values = values_of(program);
      numbers[column] = start[column];
      return values;
    };
    Slopes slopes = central_slopes(line, usual, rounding_of(line, usual));
    const double own = std::abs(start[column]);  // a small number may stand where the usual step leads out of the domain
    if (own > 0 && own < usual / 10) improve(slopes, central_slopes(line, own, rounding_of(line, own)));
    all.typical = std::max(all.typical, slopes.typical);
    for (std::size_t row = 0; row < rows; ++row)
      all.value[row * start.size() + column] = slopes.value[row], all.bound[row * start.size() + column] = slopes.bound[row];
  }
  return all;
}

const graph::Leaf& leaf_of(const Expr& e) { return *graph::as<graph::Leaf>((*e.store())[e.id()]); }

bool has_facts(const graph::Leaf& leaf) { return !leaf.facts.symmetric.empty() || !leaf.facts.orthonormal.empty(); }

/// y and the points with x replaced by a leaf of which nothing is declared: its entries are moved one by one.
DerivativeCheck check_without_facts(const Expr& y, const Expr& x, std::vector<Bound> at) {
  const Expr other = graph::make_leaf(y.store(), x.name(), leaf_of(x).role, x.shape(), x.field());
  graph::NodeId replaced = y.id();
  for (const graph::NodeId id : graph::reachable(*y.store(), {y.id()}))
    if (const auto* leaf = graph::as<graph::Leaf>((*y.store())[id]); leaf != nullptr && *leaf == leaf_of(x))
      replaced = graph::substituted(*y.store(), y.id(), id, other.id());
  for (Bound& bound : at)
    if (leaf_of(bound.leaf) == leaf_of(x)) bound.leaf = other;
  return check_derivative(Expr(y.store(), replaced, y.shape()), other, at);
}

}  // namespace

DerivativeCheck check_derivative(const Expr& y, const Expr& x, const std::vector<Bound>& at) {
  require_leaf(x);
  Point point(at);
  (void)point.numbers_of(x);
  point.require_all(y);
  if (!contains(y, x)) return {.agrees = true, .method = "central differences"};
  if (has_facts(leaf_of(x))) return check_without_facts(y, x, at);
  const Extents of_x = extents_of(x), of_y = extents_of(y);
  const std::int64_t columns = element_count(of_x);
  const auto place = [&](std::int64_t k) {
    return fmt::format("{} by {}", place_in(of_y, k / columns), place_in(of_x, k % columns));
  };
  const Numbers symbolic = jacobian_at(y, x, point);
  if (is_analytic(y, x)) {
    Slopes slopes = complex_slopes(y, x, point);
    const Numbers rounding = rounding_of_jacobian(y, x, point);
    for (std::size_t k = 0; k < rounding.size(); ++k) slopes.bound[k] += deviations * rounding[k];
    const DerivativeCheck check = compared(symbolic, slopes, "complex step", place);
    if (check.allowed <= most_uncertain) return check;  // else the numbers are where it shows little, as at the end of a domain
  }
  return compared(symbolic, differences_at(y, x, point), "central differences", place);
}

}  // namespace tyto::inline v1
