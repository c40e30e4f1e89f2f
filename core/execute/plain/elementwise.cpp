// One element after another, in row-major order.
#include "execute/plain/elementwise.hpp"
#include <algorithm>
#include <cmath>
#include <type_traits>
#include "error/fail.hpp"
#include "execute/plain/places.hpp"
#include "operation/function_value.hpp"

namespace tyto::execute::plain {
namespace {

/// Operations on complex numbers count as four.
template <class T>
constexpr std::int64_t weight = std::is_arithmetic_v<T> ? 1 : 4;

/// A value computed wide as the element type.
template <class T, class W>
T narrowed(W value) {
  if constexpr (std::is_arithmetic_v<T>) return static_cast<T>(value);
  else return static_cast<T>(std::complex<double>(value));
}

}  // namespace

ElementLoop::ElementLoop(const std::vector<program::BufferId>& ids, const std::vector<program::Buffer>& buffers) {
  for (const program::BufferId id : ids) {
    const program::Buffer& buffer = buffers[static_cast<std::size_t>(id)];
    if (strides_.empty()) extents_ = buffer.extents;
    TYTO_ASSERT(buffer.extents == extents_);
    strides_.push_back(buffer.strides);
  }
  index_.assign(extents_.size(), 0);
  offset_.assign(strides_.size(), 0);
}

template <class Body>
void ElementLoop::for_each(Body&& body) {
  for (const std::int64_t extent : extents_)
    if (extent == 0) return;
  std::fill(index_.begin(), index_.end(), 0);
  for (;;) {
    for (std::size_t k = 0; k < strides_.size(); ++k) {
      offset_[k] = 0;
      for (std::size_t a = 0; a < extents_.size(); ++a) offset_[k] += index_[a] * strides_[k][a];
    }
    body();
    std::size_t d = extents_.size();
    for (; d > 0; --d) {
      if (++index_[d - 1] < extents_[d - 1]) break;
      index_[d - 1] = 0;
    }
    if (d == 0) return;
  }
}

template <class T>
std::int64_t ElementLoop::combine(T* out, const void* const* inputs, const std::vector<double>& coefficients) {
  using W = std::conditional_t<std::is_integral_v<T>, std::int64_t, Wide<T>>;
  using Coefficient = std::conditional_t<std::is_integral_v<T>, std::int64_t, double>;
  std::int64_t flops = 0;
  for_each([&] {
    W sum = 0;
    for (std::size_t k = 0; k < coefficients.size(); ++k) {
      const W value = static_cast<W>(static_cast<const T*>(inputs[k])[offset_[k + 1]]);
      sum += coefficients[k] == 1 ? value : static_cast<Coefficient>(coefficients[k]) * value;
      flops += (k > 0 ? 1 : 0) + (coefficients[k] != 1 ? 1 : 0);
    }
    out[offset_[0]] = static_cast<T>(sum);
  });
  return weight<T> * flops;
}

template <class T>
std::int64_t ElementLoop::power(T* out, const void* const* inputs, double exponent) {
  std::int64_t flops = 0;
  for_each([&] {
    out[offset_[0]] = static_cast<T>(std::pow(static_cast<Wide<T>>(static_cast<const T*>(inputs[0])[offset_[1]]), exponent));
    ++flops;
  });
  return weight<T> * flops;
}

template <class T>
void ElementLoop::fill(T* out, T value) {
  for_each([&] { out[offset_[0]] = value; });
}

template <class T>
void ElementLoop::identity(T* out) {
  TYTO_ASSERT(extents_.size() == 2);
  for_each([&] { out[offset_[0]] = index_[0] == index_[1] ? T{1} : T{0}; });
}

template <class T>
void ElementLoop::triangle(T* out, double diagonal) {
  TYTO_ASSERT(extents_.size() == 2);
  for_each([&] { out[offset_[0]] = index_[0] > index_[1] ? T(1) : index_[0] == index_[1] ? narrowed<T>(diagonal) : T(0); });
}

template <class T>
std::int64_t ElementLoop::map(void* out, const void* const* inputs, operation::Function f) {
  std::int64_t flops = 0;
  const auto input = [&](std::size_t k) {
    return static_cast<Wide<T>>(
        static_cast<const T*>(inputs[std::min(k, strides_.size() - 2)])[offset_[std::min(k + 1, strides_.size() - 1)]]);
  };
  operation::with_function(f, [&]<operation::Function known>() {
    for_each([&] {
      const auto value = operation::value_at<known>(input(0), input(1));
      if constexpr (std::is_arithmetic_v<T>) static_cast<T*>(out)[offset_[0]] = static_cast<T>(value);
      else if constexpr (operation::is_real(known))
        static_cast<typename T::value_type*>(out)[offset_[0]] = static_cast<typename T::value_type>(std::real(value));
      else static_cast<T*>(out)[offset_[0]] = narrowed<T>(value);
      ++flops;
    });
  });
  return operation::is_real(f) ? flops : weight<T> * flops;
}

template <class T>
void ElementLoop::convert(std::complex<T>* out, const T* in) {
  for_each([&] { out[offset_[0]] = in[offset_[1]]; });
}

template std::int64_t ElementLoop::map<double>(void*, const void* const*, operation::Function);
template std::int64_t ElementLoop::map<float>(void*, const void* const*, operation::Function);
template std::int64_t ElementLoop::map<std::complex<double>>(void*, const void* const*, operation::Function);
template std::int64_t ElementLoop::map<std::complex<float>>(void*, const void* const*, operation::Function);
template void ElementLoop::convert<double>(std::complex<double>*, const double*);
template void ElementLoop::convert<float>(std::complex<float>*, const float*);
#define TYTO_INSTANTIATE(T)                                                                          \
  template std::int64_t ElementLoop::combine<T>(T*, const void* const*, const std::vector<double>&); \
  template std::int64_t ElementLoop::power<T>(T*, const void* const*, double);                       \
  template void ElementLoop::fill<T>(T*, T);                                                         \
  template void ElementLoop::triangle<T>(T*, double);                                                \
  template void ElementLoop::identity<T>(T*);
TYTO_INSTANTIATE(double)
TYTO_INSTANTIATE(float)
TYTO_INSTANTIATE(std::complex<double>)
TYTO_INSTANTIATE(std::complex<float>)
TYTO_INSTANTIATE(std::int16_t)
TYTO_INSTANTIATE(std::int32_t)
TYTO_INSTANTIATE(std::int64_t)
#undef TYTO_INSTANTIATE

}  // namespace tyto::execute::plain
