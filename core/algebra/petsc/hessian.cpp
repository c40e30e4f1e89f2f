// Second derivatives as maps; see the header.
#include "algebra/petsc/hessian.hpp"

namespace tyto::algebra::petsc {

std::unique_ptr<Vector> Hessian::domain() const { return like_.create(); }
std::unique_ptr<Vector> Hessian::range() const { return like_.create(); }
void Hessian::apply(const Vector& v, Vector& result) const { function_.hessian_product(*point_.x, v, result); }

std::unique_ptr<Vector> InverseNearHessian::domain() const { return like_.create(); }
std::unique_ptr<Vector> InverseNearHessian::range() const { return like_.create(); }

void InverseNearHessian::apply(const Vector& v, Vector& result) const {
  if (v.size() == like_.size()) function_.precondition(*point_.x, v, result);
  else result.copy(v);
}

}  // namespace tyto::algebra::petsc
