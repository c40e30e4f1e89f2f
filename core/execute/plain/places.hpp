#pragma once
/// Where the elements of a buffer lie that an operation takes together: one matrix, one vector to reduce.
#include <complex>
#include <cstdint>
#include <type_traits>
#include <vector>
#include "program/program.hpp"

namespace tyto::execute::plain {

/// Offsets, first axis slowest: of each group (the first `batch` axes) and of each element within a group (the other axes).
struct Places {
  std::vector<std::int64_t> of_group, of_element;
};
Places places_of(const program::Buffer&, std::size_t batch);

/// What elements of type T are computed in: double, or complex<double>.
template <class T>
using Wide = std::conditional_t<std::is_arithmetic_v<T>, double, std::complex<double>>;

}  // namespace tyto::execute::plain
