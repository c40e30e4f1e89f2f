#pragma once
/// Types of elements in HDF5's terms. Complex numbers are compounds of two reals called r and i, as h5py writes them.
#include <optional>
#include <string>
#include "tensor/hdf5/handles.hpp"
#include "tyto/array.hpp"

namespace tyto::tensor::hdf5 {

/// The type in memory that loses nothing of one in a file; nothing where tyto has none: text, records, 128-bit reals.
std::optional<Dtype> dtype_of(hid_t type);

/// In words: "f64", "text", "a record of 3 fields".
std::string text_of(hid_t type);

/// As it lies in memory.
Handle native(Dtype);

}  // namespace tyto::tensor::hdf5
