#pragma once
/// Sets of operands of a network of any size. A message is named by the set of operands that it contracts.
#include <boost/dynamic_bitset.hpp>

namespace tyto::optimize {

using OperandSet = boost::dynamic_bitset<std::uint64_t>;

}  // namespace tyto::optimize
