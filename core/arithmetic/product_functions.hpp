#pragma once
/// Compiles the bodies of arithmetic/block_loops.hpp for each instruction set; one source file for each element type includes it.
#include "arithmetic/block_loops.hpp"
#include "arithmetic/write_loops.hpp"

namespace tyto::arithmetic {

template <class T, int Bytes>
struct Portable {
  static constexpr int bytes = Bytes;
  static void pack_left(const PackedPanel<T>& panel) { loops::pack<T, Bytes, is_complex_type<T>>(panel); }
  static void pack_rows(const PackedRows<T>& rows) { loops::pack_rows<T, Bytes>(rows); }
  static void pack_right(const PackedColumns<T>& columns) { loops::pack_columns<T, Bytes>(columns); }
  static void multiply(const Block<T>& block) { loops::multiply<Portable>(block); }
  template <int Rows, int Columns, Walk walk, class BlockPacker>
  [[gnu::noinline]] static void multiply_panels(const Block<T>& block, const LeftPanels& panels, const loops::TilePlace<T>& at,
                                                BlockPacker& packer) {
    loops::multiply_panels<T, Bytes, Rows, Columns, walk>(block, panels, at, packer);
  }
  static void write(const Sums<T>& sums) { loops::write<T, Bytes>(sums); }
};

template <class T, int Bytes, class Set>
ProductFunctions<T> functions_of() {
  return {.row_vector = row_lanes<T, Bytes>,
          .wide = {wide_tile<T, Bytes>, loops::columns_of_panel<T, Bytes, true>},
          .tall = {tall_tile<T, Bytes>, loops::columns_of_panel<T, Bytes, false>},
          .pack_left = Set::pack_left,
          .pack_rows = Set::pack_rows,
          .pack_right = Set::pack_right,
          .multiply = Set::multiply,
          .write = Set::write};
}

#if defined(TYTO_HAS_X86)
template <class T>
struct WithAvx2 {
  static constexpr int bytes = 32;
  TYTO_TARGET_AVX2 static void pack_left(const PackedPanel<T>& panel) { loops::pack<T, 32, is_complex_type<T>>(panel); }
  TYTO_TARGET_AVX2 static void pack_rows(const PackedRows<T>& rows) { loops::pack_rows<T, 32>(rows); }
  TYTO_TARGET_AVX2 static void pack_right(const PackedColumns<T>& columns) { loops::pack_columns<T, 32>(columns); }
  TYTO_TARGET_AVX2 static void multiply(const Block<T>& block) { loops::multiply<WithAvx2>(block); }
  template <int Rows, int Columns, Walk walk, class BlockPacker>
  TYTO_TARGET_AVX2 [[gnu::noinline]] static void multiply_panels(const Block<T>& block, const LeftPanels& panels,
                                                                 const loops::TilePlace<T>& at, BlockPacker& packer) {
    loops::multiply_panels<T, 32, Rows, Columns, walk>(block, panels, at, packer);
  }
  TYTO_TARGET_AVX2 static void write(const Sums<T>& sums) { loops::write<T, 32>(sums); }
};
template <class T>
struct WithAvx512 {
  static constexpr int bytes = 64;
  TYTO_TARGET_AVX512 static void pack_left(const PackedPanel<T>& panel) { loops::pack<T, 64, is_complex_type<T>>(panel); }
  TYTO_TARGET_AVX512 static void pack_rows(const PackedRows<T>& rows) { loops::pack_rows<T, 64>(rows); }
  TYTO_TARGET_AVX512 static void pack_right(const PackedColumns<T>& columns) { loops::pack_columns<T, 64>(columns); }
  TYTO_TARGET_AVX512 static void multiply(const Block<T>& block) { loops::multiply<WithAvx512>(block); }
  template <int Rows, int Columns, Walk walk, class BlockPacker>
  TYTO_TARGET_AVX512 [[gnu::noinline]] static void multiply_panels(const Block<T>& block, const LeftPanels& panels,
                                                                   const loops::TilePlace<T>& at, BlockPacker& packer) {
    loops::multiply_panels<T, 64, Rows, Columns, walk>(block, panels, at, packer);
  }
  TYTO_TARGET_AVX512 static void write(const Sums<T>& sums) { loops::write<T, 64>(sums); }
};
#endif

/// The table of an element type that has a version for each instruction set.
template <class T>
const ProductFunctions<T>& functions_by_isa(Isa isa) {
  static const ProductFunctions<T> portable = functions_of<T, 16, Portable<T, 16>>();
#if defined(TYTO_HAS_X86)
  static const ProductFunctions<T> avx2 = functions_of<T, 32, WithAvx2<T>>(), avx512 = functions_of<T, 64, WithAvx512<T>>();
  if (isa == Isa::avx512) return avx512;
  if (isa == Isa::avx2) return avx2;
#endif
  return portable;
}

}  // namespace tyto::arithmetic
