// Dynamic programming over events and the sets of messages that are current after them. A path through the cycle may use messages
// that the cycle before has left, if it has them again at its end: so the best cycle is found whatever it starts with.
#include "optimize/schedule.hpp"
#include <algorithm>
#include <bit>
#include <tuple>
#include "error/fail.hpp"
#include "optimize/units.hpp"

namespace tyto::optimize {

Schedule::Schedule(std::vector<Halves> computed, Halves constant, cost::Cost total, bool is_exact)
    : computed_(std::move(computed)), constant_(std::move(constant)), total_(total), is_exact_(is_exact) {}

Schedule::Origin Schedule::origin(Operands message, std::size_t event) const {
  const auto fixed = constant_.find(message);
  if (fixed != constant_.end()) return {0, fixed->second, message ^ fixed->second};
  for (std::size_t back = 0; back < computed_.size(); ++back) {
    const std::size_t at = (event + computed_.size() - back) % computed_.size();
    const auto found = computed_[at].find(message);
    if (found != computed_[at].end()) return {at, found->second, message ^ found->second};
  }
  fail(Code::defect, "a schedule is asked for a message that it does not have");
}

namespace {

/// Messages, a bit each; bit u is the message of units u.
using Messages = std::uint64_t;
static_assert(most_units <= 6);

constexpr Messages bit(Units message) { return Messages{1} << message; }

/// One target; events with several are several steps, and operands change after the last.
struct Step {
  Units target = 0, changed = 0;
  std::size_t event = 0;
};

/// One way to make a message: contractions, and messages taken over from the cycle before.
struct Way {
  cost::Cost cost;
  Messages made = 0, taken_over = 0;
  std::int32_t tree = -1;
};

struct State {
  cost::Cost cost;
  Messages current = 0, taken_over = 0;
  std::int32_t before = -1, tree = -1;  // the state it came from, and what the step computed
};

class Search {
 public:
  Search(UnitNetwork network, std::vector<Step> steps, const ScheduleOptions& options)
      : network_(std::move(network)), steps_(std::move(steps)), options_(options), subsets_(network_.all() + 1) {
    Units changing = 0;
    for (const Step& step : steps_) changing |= step.changed;
    constant_ = network_.all() & ~changing;
    for (Units set = 1; set <= network_.all(); ++set)
      for (Units part = set; part != 0; part = (part - 1) & set) subsets_[set] |= bit(part);
    for (std::size_t k = 0; k < steps_.size(); ++k) useful_.push_back(useful_after(k));
    rotate_to_fewest_messages();
    scratch_ = prices(0);
  }

  Schedule run(std::size_t event_count) {
    layers_.push_back({State{}});
    for (const Step& step : steps_) advance(step);
    std::size_t best = 0;
    cost::Cost least;
    for (std::size_t k = 0; k < layers_.back().size(); ++k) {
      const cost::Cost total = layers_.back()[k].cost + missing_cost(layers_.back()[k]);
      if (k == 0 || total < least) best = k, least = total;
    }
    std::vector<Schedule::Halves> computed(event_count);
    complete(layers_.back()[best], computed[steps_.back().event]);
    auto at = static_cast<std::int32_t>(best);
    for (std::size_t layer = steps_.size(); layer > 0; --layer) {
      const State& state = layers_[layer][static_cast<std::size_t>(at)];
      collect(state.tree, computed[steps_[layer - 1].event]);
      at = state.before;
    }
    return {std::move(computed), constants(), least, is_exact_};
  }

 private:
  /// A node of the arena of trees that ways are made of.
  struct Joined {
    Units message, half;
    std::int32_t left, right;
  };

  Step step_after(std::size_t k, std::size_t ahead) const { return steps_[(k + ahead) % steps_.size()]; }
  /// Messages that some later step can use before an operand of theirs changes.
  Messages useful_after(std::size_t k) const {
    Messages useful = 0, alive = subsets_[network_.all()];
    const auto change = [&](const Step& step) {
      for (Units message = 1; message <= network_.all(); ++message)
        if ((message & step.changed) != 0) alive &= ~bit(message);
    };
    change(steps_[k]);
    for (std::size_t ahead = 1; ahead <= steps_.size(); ++ahead) {
      const Step step = step_after(k, ahead);
      useful |= alive & subsets_[step.target];
      change(step);
    }
    return useful;
  }
  /// Where least can be carried over from one cycle to the next, the fewest paths differ in what they take over.
  void rotate_to_fewest_messages() {
    std::size_t last = 0;
    for (std::size_t k = 1; k < steps_.size(); ++k)
      if (std::popcount(useful_[k]) < std::popcount(useful_[last])) last = k;
    const auto first = static_cast<std::ptrdiff_t>((last + 1) % steps_.size());
    std::rotate(steps_.begin(), steps_.begin() + first, steps_.end());
    std::rotate(useful_.begin(), useful_.begin() + first, useful_.end());
  }

