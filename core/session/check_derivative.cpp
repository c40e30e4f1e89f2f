/// tyto::check_derivative: a Jacobian, entry by entry, against slopes of the values.
#include <algorithm>
#include <fmt/format.h>
#include "error/fail.hpp"
#include "session/bound_leaves.hpp"
#include "session/differences.hpp"
#include "tyto/derivative.hpp"

namespace tyto::inline v1 {
using namespace session;

namespace {

void require_leaf(const Expr& e) {
  if (e.is_leaf()) return;
  fail({.code = Code::label,
        .where = {.quote = e.text()},
        .what = "derivatives are checked by leaves, which have values",
        .expected = "what tensor() or a Declaration made",
        .found = e.text()});
}

[[noreturn]] void fail_without_values(const std::string& leaf) {
  fail(Code::not_bound, fmt::format("the leaf {} has no values", leaf), fmt::format("a Bound of {}", leaf));
}

/// The values at a point, in double precision; the numbers of one leaf may be moved about.
class Point {
 public:
  explicit Point(const std::vector<Bound>& at) {
    for (const Bound& bound : at) {
      require_leaf(bound.leaf);
      leaves_.push_back(bound.leaf), values_.push_back(tensor::Dense::copy(bound.values, Dtype::f64));
    }
  }
  double* numbers_of(const Expr& leaf) {
    for (std::size_t k = 0; k < leaves_.size(); ++k)
      if (contains(leaves_[k], leaf)) return values_[k].view().as<double>();
    fail_without_values(leaf.name());
  }
  void require_all(const Expr& e) const {
    if (!e.store()) return;
    for (const graph::NodeId id : graph::reachable(*e.store(), {e.id()})) {
      const auto* leaf = graph::as<graph::Leaf>((*e.store())[id]);
      const bool is_here = std::any_of(leaves_.begin(), leaves_.end(), [&](const Expr& known) {
        return leaf != nullptr && *leaf == *graph::as<graph::Leaf>((*known.store())[known.id()]);
      });
      if (leaf != nullptr && !is_here) fail_without_values(leaf->name);
    }
  }
  /// To all leaves that the expression contains.
  void bind_to(Program& program, const Expr& e) {
    for (std::size_t k = 0; k < leaves_.size(); ++k)
      if (contains(e, leaves_[k])) program.bind(leaves_[k], values_[k].view());
  }

 private:
  Exprs leaves_;
  std::vector<tensor::Dense> values_;
};

Extents extents_of(const Expr& e) {
  Extents extents;
  for (const Index& label : e.shape()) extents.push_back(label.extent());
  return extents;
}

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

}  // namespace

DerivativeCheck check_derivative(const Expr& y, const Expr& x, const std::vector<Bound>& at) {
  require_leaf(x);
  Point point(at);
  (void)point.numbers_of(x);
  point.require_all(y);
  if (!contains(y, x)) return {.agrees = true, .method = "central differences"};
  const Extents of_x = extents_of(x), of_y = extents_of(y);
  const std::int64_t columns = element_count(of_x);
  // A complex step, exact to rounding, belongs here for expressions that are analytic and real.
  return compared(jacobian_at(y, x, point), differences_at(y, x, point), "central differences", [&](std::int64_t k) {
    return fmt::format("{} by {}", place_in(of_y, k / columns), place_in(of_x, k % columns));
  });
}

}  // namespace tyto::inline v1
