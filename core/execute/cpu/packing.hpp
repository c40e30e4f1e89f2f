#pragma once
/// Layouts of operands copied to scratch so that a matrix product applies: batch axes slowest, then the two groups of a matrix.
#include "execute/cpu/contraction_plan.hpp"

namespace tyto::execute::cpu {

struct PackedLayouts {
  std::vector<Loop> loops;       ///< as given, with the strides of the packed places replaced
  Offsets elements = {0, 0, 0};  ///< by Place
};
/// Bit p of `which` packs Place p. Loops that an operand does not have, or does not move along, keep stride 0.
PackedLayouts packed_layouts(const std::vector<Loop>& loops, int which);
/// The copies that go with them; offsets are left to the caller.
std::array<Packing, 3> packings_of(const std::vector<Loop>& loops, const PackedLayouts&, int which);

}  // namespace tyto::execute::cpu
