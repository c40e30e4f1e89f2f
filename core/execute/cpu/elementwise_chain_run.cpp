// Tile by tile: copies what does not lie in order into slots, runs the instructions, stores or adds up the last value.
#include <algorithm>
#include <cmath>
#include "execute/cpu/elementwise_chain.hpp"
#include "execute/cpu/elementwise_kernels.hpp"
#include "operation/function_value.hpp"

namespace tyto::execute::cpu {
namespace {

using Instruction = program::Elementwise::Instruction;
using Kind = program::Elementwise::Kind;

/// A part of the points: where it begins in every operand is plan.tile_offset.
struct Tile {
  std::int64_t rows = 1, columns = 1;
  std::int64_t elements() const { return rows * columns; }
};

template <class T>
class ChainRun {
 public:
  ChainRun(ChainPlan& plan, T* out, const void* const* inputs, char* scratch, Workers& workers)
      : plan_(plan), kernels_(block_kernels<T>(plan.isa)), out_(out), inputs_(inputs), scratch_(scratch), workers_(workers) {}

  std::int64_t run() {
    const T zero = 0;
    if (plan_.is_sum) plan_.cleared.run(out_, &zero, workers_);
    std::int64_t points = 0;
    if (plan_.points > 0)
      for_each_row_block([&](const Tile& tile) {
        load(tile);
        compute(tile);
        plan_.is_sum ? add_up(tile) : store(tile);
        points += tile.elements();
      });
    std::int64_t flops = points * plan_.flops_per_point;
    const void* const result[] = {out_};
    if (plan_.scaled) flops += run_combination<T>(*plan_.scaled, out_, result, workers_);
    return flops;
  }

 private:
  template <class Body>
  void for_each_row_block(Body&& body) {
    std::fill(plan_.index.begin(), plan_.index.end(), 0);
    std::fill(plan_.offset.begin(), plan_.offset.end(), 0);
    for (;;) {
      for_each_tile(body);
      std::size_t d = plan_.outer.size();
      for (; d > 0; --d) {
        const ChainPlan::Loop& loop = plan_.outer[d - 1];
        for (std::size_t k = 0; k < plan_.offset.size(); ++k) plan_.offset[k] += loop.stride[k];
        if (++plan_.index[d - 1] < loop.extent) break;
        for (std::size_t k = 0; k < plan_.offset.size(); ++k) plan_.offset[k] -= loop.extent * loop.stride[k];
        plan_.index[d - 1] = 0;
      }
      if (d == 0) return;
    }
  }
  template <class Body>
  void for_each_tile(Body&& body) {
    for (std::int64_t r = 0; r < plan_.rows.extent; r += plan_.tile_rows)
      for (std::int64_t c = 0; c < plan_.columns.extent; c += plan_.tile_columns) {
        for (std::size_t k = 0; k < plan_.offset.size(); ++k)
          plan_.tile_offset[k] = plan_.offset[k] + r * plan_.rows.stride[k] + c * plan_.columns.stride[k];
        body(Tile{std::min(plan_.tile_rows, plan_.rows.extent - r), std::min(plan_.tile_columns, plan_.columns.extent - c)});
      }
  }

  const T* input(std::size_t k) const { return static_cast<const T*>(inputs_[k]) + plan_.tile_offset[k]; }
  T* output() const { return out_ + plan_.tile_offset[plan_.input_count]; }
  T* slot(const ChainPlan::Value& value) const { return reinterpret_cast<T*>(scratch_) + value.slot * plan_.slot_elements; }
  const T* value(std::int32_t k) const {
    const ChainPlan::Value& v = plan_.values[static_cast<std::size_t>(k)];
    if (!v.is_direct) return slot(v);
    return static_cast<std::size_t>(k) < plan_.input_count ? input(static_cast<std::size_t>(k)) : output();
  }

  void load(const Tile& tile) const {
    for (std::size_t k = 0; k < plan_.input_count; ++k) {
      if (plan_.values[k].is_direct) continue;
      const std::int64_t row = plan_.rows.stride[k], column = plan_.columns.stride[k];
      T* to = slot(plan_.values[k]);
      for (std::int64_t r = 0; r < tile.rows; ++r, to += tile.columns) {
        const T* from = input(k) + r * row;
        if (column == 1) std::copy_n(from, tile.columns, to);
        else if (column == 0) std::fill_n(to, tile.columns, *from);
        else
          for (std::int64_t c = 0; c < tile.columns; ++c) to[c] = from[c * column];
      }
    }
  }

