#include "optimize/uses.hpp"
#include <algorithm>

namespace tyto::optimize {

bool Uses::accept(const Use& use) {
  const Operands all = (Operands{1} << operand_count_) - 1;
  for (const Operands edge : edges_)
    if (!compatible(edge, use.left_out, all)) return false;
  if (use.left_out != 0) edges_.push_back(use.left_out);
  uses_.push_back(use);
  return true;
}

void Uses::settle_scalars() {
  for (const Use& use : uses_)
    if (use.left_out == 0) scalar_edges_[use.product] = latest_edge(use);
}

const Use* Uses::of(graph::NodeId product) const {
  const auto at = std::find_if(uses_.begin(), uses_.end(), [&](const Use& u) { return u.product == product; });
  return at == uses_.end() ? nullptr : &*at;
}

/// A scalar is the inner product of two messages across one edge: that of the operands that changed last before it is asked for,
/// whose other side is known then.
Operands Uses::latest_edge(const Use& scalar) const {
  for (std::size_t event = 0; event < changed_.size(); ++event) {
    if (scalar.events[event] == 0) continue;
    for (std::size_t back = 1; back <= changed_.size(); ++back) {
      const std::size_t earlier = (event + changed_.size() - back) % changed_.size();
      for (const Use& use : uses_)
        if (use.left_out != 0 && use.events[earlier] != 0 && (changed_[earlier] & use.left_out) != 0) return use.left_out;
    }
  }
  return edges_.front();
}

bool Uses::needs(const Use& use, Operands message) const {
  if (use.left_out != 0) return (message & use.left_out) == 0;
  const Operands edge = scalar_edges_.at(use.product);
  return (message & edge) == 0 || (message & ~edge) == 0;
}

double Uses::versions(Operands message) const {
  double count = 0;
  bool is_stale = true;
  for (std::size_t round = 0; round < 2; ++round)
    for (std::size_t event = 0; event < changed_.size(); ++event) {
      const bool needed =
          std::any_of(uses_.begin(), uses_.end(), [&](const Use& u) { return u.events[event] != 0 && needs(u, message); });
      if (needed && is_stale) count += round == 1 ? 1 : 0, is_stale = false;
      if ((changed_[event] & message) != 0) is_stale = true;
    }
  return count;
}

}  // namespace tyto::optimize
