#pragma once
/// The objective as a minimizer of a library sees it.
#include "solve/local_model.hpp"
#include "solve/trust_region.hpp"

namespace tyto::solve {

/// Evaluates at vectors that the minimizer owns; what was computed at the point before is used again where the point is the same.
class ObjectiveFunction final : public algebra::SmoothFunction {
 public:
  /// Outlive the function.
  ObjectiveFunction(LocalModel& model, const Measure& measure, bool has_hessian)
      : model_(model), measure_(measure), has_hessian_(has_hessian), present_(model.size()) {
    model.read_unknowns(present_);
  }
  double value(const algebra::Vector& x) override;
  void gradient(const algebra::Vector& x, algebra::Vector& result) override;
  bool has_hessian() const override { return has_hessian_; }
  void hessian_product(const algebra::Vector& x, const algebra::Vector& v, algebra::Vector& result) override;
  bool has_preconditioner() const override { return has_hessian_ && model_.preconditioner() != nullptr; }
  void precondition(const algebra::Vector& x, const algebra::Vector& v, algebra::Vector& result) override;
  /// Makes x the present values of the unknowns.
  void move_to(const algebra::Vector& x);
  std::int64_t products() const { return products_; }

 private:
  LocalModel& model_;
  const Measure& measure_;
  bool has_hessian_;
  algebra::HostVector present_;
  std::int64_t products_ = 0;
};

/// The bounds of the unknowns of a request as vectors; nothing where no unknown has one.
struct Bounds {
  algebra::HostVector lower, upper;
};
std::optional<Bounds> bounds_of(const Setup&, const Step&);

}  // namespace tyto::solve