  bool is_single(Units message) const { return std::has_single_bit(network_.operands(message)); }
  bool is_current(Units message, Messages current) const {
    return is_single(message) || (message & ~constant_) == 0 || (current & bit(message)) != 0;
  }
  bool allows(Units message) const {
    return !options_.allows || message == network_.all() || options_.allows(network_.operands(message));
  }
  /// Calls for each way to cut a set of two units or more in two.
  template <class Visit>
  static void for_each_cut(Units set, const Visit& visit) {
    const Units low = set & (~set + 1);
    for (Units part = (set - 1) & set; part != 0; part = (part - 1) & set)
      if ((part & low) != 0) visit(part, set ^ part);
  }

  /// What making each message costs where some are current, and the half it is then cut in.
  struct Price {
    cost::Cost cost;
    Units half = 0;
    bool is_possible = true;
  };
  std::vector<Price> prices(Messages current) {
    std::vector<Price> price(network_.all() + 1);
    for (Units message = 1; message <= network_.all(); ++message) {
      Price& own = price[message];
      if (is_current(message, current) || std::has_single_bit(message)) {
        if (!is_current(message, current)) own.cost = network_.inside(message);
        continue;
      }
      own.is_possible = false;
      if (!allows(message)) continue;
      for_each_cut(message, [&](Units a, Units b) {
        if (!price[a].is_possible || !price[b].is_possible) return;
        const cost::Cost total = price[a].cost + price[b].cost + network_.joining(a, b);
        if (!own.is_possible || total < own.cost) own = {total, a, true};
      });
    }
    return price;
  }
  /// The sum over a set of messages; making one may help to make another, so it is an upper bound.
  static std::optional<cost::Cost> sum_of(const std::vector<Price>& price, Messages messages) {
    cost::Cost sum;
    for (; messages != 0; messages &= messages - 1) {
      const Price& own = price[static_cast<std::size_t>(std::countr_zero(messages))];
      if (!own.is_possible) return std::nullopt;
      sum += own.cost;
    }
    return sum;
  }

  /// The ways to make a message, none of them worse in every respect than another.
  const std::vector<Way>& ways(Units message, Messages current, Messages useful) {
    const auto [at, is_new] = ways_.try_emplace({message, current & subsets_[message]});
    if (!is_new) return at->second;
    std::vector<Way> found;
    if (is_current(message, current)) {
      found.push_back({});
    } else if (allows(message)) {
      if ((untouched_ & bit(message)) != 0) found.push_back({{}, bit(message) & useful, bit(message), -1});
      if (std::has_single_bit(message)) {
        found.push_back({network_.inside(message), bit(message) & useful, 0, joined({message, 0, -1, -1})});
      } else {
        for_each_cut(message, [&](Units a, Units b) {
          for (const Way& left : ways(a, current, useful))
            for (const Way& right : ways(b, current, useful))
              found.push_back({left.cost + right.cost + network_.joining(a, b),
                               left.made | right.made | (bit(message) & useful), left.taken_over | right.taken_over,
                               joined({message, a, left.tree, right.tree})});
        });
        keep_best(found);
      }
    }
    return ways_[{message, current & subsets_[message]}] = std::move(found);
  }
  std::int32_t joined(Joined node) {
    joined_.push_back(node);
    return static_cast<std::int32_t>(joined_.size()) - 1;
  }
  static void keep_best(std::vector<Way>& ways) {
    std::stable_sort(ways.begin(), ways.end(), [](const Way& a, const Way& b) { return a.cost < b.cost; });
    std::vector<Way> kept;
    for (const Way& way : ways)
      if (std::none_of(kept.begin(), kept.end(), [&](const Way& better) {
            return (way.made & ~better.made) == 0 && (better.taken_over & ~way.taken_over) == 0;
          }))
        kept.push_back(way);
    ways = std::move(kept);
  }

