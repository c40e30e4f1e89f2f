#pragma once
/// The contractions on which the device model is judged: a list with names, and random ones.
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

/// out = einsum(left, right); a letter for each axis, tensors row-major.
struct PairwiseContraction {
  std::string name, out, left, right;
  std::vector<std::pair<char, std::int64_t>> extents;  ///< by letter
  std::string subscripts() const { return out + "-" + left + "-" + right; }
};

/// Lines "OUT-LEFT-RIGHT a=10 b=20 ... NAME", '#' begins a comment. Throws std::runtime_error with the line that is not so.
std::vector<PairwiseContraction> read_contractions(const std::string& path);

/// One to eight labels in random roles, orders and extents; at most `most_flops` of them and `most_bytes` of f64. The same for the
/// same seed.
std::vector<PairwiseContraction> random_contractions(std::size_t count, std::uint64_t seed, double most_flops, double most_bytes);
