#pragma once
/// The numbers that change during a solve: unknowns, states and parameters in one contiguous vector, row-major, one after the
/// other in order of declaration, but for cores of trains, which have memory of their own since their extents change. Data stays
/// where the session has it.
#include <map>
#include "solve/setup.hpp"

namespace tyto::solve {

class State {
 public:
  State(const std::vector<Tensor>&, Dtype precision);

  /// The memory of a tensor; of data it may only be read.
  const Array& array(std::int32_t tensor) const { return arrays_[static_cast<std::size_t>(tensor)]; }
  /// Element access for what is rare; any precision. Row-major element number.
  double get(std::int32_t tensor, std::int64_t element) const;  ///< of complex ones the real part
  void set(std::int32_t tensor, std::int64_t element, double value);
  /// A core becomes these values, of any extents and of its type.
  void replace(std::int32_t tensor, tensor::Dense values);

 private:
  tensor::Dense storage_;
  std::map<std::int32_t, tensor::Dense> cores_;
  std::vector<Array> arrays_;
};

/// The same memory with axis k what was axis axes[k].
ConstArray permuted(const ConstArray&, const std::vector<std::int32_t>& axes);

/// The buffer of a kernel's output, its axes in the value's order, without an address: run() gives it.
ConstArray output_view(const program::Program&, const Value&);

}  // namespace tyto::solve
