#pragma once
/// Tiles of permuted copies: what lies between their loops and the memory they move.
#include <cstdint>
#include "arithmetic/isa.hpp"

namespace tyto::arithmetic {

/// to(r, c) = from(r, c) for all rows r and columns c, where (r, c) lies at offset row[r] + column[c] on either side. Offsets
/// count elements, or what `unit` says, in bytes.
struct CopyTile {
  std::int64_t rows = 1, columns = 1;
  const std::int64_t *row_to = nullptr, *row_from = nullptr;
  const std::int64_t *column_to = nullptr, *column_from = nullptr;
  std::int64_t unit = 1;  ///< bytes of what offsets count
  std::int64_t run = 1;   ///< bytes that lie one after another on both sides at each place
  bool streams = false;   ///< write past the caches where whole cache lines are written
};
using CopyFunction = void (*)(void* to, const void* from, const CopyTile&);

/// Any tile, run by run.
CopyFunction copy_function(Isa);
/// A tile with row_to[r] = r, column_from[c] = c and run = unit: a transposition. Elements of 2, 4, 8 or 16 bytes.
CopyFunction transpose_function(Isa, std::int64_t element_bytes);
/// Like copy_function, but `from` has one element of `unit` bytes that is repeated over each run; row_from and column_from count
/// elements.
CopyFunction fill_function(Isa, std::int64_t element_bytes);

/// After stores that went past the caches: they are seen by others before what is stored next.
void finish_streams();

}  // namespace tyto::arithmetic
