// The frame around a library's eigensolver; see the header.
#include "algebra/real_eigensolver.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include "algebra/davidson.hpp"

namespace tyto::algebra {
namespace {

/// The starts of which something is in the complement, projected onto it. False where a number is not finite.
bool project_starts(const InComplement& complement, const Vectors& starts, Vectors& projected) {
  constexpr double dependent = 1e-12;
  for (const std::unique_ptr<Vector>& start : starts) {
    const double length = start->norm();
    if (!std::isfinite(length)) return false;
    if (length == 0) continue;
    std::unique_ptr<Vector> part = clone(*start);
    part->scale(1 / length);
    for (int pass = 0; pass < 2; ++pass) complement.project(*part);
    if (part->norm() > dependent) projected.push_back(std::move(part));
  }
  return true;
}

}  // namespace

void RealMap::apply(const Vector& x, Vector& y) const {
  map_.apply(x, y);
  ++products_;
  for (const std::unique_ptr<Vector>& v : deflated_) y.axpy(-v->dot(y), *v);
  if (is_negated_) y.scale(-1);
  if (!std::isfinite(y.norm())) throw NotFinite{};
}

std::unique_ptr<InverseDiagonal> InverseDiagonal::of(const LinearMap& map, Spectrum which) {
  std::unique_ptr<Vector> diagonal = map.domain();
  if (!map.diagonal(*diagonal)) return nullptr;
  const Array numbers = diagonal->write();
  const std::int64_t n = numbers.size();
  if (numbers.space != Space::host || numbers.dtype != Dtype::f64 || n == 0) return nullptr;
  double* d = numbers.as<double>();
  const double end = which == Spectrum::smallest ? *std::min_element(d, d + n) : *std::max_element(d, d + n);
  double mean = 0;
  for (std::int64_t i = 0; i < n; ++i) mean += std::abs(d[i] - end) / static_cast<double>(n);
  if (!(mean > 0) || !std::isfinite(mean)) return nullptr;
  for (std::int64_t i = 0; i < n; ++i) d[i] = 1 / std::max(std::abs(d[i] - end), mean);
  return std::unique_ptr<InverseDiagonal>(new InverseDiagonal(std::move(diagonal)));
}

void InverseDiagonal::apply(const Vector& x, Vector& y) const {
  y.copy(x);
  const double* factor = factors_->read().as<double>();
  const Array numbers = y.write();
  for (std::int64_t i = 0; i < numbers.size(); ++i) numbers.as<double>()[i] *= factor[i];
}

EigenOutcome RealEigenSolver::solve(const LinearMap& a, const Vectors& orthogonal_to, Vectors& vectors,
                                    const EigenOptions& options) const {
  require_symmetry(a, name());
  const InComplement complement(a, orthogonal_to);
  const std::int64_t found = std::min(options.count, complement.dimension());
  const bool is_complex = Field(a).is_complex();
  const std::int64_t count = is_complex && found > 1 ? 2 * found : found, dimension = (is_complex ? 2 : 1) * complement.dimension();
  const bool is_small = dimension < least_dimension(count);
  if (is_small || (options.max_products > 0 && options.max_products < products_of_a_round(count))) {
    if (options.library.log && found > 0) {
      options.library.log(fmt::format("{} takes the place of {}: {}\n", Davidson().name(), name(),
                                      is_small ? fmt::format("{} dimensions are too few for it", dimension)
                                               : fmt::format("{} products are too few for it", options.max_products)));
    }
    return Davidson().solve(a, orthogonal_to, vectors, options);
  }

  Vectors starts;
  EigenOutcome outcome{.outcome = {Stop::failed, "a number is not finite"}};
  const bool is_finite = project_starts(complement, vectors, starts);
  vectors.clear();
  if (!is_finite) return outcome;
  const Vectors deflated = over_the_reals(a, orthogonal_to);
  const std::unique_ptr<LinearMap> preconditioner = InverseDiagonal::of(a, options.which);
  EigenOptions stricter = options;
  stricter.tolerance *= count > found ? 0.1 : 0.5;  // for what the library estimates, and what making vectors independent costs
  try {
    RealPairs pairs = find({a, deflated, starts, count, dimension, preconditioner.get(), stricter});
    vectors = std::move(pairs.vectors);
    keep_independent(a, found, vectors);
    if (static_cast<std::int64_t>(vectors.size()) < found && pairs.otherwise.stop != Stop::sweep_limit) {
      if (options.library.log) {
        options.library.log(fmt::format("{} of {} pairs found: {}\n{} goes on from them\n", vectors.size(), found,
                                        pairs.otherwise.reason, Davidson().name()));
      }
      outcome = Davidson().solve(a, orthogonal_to, vectors, options);
      outcome.iterations += pairs.iterations;
      outcome.products += pairs.products;
      return outcome;
    }
    outcome.iterations = pairs.iterations;
    check_pairs(complement, options, found, pairs.otherwise, vectors, outcome);
    outcome.products += pairs.products;
    if (found > 1 && options.max_products <= 0) look_for_copies(a, orthogonal_to, vectors, options, outcome);
  } catch (const RealMap::NotFinite&) {
    vectors.clear();
  }
  return outcome;
}

void RealEigenSolver::look_for_copies(const LinearMap& a, const Vectors& orthogonal_to, Vectors& vectors,
                                      const EigenOptions& options, EigenOutcome& outcome) const {
  const InComplement complement(a, orthogonal_to);
  const std::size_t count = vectors.size();
  EigenOptions single = options;
  single.count = 1;
  single.library = {.options = options.library.options};
  while (outcome.outcome.stop == Stop::converged) {
    Vectors known, next;
    for (const std::unique_ptr<Vector>& v : orthogonal_to) known.push_back(clone(*v));
    for (const std::unique_ptr<Vector>& v : vectors) known.push_back(clone(*v));
    const EigenOutcome further = solve(a, known, next, single);
    outcome.products += further.products;
    outcome.iterations += further.iterations;
    if (next.empty()) return;  // nothing is left
    const double gain = (outcome.values.back() - further.values[0]) * (options.which == Spectrum::smallest ? 1 : -1);
    if (gain <= residual_bound(options, further.values[0])) return;
    vectors.push_back(std::move(next[0]));
    const std::int64_t before = outcome.products - complement.products();
    check_pairs(complement, options, static_cast<std::int64_t>(count), further.outcome, vectors, outcome);
    outcome.products += before;
    vectors.pop_back();
    outcome.values.pop_back();
    outcome.residuals.pop_back();
  }
}

}  // namespace tyto::algebra
