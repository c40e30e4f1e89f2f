#pragma once
/// The numbers that change during a solve: unknowns, states and parameters in one contiguous vector, row-major, one after the
/// other in order of declaration. Data stays where the session has it.
#include "solve/setup.hpp"

namespace tyto::solve {

class State {
 public:
  State(const std::vector<Tensor>&, Dtype precision);

  /// The memory of a tensor; of data it may only be read.
  const Array& array(std::int32_t tensor) const { return arrays_[static_cast<std::size_t>(tensor)]; }
  /// Element access for what is rare; any precision. Row-major element number.
  double get(std::int32_t tensor, std::int64_t element) const;
  void set(std::int32_t tensor, std::int64_t element, double value);

 private:
  tensor::Dense storage_;
  std::vector<Array> arrays_;
};

/// The same memory with axis k what was axis axes[k].
ConstArray permuted(const ConstArray&, const std::vector<std::int32_t>& axes);

/// The buffer of a kernel's output, its axes in the value's order, without an address: run() gives it.
ConstArray output_view(const program::Program&, const Value&);

}  // namespace tyto::solve
