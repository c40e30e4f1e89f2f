#pragma once
/// The .npy format of numpy: a short header (type, order, shape) and the elements.
#include <string>
#include "tensor/dense.hpp"

namespace tyto::tensor {

bool is_npy(const std::string& bytes);

struct NpyHeader {
  int version = 1;  ///< 1, 2 or 3
  Dtype dtype = Dtype::f64;
  bool is_big_endian = false, is_fortran_order = false;
  Extents extents;
  std::int64_t data_start = 0;  ///< bytes from the beginning of the file
};

/// Reads versions 1 to 3, types i2 i4 i8 f4 f8 c8 c16 in either byte order. `file` is for errors: Error{file_format} for a header
/// that cannot be read, Error{element_type} for another type, Error{extent} for extents that overflow.
NpyHeader npy_header(const std::string& bytes, const std::string& file);

/// The elements in C order. Error{file_truncated} or Error{file_format} when there are fewer or more than the shape says.
Dense npy_elements(const NpyHeader&, const std::string& bytes, const std::string& file);

/// A file of version 1.0 in C order; the elements start at a multiple of 64 bytes.
std::string npy_bytes(const ConstArray&);

}  // namespace tyto::tensor
