// Defaults of the interfaces; see the header.
#include "algebra/solvers.hpp"

#include "error/fail.hpp"

namespace tyto::algebra {

void SmoothFunction::hessian_product(const Vector&, const Vector&, Vector&) {
  fail_unsupported("the Hessian product of this function", "a minimizer that needs gradients only");
}

void SmoothFunction::precondition(const Vector&, const Vector&, Vector&) {
  fail_unsupported("a preconditioner of this function", "a minimizer that does without");
}

}  // namespace tyto::algebra
