#pragma once
/// Which sites are neighbours. Sites are numbered from 1 along a snake: column by column, every other column backwards.
#include <cstdint>
#include <string>
#include <vector>
#include "tyto/error.hpp"

namespace tyto::hamiltonian {

/// `chain`, `ring` (a chain whose last site neighbours the first), `ladder` (width 2) or `square` (open in both directions).
struct LatticeRequest {
  std::string name = {};    ///< empty: chain, or what a model is defined on
  std::int64_t sites = 0;   ///< of ladder and square it may follow from width and length
  std::int64_t width = 0;   ///< sites of a column: of ladder 2, of square given; else not allowed
  std::int64_t length = 0;  ///< columns; 0: sites / width
  Where where = {};
};

struct SitePair {
  std::int64_t first = 1, second = 2;  ///< first < second
};

struct Lattice {
  std::string name;
  std::int64_t sites = 0, width = 1;
  std::vector<SitePair> neighbours = {};         ///< each pair once, in the order of its sites
  std::vector<SitePair> second_neighbours = {};  ///< chain and ring: two sites on; ladder and square: across a diagonal
};

std::vector<std::string> lattice_names();
/// Throws Error: unknown_word (with the nearest), missing_key, out_of_range below 2 sites (ring: 3), contradiction of sites, width
/// and length.
Lattice make_lattice(const LatticeRequest&);

}  // namespace tyto::hamiltonian
