// The functions of tyto/array.hpp that are not inline.
#include "tyto/array.hpp"

#include "error/fail.hpp"
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace tyto::inline v1 {

const char* name_of(Dtype type) {
  switch (type) {
    case Dtype::i16: return "i16";
    case Dtype::i32: return "i32";
    case Dtype::i64: return "i64";
    case Dtype::f32: return "f32";
    case Dtype::f64: return "f64";
    case Dtype::c64: return "c64";
    case Dtype::c128: return "c128";
  }
  return "?";
}

std::int64_t element_count(const Extents& extents) {
  std::int64_t count = 1;
  bool overflow = false, empty = false;
  for (std::int64_t extent : extents) {
    if (extent < 0)
      fail(Code::extent, fmt::format("the extents {} are not those of an array", fmt::join(extents, " x ")), "extents of 0 or more",
           fmt::format("{}", extent));
    empty = empty || extent == 0;
    overflow = __builtin_mul_overflow(count, extent, &count) || overflow;
  }
  if (empty) return 0;
  if (overflow)
    fail(Code::extent, fmt::format("an array of {} has too many elements", fmt::join(extents, " x ")),
         "fewer than 9223372036854775808 elements");
  return count;
}

void ConstArray::require(Dtype wanted) const {
  if (space != Space::host)
    fail(Code::element_type, "the array lies on a device", "an array in host memory", "an array in device memory",
         "copying it to the host first");
  if (dtype != wanted)
    fail(Code::element_type, fmt::format("the array does not hold elements of type {}", name_of(wanted)), name_of(wanted),
         name_of(dtype), "copying the array with the type you need: nothing is converted here");
}

}  // namespace tyto::inline v1
