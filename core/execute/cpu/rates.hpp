#pragma once
/// How fast one core is, as numbers that the device model and the choice of kernels work with: those of a table for each
/// instruction set, or measured by `tyto calibrate`. A value that is handed down, never looked up.
#include <string>
#include <string_view>
#include <vector>
#include "arithmetic/caches.hpp"
#include "arithmetic/isa.hpp"

namespace tyto::execute::cpu {

/// Matrix products of one kernel class: the flops per second of full tiles in f64, seconds to begin and end a tile, and seconds of
/// a call; each point of a batch is a call.
struct ProductRates {
  double flops = 0, call = 0, tile = 0;
};

/// One kind of row kernel (see RowKernel) on data that are near: seconds = call + rows * row + flops / speed.
struct RowRates {
  double flops = 0, call = 0, row = 0;
};

/// A level of memory: operands of which one step touches no more than `size` bytes stay in it. What comes out of it takes `run`
/// seconds for each run of lines that follow each other, and 1 / speed for each byte.
struct LevelRates {
  double size = 0, speed = 0, run = 0;
};

/// Speeds are per second, of one core in f64; operations in f32 do twice the flops. Times are in seconds.
struct Rates {
  std::string source;                               ///< for people: "built-in for avx2", "calibrated on 2026-11-30"
  double peak = 0;                                  ///< flops of fused multiply-adds in registers: what nothing exceeds
  arithmetic::Isa isa = arithmetic::Isa::portable;  ///< that the rates belong to
  ProductRates product, packed_product;             ///< the right operand in place, and packed
  double complex_product = 0;                       ///< flops of full tiles in c128
  double packing = 0, transposed_packing = 0, scattered_packing = 0;  ///< seconds of an element
  double packing_row = 0;                                             ///< seconds to begin a row of a panel
  double vector_writing = 0, scattered_writing = 0;  ///< seconds of an element of an output that tiles do not write directly
  double offset = 0;                                 ///< seconds of a row, column or depth of a block
  RowRates multiply, multiply_add, dot, any;         ///< row kernels; scale counts as multiply, scale_add and sum likewise
  double first_level_size = 0;                       ///< bytes of the cache whose speed is that of the kernels
  LevelRates second_level, last_level, memory;       ///< caches; what lies beyond them, without a size
  double copy = 0, transposition = 0;                ///< bytes read and written by strided copies, data near
  double copy_row = 0;                               ///< seconds to begin a row of such a copy
  double factorization = 0, half_order = 0;          ///< flops of large factorizations and solves; order at which half is reached
  double step = 0;                                   ///< of any step, before it does anything
  double power = 0, function = 0;                    ///< seconds of one element of a general power, of a function
  double plain = 0;                                  ///< flops of what has no kernel here

  /// What products are cut for.
  arithmetic::Caches caches() const {
    return {static_cast<std::int64_t>(first_level_size), static_cast<std::int64_t>(second_level.size),
            static_cast<std::int64_t>(last_level.size)};
  }
};

/// Measured on one machine of each kind. The same on every machine, so that a plan made with a table is the same everywhere.
Rates built_in_rates(arithmetic::Isa);

/// A number of the rates under the name that files and tables give it.
struct NamedRate {
  enum class Unit { flops_per_second, bytes_per_second, seconds, bytes, extent };
  std::string_view name, meaning;
  Unit unit = Unit::seconds;
  double& (*in)(Rates&);
  double of(Rates rates) const { return in(rates); }
};
/// All of them, in the order in which people read them.
const std::vector<NamedRate>& named_rates();

/// Bytes per second at which a step streams operands of so many bytes in all, by the smallest cache that holds them.
double stream_speed(const Rates&, double bytes);

}  // namespace tyto::execute::cpu
