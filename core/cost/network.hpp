#pragma once
/// Costs of contracting a network of tensors pair by pair: counts from labels and extents alone, no tensors and no device.
#include <cstdint>
#include <vector>
#include "einsum/subscripts.hpp"

namespace tyto::cost {

/// What is known of the entries of an operand that is not dense.
struct Statistics {
  double nonzeros = 0;
  std::vector<double> distinct;  ///< of each axis: how many of its indices have an entry
};

/// When the operands of a network change that is contracted again and again, as a product in a cycle of kernels is. A contraction
/// runs on each occasion on which one of the operands below it has changed.
struct Changes {
  std::vector<double> times;            ///< how often each occasion comes in a cycle; at most most_occasions
  std::vector<std::uint64_t> operands;  ///< of each operand: the occasions on which it has changed, a bit each
  /// How often in a cycle a contraction runs that has operands of these occasions. Without times every one runs once. What never
  /// runs again counts as `seldom`, so that among such contractions the cheaper ones are better.
  double runs(std::uint64_t occasions) const;
};
constexpr std::size_t most_occasions = 64;
constexpr double seldom = 0x1p-40;

/// An einsum of any number of operands whose extents are known.
struct Network {
  einsum::Subscripts subscripts;
  Extents extents;                          ///< of each label
  std::vector<Statistics> statistics = {};  ///< of each operand; empty: all are dense
  Changes changes = {};                     ///< costs are those of a cycle
};

/// What is compared: flops first, then elements moved, then how badly axes lie for a matrix product. Sums of costs are costs.
struct Cost {
  double flops = 0, elements = 0, breaks = 0;
  Cost& operator+=(const Cost& other) {
    flops += other.flops, elements += other.elements, breaks += other.breaks;
    return *this;
  }
  friend Cost operator+(Cost a, const Cost& b) { return a += b; }
  friend Cost operator*(double times, const Cost& c) { return {times * c.flops, times * c.elements, times * c.breaks}; }
  friend auto operator<=>(const Cost&, const Cost&) = default;
};

/// One contraction of two operands. Flops are those of einsum::loop_flops; elements those read and written; breaks count, per
/// operand, how often its axes switch between kept and contracted beyond once.
Cost pair_cost(const einsum::Labels& left, const einsum::Labels& right, const einsum::Labels& out, const Extents&);
double element_count(const einsum::Labels&, const Extents&);
/// Switches between contracted and kept axes beyond the one that a matrix needs.
double axis_breaks(const einsum::Labels& operand, const einsum::Labels& out);

/// The labels of the result of joining two values of a network: those that others or the output still need, ascending.
einsum::Labels joined_labels(const einsum::Labels& left, const einsum::Labels& right, const std::vector<einsum::Labels>& others,
                             const einsum::Labels& output);

}  // namespace tyto::cost
