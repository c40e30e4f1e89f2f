// Real or complex numbers; formulas are in the header.
#include "algebra/field.hpp"

namespace tyto::algebra {

Field::Field(const LinearMap& map) : map_(map) {
  const std::unique_ptr<Vector> zero = map.domain();
  turned_ = zero->create();
  is_complex_ = map.times_i(*zero, *turned_);
  dimension_ = is_complex_ ? zero->size() / 2 : zero->size();
  if (is_complex_) sum_ = zero->create();
  else turned_.reset();
}

void Field::inner(const Vectors& v, std::size_t count, const Vector& x, std::vector<Scalar>& result) {
  if (is_complex_) map_.times_i(x, *turned_);
  result.resize(count);
  // (i v).x = -v.(i x), since i is orthogonal and its square is -1
  for (std::size_t k = 0; k < count; ++k) result[k] = {v[k]->dot(x), is_complex_ ? -v[k]->dot(*turned_) : 0};
}

void Field::add(double factor, const Vectors& v, std::size_t count, const Scalar* c, Vector& x) {
  for (std::size_t k = 0; k < count; ++k) x.axpy(factor * c[k].real(), *v[k]);
  if (!is_complex_) return;
  sum_->fill(0);
  for (std::size_t k = 0; k < count; ++k) sum_->axpy(c[k].imag(), *v[k]);
  map_.times_i(*sum_, *turned_);
  x.axpy(factor, *turned_);
}

void Field::remove(const Vectors& v, std::size_t count, Vector& x) {
  if (count == 0) return;
  inner(v, count, x, parts_);
  add(-1, v, count, parts_.data(), x);
}

}  // namespace tyto::algebra
