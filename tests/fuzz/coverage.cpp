#include "fuzz/coverage.hpp"
#include <fmt/format.h>

namespace tyto::fuzz {
namespace {

const char* const names[] = {"leaf",  "fill",        "identity",      "einsum",         "combination",
                             "power", "inverse",     "solve",         "imaginary unit", "triangle",
                             "map",   "logsumexp",   "softmax",       "reshape",        "slice",
                             "pad",   "concatenate", "factorization", "reciprocal"};
constexpr std::size_t count = std::variant_size_v<graph::Operation>;
static_assert(count == std::size(names));
constexpr std::size_t sources = 5;  // which have no operands

}  // namespace

void Coverage::note(const graph::Graph& graph) {
  const graph::Store& store = *graph.store;
  for (const graph::NodeId id : reachable(graph)) {
    met_.insert(store[id].operation.index());
    for (const graph::NodeId operand : store[id].operands)
      pairs_.emplace(store[id].operation.index(), store[operand].operation.index());
  }
}

std::string Coverage::text() const {
  return fmt::format("{} of {} operations, {} of {} pairs of an operation and its operand", met_.size(), count, pairs_.size(),
                     (count - sources) * count);
}

std::vector<std::string> Coverage::missing_operations() const {
  std::vector<std::string> missing;
  for (std::size_t k = 0; k < count; ++k)
    if (!met_.contains(k)) missing.emplace_back(names[k]);
  return missing;
}

}  // namespace tyto::fuzz
