#pragma once
/// How one contraction of one or two operands runs: which kernel, which loops around it, which operands are first brought into
/// another layout. Made at load, a pure function of the operation and its buffers; the device model asks the same function.
#include <array>
#include <optional>
#include <string>
#include "execute/cpu/elementwise.hpp"
#include "execute/cpu/gemm_choice.hpp"
#include "execute/cpu/nest_choice.hpp"
#include "execute/cpu/strided_copy.hpp"

namespace tyto::execute::cpu {

enum class ContractionKernel : std::int8_t { nothing, copy, nest, gemm };

/// A copy between an operand and scratch: before the kernel for an input, after it for the output.
struct Packing {
  bool used = false;
  StridedCopy copy;
  std::int64_t offset = 0;  ///< bytes into the scratch of the step
};

struct ContractionPlan {
  ContractionKernel kernel = ContractionKernel::nothing;
  Nest nest;                              ///< the loops of the original, before packing
  bool has_right = false;                 ///< two operands
  StridedCopy copy;                       ///< of kernel copy
  NestChoice loops;                       ///< of kernel nest
  GemmChoice gemm;                        ///< of kernel gemm
  std::array<Packing, 3> packings;        ///< by Place
  double scale = 1;                       ///< of the product, by the kernel gemm
  bool adds = false;                      ///< the kernel adds to the addend, which `start` has brought into the output
  std::int64_t flops_around = 0;          ///< of scale and addend, where the kernel brings them in
  std::optional<ElementwisePlan> start;   ///< output = addend_scale * addend, before the kernel
  std::optional<ElementwisePlan> finish;  ///< output = scale * product (+ addend_scale * addend), after it
  std::int64_t product_offset = -1;       ///< bytes into the scratch: where the product lies until `finish`; -1: in the output
  std::int64_t scratch_bytes = 0;
  double seconds = 0;               ///< expected
  std::string kernel_class;         ///< for people
  std::vector<std::int64_t> index;  ///< loop counters
};

ContractionPlan plan_of(const program::Contraction&, const std::vector<program::Buffer>&);

}  // namespace tyto::execute::cpu
