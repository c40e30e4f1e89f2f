#pragma once
/// How one contraction runs: which kernel, which loops around it. Made at load, a pure function of the operation and its buffers;
/// the device model asks the same function.
#include <array>
#include <optional>
#include <string>
#include "execute/cpu/elementwise.hpp"
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
  Nest nest;                              ///< of one or two operands
  bool has_right = false;                 ///< two operands
  StridedCopy copy;                       ///< of kernel copy
  NestChoice loops;                       ///< of kernel nest
  ProductChoice product;                  ///< of kernel product
  double scale = 1;                       ///< of the product, by the kernel: a product, or a nest of one operand
  bool adds = false;                      ///< the kernel adds to the addend, or to what `start` has made of it in the output
  std::int64_t flops_around = 0;          ///< of scale and addend, by the formula
  std::optional<ElementwisePlan> start;   ///< output = addend_scale * addend, before the kernel
  std::optional<ElementwisePlan> finish;  ///< output = scale * product (+ addend_scale * addend), after it
  std::int64_t product_offset = -1;       ///< bytes into the scratch: where the product lies until `finish`; -1: in the output
  double seconds_around = 0;              ///< of `start` or `finish`
  double seconds_clearing = 0;            ///< of an output that the loops do not reach everywhere
  std::int64_t scratch_bytes = 0;
  Dtype dtype = Dtype::f64;
  std::int64_t flops = 0;           ///< of the products and sums, by the formula
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
