#include "cost/greedy.hpp"
#include <algorithm>
#include <cmath>
#include <queue>
#include <random>
#include <tuple>

namespace tyto::cost {

namespace {

constexpr std::size_t most_neighbours = 16;  // per label: a label of all values would make everything a neighbour of everything
constexpr std::size_t most_offers = 32;      // per value: one of a thousand labels has a thousand neighbours
constexpr std::size_t offers_of_many = 8;

struct Candidate {
  double score;
  std::int32_t left, right;
  /// The least score is the top of a std::priority_queue; of equal ones the pair that was there first, which makes broad trees.
  friend bool operator<(const Candidate& a, const Candidate& b) {
    return std::tie(b.score, b.right, b.left) < std::tie(a.score, a.right, a.left);
  }
};

class Greedy {
 public:
  Greedy(const Joins& joins, const GreedyRule& rule)
      : joins_(joins), rule_(rule), engine_(rule.seed), owners_(joins.label_count()) {
    const std::size_t most = 2 * joins.operands().size();
    values_.reserve(most), seen_by_.reserve(most), offers_.reserve(most), is_there_.reserve(most);
    for (const Value& operand : joins.operands()) add(operand);
  }

  Pairs run() {
    while (!candidates_.empty()) {
      const Candidate best = candidates_.top();
      candidates_.pop();
      --offers_[static_cast<std::size_t>(best.right)];
      if (!is_there(best.right)) continue;
      if (is_there(best.left)) join(best.left, best.right);
      else if (offers_[static_cast<std::size_t>(best.right)] == 0) offer(best.right);
    }
    join_rest();
    return std::move(pairs_);
  }

 private:
  bool is_there(std::int32_t value) const { return is_there_[static_cast<std::size_t>(value)] != 0; }
  const Value& value(std::int32_t k) const { return values_[static_cast<std::size_t>(k)]; }

  void join(std::int32_t left, std::int32_t right) {
    Value out;
    joins_.join(value(left), value(right), out);
    for (const std::int32_t k : {left, right}) {
      is_there_[static_cast<std::size_t>(k)] = 0;
      values_[static_cast<std::size_t>(k)].legs = {};
    }
    pairs_.emplace_back(left, right);
    add(std::move(out));
  }

  void add(Value made) {
    const auto id = static_cast<std::int32_t>(values_.size());
    values_.push_back(std::move(made));
    seen_by_.push_back(-1), is_there_.push_back(1), offers_.push_back(0);
    offer(id);
    for (const Leg& leg : value(id).legs)
      if (leg.count < joins_.needed(leg.label)) owners_[static_cast<std::size_t>(leg.label)].push_back(id);
  }

  /// Puts the pairs of a value and its neighbours into the queue: all, or the best of many.
  void offer(std::int32_t id) {
    found_.clear();
    ++round_;
    for (const Leg& leg : value(id).legs) {
      if (leg.count == joins_.needed(leg.label)) continue;  // nobody else has it
      std::vector<std::int32_t>& owners = owners_[static_cast<std::size_t>(leg.label)];
      for (std::size_t k = latest(owners); k < owners.size(); ++k) consider(owners[k], id);
    }
    if (found_.size() > most_offers) {
      std::partial_sort(found_.begin(), found_.begin() + offers_of_many, found_.end(),
                        [](const Candidate& a, const Candidate& b) { return b < a; });
      found_.resize(offers_of_many);
    }
    offers_[static_cast<std::size_t>(id)] = static_cast<std::int32_t>(found_.size());
    for (const Candidate& candidate : found_) candidates_.push(candidate);
  }

  /// Where the latest owners begin; what is gone since is taken out from there on.
  std::size_t latest(std::vector<std::int32_t>& owners) const {
    std::size_t begin = owners.size(), found = 0;
    while (begin > 0 && found < most_neighbours)
      if (is_there(owners[--begin])) ++found;
    const auto from = owners.begin() + static_cast<std::ptrdiff_t>(begin);
    owners.erase(std::remove_if(from, owners.end(), [&](std::int32_t k) { return !is_there(k); }), owners.end());
    return begin;
  }

  void consider(std::int32_t other, std::int32_t id) {
    if (other == id || seen_by_[static_cast<std::size_t>(other)] == round_) return;
    seen_by_[static_cast<std::size_t>(other)] = round_;
    found_.push_back({score(value(other), value(id)), other, id});
  }

  double score(const Value& left, const Value& right) {
    const double weight = std::log2(rule_.weight);
    const double most = std::max(left.elements, right.elements), least = std::min(left.elements, right.elements);
    const double gained = most + std::log2(1 + std::exp2(least - most)) + weight;
    const double made = joins_.step(left, right).elements - weight;
    const double larger = std::max(gained, made);
    // log2(1 + |2^made - 2^gained|) with a sign, without leaving the range of double
    const double ratio = 1 - std::exp2(std::min(gained, made) - larger);
    const double size = larger < 100 ? std::log2(1 + std::exp2(larger) * ratio) : larger + std::log2(std::max(ratio, 1e-300));
    const double score = made > gained ? size : -size;
    if (rule_.temperature == 0) return score;
    const double uniform = (static_cast<double>(engine_() >> 11) + 0.5) * 0x1p-53;
    return score + rule_.temperature * std::log(-std::log(uniform));
  }

  void join_rest() {
    using Sized = std::pair<double, std::int32_t>;
    std::priority_queue<Sized, std::vector<Sized>, std::greater<>> rest;
    for (std::size_t k = 0; k < values_.size(); ++k)
      if (is_there_[k] != 0) rest.emplace(values_[k].elements, static_cast<std::int32_t>(k));
    while (rest.size() > 1) {
      const std::int32_t a = rest.top().second;
      rest.pop();
      const std::int32_t b = rest.top().second;
      rest.pop();
      join(std::min(a, b), std::max(a, b));
      rest.emplace(values_.back().elements, static_cast<std::int32_t>(values_.size()) - 1);
    }
  }

  const Joins& joins_;
  GreedyRule rule_;
  std::mt19937_64 engine_;
  std::vector<Value> values_;
  std::vector<char> is_there_;
  std::vector<std::int32_t> offers_;   ///< how many pairs that a value offered are in the queue
  std::vector<std::int64_t> seen_by_;  ///< the last round of offers in which a value was considered
  std::int64_t round_ = 0;
  std::vector<Candidate> found_;
  std::vector<std::vector<std::int32_t>> owners_;
  std::priority_queue<Candidate> candidates_;
  Pairs pairs_;
};

}  // namespace

Pairs greedy_pairs(const Joins& joins, const GreedyRule& rule) { return Greedy(joins, rule).run(); }

}  // namespace tyto::cost
