// Davidson's method with thick restarts; formulas and names are in the header.
#include "algebra/davidson.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include "algebra/eigenpairs.hpp"
#include "algebra/projected.hpp"
#include "error/fail.hpp"

namespace tyto::algebra {
namespace {

constexpr double eps = std::numeric_limits<double>::epsilon();
constexpr double dependent = 1e-12;  // what is left of a vector of length one that lay in the space

/// The diagonal of a map, where it is known and on the host.
class Diagonal {
 public:
  explicit Diagonal(const LinearMap& a) : entries_(a.domain()) {
    if (a.diagonal(*entries_) && is_usable(entries_->read())) return;
    entries_.reset();
  }
  bool helps() const { return entries_ != nullptr && helps_; }

  /// r = (D - value)^-1 r, with divisors kept off zero by `least`.
  void divide(Vector& r, double value, double least) const {
    const double* d = entries_->read().as<double>();
    const Array numbers = r.write();
    for (std::int64_t i = 0; i < numbers.size(); ++i) {
      const double gap = d[i] - value;
      numbers.as<double>()[i] /= std::abs(gap) < least ? std::copysign(least, gap) : gap;
    }
  }

  /// Looks whether the diagonal is the larger part of A - value on a direction v with the image A v.
  void judge(const Vector& v, const Vector& image, double value) {
    if (entries_ == nullptr) return;
    const double *d = entries_->read().as<double>(), *x = v.read().as<double>(), *y = image.read().as<double>();
    double outside = 0, inside = 0;
    for (std::int64_t i = 0; i < v.size(); ++i) {
      const double off = y[i] - d[i] * x[i], on = (d[i] - value) * x[i];
      outside += off * off;
      inside += on * on;
    }
    helps_ = outside < inside;
  }

 private:
  static bool is_usable(const ConstArray& numbers) {
    if (numbers.space != Space::host || numbers.dtype != Dtype::f64) return false;
    const double* d = numbers.as<double>();
    return std::all_of(d, d + numbers.size(), [](double entry) { return std::isfinite(entry); });
  }

  std::unique_ptr<Vector> entries_;
  bool helps_ = true;
};

/// The state of one solve.
class Search {
 public:
  Search(const LinearMap& a, const Vectors& orthogonal_to, const EigenOptions& options)
      : options_(options),
        map_(a, orthogonal_to),
        field_(a),
        diagonal_(a),
        sign_(options.which == Spectrum::smallest ? 1 : -1),
        wanted_(as_size(std::min(options.count, map_.dimension()))),
        capacity_(basis_size()),
        projected_(capacity_, field_.is_complex()),
        residual_(a.domain()),
        direction_(a.domain()),
        stream_(orthogonal_to.size() << 8) {}

  EigenOutcome run(Vectors& vectors) {
    const bool is_finite = begin(vectors);
    while (is_finite && advance()) {
    }
    if (!is_finite) otherwise_ = {Stop::failed, "a number is not finite"};
    finish(vectors);
    return std::move(result_);
  }

 private:
  static std::size_t as_size(std::int64_t count) { return static_cast<std::size_t>(std::max<std::int64_t>(count, 0)); }

  std::size_t basis_size() const {
    const std::size_t usual = std::max<std::size_t>(20, 3 * wanted_ + 8);
    const std::size_t size = options_.max_basis > 0 ? std::max(as_size(options_.max_basis), wanted_ + 1) : usual;
    return std::min(size, as_size(map_.dimension()));
  }

  bool has_products() const { return options_.max_products <= 0 || map_.products() < options_.max_products; }

  /// The space of the starts, and of random vectors where they are too few. False where a number is not finite.
  bool begin(const Vectors& starts) {
    for (const std::unique_ptr<Vector>& start : starts) {
      if (size_ == capacity_ || (size_ > 0 && !has_products())) break;
      direction_->copy(*start);
      if (!std::isfinite(direction_->norm())) return false;
      add_direction();
    }
    while (size_ < wanted_ && (size_ == 0 || has_products())) {
      if (!add_random_direction()) break;
    }
    return size_ > 0;
  }

  bool add_random_direction() {
    constexpr int tries = 3;  // one is enough unless the space is all but full
    for (int k = 0; k < tries; ++k) {
      fill_randomly(*direction_, stream_++);
      if (add_direction()) return true;
    }
    return false;
  }

  /// Takes direction_ into the space; false where it lies in it already.
  bool add_direction() {
    const double length = direction_->norm();
    if (!(length > 0) || !std::isfinite(length)) return false;
    direction_->scale(1 / length);
    for (int pass = 0; pass < 2; ++pass) {
      map_.project(*direction_);
      field_.remove(basis_, size_, *direction_);
    }
    const double rest = direction_->norm();
    if (!(rest > dependent)) return false;
    if (basis_.size() == size_) {
      basis_.push_back(direction_->create());
      images_.push_back(direction_->create());
    }
    basis_[size_]->copy(*direction_);
    basis_[size_]->scale(1 / rest);
    map_.apply(*basis_[size_], *images_[size_]);
    ++size_;
    field_.inner(basis_, size_, *images_[size_ - 1], column_);
    for (Scalar& entry : column_) entry *= sign_;
    projected_.append(column_);
    return true;
  }

  double value(std::size_t k) const { return sign_ * projected_.value(k); }

