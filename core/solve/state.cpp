#include "solve/state.hpp"
#include "error/fail.hpp"

namespace tyto::solve {

State::State(const std::vector<Tensor>& tensors, Dtype precision) {
  std::int64_t total = 0;
  for (const Tensor& t : tensors)
    if (t.kind != Kind::data && !t.varies && !t.is_complex) total += element_count(t.extents);
  storage_ = tensor::Dense::zeros(precision, {total});
  auto* next = static_cast<std::byte*>(storage_.view().address());
  for (const Tensor& t : tensors) {
    if (t.kind == Kind::data) {
      arrays_.emplace_back(const_cast<void*>(t.values.data), t.values.dtype, t.values.extents, t.values.strides);
      continue;
    }
    if (t.varies || t.is_complex) {
      const auto id = static_cast<std::int32_t>(arrays_.size());
      tensor::Dense& own = cores_[id];
      own = tensor::Dense::zeros(t.is_complex ? Dtype::c128 : precision, t.extents);
      arrays_.push_back(own.view());
      continue;
    }
    arrays_.emplace_back(next, precision, t.extents, row_major(t.extents));
    next += element_count(t.extents) * size_of(precision);
  }
}

void State::replace(std::int32_t tensor, tensor::Dense values) {
  tensor::Dense& own = cores_.at(tensor);
  TYTO_ASSERT(own.dtype() == values.dtype() && own.order() == values.order());
  own = std::move(values);
  arrays_[static_cast<std::size_t>(tensor)] = own.view();
}

double State::get(std::int32_t tensor, std::int64_t element) const {
  const Array& a = arrays_[static_cast<std::size_t>(tensor)];
  if (a.dtype == Dtype::c128) return a.as<std::complex<double>>()[element].real();
  return a.dtype == Dtype::f32 ? static_cast<double>(a.as<float>()[element]) : a.as<double>()[element];
}

void State::set(std::int32_t tensor, std::int64_t element, double value) {
  const Array& a = arrays_[static_cast<std::size_t>(tensor)];
  if (a.dtype == Dtype::c128) a.as<std::complex<double>>()[element] = value;
  else if (a.dtype == Dtype::f32) a.as<float>()[element] = static_cast<float>(value);
  else a.as<double>()[element] = value;
}

ConstArray permuted(const ConstArray& a, const std::vector<std::int32_t>& axes) {
  ConstArray result = a;
  for (std::size_t k = 0; k < axes.size(); ++k) {
    result.extents[k] = a.extents[static_cast<std::size_t>(axes[k])];
    result.strides[k] = a.strides[static_cast<std::size_t>(axes[k])];
  }
  return result;
}

ConstArray output_view(const program::Program& program, const Value& value) {
  const program::BufferId output = program.kernels[static_cast<std::size_t>(value.kernel)].output;
  const program::Buffer& b = program.buffers[static_cast<std::size_t>(output)];
  return permuted({nullptr, b.dtype, b.extents, b.strides}, value.axes);
}

}  // namespace tyto::solve
