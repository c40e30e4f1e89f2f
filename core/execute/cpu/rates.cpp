// The tables, and the numbers by name.
#include "execute/cpu/rates.hpp"

namespace tyto::execute::cpu {
namespace {

using Unit = NamedRate::Unit;

/// One core of a Zen 3 server at about 3.2 GHz in a virtual machine, with 512 kB of second-level cache. Memory and calls of BLAS,
/// which chooses its own instructions, are those of the machine whatever the instruction set.
Rates avx2_rates() {
  return {.source = "built-in for avx2",
          .peak = 51.5e9,
          .isa = arithmetic::Isa::avx2,
          .product = {.flops = 47e9, .call = 120e-9, .tile = 5e-9},
          .packed_product = {.flops = 47e9, .call = 170e-9, .tile = 4e-9},
          .complex_product = 34e9,
          .packing = 0.19e-9,
          .transposed_packing = 0.36e-9,
          .scattered_packing = 0.65e-9,
          .packing_row = 1.8e-9,
          .vector_writing = 0.4e-9,
          .scattered_writing = 1.6e-9,
          .offset = 0.6e-9,
          .multiply = {.flops = 20e9, .call = 8e-9, .row = 1.3e-9},
          .multiply_add = {.flops = 40e9, .call = 9e-9, .row = 0.7e-9},
          .dot = {.flops = 38e9, .call = 12e-9, .row = 3.2e-9},
          .any = {.flops = 3.4e9, .call = 9e-9, .row = 0.9e-9},
          .first_level_size = 32768,
          .second_level = {.size = 524288, .speed = 110e9, .run = 0.35e-9},
          .last_level = {.size = 16e6, .speed = 110e9, .run = 1.3e-9},
          .memory = {.speed = 21e9, .run = 2.8e-9},
          .copy = 50e9,
          .transposition = 48e9,
          .copy_row = 0.8e-9,
          .factorization = 28e9,
          .half_order = 85,
          .step = 60e-9,
          .power = 18e-9,
          .function = 9e-9,
          .plain = 0.2e9};
}

/// Vectors of half the width, multiplications and additions apart: products by the ratio of the peaks, the rest as it is there.
Rates portable_rates() {
  Rates rates = avx2_rates();
  rates.source = "built-in for portable";
  rates.isa = arithmetic::Isa::portable;
  rates.peak = 24.6e9;
  rates.product.flops = rates.packed_product.flops = 20e9;
  rates.complex_product = 16e9;
  rates.multiply.flops = 12e9;
  rates.multiply_add.flops = 18e9;
  rates.dot.flops = 18e9;
  return rates;
}

/// One core of a Zen 4 server; peak, products and bandwidths as measured there, complex products by the ratio of the peaks, the
/// rest from the table above.
Rates avx512_rates() {
  Rates rates = avx2_rates();
  rates.source = "built-in for avx512";
  rates.peak = 59e9;
  rates.isa = arithmetic::Isa::avx512;
  rates.product.flops = rates.packed_product.flops = 54e9;
  rates.complex_product = 42e9;
  rates.second_level = {.size = 1e6, .speed = 100e9, .run = 0.6e-9};
  rates.last_level.size = 16e6;
  rates.memory.speed = 30e9;
  return rates;
}

}  // namespace

Rates built_in_rates(arithmetic::Isa isa) {
  switch (isa) {
    case arithmetic::Isa::portable: return portable_rates();
    case arithmetic::Isa::avx2: return avx2_rates();
    case arithmetic::Isa::avx512: break;
  }
  return avx512_rates();
}

const std::vector<NamedRate>& named_rates() {
  static const std::vector<NamedRate> all = {
      {"peak", "multiply-adds in registers", Unit::flops_per_second, [](Rates& r) -> double& { return r.peak; }},
      {"product", "large matrix products in place", Unit::flops_per_second, [](Rates& r) -> double& { return r.product.flops; }},
      {"product_tile", "start and end of a tile", Unit::seconds, [](Rates& r) -> double& { return r.product.tile; }},
      {"product_call", "call of a product", Unit::seconds, [](Rates& r) -> double& { return r.product.call; }},
      {"packed_product", "large matrix products, packed", Unit::flops_per_second,
       [](Rates& r) -> double& { return r.packed_product.flops; }},
      {"packed_product_tile", "start and end of a tile", Unit::seconds, [](Rates& r) -> double& { return r.packed_product.tile; }},
      {"packed_product_call", "call of a product", Unit::seconds, [](Rates& r) -> double& { return r.packed_product.call; }},
      {"complex_product", "large products of complex numbers", Unit::flops_per_second,
       [](Rates& r) -> double& { return r.complex_product; }},
      {"packing", "element packed, in rows", Unit::seconds, [](Rates& r) -> double& { return r.packing; }},
      {"transposed_packing", "element packed, in columns", Unit::seconds, [](Rates& r) -> double& { return r.transposed_packing; }},
      {"scattered_packing", "element packed, one by one", Unit::seconds, [](Rates& r) -> double& { return r.scattered_packing; }},
      {"packing_row", "start of a row packed", Unit::seconds, [](Rates& r) -> double& { return r.packing_row; }},
      {"vector_writing", "element written in short pieces", Unit::seconds, [](Rates& r) -> double& { return r.vector_writing; }},
      {"scattered_writing", "element written by itself", Unit::seconds, [](Rates& r) -> double& { return r.scattered_writing; }},
      {"offset", "offset of a row or column", Unit::seconds, [](Rates& r) -> double& { return r.offset; }},
      {"multiply", "rows multiplied", Unit::flops_per_second, [](Rates& r) -> double& { return r.multiply.flops; }},
      {"multiply_call", "call of that", Unit::seconds, [](Rates& r) -> double& { return r.multiply.call; }},
      {"multiply_row", "start of a row", Unit::seconds, [](Rates& r) -> double& { return r.multiply.row; }},
      {"multiply_add", "rows added up", Unit::flops_per_second, [](Rates& r) -> double& { return r.multiply_add.flops; }},
      {"multiply_add_call", "call of that", Unit::seconds, [](Rates& r) -> double& { return r.multiply_add.call; }},
      {"multiply_add_row", "start of a row", Unit::seconds, [](Rates& r) -> double& { return r.multiply_add.row; }},
      {"dot", "sums along rows", Unit::flops_per_second, [](Rates& r) -> double& { return r.dot.flops; }},
      {"dot_call", "call of that", Unit::seconds, [](Rates& r) -> double& { return r.dot.call; }},
      {"dot_row", "start of a row", Unit::seconds, [](Rates& r) -> double& { return r.dot.row; }},
      {"any", "rows with strides", Unit::flops_per_second, [](Rates& r) -> double& { return r.any.flops; }},
      {"any_call", "call of that", Unit::seconds, [](Rates& r) -> double& { return r.any.call; }},
      {"any_row", "start of a row", Unit::seconds, [](Rates& r) -> double& { return r.any.row; }},
      {"first_level_size", "first-level cache", Unit::bytes, [](Rates& r) -> double& { return r.first_level_size; }},
      {"second_level_size", "second-level cache", Unit::bytes, [](Rates& r) -> double& { return r.second_level.size; }},
      {"second_level", "streaming within it", Unit::bytes_per_second, [](Rates& r) -> double& { return r.second_level.speed; }},
      {"second_level_run", "turning elsewhere in it", Unit::seconds, [](Rates& r) -> double& { return r.second_level.run; }},
      {"last_level_size", "last cache, for one core", Unit::bytes, [](Rates& r) -> double& { return r.last_level.size; }},
      {"last_level", "streaming within it", Unit::bytes_per_second, [](Rates& r) -> double& { return r.last_level.speed; }},
      {"last_level_run", "turning elsewhere in it", Unit::seconds, [](Rates& r) -> double& { return r.last_level.run; }},
      {"memory", "streaming beyond the caches", Unit::bytes_per_second, [](Rates& r) -> double& { return r.memory.speed; }},
      {"memory_run", "turning elsewhere in memory", Unit::seconds, [](Rates& r) -> double& { return r.memory.run; }},
      {"copy", "rows copied", Unit::bytes_per_second, [](Rates& r) -> double& { return r.copy; }},
      {"transposition", "transposing", Unit::bytes_per_second, [](Rates& r) -> double& { return r.transposition; }},
      {"copy_row", "start of a row copied", Unit::seconds, [](Rates& r) -> double& { return r.copy_row; }},
      {"factorization", "large factorizations", Unit::flops_per_second, [](Rates& r) -> double& { return r.factorization; }},
      {"half_order", "order at half of that", Unit::extent, [](Rates& r) -> double& { return r.half_order; }},
      {"step", "any step of a plan", Unit::seconds, [](Rates& r) -> double& { return r.step; }},
      {"power", "element of a general power", Unit::seconds, [](Rates& r) -> double& { return r.power; }},
      {"function", "element of a function", Unit::seconds, [](Rates& r) -> double& { return r.function; }},
      {"plain", "operations without a kernel", Unit::flops_per_second, [](Rates& r) -> double& { return r.plain; }},
  };
  return all;
}

double stream_speed(const Rates& rates, double bytes) {
  if (bytes <= rates.second_level.size) return rates.second_level.speed;
  return bytes <= rates.last_level.size ? rates.last_level.speed : rates.memory.speed;
}

}  // namespace tyto::execute::cpu