  void advance(const Step& step) {
    const std::size_t k = layers_.size() - 1;
    const Messages useful = useful_[k];
    ways_.clear();
    untouched_ = 0;
    for (Units message = 1; message <= network_.all(); ++message)
      if ((message & changed_) == 0 && (message & ~constant_) != 0) untouched_ |= bit(message);
    std::vector<State> next;
    for (std::size_t from = 0; from < layers_[k].size(); ++from) {
      const State& state = layers_[k][from];
      const auto before = static_cast<std::int32_t>(from);
      if (step.target == 0) {
        next.push_back({state.cost, state.current & useful, state.taken_over, before, -1});
        continue;
      }
      for (const Way& way : ways(step.target, state.current, useful))
        next.push_back({state.cost + way.cost, (state.current | way.made) & useful, state.taken_over | way.taken_over, before,
                        way.tree});
    }
    changed_ |= step.changed;
    layers_.push_back(best_of(std::move(next)));
  }
  /// The states that no other makes superfluous: that is no dearer even after making what it lacks, and making at the end of the
  /// cycle what only it has taken over.
  std::vector<State> best_of(std::vector<State> states) {
    std::stable_sort(states.begin(), states.end(), [](const State& a, const State& b) {
      return std::tuple(a.cost, ~a.current, a.taken_over) < std::tuple(b.cost, ~b.current, b.taken_over);
    });
    std::vector<State> kept;
    std::vector<std::vector<Price>> price;
    for (const State& state : states) {
      bool is_superfluous = false;
      for (std::size_t k = 0; k < kept.size() && !is_superfluous; ++k) {
        const Messages lacking = state.current & ~kept[k].current, owed = kept[k].taken_over & ~state.taken_over;
        if (lacking != 0 && price[k].empty()) price[k] = prices(kept[k].current);
        const std::optional<cost::Cost> make = sum_of(price[k], lacking), repay = sum_of(scratch_, owed);
        is_superfluous = make && repay && kept[k].cost + *make + *repay <= state.cost;
      }
      if (is_superfluous) continue;
      if (kept.size() == options_.most_states) {
        is_exact_ = false;
        break;
      }
      kept.push_back(state), price.emplace_back();
    }
    return kept;
  }

  Messages missing(const State& state) const { return state.taken_over & ~state.current; }
  cost::Cost missing_cost(const State& state) {
    const std::optional<cost::Cost> sum = sum_of(prices(state.current), missing(state));
    TYTO_ASSERT(sum.has_value());
    return *sum;
  }
  /// Makes what was taken over and is not there at the end.
  void complete(const State& state, Schedule::Halves& computed) {
    const std::vector<Price> price = prices(state.current);
    for (Messages rest = missing(state); rest != 0; rest &= rest - 1)
      cut(static_cast<Units>(std::countr_zero(rest)), price, state.current, computed);
  }
  void cut(Units message, const std::vector<Price>& price, Messages current, Schedule::Halves& computed) {
    if (is_current(message, current)) return;
    const Units half = price[message].half;
    note(message, half, computed);
    if (half != 0) cut(half, price, current, computed), cut(message ^ half, price, current, computed);
  }
  void collect(std::int32_t tree, Schedule::Halves& computed) const {
    if (tree < 0) return;
    const Joined& node = joined_[static_cast<std::size_t>(tree)];
    note(node.message, node.half, computed);
    collect(node.left, computed), collect(node.right, computed);
  }
  /// A unit of two operands is cut in these.
  void note(Units message, Units half, Schedule::Halves& computed) const {
    const Operands set = network_.operands(message);
    computed[set] = half == 0 ? set & (~set + 1) : network_.operands(half);
  }
  /// Messages that never change, each in its cheapest way.
  Schedule::Halves constants() {
    const Units changing = network_.all() & ~constant_;
    constant_ = 0;
    const std::vector<Price> price = prices(0);
    Schedule::Halves halves;
    for (Units message = 1; message <= network_.all(); ++message)
      if ((message & changing) == 0 && !is_single(message) && price[message].is_possible) note(message, price[message].half, halves);
    return halves;
  }

  UnitNetwork network_;
  std::vector<Step> steps_;
  const ScheduleOptions& options_;
  Units constant_ = 0;
  std::vector<Messages> subsets_, useful_;
  std::vector<Price> scratch_;
  std::map<std::pair<Units, Messages>, std::vector<Way>> ways_;  // of the present step
  Messages untouched_ = 0;                                       // messages that the cycle has not made stale yet
  Units changed_ = 0;
  std::vector<std::vector<State>> layers_;
  std::vector<Joined> joined_;
  bool is_exact_ = true;
};

}  // namespace

std::optional<Schedule> cheapest_schedule(const cost::Network& network, const std::vector<Demand>& cycle,
                                          const ScheduleOptions& options) {
  const std::size_t operand_count = network.subscripts.inputs.size();
  if (operand_count > most_operands || cycle.empty()) return std::nullopt;
  const Operands all = (Operands{1} << operand_count) - 1;
  std::vector<Operands> sets, left_out;
  for (const Demand& event : cycle) {
    sets.push_back(event.changed);
    for (const Operands target : event.targets) left_out.push_back(all ^ target);
  }
  sets.insert(sets.end(), left_out.begin(), left_out.end());
  const std::vector<Operands> members = units_of(operand_count, sets, left_out);
  if (members.size() > most_units) return std::nullopt;
  const UnitNetwork units(network, members);
  std::vector<Step> steps;
  for (std::size_t event = 0; event < cycle.size(); ++event) {
    for (const Operands target : cycle[event].targets) steps.push_back({units.exactly(target).value(), 0, event});
    const Units changed = units.touched(cycle[event].changed);
    if (changed == 0) continue;
    if (cycle[event].targets.empty()) steps.push_back({0, changed, event});
    else steps.back().changed = changed;
  }
  if (steps.empty()) return std::nullopt;
  return Search(units, std::move(steps), options).run(cycle.size());
}

}  // namespace tyto::optimize
