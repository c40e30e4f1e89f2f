// Dynamic programming over steps and the sets of messages that are current after them. A path through the cycle may use messages
// that the cycle before has left, if it has them again at its end: so the best cycle is found whatever it starts with.
#include "optimize/schedule_search.hpp"
#include <algorithm>
#include <bit>
#include <limits>
#include <tuple>
#include "error/fail.hpp"

namespace tyto::optimize {

namespace {

/// Messages, a bit each; bit u is the message of units u.
using Messages = std::uint64_t;
static_assert(most_units <= 6);

const cost::Cost impossible{std::numeric_limits<double>::infinity(), 0, 0};

constexpr Messages bit(Units message) { return Messages{1} << message; }

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
  std::int32_t group = 0;
};

/// A price for each pair of states that depends on one set of messages of each, worked out when it is asked for.
class Differences {
 public:
  using Price = std::function<cost::Cost(Messages, Messages)>;
  Differences(const std::vector<State>& states, Messages State::*set, Price price) : price_(std::move(price)) {
    for (const State& state : states) sets_.push_back(state.*set);
    std::sort(sets_.begin(), sets_.end());
    sets_.erase(std::unique(sets_.begin(), sets_.end()), sets_.end());
    for (const State& state : states)
      number_.push_back(static_cast<std::size_t>(std::lower_bound(sets_.begin(), sets_.end(), state.*set) - sets_.begin()));
    known_.resize(sets_.size());
  }
  const cost::Cost& operator()(std::size_t a, std::size_t b) {
    std::vector<cost::Cost>& row = known_[number_[a]];
    if (row.empty()) row.assign(sets_.size(), unknown);
    cost::Cost& known = row[number_[b]];
    if (known.flops < 0) known = price_(sets_[number_[a]], sets_[number_[b]]);
    return known;
  }

 private:
  static constexpr cost::Cost unknown{-1, 0, 0};
  Price price_;
  std::vector<Messages> sets_;
  std::vector<std::size_t> number_;             // by state
  std::vector<std::vector<cost::Cost>> known_;  // by set and set; rows that were never asked for are empty
};

class Search {
 public:
  Search(UnitNetwork network, std::vector<ScheduleStep> steps, const ScheduleOptions& options)
      : network_(std::move(network)), steps_(std::move(steps)), options_(options), subsets_(network_.all() + 1) {
    Units changing = 0;
    for (const ScheduleStep& step : steps_) changing |= step.changed;
    constant_ = network_.all() & ~changing;
    for (Units set = 1; set <= network_.all(); ++set)
      for (Units part = set; part != 0; part = (part - 1) & set) subsets_[set] |= bit(part);
    for (std::size_t k = 0; k < steps_.size(); ++k) useful_.push_back(useful_after(k));
    rotate_to_fewest_messages();
    scratch_ = prices(0);
  }

  Schedule run(std::size_t event_count) {
    layers_.push_back({State{}});
    std::size_t k = 0;
    for (; k < steps_.size() && (changed_ | constant_) != network_.all(); ++k) advance(k);
    const std::size_t middle = layers_.size() - 1;
    start_groups();
    for (; k < steps_.size(); ++k) advance(k);
    const auto [first, last, total] = best_halves(middle);
    std::vector<Schedule::Halves> computed(event_count);
    complete(layers_[middle][first].taken_over, layers_.back()[last].current, computed[steps_.back().event]);
    collect_path(last, layers_.size() - 1, middle + 1, computed);
    collect_path(first, middle, 0, computed);
    return {std::move(computed), constants(), total, is_exact_};
  }

 private:
  /// A node of the arena of trees that ways are made of.
  struct Joined {
    Units message, half;
    std::int32_t left, right;
  };

