#pragma once
/// Operands of a network with the same labels, multiplied entry by entry before anything else.
#include "cost/path.hpp"

namespace tyto::cost {

/// The network with one operand for each set of labels that several had, and how to come back.
struct WithoutTwins {
  Network network;
  std::vector<std::pair<std::int32_t, std::int32_t>> pairs;  ///< numbered as in the whole network
  std::vector<std::int32_t> value;                           ///< of each operand that is left, as numbered in the whole network
};

/// No tree needs more flops for it: where one joins two such operands apart, joining them at once takes one product over their
/// labels off the path and adds it at the leaves, and no label has to be kept longer. Of dense networks; operands that change on
/// other occasions are no twins.
WithoutTwins without_twins(const Network&);
/// Pairs of the small network as pairs of the whole one, behind those that were made at once.
std::vector<std::pair<std::int32_t, std::int32_t>> with_twins(const WithoutTwins&, std::size_t operands,
                                                              const std::vector<std::pair<std::int32_t, std::int32_t>>& pairs);

}  // namespace tyto::cost