  void compute(const Tile& tile) const {
    for (std::size_t k = 0; k < plan_.instructions.size(); ++k) {
      const ChainPlan::Value& result = plan_.values[plan_.input_count + k];
      execute(plan_.instructions[k], tile.elements(), result.is_direct ? output() : slot(result));
    }
  }
  void execute(const Instruction& instruction, std::int64_t n, T* to) const {
    switch (instruction.kind) {
      case Kind::combination: return combine(instruction, n, to);
      case Kind::product: return multiply(instruction, n, to);
      case Kind::power: return raise(instruction.exponent, n, to, value(instruction.arguments[0]));
      case Kind::function: return apply(instruction, n, to);
    }
  }
  void combine(const Instruction& instruction, std::int64_t n, T* to) const {
    const T* in[most_chain_arguments];
    T coefficients[most_chain_arguments];
    const std::size_t count = instruction.arguments.size();
    for (std::size_t k = 0; k < count; ++k) {
      in[k] = value(instruction.arguments[k]);
      coefficients[k] = static_cast<T>(instruction.coefficients[k]);
    }
    kernels_.combine(n, to, in, coefficients, static_cast<std::int64_t>(count), static_cast<T>(instruction.constant));
  }
  void multiply(const Instruction& instruction, std::int64_t n, T* to) const {
    const T* in[most_chain_arguments];
    const std::size_t count = instruction.arguments.size();
    for (std::size_t k = 0; k < count; ++k) in[k] = value(instruction.arguments[k]);
    kernels_.multiply(n, to, in, static_cast<std::int64_t>(count));
  }
  void raise(double exponent, std::int64_t n, T* to, const T* in) const {
    if (exponent == 2) return kernels_.square(n, to, in);
    if (exponent == 0.5) return kernels_.square_root(n, to, in);
    if (exponent == -1) return kernels_.invert(n, to, in);
    for (std::int64_t e = 0; e < n; ++e) to[e] = static_cast<T>(std::pow(static_cast<double>(in[e]), exponent));
  }
  void apply(const Instruction& instruction, std::int64_t n, T* to) const {
    const T *a = value(instruction.arguments.front()), *b = value(instruction.arguments.back());
    operation::with_function(instruction.function, [&]<operation::Function known>() {
      for (std::int64_t e = 0; e < n; ++e) to[e] = operation::value_at<known>(a[e], b[e]);
    });
  }

  const T* result() const { return value(static_cast<std::int32_t>(plan_.values.size()) - 1); }

  void store(const Tile& tile) const {
    const T* from = result();
    if (from == output()) return;
    const std::int64_t row = plan_.rows.stride.back(), column = plan_.columns.stride.back();
    for (std::int64_t r = 0; r < tile.rows; ++r, from += tile.columns) {
      T* to = output() + r * row;
      if (column == 1) std::copy_n(from, tile.columns, to);
      else
        for (std::int64_t c = 0; c < tile.columns; ++c) to[c * column] = from[c];
    }
  }
  void add_up(const Tile& tile) const {
    const T* from = result();
    const std::int64_t row = plan_.rows.stride.back(), column = plan_.columns.stride.back();
    if (plan_.columns.is_summed && row == 0) {
      *output() += kernels_.sum(tile.elements(), from);
      return;
    }
    for (std::int64_t r = 0; r < tile.rows; ++r, from += tile.columns) {
      T* to = output() + r * row;
      if (plan_.columns.is_summed) *to += kernels_.sum(tile.columns, from);
      else if (column == 1) kernels_.add(tile.columns, to, from);
      else
        for (std::int64_t c = 0; c < tile.columns; ++c) to[c * column] += from[c];
    }
  }

  ChainPlan& plan_;
  const BlockKernels<T>& kernels_;
  T* out_;
  const void* const* inputs_;
  char* scratch_;
  Workers& workers_;
};

}  // namespace

template <class T>
std::int64_t run(ChainPlan& plan, T* out, const void* const* inputs, char* scratch, Workers& workers) {
  return ChainRun<T>(plan, out, inputs, scratch, workers).run();
}

template std::int64_t run<double>(ChainPlan&, double*, const void* const*, char*, Workers&);
template std::int64_t run<float>(ChainPlan&, float*, const void* const*, char*, Workers&);

}  // namespace tyto::execute::cpu
