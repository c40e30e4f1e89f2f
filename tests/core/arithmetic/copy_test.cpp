#include "arithmetic/copy.hpp"
#include <algorithm>
#include <cstddef>
#include <numeric>
#include <random>
#include <vector>
#include <boost/test/unit_test.hpp>
#include "arithmetic/copy_loops.hpp"
#include "arithmetic/transpose_loops.hpp"

namespace tyto::arithmetic {
namespace {

using Bytes = std::vector<std::byte>;
using Offsets = std::vector<std::int64_t>;

#if defined(TYTO_HAS_X86)
// The loops of 64-byte registers, on a processor that may not have them.
template <int Element>
TYTO_TARGET_AVX2 void wide_transpose(void* to, const void* from, const CopyTile& t) {
  transpose<Element, 64, 32>(to, from, t);
}
TYTO_TARGET_AVX2 void wide_copy(void* to, const void* from, const CopyTile& t) { copy_runs<64, 32>(to, from, t); }
template <int Element>
TYTO_TARGET_AVX2 void wide_fill(void* to, const void* from, const CopyTile& t) {
  fill_runs<Element, 64, 32>(to, from, t);
}
#endif

struct Functions {
  CopyFunction transpose, copy, fill;
};

template <int Element>
std::vector<Functions> functions_for() {
  std::vector<Functions> functions;
  for (const Isa isa : available_isas())
    functions.push_back({transpose_function(isa, Element), copy_function(isa), fill_function(isa, Element)});
#if defined(TYTO_HAS_X86)
  if (available_isas().size() > 1) functions.push_back({wide_transpose<Element>, wide_copy, wide_fill<Element>});
#endif
  return functions;
}

/// A tile of rows x columns runs on either side, with gaps and in any order, and memory around it.
struct RandomTile {
  RandomTile(std::mt19937_64& engine, std::int64_t unit, std::int64_t rows, std::int64_t columns, std::int64_t run, bool turns)
      : from(0), to(0) {
    std::uniform_int_distribution<std::int64_t> gap(0, 3);
    tile = {.rows = rows, .columns = columns, .unit = unit, .run = run * unit, .streams = gap(engine) % 2 == 1};
    const auto spread = [&](Offsets& slow, std::int64_t count, std::int64_t step) {
      slow.resize(static_cast<std::size_t>(count));
      std::int64_t next = gap(engine);
      for (std::int64_t& offset : slow) offset = next, next += step + gap(engine);
      std::shuffle(slow.begin(), slow.end(), engine);
      return next + step;
    };
    const auto dense = [&](Offsets& fast, std::int64_t count, std::int64_t step) {
      fast.resize(static_cast<std::size_t>(count));
      for (std::int64_t k = 0; k < count; ++k) fast[static_cast<std::size_t>(k)] = k * step;
      return count * step;
    };
    // A transposition needs unit steps; else they have gaps as well.
    const std::int64_t step = turns ? 1 : run + gap(engine);
    const std::int64_t to_size = spread(column_to, columns, dense(row_to, rows, step));
    const std::int64_t from_size = spread(row_from, rows, dense(column_from, columns, step));
    from.resize(static_cast<std::size_t>((from_size + step) * unit));
    std::uniform_int_distribution<int> byte(0, 255);
    for (std::byte& b : from) b = static_cast<std::byte>(byte(engine));
    to.assign(static_cast<std::size_t>((to_size + step) * unit), std::byte{0x5a});
    tile.row_to = row_to.data();
    tile.row_from = row_from.data();
    tile.column_to = column_to.data();
    tile.column_from = column_from.data();
  }
  /// What the tile shall write; `repeats`: one element over each run.
  Bytes expected(bool repeats) const {
    Bytes result = to;
    for (std::size_t c = 0; c < column_to.size(); ++c)
      for (std::size_t r = 0; r < row_to.size(); ++r)
        for (std::int64_t b = 0; b < tile.run; ++b)
          result[static_cast<std::size_t>((column_to[c] + row_to[r]) * tile.unit + b)] =
              from[static_cast<std::size_t>((column_from[c] + row_from[r]) * tile.unit + (repeats ? b % tile.unit : b))];
    return result;
  }
  Bytes result(CopyFunction function) const {
    Bytes written = to;
    function(written.data(), from.data(), tile);
    finish_streams();
    return written;
  }

  CopyTile tile;
  Offsets row_to, row_from, column_to, column_from;
  Bytes from, to;
};

template <int Element>
void check_tiles(unsigned seed) {
  std::mt19937_64 engine(seed);
  const auto between = [&](std::int64_t low, std::int64_t high) {
    return std::uniform_int_distribution<std::int64_t>(low, high)(engine);
  };
  for (int repetition = 0; repetition < 60; ++repetition) {
    const bool is_large = repetition % 10 == 0;  // more than one block of the buffer
    const std::int64_t rows = is_large ? between(100, 700) : between(1, 40), columns = between(1, is_large ? 300 : 40);
    const std::int64_t run = repetition % 2 == 0 ? between(1, 40) : between(1, 4);
    const RandomTile turned(engine, Element, rows, columns, 1, true),
        copied(engine, Element, rows % 50 + 1, columns % 20 + 1, run, false);
    for (const Functions& functions : functions_for<Element>()) {
      BOOST_TEST((turned.result(functions.transpose) == turned.expected(false)), rows << " x " << columns << " of " << Element);
      BOOST_TEST((copied.result(functions.copy) == copied.expected(false)), "copy of " << run << " of " << Element);
      BOOST_TEST((copied.result(functions.fill) == copied.expected(true)), "fill of " << run << " of " << Element);
    }
  }
}

BOOST_AUTO_TEST_CASE(tiles_of_all_sizes_are_moved_and_nothing_else_by_every_instruction_set) {
  check_tiles<2>(1);
  check_tiles<4>(2);
  check_tiles<8>(3);
  check_tiles<16>(4);
}

}  // namespace
}  // namespace tyto::arithmetic
