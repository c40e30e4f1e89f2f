#include "tensor/hdf5/element_type.hpp"

#include "error/fail.hpp"
#include <fmt/format.h>

namespace tyto::tensor::hdf5 {
namespace {

std::string member_name(hid_t compound, unsigned n) {
  char* const name = H5Tget_member_name(compound, n);
  if (name == nullptr) return {};
  const std::string text = name;
  H5free_memory(name);
  return text;
}

std::optional<Dtype> real_of(hid_t type) {
  const std::size_t bytes = H5Tget_size(type);
  if (bytes <= 4) return Dtype::f32;
  if (bytes == 8) return Dtype::f64;
  return std::nullopt;
}

/// Unsigned integers need one bit more.
std::optional<Dtype> integer_of(hid_t type) {
  const std::size_t bytes = H5Tget_size(type), needed = H5Tget_sign(type) == H5T_SGN_NONE ? 2 * bytes : bytes;
  if (needed <= 2) return Dtype::i16;
  if (needed <= 4) return Dtype::i32;
  if (needed <= 8) return Dtype::i64;
  return std::nullopt;
}

std::optional<Dtype> complex_of(hid_t type) {
  if (H5Tget_nmembers(type) != 2 || member_name(type, 0) != "r" || member_name(type, 1) != "i") return std::nullopt;
  const Handle real(H5Tget_member_type(type, 0), H5Tclose), imaginary(H5Tget_member_type(type, 1), H5Tclose);
  if (H5Tget_class(real) != H5T_FLOAT || H5Tequal(real, imaginary) <= 0) return std::nullopt;
  const std::optional<Dtype> part = real_of(real);
  if (!part) return std::nullopt;
  return *part == Dtype::f32 ? Dtype::c64 : Dtype::c128;
}

hid_t native_real(Dtype type) { return type == Dtype::f32 || type == Dtype::c64 ? H5T_NATIVE_FLOAT : H5T_NATIVE_DOUBLE; }

}  // namespace

std::optional<Dtype> dtype_of(hid_t type) {
  switch (H5Tget_class(type)) {
    case H5T_FLOAT: return real_of(type);
    case H5T_INTEGER: return integer_of(type);
    case H5T_COMPOUND: return complex_of(type);
    default: return std::nullopt;
  }
}

std::string text_of(hid_t type) {
  if (const std::optional<Dtype> known = dtype_of(type)) return name_of(*known);
  const std::size_t bytes = H5Tget_size(type);
  switch (H5Tget_class(type)) {
    case H5T_FLOAT: return fmt::format("reals of {} bytes", bytes);
    case H5T_INTEGER: return fmt::format("unsigned integers of {} bytes", bytes);
    case H5T_COMPOUND: return fmt::format("records of {} fields", H5Tget_nmembers(type));
    case H5T_STRING: return "text";
    case H5T_ENUM: return "an enumeration, as truth values are";
    default: return "no numbers";
  }
}

Handle native(Dtype type) {
  switch (type) {
    case Dtype::i16: return {H5Tcopy(H5T_NATIVE_INT16), H5Tclose};
    case Dtype::i32: return {H5Tcopy(H5T_NATIVE_INT32), H5Tclose};
    case Dtype::i64: return {H5Tcopy(H5T_NATIVE_INT64), H5Tclose};
    case Dtype::f32:
    case Dtype::f64: return {H5Tcopy(native_real(type)), H5Tclose};
    case Dtype::c64:
    case Dtype::c128: break;
  }
  const std::size_t bytes = static_cast<std::size_t>(size_of(type));
  Handle complex(H5Tcreate(H5T_COMPOUND, bytes), H5Tclose);
  TYTO_ASSERT(H5Tinsert(complex, "r", 0, native_real(type)) >= 0);
  TYTO_ASSERT(H5Tinsert(complex, "i", bytes / 2, native_real(type)) >= 0);
  return complex;
}

}  // namespace tyto::tensor::hdf5
