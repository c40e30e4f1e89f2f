#pragma once
/// What one core of a present machine does in a second, roughly: the constants of the device model. Plans depend on their ratios
/// only, so they are fixed numbers: the same problem has the same plan everywhere.

namespace tyto::execute::cpu::rates {

constexpr double gemm_flops = 40e9;       ///< flops per second of a large product in f64; twice that in f32
constexpr double vector_flops = 6e9;      ///< of a vectorized loop whose data are near
constexpr double scalar_flops = 0.7e9;    ///< of a loop with strides
constexpr double system_flops = 8e9;      ///< of factorizations and triangular solves
constexpr double memory_bytes = 15e9;     ///< bytes per second, read or written in order
constexpr double transposed_bytes = 6e9;  ///< bytes per second read and written by a transposition
constexpr double gemm_call = 120e-9;      ///< seconds of a call beyond its flops
constexpr double row_call = 8e-9;         ///< seconds of one call of a row kernel
constexpr double row_start = 2e-9;        ///< seconds to begin a row
constexpr double step = 100e-9;           ///< seconds of any step
constexpr double power_element = 15e-9;   ///< seconds of a general power or function
constexpr double plain_flops = 0.2e9;     ///< of what has no kernel here

/// Extents at which a product reaches half of its speed; BLAS is slow on few rows or columns.
constexpr double half_rows = 8, half_columns = 8, half_depth = 12;

}  // namespace tyto::execute::cpu::rates
