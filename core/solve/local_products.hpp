#pragma once
/// The contractions around a block of a train: what is left of a network when one core, or two neighbours merged, are taken out.
#include <algorithm>
#include "solve/surroundings.hpp"

namespace tyto::solve {

/// One core or two merged: theta [left bond][site](...)[right bond].
struct Block {
  std::size_t first = 0, count = 1;  ///< sites
  Extents extents;
  Dtype dtype = Dtype::f64;
  std::size_t end() const { return first + count; }
  /// As a factor without values.
  ConstArray shape() const { return {nullptr, dtype, extents, row_major(extents)}; }
};
/// The block at these sites of a train as its cores are.
Block block_of(const Train&, const Surroundings&, std::size_t first, std::size_t count);

/// theta -> d form / d conj(theta), but for the coefficient of its network; theta is the last factor, and changes `products` times
/// while the others do so once.
Product local_product(const Network&, const Rayleigh::Form&, Surroundings&, const Block&, std::int64_t products);

/// Products of an eigensolve that a plan counts on: what a few sweeps from a good start take, or fewer where no more are allowed.
inline std::int64_t products_counted_on(const Krylov& krylov) { return std::min<std::int64_t>(krylov.max_iterations, 10); }

/// The coefficients of an overlap, a network linear in the train.
Product overlap_product(const Network&, const EigenSolve::Overlap&, Surroundings&, const Block&);

/// A form with one side of the bond in the middle of two sites opened: first the labels of the bra there, [bond][site], then those
/// of what is summed over in a density matrix; theta is the last factor.
Product opened_product(const Network&, const Rayleigh::Form&, Surroundings&, const Block&, Weight to);

}  // namespace tyto::solve
