#include "solve/minimize.hpp"
#include <algorithm>
#include <cmath>

namespace tyto::solve {

void ObjectiveFunction::move_to(const algebra::Vector& x) {
  const auto* const from = x.read().as<double>();
  std::vector<double>& present = present_.values();
  if (std::equal(present.begin(), present.end(), from)) return;
  present.assign(from, from + present.size());
  model_.write_unknowns(present_);
}

double ObjectiveFunction::value(const algebra::Vector& x) {
  move_to(x);
  return measure_(std::numeric_limits<double>::infinity()).value;
}

void ObjectiveFunction::gradient(const algebra::Vector& x, algebra::Vector& result) {
  move_to(x);
  model_.gradient(result);
}

void ObjectiveFunction::hessian_product(const algebra::Vector& x, const algebra::Vector& v, algebra::Vector& result) {
  move_to(x);
  model_.product().apply(v, result);
  ++products_;
}

void ObjectiveFunction::precondition(const algebra::Vector& x, const algebra::Vector& v, algebra::Vector& result) {
  move_to(x);
  model_.preconditioner()->apply(v, result);
}

std::optional<Bounds> bounds_of(const Setup& setup, const Step& step) {
  std::vector<double> lower, upper;
  for (const Step::Block& block : step.blocks) {
    const Tensor& t = setup.tensors[static_cast<std::size_t>(block.unknown)];
    lower.resize(lower.size() + static_cast<std::size_t>(element_count(t.extents)), t.lower);
    upper.resize(lower.size(), t.upper);
  }
  const auto is_bound = [](double value) { return std::isfinite(value); };
  if (std::none_of(lower.begin(), lower.end(), is_bound) && std::none_of(upper.begin(), upper.end(), is_bound)) return std::nullopt;
  return Bounds{algebra::HostVector(std::move(lower)), algebra::HostVector(std::move(upper))};
}

}  // namespace tyto::solve
