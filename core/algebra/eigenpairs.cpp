// Complements and checks; see the header.
#include "algebra/eigenpairs.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>
#include "error/fail.hpp"

namespace tyto::algebra {
namespace {

/// Steele, Lea and Flood's mixing of a counter (OOPSLA 2014).
double random_number(std::uint64_t counter) {
  std::uint64_t z = (counter + 1) * 0x9e3779b97f4a7c15ULL;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return static_cast<double>((z ^ (z >> 31)) >> 11) * 0x1p-52 - 1;
}

template <class T>
void reorder(std::vector<T>& items, const std::vector<std::size_t>& order) {
  std::vector<T> sorted;
  for (const std::size_t k : order) sorted.push_back(std::move(items[k]));
  items = std::move(sorted);
}

}  // namespace

void InComplement::apply(const Vector& x, Vector& y) const {
  map_.apply(x, y);
  ++products_;
  field_.remove(orthogonal_to_, orthogonal_to_.size(), y);
}

std::int64_t InComplement::dimension() const {
  return std::max<std::int64_t>(0, field_.dimension() - static_cast<std::int64_t>(orthogonal_to_.size()));
}

void InComplement::project(Vector& x) const { field_.remove(orthogonal_to_, orthogonal_to_.size(), x); }

void fill_randomly(Vector& vector, std::uint64_t stream) {
  const Array numbers = vector.write();
  if (numbers.space != Space::host || numbers.dtype != Dtype::f64) {
    fail_unsupported("a random start among vectors that are not doubles of the host", "a start");
  }
  for (std::int64_t i = 0; i < numbers.size(); ++i) {
    numbers.as<double>()[i] = random_number((stream << 40) + static_cast<std::uint64_t>(i));
  }
}

double residual_bound(const EigenOptions& options, double value) { return options.tolerance * std::max(std::abs(value), 1.0); }

void require_symmetry(const LinearMap& map, const std::string& solver) {
  if (!map.is_symmetric()) fail_unsupported(solver + " for a map that is not symmetric", "a symmetric map");
}

EigenOutcome nothing_to_find(const LinearMap& map, const Vectors& orthogonal_to) {
  return {.outcome = {Stop::failed, fmt::format("no dimension is left: {} numbers, {} vectors to be orthogonal to",
                                                map.domain()->size(), orthogonal_to.size())}};
}

void check_pairs(const InComplement& map, const EigenOptions& options, std::int64_t found, const Outcome& otherwise,
                 Vectors& vectors, EigenOutcome& outcome) {
  const std::unique_ptr<Vector> image = map.range();
  std::vector<double> values, residuals;
  for (const std::unique_ptr<Vector>& v : vectors) {
    v->scale(1 / v->norm());
    map.apply(*v, *image);
    values.push_back(v->dot(*image));
    image->axpy(-values.back(), *v);
    residuals.push_back(image->norm());
  }
  std::vector<std::size_t> order(vectors.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const double sign = options.which == Spectrum::smallest ? 1 : -1;
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return sign * values[a] < sign * values[b]; });
  reorder(values, order);
  reorder(residuals, order);
  reorder(vectors, order);
  outcome.values = values;
  outcome.residuals = residuals;
  outcome.products = map.products();
  judge_pairs(options, found, otherwise, outcome);
}

void judge_pairs(const EigenOptions& options, std::int64_t found, const Outcome& otherwise, EigenOutcome& outcome) {
  outcome.outcome = otherwise;
  std::size_t worst = 0;
  const auto ratio = [&](std::size_t k) { return outcome.residuals[k] / residual_bound(options, outcome.values[k]); };
  for (std::size_t k = 0; k < outcome.values.size(); ++k) {
    if (!std::isfinite(outcome.residuals[k]) || !std::isfinite(outcome.values[k])) {
      outcome.outcome = {Stop::failed, "a number is not finite"};
      return;
    }
    if (ratio(k) > ratio(worst)) worst = k;
  }
  if (outcome.values.empty() || static_cast<std::int64_t>(outcome.values.size()) < found) return;
  const double residual = outcome.residuals[worst], bound = residual_bound(options, outcome.values[worst]);
  if (residual <= bound) outcome.outcome = {Stop::converged, fmt::format("residual {:.3g} <= {:.3g}", residual, bound)};
}

void keep_independent(const LinearMap& map, std::int64_t count, Vectors& vectors) {
  Field field(map);
  Vectors kept;
  for (std::unique_ptr<Vector>& v : vectors) {
    if (static_cast<std::int64_t>(kept.size()) == count) break;
    if (field.is_complex()) {
      field.remove(kept, kept.size(), *v);
      field.remove(kept, kept.size(), *v);
      const double rest = v->norm();
      if (rest < 0.5) continue;  // of a pair it is 0 or 1, of pairs that share a value something between
      v->scale(1 / rest);
    }
    kept.push_back(std::move(v));
  }
  vectors = std::move(kept);
}

Vectors over_the_reals(const LinearMap& map, const Vectors& vectors) {
  Vectors all;
  for (const std::unique_ptr<Vector>& v : vectors) all.push_back(clone(*v));
  if (!Field(map).is_complex()) return all;
  for (const std::unique_ptr<Vector>& v : vectors) {
    all.push_back(v->create());
    map.times_i(*v, *all.back());
  }
  return all;
}

}  // namespace tyto::algebra