  /// residual_ = A x - theta x of the k-th Ritz pair.
  double find_residual(std::size_t k) {
    residual_->fill(0);
    field_.add(1, images_, size_, projected_.vector(k), *residual_);
    field_.add(-value(k), basis_, size_, projected_.vector(k), *residual_);
    return residual_->norm();
  }

  /// One product more; false where there is none to make.
  bool advance() {
    if (!projected_.diagonalize()) return stop(Stop::failed, "a number is not finite");
    const double norm_of_a = std::max(std::abs(value(0)), std::abs(value(size_ - 1)));
    std::size_t target = 0;
    double residual = 0;
    for (; target < std::min(wanted_, size_); ++target) {
      residual = find_residual(target);
      if (!(residual <= residual_bound(options_, value(target)))) break;
    }
    if (target == wanted_) return false;
    const bool is_missing = target == size_;
    if (size_ == as_size(map_.dimension())) return stop_by_rounding(residual, value(target));
    if (!is_missing && residual <= 16 * eps * norm_of_a) return stop_by_rounding(residual, value(target));
    if (!has_products()) return stop(Stop::sweep_limit, fmt::format("{} products", map_.products()));
    if (result_.iterations >= options_.max_iterations) {
      return stop(Stop::sweep_limit, fmt::format("{} iterations", result_.iterations));
    }
    ++result_.iterations;
    if (is_missing) return add_random_direction();
    const double theta = value(target);
    if (size_ == capacity_) restart();
    return expand(theta, norm_of_a) || add_random_direction() || stop_by_rounding(residual, theta);
  }

  bool stop(Stop kind, const std::string& reason) {
    otherwise_ = {kind, reason};
    return false;
  }

  bool stop_by_rounding(double residual, double value) {
    return stop(Stop::stalled, fmt::format("rounding: residual {:.3g} > {:.3g}", residual, residual_bound(options_, value)));
  }

  bool expand(double theta, double norm_of_a) {
    direction_->copy(*residual_);
    if (diagonal_.helps()) diagonal_.divide(*direction_, theta, std::sqrt(eps) * std::max(norm_of_a, 1e-300));
    bool is_new = keeps_enough() && add_direction();
    if (!is_new) {
      direction_->copy(*residual_);
      is_new = add_direction();
    }
    if (is_new) diagonal_.judge(*basis_[size_ - 1], *images_[size_ - 1], theta);
    return is_new;
  }

  /// Where A is its diagonal, dividing gives back x, of which nothing is new.
  bool keeps_enough() {
    if (!diagonal_.helps()) return true;
    constexpr double least = 1e-3;
    const double length = direction_->norm();
    field_.remove(basis_, size_, *direction_);
    return direction_->norm() > least * length;
  }

  /// The space of the better half of the Ritz vectors, in which the map is diagonal.
  void restart() {
    const std::size_t kept = std::max(wanted_, std::min(size_ - 1, (size_ + wanted_) / 2));
    const std::size_t left = std::min(kept, size_ - 1);
    rotate(basis_, left);
    rotate(images_, left);
    projected_.restrict_to(left);
    size_ = left;
  }

  /// The first `count` vectors become combinations of all by the Ritz vectors' coordinates.
  void rotate(Vectors& vectors, std::size_t count) {
    while (spare_.size() < count) spare_.push_back(direction_->create());
    for (std::size_t k = 0; k < count; ++k) combine(vectors, k, *spare_[k]);
    for (std::size_t k = 0; k < count; ++k) std::swap(vectors[k], spare_[k]);
  }

  void combine(const Vectors& vectors, std::size_t k, Vector& result) {
    result.fill(0);
    field_.add(1, vectors, size_, projected_.vector(k), result);
  }

  void finish(Vectors& vectors) {
    vectors.clear();
    result_.products = map_.products();
    result_.outcome = otherwise_;
    if (otherwise_.stop == Stop::failed) return;
    for (std::size_t k = 0; k < std::min(wanted_, size_); ++k) {
      vectors.push_back(direction_->create());
      combine(basis_, k, *vectors.back());
    }
    const auto found = static_cast<std::int64_t>(wanted_);
    if (size_ > 1) return check_pairs(map_, options_, found, otherwise_, vectors, result_);
    result_.values = {value(0)};  // of the only vector, whose product was made just now
    result_.residuals = {find_residual(0)};
    judge_pairs(options_, found, otherwise_, result_);
  }

  const EigenOptions& options_;
  InComplement map_;
  Field field_;
  Diagonal diagonal_;
  double sign_;  ///< the smallest of sign A are looked for
  std::size_t wanted_, capacity_, size_ = 0;
  Projected projected_;
  Vectors basis_, images_, spare_;
  std::unique_ptr<Vector> residual_, direction_;
  std::vector<Scalar> column_;
  /// Of random vectors. Those from which `orthogonal_to` was found may have no part in what is left of an eigenspace.
  std::uint64_t stream_;
  Outcome otherwise_ = {Stop::stalled, "rounding"};  ///< unless the check finds that all has converged
  EigenOutcome result_;
};

}  // namespace

EigenOutcome Davidson::solve(const LinearMap& a, const Vectors& orthogonal_to, Vectors& vectors,
                             const EigenOptions& options) const {
  require_symmetry(a, name());
  if (InComplement(a, orthogonal_to).dimension() == 0) {
    vectors.clear();
    return nothing_to_find(a, orthogonal_to);
  }
  return Search(a, orthogonal_to, options).run(vectors);
}

}  // namespace tyto::algebra
