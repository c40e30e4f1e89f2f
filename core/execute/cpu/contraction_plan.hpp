#pragma once
/// How one contraction runs: which kernel, which loops around it. Made at load, a pure function of the operation and its buffers;
/// the device model asks the same function.
#include <array>
#include <optional>
#include <string>
#include "execute/cpu/nest_choice.hpp"
#include "execute/cpu/product_choice.hpp"
#include "execute/cpu/strided_copy.hpp"

namespace tyto::execute::cpu {

enum class ContractionKernel : std::int8_t { nothing, copy, nest, product };

/// What the choice is among for two operands and more. A further class needs its name here and its plans in contraction_plan.cpp.
enum class ContractionClass : std::int8_t { nest, product, packed_product };
inline constexpr std::array contraction_classes = {ContractionClass::nest, ContractionClass::product,
                                                   ContractionClass::packed_product};

struct ContractionPlan {
  ContractionKernel kernel = ContractionKernel::nothing;
  Nest nest;               ///< of one or two operands
  bool has_right = false;  ///< two operands
  StridedCopy copy;        ///< of kernel copy
  NestChoice loops;        ///< of kernel nest
  ProductChoice product;   ///< of kernel product
  std::int64_t scratch_bytes = 0;
  Dtype dtype = Dtype::f64;
  std::int64_t flops = 0;           ///< by the formula
  double bytes = 0;                 ///< read and written, each element once
  std::string kernel_class;         ///< for people
  std::vector<std::int64_t> index;  ///< loop counters
};

/// Whether this executor runs it by kernels of its own.
bool has_plan(const program::Contraction&, const std::vector<program::Buffer>&, const Rates&);
/// The plan with the least seconds_of; there must be one.
ContractionPlan plan_of(const program::Contraction&, const std::vector<program::Buffer>&, const Rates&);
/// The best plan of one class; nothing where the class does not apply, or where there are not two operands to choose for.
std::optional<ContractionPlan> plan_of(const program::Contraction&, const std::vector<program::Buffer>&, const Rates&,
                                       ContractionClass);
/// Expected seconds of a run: the arithmetic or the streaming of the operands, whichever takes longer, and the packing.
double seconds_of(const ContractionPlan&, const Rates&);

}  // namespace tyto::execute::cpu
