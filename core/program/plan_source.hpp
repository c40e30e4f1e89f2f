#pragma once
/// Programs for contractions whose extents become known only while a solve runs: bonds grow, ranks are found. Who asks has no
/// graph; who answers has an optimizer and a planner.
#include <memory>
#include "program/program.hpp"

namespace tyto::program {

/// out = sum of the product of the operands, see einsum::Subscripts, some of them conjugated.
struct ContractionRequest {
  struct Operand {
    Dtype dtype = Dtype::f64;
    bool is_conjugated = false;
    /// How often it changes while the one that changes least does so once: what depends on slower ones only may be kept.
    std::int64_t changes = 1;
    friend bool operator==(const Operand&, const Operand&) = default;
  };
  einsum::Subscripts subscripts;
  Extents extents;  ///< by label: 0, 1, ...
  std::vector<Operand> operands;
  friend bool operator==(const ContractionRequest&, const ContractionRequest&) = default;
};

/// Kernel 0 is the result with the axes of the output, in that order; operands are bound row-major.
struct PlannedContraction {
  std::shared_ptr<const Program> program;
  std::vector<LeafId> leaves;      ///< by operand; -1: the program does not read it
  std::vector<std::int32_t> axes;  ///< axis k of the result is axis axes[k] of the kernel's buffer
};

class PlanSource {
 public:
  virtual ~PlanSource() = default;
  /// Equal requests have equal answers. What is referred to is valid until the next request, its program while somebody holds it.
  /// Error{memory} where it does not fit.
  virtual const PlannedContraction& plan(const ContractionRequest&) = 0;
};

}  // namespace tyto::program
