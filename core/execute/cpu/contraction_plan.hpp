#pragma once
/// How one contraction of one or two operands runs: which kernel, which loops around it, which operands are first brought into
/// another layout. Made at load, a pure function of the operation and its buffers; the device model asks the same function.
#include <array>
#include <optional>
#include <string>
#include "execute/cpu/gemm_choice.hpp"
#include "execute/cpu/nest_choice.hpp"
#include "execute/cpu/strided_copy.hpp"

namespace tyto::execute::cpu {

enum class ContractionKernel : std::int8_t { nothing, copy, nest, gemm };

/// What the choice is among for two operands. A further class needs its name here, its plan in plan_of, its time in seconds_of.
enum class ContractionClass : std::int8_t { nest, product, packed_product };
inline constexpr std::array contraction_classes = {ContractionClass::nest, ContractionClass::product,
                                                   ContractionClass::packed_product};

/// A copy between an operand and scratch: before the kernel for an input, after it for the output.
struct Packing {
  bool used = false;
  StridedCopy copy;
  std::int64_t offset = 0;  ///< bytes into the scratch of the step
};

struct ContractionPlan {
  ContractionKernel kernel = ContractionKernel::nothing;
  Nest nest;                        ///< the loops of the original, before packing
  bool has_right = false;           ///< two operands
  StridedCopy copy;                 ///< of kernel copy
  NestChoice loops;                 ///< of kernel nest
  GemmChoice gemm;                  ///< of kernel gemm
  std::array<Packing, 3> packings;  ///< by Place
  std::int64_t scratch_bytes = 0;
  std::int64_t element_bytes = 0;
  double bytes = 0;                 ///< read and written, each element once
  std::string kernel_class;         ///< for people
  std::vector<std::int64_t> index;  ///< loop counters
};

/// The plan with the least seconds_of.
ContractionPlan plan_of(const program::Contraction&, const std::vector<program::Buffer>&, const Rates&);
/// The best plan of one class; nothing where the class does not apply, or where there are not two operands to choose for.
std::optional<ContractionPlan> plan_of(const program::Contraction&, const std::vector<program::Buffer>&, const Rates&,
                                       ContractionClass);
/// Expected seconds of a run: arithmetic, moving of operands through the caches, packing.
double seconds_of(const ContractionPlan&, const Rates&);

}  // namespace tyto::execute::cpu
