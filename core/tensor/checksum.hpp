#pragma once
/// A number that tells whether bytes are still what they were. Against accidents, not against malice.
#include <cstdint>
#include <string_view>
#include "tyto/array.hpp"

namespace tyto::tensor {

/// Of bytes one after the other: eight at a time, each word mixed into the sum by the finalizer of SplitMix64 (Steele, Lea, Flood,
/// "Fast splittable pseudorandom number generators", OOPSLA 2014). A change of any single word changes it.
std::uint64_t checksum(std::string_view bytes, std::uint64_t begin = 0);

/// Of the elements of an array in row-major order, whatever its strides, with their type and the extents.
std::uint64_t checksum(const ConstArray&);

}  // namespace tyto::tensor
