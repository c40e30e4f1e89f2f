#pragma once
/// Chains of elementwise operations, tile by tile: the values of one tile stay in the first-level cache from the first instruction
/// to the last, so that each operand is read from memory once and nothing but the result is written.
#include <optional>
#include <vector>
#include "arithmetic/isa.hpp"
#include "execute/cpu/elementwise.hpp"
#include "execute/cpu/rates.hpp"
#include "execute/cpu/strided_copy.hpp"
#include "program/program.hpp"

namespace tyto::execute::cpu {

/// Prepared loops over tiles of rows x columns, and where the values of a tile lie. Made at load, run without allocating.
struct ChainPlan {
  struct Loop {
    std::int64_t extent = 1;
    std::vector<std::int64_t> stride;  ///< of each input, then of the output
    bool is_summed = false;
  };
  /// Where the values of a tile lie one after another.
  struct Value {
    bool is_direct = false;   ///< in the operand itself: an input as it lies, or the output
    std::int32_t slot = -1;   ///< otherwise in this part of the scratch
    std::int32_t source = 0;  ///< which input, or which instruction
  };
  std::vector<Loop> outer;  ///< slowest first
  Loop rows, columns;
  std::int64_t tile_rows = 1, tile_columns = 1;
  std::vector<Value> values;  ///< inputs, then instructions
  std::vector<program::Elementwise::Instruction> instructions;
  std::int32_t slots = 0;
  std::int64_t slot_elements = 0;
  bool is_sum = false;                    ///< the output is cleared first and added to
  StridedCopy cleared;                    ///< of a sum: zeros over all of the output
  std::optional<ElementwisePlan> scaled;  ///< output = scale * output, at the end
  std::int64_t points = 1, flops_per_point = 0, scratch_bytes = 0;
  double seconds = 0;  ///< expected
  arithmetic::Isa isa = arithmetic::Isa::portable;
  std::size_t input_count = 0;
  std::vector<std::int64_t> index, offset;  ///< loop counters; where inputs and output are
  std::vector<std::int64_t> tile_offset;    ///< the same at a tile
};
ChainPlan plan_of(const program::Elementwise&, const std::vector<program::Buffer>&, const Rates&);

/// Arguments that an instruction may have here.
constexpr std::size_t most_chain_arguments = 16;
/// `scratch` has plan.scratch_bytes. Returns flops.
template <class T>
std::int64_t run(ChainPlan&, T* out, const void* const* inputs, char* scratch, Workers&);

}  // namespace tyto::execute::cpu
