#pragma once
/// What of a network is contracted from what, event by event of a cycle that repeats, so that a cycle costs least. A message is
/// named by the operands that it contracts and is current until one of them changes; each event may join its operands in another
/// tree and use any message that is current. One unrooted tree for all events (see tree.hpp) is a special case, and so are the
/// multi-sweep dimension trees of Ma and Solomonik, Efficient parallel CP decomposition with pairwise perturbation and
/// multi-sweep dimension tree, IPDPS 2021.
#include <functional>
#include <map>
#include <optional>
#include <vector>
#include "optimize/tree.hpp"

namespace tyto::optimize {

/// One event of a cycle, as one network sees it.
struct Demand {
  std::vector<Operands> targets;  ///< messages that are asked for; all operands: the network as a whole
  Operands changed = 0;           ///< operands that change after it
};

class Schedule {
 public:
  /// How a message came about: the event that computed it, and the two messages it is the contraction of, current there.
  struct Origin {
    std::size_t event = 0;
    Operands left = 0, right = 0;
  };
  /// By event, what it computes: a message and one of its halves.
  using Halves = std::map<Operands, Operands>;
  Schedule(std::vector<Halves> computed, Halves constant, cost::Cost total, bool is_exact);

  /// Of a message of two operands or more that is current at the event, or computed there. A message that never changes is of
  /// event 0.
  Origin origin(Operands message, std::size_t event) const;
  const std::vector<Halves>& computed() const { return computed_; }
  /// Of one cycle once it repeats. What never changes costs nothing.
  const cost::Cost& total() const { return total_; }
  /// Whether no cheaper one exists; false where states were dropped.
  bool is_exact() const { return is_exact_; }

 private:
  std::vector<Halves> computed_;
  Halves constant_;
  cost::Cost total_;
  bool is_exact_;
};

/// The size of what the search can take: sets of six units fit the bits of a word.
constexpr std::size_t most_units = 6;

struct ScheduleOptions {
  std::size_t most_units = optimize::most_units;
  std::function<bool(Operands)> allows = {};  ///< messages that may be used; empty: all
  std::size_t most_states = 4096;             ///< sets of current messages that are followed after each event: the cheapest
};

/// The cheapest of all schedules that repeat. Two operands that are always left out together and change together are joined first,
/// as Gram matrices are; nothing if more than
/// most_units operands and such pairs are left.
std::optional<Schedule> cheapest_schedule(const cost::Network&, const std::vector<Demand>& cycle, const ScheduleOptions& = {});

}  // namespace tyto::optimize