  ScheduleStep step_after(std::size_t k, std::size_t ahead) const { return steps_[(k + ahead) % steps_.size()]; }
  /// Messages that some later step can use before an operand of theirs changes.
  Messages useful_after(std::size_t k) const {
    Messages useful = 0, alive = subsets_[network_.all()];
    const auto change = [&](const ScheduleStep& step) {
      for (Units message = 1; message <= network_.all(); ++message)
        if ((message & step.changed) != 0) alive &= ~bit(message);
    };
    change(steps_[k]);
    for (std::size_t ahead = 1; ahead <= steps_.size(); ++ahead) {
      const ScheduleStep step = step_after(k, ahead);
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
  };
  const std::vector<Price>& prices(Messages current) {
    std::vector<Price>& price = prices_[current];
    if (!price.empty()) return price;
    price.resize(network_.all() + 1);
    for (Units message = 1; message <= network_.all(); ++message) {
      Price& own = price[message];
      if (is_current(message, current) || std::has_single_bit(message)) {
        if (!is_current(message, current)) own.cost = network_.inside(message);
        continue;
      }
      own.cost = impossible;
      if (!allows(message)) continue;
      for_each_cut(message, [&](Units a, Units b) {
        const cost::Cost total = price[a].cost + price[b].cost + network_.joining(a, b);
        if (total < own.cost) own = {total, a};
      });
    }
    return price;
  }
  /// Of making all of these one after the other, the small ones first: each in its cheapest way, or from one of them and the rest.
  /// An upper bound.
  cost::Cost price_of_all(const std::vector<Price>& price, Messages messages) {
    cost::Cost sum;
    for (Messages rest = messages; rest != 0; rest &= rest - 1) {
      const auto message = static_cast<Units>(std::countr_zero(rest));
      cost::Cost own = price[message].cost;
      for (Messages made = messages & subsets_[message] & (bit(message) - 1); made != 0; made &= made - 1) {
        const auto part = static_cast<Units>(std::countr_zero(made));
        own = std::min(own, price[message ^ part].cost + network_.joining(part, message ^ part));
      }
      sum += own;
    }
    return sum;
  }

  /// Of a message, in irregular cycles: the cheapest are followed, and the schedule is no longer exact.
  static constexpr std::size_t most_ways = 128;

  /// The ways to make a message, none of them worse in every respect than another.
  const std::vector<Way>& ways(Units message, Messages current, const std::vector<Price>& price, Messages useful) {
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
          for (const Way& left : ways(a, current, price, useful))
            for (const Way& right : ways(b, current, price, useful))
              found.push_back({left.cost + right.cost + network_.joining(a, b), left.made | right.made | (bit(message) & useful),
                               left.taken_over | right.taken_over, joined({message, a, left.tree, right.tree})});
        });
        keep_best(found, price);
      }
    }
    return ways_[{message, current & subsets_[message]}] = std::move(found);
  }
  std::int32_t joined(Joined node) {
    joined_.push_back(node);
    return static_cast<std::int32_t>(joined_.size()) - 1;
  }
  void keep_best(std::vector<Way>& ways, const std::vector<Price>& price) {
    std::stable_sort(ways.begin(), ways.end(), [](const Way& a, const Way& b) { return a.cost < b.cost; });
    std::vector<Way> kept;
    for (const Way& way : ways)
      if (std::none_of(kept.begin(), kept.end(), [&](const Way& better) {
            return better.cost + price_of_all(price, way.made & ~better.made) +
                       price_of_all(scratch_, better.taken_over & ~way.taken_over) <=
                   way.cost;
          })) {
        if (kept.size() == most_ways) {
          is_exact_ = false;
          break;
        }
        kept.push_back(way);
      }
    ways = std::move(kept);
  }

  void advance(std::size_t k) {
    const ScheduleStep& step = steps_[k];
    const std::vector<State>& layer = layers_.back();
    const Messages useful = useful_[k];
    ways_.clear();
    untouched_ = 0;
    for (Units message = 1; message <= network_.all(); ++message)
      if ((message & changed_) == 0 && (message & ~constant_) != 0) untouched_ |= bit(message);
    std::vector<State> next;
    for (std::size_t from = 0; from < layer.size(); ++from) {
      const State& state = layer[from];
      const auto before = static_cast<std::int32_t>(from);
      if (step.target == 0) {
        next.push_back({state.cost, state.current & useful, state.taken_over, before, -1, state.group});
        continue;
      }
      for (const Way& way : ways(step.target, state.current, prices(state.current), useful))
        next.push_back({state.cost + way.cost, (state.current | way.made) & useful, state.taken_over | way.taken_over, before,
                        way.tree, state.group});
    }
    changed_ |= step.changed;
    std::vector<State> kept;
    for (auto group = next.begin(); group != next.end();) {  // states of a group stand together
      const auto end = std::find_if(group, next.end(), [&](const State& s) { return s.group != group->group; });
      const std::vector<State> best = best_of({group, end}, k);
      kept.insert(kept.end(), best.begin(), best.end());
      group = end;
    }
    layers_.push_back(std::move(kept));
  }
  /// From here on nothing can be taken over any more, and what has been taken over does not matter until the end: so the rest is
  /// searched once from each set of current messages.
  void start_groups() {
    std::vector<Messages> sets;
    for (const State& state : layers_.back()) sets.push_back(state.current);
    std::sort(sets.begin(), sets.end());
    sets.erase(std::unique(sets.begin(), sets.end()), sets.end());
    std::vector<State> starts;
    for (const Messages set : sets) starts.push_back({.current = set, .group = static_cast<std::int32_t>(starts.size())});
    layers_.push_back(std::move(starts));
  }
  /// A state in the middle, a state at the end that comes from its set of messages, and what the cycle through both costs.
  std::tuple<std::size_t, std::size_t, cost::Cost> best_halves(std::size_t middle) {
    std::optional<std::tuple<std::size_t, std::size_t, cost::Cost>> best;
    for (std::size_t first = 0; first < layers_[middle].size(); ++first)
      for (std::size_t last = 0; last < layers_.back().size(); ++last) {
        const State &before = layers_[middle][first], &after = layers_.back()[last];
        if (layers_[middle + 1][static_cast<std::size_t>(after.group)].current != before.current) continue;
        cost::Cost total = before.cost + after.cost;
        if (best && std::get<cost::Cost>(*best) <= total) continue;
        Schedule::Halves unused;
        total += complete(before.taken_over, after.current, unused);
        if (!best || total < std::get<cost::Cost>(*best)) best.emplace(first, last, total);
      }
    TYTO_ASSERT(best.has_value());
    return *best;
  }
  /// What the steps compute on the way to a state of a layer from another layer; a layer follows each step, and one the middle.
  void collect_path(std::size_t state, std::size_t layer, std::size_t from, std::vector<Schedule::Halves>& computed) const {
    for (; layer > from; --layer) {
      const State& at = layers_[layer][state];
      const std::size_t step = from == 0 ? layer - 1 : layer - 2;
      collect(at.tree, computed[steps_[step].event]);
      state = static_cast<std::size_t>(at.before);
    }
  }
  /// The states that no other makes superfluous: that is no dearer even with what the other has and it lacks, and with making at
  /// the end of the cycle what only it has taken over.
  std::vector<State> best_of(std::vector<State> states, std::size_t step) {
    const auto sort_by = [&](const auto& key) {
      std::stable_sort(states.begin(), states.end(), [&](const State& a, const State& b) { return key(a) < key(b); });
    };
    sort_by([](const State& s) { return std::tuple(s.current, s.taken_over, s.cost); });
    const auto is_same = [](const State& a, const State& b) { return a.current == b.current && a.taken_over == b.taken_over; };
    states.erase(std::unique(states.begin(), states.end(), is_same), states.end());
    sort_by([](const State& s) { return std::tuple(s.cost, ~s.current, s.taken_over); });
    Differences make(states, &State::current, [&](Messages has, Messages other) { return worth(prices(has), other & ~has, step); }),
        repay(states, &State::taken_over, [&](Messages owes, Messages other) { return price_of_all(scratch_, owes & ~other); });
    std::vector<std::size_t> kept;
    for (std::size_t k = 0; k < states.size(); ++k) {
      const bool is_superfluous = std::any_of(kept.begin(), kept.end(), [&](std::size_t other) {
        const cost::Cost with_repaid = states[other].cost + repay(other, k);
        return with_repaid <= states[k].cost && with_repaid + make(other, k) <= states[k].cost;
      });
      if (is_superfluous) continue;
      if (kept.size() == options_.most_states) {
        is_exact_ = false;
        break;
      }
      kept.push_back(k);
    }
    std::vector<State> result;
    for (const std::size_t k : kept) result.push_back(states[k]);
    return result;
  }

  /// What having these messages after a step saves at most: making them; and those that nothing after the next target can use save
  /// no more than that target costs without them.
  cost::Cost worth(const std::vector<Price>& price, Messages messages, std::size_t step) {
    const Units target = step + 1 == steps_.size() ? 0 : steps_[step + 1].target;
    const Messages lasting = target == 0 ? messages : messages & useful_[step + 1];
    const cost::Cost once =
        lasting == messages ? cost::Cost{} : std::min(price_of_all(price, messages & ~lasting), price[target].cost);
    return price_of_all(price, lasting) + once;
  }
  /// Makes what was taken over and is not there at the end, the small ones first, and says what that costs.
  cost::Cost complete(Messages taken_over, Messages current, Schedule::Halves& computed) {
    cost::Cost total;
    for (Messages rest = taken_over & ~current; rest != 0; rest &= rest - 1) {
      const auto message = static_cast<Units>(std::countr_zero(rest));
      const std::vector<Price>& price = prices(current);
      total += price[message].cost;
      cut(message, price, current, computed);
    }
    return total;
  }
  void cut(Units message, const std::vector<Price>& price, Messages& current, Schedule::Halves& computed) {
    if (is_current(message, current)) return;
    const Units half = price[message].half;
    note(message, half, computed);
    current |= bit(message);
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
    prices_.clear();
    const std::vector<Price>& price = prices(0);
    Schedule::Halves halves;
    for (Units message = 1; message <= network_.all(); ++message)
      if ((message & changing) == 0 && !is_single(message) && price[message].cost < impossible)
        note(message, price[message].half, halves);
    return halves;
  }

  UnitNetwork network_;
  std::vector<ScheduleStep> steps_;
  const ScheduleOptions& options_;
  Units constant_ = 0;
  std::vector<Messages> subsets_, useful_;
  std::map<Messages, std::vector<Price>> prices_;                // by what is current
  std::vector<Price> scratch_;                                   // where nothing is
  std::map<std::pair<Units, Messages>, std::vector<Way>> ways_;  // of the present step
  Messages untouched_ = 0;                                       // messages that the cycle has not made stale yet
  Units changed_ = 0;
  std::vector<std::vector<State>> layers_;
  std::vector<Joined> joined_;
  bool is_exact_ = true;
};

}  // namespace

Schedule best_schedule(UnitNetwork network, std::vector<ScheduleStep> steps, const ScheduleOptions& options,
                       std::size_t event_count) {
  return Search(std::move(network), std::move(steps), options).run(event_count);
}

}  // namespace tyto::optimize
