// Which loops make a tile, which operands can be used where they lie, and where everything else of a tile lies.
#include "execute/cpu/elementwise_chain.hpp"
#include <algorithm>
#include <numeric>
#include "error/fail.hpp"
#include "execute/cpu/rates.hpp"

namespace tyto::execute::cpu {
namespace {

using Loop = ChainPlan::Loop;
using Instruction = program::Elementwise::Instruction;
using Kind = program::Elementwise::Kind;

constexpr std::int64_t tile_bytes = 16384;  // of all slots: half of a first-level cache, the rest for operands that pass by
constexpr std::int64_t least_tile = 64, largest_tile = 1024;  // elements

bool chains(const Loop& outer, const Loop& inner) {
  if (outer.is_summed != inner.is_summed) return false;
  for (std::size_t k = 0; k < outer.stride.size(); ++k)
    if (outer.stride[k] != inner.stride[k] * inner.extent) return false;
  return true;
}

std::vector<Loop> loops_of(const program::Elementwise& e, const program::Space& space,
                           const std::vector<program::Buffer>& buffers) {
  const std::size_t places = e.inputs.size() + 1;
  std::vector<Loop> loops;
  for (std::size_t k = 0; k < space.labels.size(); ++k)
    loops.push_back({space.extents[k], std::vector<std::int64_t>(places, 0), !einsum::contains(e.out.labels, space.labels[k])});
  const auto note = [&](const program::Operand& operand, std::size_t place) {
    const program::Buffer& buffer = buffers[static_cast<std::size_t>(operand.buffer)];
    for (std::size_t axis = 0; axis < operand.labels.size(); ++axis) {
      const auto at = std::find(space.labels.begin(), space.labels.end(), operand.labels[axis]) - space.labels.begin();
      loops[static_cast<std::size_t>(at)].stride[place] += buffer.strides[axis];
    }
  };
  for (std::size_t k = 0; k + 1 < places; ++k) note(e.inputs[k], k);
  note(e.out, places - 1);
  std::erase_if(loops, [](const Loop& loop) { return loop.extent == 1; });
  return loops;
}

void fuse(std::vector<Loop>& loops) {
  for (std::size_t a = 0; a < loops.size(); ++a)
    for (std::size_t b = 0; b < loops.size(); ++b) {
      if (a == b || !chains(loops[a], loops[b])) continue;
      loops[b].extent *= loops[a].extent;
      loops.erase(loops.begin() + static_cast<std::ptrdiff_t>(a));
      a = 0, b = 0;
      if (loops.size() < 2) return;
    }
}

std::int64_t movement(const Loop& loop) { return std::accumulate(loop.stride.begin(), loop.stride.end(), std::int64_t{0}); }

/// Operands that a tile of these loops sees one element after another.
std::int64_t lying_along(const Loop& rows, const Loop& columns) {
  std::int64_t count = 0;
  for (std::size_t k = 0; k < columns.stride.size(); ++k) count += rows.stride[k] == columns.extent * columns.stride[k] ? 1 : 0;
  return count;
}

Loop taken(std::vector<Loop>& loops, std::vector<Loop>::iterator at) {
  Loop loop = std::move(*at);
  loops.erase(at);
  return loop;
}

/// Columns move with unit stride in as many operands as there are, rows continue them.
void choose_tile(ChainPlan& plan, std::vector<Loop> loops) {
  const std::size_t places = plan.input_count + 1;
  const Loop still{1, std::vector<std::int64_t>(places, 0), false};
  plan.columns = plan.rows = still;
  plan.columns.stride.assign(places, 1);
  const auto unit_strides = [](const Loop& loop) { return std::count(loop.stride.begin(), loop.stride.end(), 1); };
  const auto is_better_column = [&](const Loop& a, const Loop& b) {
    if (unit_strides(a) != unit_strides(b)) return unit_strides(a) > unit_strides(b);
    return movement(a) < movement(b);
  };
  if (!loops.empty()) plan.columns = taken(loops, std::min_element(loops.begin(), loops.end(), is_better_column));
  const auto is_better_row = [&](const Loop& a, const Loop& b) {
    const std::int64_t of_a = lying_along(a, plan.columns), of_b = lying_along(b, plan.columns);
    return of_a != of_b ? of_a > of_b : movement(a) < movement(b);
  };
  if (!loops.empty()) plan.rows = taken(loops, std::min_element(loops.begin(), loops.end(), is_better_row));
  std::stable_sort(loops.begin(), loops.end(), [](const Loop& a, const Loop& b) { return movement(a) > movement(b); });
  plan.outer = std::move(loops);
}

bool is_direct(const ChainPlan& plan, std::size_t place) {
  if (plan.columns.stride[place] != 1) return false;
  return plan.columns.extent >= least_tile || plan.rows.extent == 1 || plan.rows.stride[place] == plan.columns.extent;
}

/// The last instruction that reads each value; the result lives on.
std::vector<std::int32_t> last_uses(const ChainPlan& plan) {
  std::vector<std::int32_t> last(plan.values.size(), -1);
  for (std::size_t k = 0; k < plan.instructions.size(); ++k)
    for (const std::int32_t argument : plan.instructions[k].arguments)
      last[static_cast<std::size_t>(argument)] = static_cast<std::int32_t>(k);
  last.back() = static_cast<std::int32_t>(plan.instructions.size());
  return last;
}

/// Slots for what is not direct; a result may take the slot of an argument that nobody reads after it.
void place_values(ChainPlan& plan) {
  const std::size_t inputs = plan.input_count, count = inputs + plan.instructions.size();
  for (std::size_t k = 0; k < count; ++k) {
    const bool is_result = k + 1 == count && k >= inputs;
    plan.values.push_back({.is_direct = k < inputs ? is_direct(plan, k) : is_result && !plan.is_sum && is_direct(plan, inputs),
                           .source = static_cast<std::int32_t>(k < inputs ? k : k - inputs)});
  }
  const std::vector<std::int32_t> last = last_uses(plan);
  std::vector<std::int32_t> free;
  for (std::size_t k = 0; k < count; ++k) {
    if (k >= inputs)
      for (std::size_t earlier = 0; earlier < k; ++earlier)
        if (plan.values[earlier].slot >= 0 && last[earlier] == static_cast<std::int32_t>(k - inputs))
          free.push_back(plan.values[earlier].slot);
    if (plan.values[k].is_direct) continue;
    if (free.empty()) free.push_back(plan.slots++);
    plan.values[k].slot = free.back();
    free.pop_back();
  }
}

void size_tiles(ChainPlan& plan, std::int64_t element_bytes) {
  const std::int64_t fitting = tile_bytes / (element_bytes * std::max<std::int64_t>(plan.slots, 1));
  const std::int64_t tile = std::clamp(fitting / least_tile * least_tile, least_tile, largest_tile);
  if (plan.columns.extent >= least_tile) {
    plan.tile_columns = std::min(plan.columns.extent, tile);
  } else {
    plan.tile_columns = plan.columns.extent;
    plan.tile_rows = std::clamp<std::int64_t>(tile / std::max<std::int64_t>(plan.columns.extent, 1), 1, plan.rows.extent);
  }
  plan.slot_elements = plan.tile_rows * plan.tile_columns;
  plan.scratch_bytes = (plan.slots * plan.slot_elements * element_bytes + 63) / 64 * 64;
}

bool is_slow(const Instruction& instruction) {
  if (instruction.kind == Kind::function) return true;
  return instruction.kind == Kind::power && instruction.exponent != 2 && instruction.exponent != 1 && instruction.exponent != 0.5 &&
         instruction.exponent != -1;
}

/// Copies into slots, instructions, sums, or the memory, whichever takes longer.
double seconds_of(const ChainPlan& plan, double bytes, const Rates& rates) {
  double of_point = plan.is_sum ? 1 / rates.dot.flops : 0;
  for (std::size_t k = 0; k <= plan.input_count; ++k) {
    const bool is_near = plan.columns.stride[k] <= 1;
    const bool is_copied = k < plan.input_count ? !plan.values[k].is_direct : !plan.is_sum && !plan.values.back().is_direct;
    if (is_copied) of_point += 1 / (is_near ? rates.multiply.flops : rates.any.flops);
  }
  for (const Instruction& instruction : plan.instructions)
    of_point += is_slow(instruction)
                    ? (instruction.kind == Kind::function ? rates.function : rates.power)
                    : std::max<double>(1, static_cast<double>(instruction.arguments.size())) / 2 / rates.multiply.flops;
  const auto points = static_cast<double>(plan.points);
  const double tiles = points / static_cast<double>(std::max<std::int64_t>(plan.slot_elements, 1));
  const double calls = static_cast<double>(plan.values.size() + (plan.is_sum ? static_cast<std::size_t>(plan.tile_rows) : 0));
  return rates.step + std::max(points * of_point + tiles * calls * rates.multiply.call, bytes / stream_speed(rates, bytes));
}

}  // namespace

ChainPlan plan_of(const program::Elementwise& elementwise, const std::vector<program::Buffer>& buffers, const Rates& rates) {
  const program::Buffer& out = buffers[static_cast<std::size_t>(elementwise.out.buffer)];
  const program::Space space = program::space_of(elementwise.inputs, elementwise.out, buffers);
  ChainPlan plan;
  plan.isa = rates.isa;
  plan.input_count = elementwise.inputs.size();
  plan.instructions = elementwise.instructions;
  plan.points = space.points();
  plan.is_sum = space.labels.size() > elementwise.out.labels.size();
  plan.flops_per_point = plan.is_sum ? 1 : 0;
  for (const Instruction& instruction : plan.instructions) plan.flops_per_point += program::point_flops(instruction);
  std::vector<CopyAxis> axes;
  for (std::size_t a = 0; a < out.extents.size(); ++a) axes.push_back({out.extents[a], out.strides[a], 0});
  plan.cleared = StridedCopy(std::move(axes));
  if (elementwise.scale != 1)
    plan.scaled = plan_of(program::Combination{{elementwise.scale}, {elementwise.out.buffer}, elementwise.out.buffer}, buffers);
  std::vector<Loop> loops;
  if (plan.points > 0) loops = loops_of(elementwise, space, buffers);
  fuse(loops);
  choose_tile(plan, std::move(loops));
  place_values(plan);
  size_tiles(plan, size_of(out.dtype));
  plan.index.assign(plan.outer.size(), 0);
  plan.offset.assign(plan.input_count + 1, 0);
  plan.tile_offset.assign(plan.input_count + 1, 0);
  plan.seconds = seconds_of(plan, static_cast<double>(program::bytes_of(elementwise, buffers)), rates);
  return plan;
}

}  // namespace tyto::execute::cpu
