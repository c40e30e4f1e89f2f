#pragma once
// Components that are zero and cannot leave it: where non-negativity sets all of a column to 0, the equations of the other factors
// no longer see the component, and every block solve leaves it there.
#include <algorithm>
#include <string>
#include "cp.hpp"

namespace cp {

/// Gives such components a new start after a sweep, a few times each: a component may also be zero because none is needed.
class Locked {
 public:
  void declare(tyto::Declaration& d, const Model& model) {
    factors_ = model.factors, fit_ = model.fit;
    const tyto::Exprs free = d.unknowns(fit_);
    for (const tyto::Expr& factor : factors_)
      is_free_.push_back(std::any_of(free.begin(), free.end(), [&](const tyto::Expr& f) { return f.name() == factor.name(); }));
    const tyto::Index r = model.factors.front().axis(1);
    tries_ = d.state("new starts of components", {r});
  }

  /// After the block solves of a sweep, `blocks` in the order of the factors. All columns of a component but one become random,
  /// that one stays 0, which leaves the objective as it is (but for a ridge), and then its factor is solved for: with the sign that
  /// the data ask for, should it be free.
  void restart(tyto::Iteration& it, const std::vector<tyto::BlockSolve>& blocks) const {
    std::vector<std::int64_t> locked = found(it);
    if (locked.empty() || it.objective(fit_) == 0) return;
    count(it, locked);
    it.warn(text(locked, it.sweep()));
    for (std::size_t solved = factors_.size(); solved-- > 0 && !locked.empty();) {
      if (!is_free_[solved]) continue;
      for (std::size_t n = 0; n < factors_.size(); ++n)
        if (is_free_[n]) fill(it, factors_[n], locked, n != solved);
      it.apply(blocks[solved]);
      std::erase_if(locked, [&](std::int64_t r) { return !is_zero(it.read(factors_[solved]), r); });
    }
  }

 private:
  static constexpr double most_tries = 3;

  static double get(const tyto::ConstArray& a, std::int64_t k) {
    return a.dtype == tyto::Dtype::f32 ? static_cast<double>(a.as<float>()[k]) : a.as<double>()[k];
  }
  static void set(const tyto::Array& a, std::int64_t k, double value) {
    if (a.dtype == tyto::Dtype::f32) a.as<float>()[k] = static_cast<float>(value);
    else a.as<double>()[k] = value;
  }
  static bool is_zero(const tyto::ConstArray& factor, std::int64_t r) {
    for (std::int64_t i = 0; i < factor.extents[0]; ++i)
      if (get(factor, i * factor.extents[1] + r) != 0) return false;
    return true;
  }
  /// Components of which some column is zero, and that had not all of their new starts.
  std::vector<std::int64_t> found(tyto::Iteration& it) const {
    std::vector<std::int64_t> components;
    const tyto::ConstArray tries = it.read(tries_);
    for (std::int64_t r = 0; r < tries.extents[0]; ++r) {
      bool any_zero = false, may_start = get(tries, r) < most_tries;
      for (std::size_t n = 0; n < factors_.size(); ++n) {
        const bool zero = is_zero(it.read(factors_[n]), r);
        any_zero = any_zero || zero, may_start = may_start && (is_free_[n] || !zero);
      }
      if (any_zero && may_start) components.push_back(r);
    }
    return components;
  }
  void count(tyto::Iteration& it, const std::vector<std::int64_t>& components) const {
    const tyto::Write tries = it.write(tries_);
    for (const std::int64_t r : components) set(tries.array, r, get(tries.array, r) + 1);
  }
  static void fill(tyto::Iteration& it, const tyto::Expr& factor, const std::vector<std::int64_t>& components, bool is_random) {
    const tyto::Write write = it.write(factor);
    const tyto::Extents& extents = write.array.extents;
    for (const std::int64_t r : components)
      for (std::int64_t i = 0; i < extents[0]; ++i) set(write.array, i * extents[1] + r, is_random ? it.uniform() : 0);
  }
  static std::string text(const std::vector<std::int64_t>& components, std::int64_t sweep) {
    std::string numbers;
    for (const std::int64_t r : components) numbers += (numbers.empty() ? "" : ", ") + std::to_string(r);
    const bool many = components.size() > 1;
    return (many ? "components " : "component ") + numbers + (many ? " are" : " is") + " locked at zero after sweep " +
           std::to_string(sweep) + (many ? ": they start anew" : ": it starts anew");
  }

  tyto::Exprs factors_;
  std::vector<bool> is_free_;  // not fixed by the user
  tyto::Expr tries_;
  tyto::Objective fit_;
};

}  // namespace cp
