// What follows from applying a map; see the header.
#include "algebra/linear_map.hpp"

#include "error/fail.hpp"

namespace tyto::algebra {

void LinearMap::apply_transposed(const Vector&, Vector&) const { fail_unsupported("the transpose of this linear map"); }

bool LinearMap::times_i(const Vector&, Vector&) const { return false; }

double residual_norm(const LinearMap& map, const Vector& b, const Vector& x) {
  const std::unique_ptr<Vector> residual = map.range();
  map.apply(x, *residual);
  residual->axpy(-1, b);
  return residual->norm();
}

}  // namespace tyto::algebra
