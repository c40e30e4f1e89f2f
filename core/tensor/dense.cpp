// Storage of dense tensors, and copying between element types without changing a number.
#include "tensor/dense.hpp"

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>
#include "tensor/rows.hpp"
#include "text/quantity.hpp"
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/mman.h>
#include <unistd.h>

namespace tyto::tensor {
namespace {

constexpr std::int64_t alignment = 64;
constexpr std::int64_t huge_page = std::int64_t{2}
                                   << 20;  // bytes; larger tensors ask for them: loops over them run a quarter faster

/// Allocation of more than the machine has often succeeds and ends the process at the first use.
std::int64_t physical_memory() {
  const std::int64_t pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
  return pages > 0 && page > 0 ? pages * page : std::numeric_limits<std::int64_t>::max();
}

/// Strides must fit as well as the size, so an extent 0 does not excuse the others.
std::int64_t bytes_of(Dtype type, const Extents& extents) {
  std::int64_t bytes = size_of(type);
  bool overflow = false;
  for (std::int64_t extent : extents) overflow = __builtin_mul_overflow(bytes, extent == 0 ? 1 : extent, &bytes) || overflow;
  if (overflow || bytes > std::numeric_limits<std::int64_t>::max() - huge_page)
    fail(Code::extent, fmt::format("a tensor of {} has too many elements", text_of(extents)),
         "fewer than 9223372036854775808 bytes");
  return element_count(extents) * size_of(type);
}

std::byte* allocate(std::int64_t bytes) {
  if (bytes == 0) return nullptr;
  const std::int64_t step = bytes >= 2 * huge_page ? huge_page : alignment;
  const std::int64_t present = physical_memory(), rounded = (bytes + step - 1) / step * step;
  void* memory = nullptr;
  if (bytes <= present) memory = std::aligned_alloc(static_cast<std::size_t>(step), static_cast<std::size_t>(rounded));
  if (memory == nullptr)
    fail(Code::memory, fmt::format("a tensor needs {} of memory", text_of_bytes(bytes)), {},
         fmt::format("a machine with {}", text_of_bytes(present)), "a smaller tensor or a larger machine");
  if (step == huge_page) madvise(memory, static_cast<std::size_t>(rounded), MADV_HUGEPAGE);
  return static_cast<std::byte*>(memory);
}

template <class T>
struct IsComplex : std::false_type {};
template <class T>
struct IsComplex<std::complex<T>> : std::true_type {};

/// Stores x in `to`; false if it has no equal there.
template <class To, class From>
bool convert(From x, To& to) {
  if constexpr (std::is_same_v<To, From>) {
    to = x;
    return true;
  } else if constexpr (IsComplex<To>::value && IsComplex<From>::value) {
    typename To::value_type real = 0, imaginary = 0;
    const bool fits = convert(x.real(), real) & convert(x.imag(), imaginary);
    to = To(real, imaginary);
    return fits;
  } else if constexpr (IsComplex<To>::value) {
    typename To::value_type real = 0;
    const bool fits = convert(x, real);
    to = To(real, 0);
    return fits;
  } else if constexpr (std::is_floating_point_v<To>) {
    to = static_cast<To>(x);
    if constexpr (std::is_integral_v<From>) return true;
    else return std::isfinite(to) || !std::isfinite(x);
  } else if constexpr (std::is_integral_v<From>) {
    to = static_cast<To>(x);
    return std::in_range<To>(x);
  } else {
    const From limit = -static_cast<From>(std::numeric_limits<To>::min());
    const bool fits = x >= -limit && x < limit && std::trunc(x) == x;
    to = fits ? static_cast<To>(x) : To{};
    return fits;
  }
}

template <class From>
[[noreturn]] void fail_conversion(const ConstArray& from, Dtype to, std::int64_t element, From value) {
  std::string text;
  if constexpr (IsComplex<From>::value) text = fmt::format("{} + {} i", value.real(), value.imag());
  else text = fmt::format("{}", value);
  fail(Code::overflow,
       fmt::format("an element of type {} cannot become {} without changing its value", name_of(from.dtype), name_of(to)), {},
       fmt::format("{} at [{}]", text, fmt::join(multi_index(element, from.extents), ",")),
       fmt::format("keeping the type {}", name_of(from.dtype)));
}

template <class To, class From>
void copy_elements(const ConstArray& from, const Array& to) {
  if constexpr (IsComplex<From>::value && !IsComplex<To>::value) {
    fail(Code::element_type, fmt::format("complex elements ({}) cannot become real ({})", name_of(from.dtype), name_of(to.dtype)),
         "a complex type", name_of(to.dtype), "taking the real or the imaginary part first");
  } else {
    const From* source = from.as<From>();
    To* target = to.as<To>();
    for_each_row<2>(from.extents, {&from.strides, &to.strides}, [&](const Row<2>& row) {
      bool fits = true;
      const From* x = source + row.offset[0];
      To* y = target + row.offset[1];
      for (std::int64_t k = 0; k < row.count; ++k) fits = convert(x[k * row.stride[0]], y[k * row.stride[1]]) && fits;
      for (std::int64_t k = 0; !fits; ++k) {
        To ignored{};
        if (!convert(x[k * row.stride[0]], ignored)) fail_conversion(from, to.dtype, row.first + k, x[k * row.stride[0]]);
      }
    });
  }
}

}  // namespace

void Dense::Free::operator()(std::byte* memory) const { std::free(memory); }

Dense Dense::zeros(Dtype type, Extents extents) {
  Dense result;
  const std::int64_t bytes = bytes_of(type, extents);
  result.storage_.reset(allocate(bytes));
  if (bytes > 0) std::memset(result.storage_.get(), 0, static_cast<std::size_t>(bytes));
  result.dtype_ = type;
  result.extents_ = std::move(extents);
  return result;
}

Dense Dense::copy(const ConstArray& from, Dtype type) {
  Dense result = zeros(type, from.extents);
  copy_to(from, result.view());
  return result;
}

Dense::Dense(const Dense& other) : dtype_(other.dtype_), extents_(other.extents_), storage_(allocate(other.bytes())) {
  if (storage_) std::memcpy(storage_.get(), other.storage_.get(), static_cast<std::size_t>(bytes()));
}

Dense& Dense::operator=(const Dense& other) {
  if (this != &other) *this = Dense(other);
  return *this;
}

Dense::Dense(Dense&& other) noexcept
    : dtype_(other.dtype_), extents_(std::exchange(other.extents_, {0})), storage_(std::move(other.storage_)) {}

Dense& Dense::operator=(Dense&& other) noexcept {
  dtype_ = other.dtype_;
  std::swap(extents_, other.extents_);
  storage_ = std::move(other.storage_);
  other.extents_ = {0};
  return *this;
}

void copy_to(const ConstArray& from, const Array& to) {
  if (from.extents != to.extents)
    fail(Code::shape, "arrays of different extents cannot be copied", text_of(to.extents), text_of(from.extents));
  with_type(from.dtype, [&](auto source) {
    with_type(to.dtype, [&](auto target) { copy_elements<decltype(target), decltype(source)>(from, to); });
  });
}

std::string text_of(const Extents& extents) { return extents.empty() ? "scalar" : fmt::format("{}", fmt::join(extents, " x ")); }

}  // namespace tyto::tensor
