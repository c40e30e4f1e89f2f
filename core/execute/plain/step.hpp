#pragma once
/// A step of a program done by its formula, in plain loops and LAPACK calls: what the reference executor is made of, and what other
/// executors on a host fall back on for what they have no kernel for.
#include <optional>
#include <string>
#include <variant>
#include <vector>
#include "execute/executor.hpp"
#include "execute/plain/arrangement.hpp"
#include "execute/plain/chain.hpp"
#include "execute/plain/contraction.hpp"
#include "execute/plain/elementwise.hpp"
#include "execute/plain/factorization.hpp"
#include "execute/plain/reduction.hpp"
#include "execute/plain/systems.hpp"

namespace tyto::execute::plain {

class Step {
 public:
  Step(const program::Operation&, const std::vector<program::Buffer>&);
  /// Allocates nothing. `inputs` are addresses in the order of program::inputs_of.
  void run(void* out, const void* const* inputs, Counts&);
  /// Why there is no meaning to it: a root of integers, operands of different types. Nothing if there is.
  static std::optional<std::string> refuses(const program::Operation&, const std::vector<program::Buffer>&);

 private:
  template <class T>
  void run_as(void* out, const void* const* inputs, Counts&);
  template <class T>
  void run_elements(ElementLoop&, void* out, const void* const* inputs, Counts&);
  template <class T>
  void run_numbers(void* out, const void* const* inputs, Counts&);

  program::Operation operation_;
  Dtype type_ = Dtype::f64;  ///< of the first input; of the output where there is none
  std::int64_t flops_ = 0;   ///< of operations that do not count as they go
  std::variant<std::monostate, LoopNest, Chain, ElementLoop, Systems, Arrangement, Reduction, Factorization> prepared_;
};

}  // namespace tyto::execute::plain
