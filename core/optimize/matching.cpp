#include "optimize/matching.hpp"
#include <algorithm>
#include "optimize/canonical.hpp"

namespace tyto::optimize {

using einsum::Label;
using einsum::Labels;
using graph::Store;

namespace {

/// Of backtracking, before a match is given up.
constexpr std::size_t most_steps = 10'000;

class Matching {
 public:
  Matching(const Store& store, const Product& pattern, const Product& whole, std::size_t excluded,
           const std::function<bool(const Match&)>& accepted)
      : store_(store), pattern_(pattern), whole_(whole), accepted_(accepted), is_taken_(whole.operands.size(), 0) {
    if (excluded < is_taken_.size()) is_taken_[excluded] = 1;
    is_used_.assign(static_cast<std::size_t>(einsum::label_count(whole.subscripts)), 0);
  }

  std::optional<Match> run(const Labels& known) {
    match_.labels = known;
    for (const Label label : known)
      if (label >= 0) is_used_[static_cast<std::size_t>(label)] = 1;
    return place() ? std::optional<Match>(match_) : std::nullopt;
  }

 private:
  /// Places the operands that have no place yet.
  bool place() {
    const std::size_t k = match_.places.size();
    if (k == pattern_.operands.size()) return accepted_(match_);
    for (std::size_t m = 0; m < whole_.operands.size(); ++m) {
      if (is_taken_[m] != 0 || whole_.operands[m] != pattern_.operands[k] || has_free_twin(m)) continue;
      if (steps_left_ == 0) return false;
      --steps_left_;
      is_taken_[m] = 1;
      match_.places.push_back(m);
      const Match saved = match_;
      const std::vector<char> used = is_used_;
      for (const Labels& labels : exchanged(store_, whole_.operands[m], whole_.subscripts.inputs[m])) {
        if (bind(pattern_.subscripts.inputs[k], labels) && place()) return true;
        match_ = saved, is_used_ = used;
      }
      match_.places.pop_back();
      is_taken_[m] = 0;
    }
    return false;
  }
  /// An operand equal to m in node and labels that is free and stands before it: trying m as well would find the same again.
  bool has_free_twin(std::size_t m) const {
    for (std::size_t other = 0; other < m; ++other)
      if (is_taken_[other] == 0 && whole_.operands[other] == whole_.operands[m] &&
          whole_.subscripts.inputs[other] == whole_.subscripts.inputs[m])
        return true;
    return false;
  }
  bool bind(const Labels& own, const Labels& there) {
    for (std::size_t axis = 0; axis < own.size(); ++axis) {
      Label& bound = match_.labels[static_cast<std::size_t>(own[axis])];
      char& used = is_used_[static_cast<std::size_t>(there[axis])];
      if (bound < 0 && used == 0) bound = there[axis], used = 1;
      if (bound != there[axis]) return false;
    }
    return true;
  }

  const Store& store_;
  const Product &pattern_, &whole_;
  const std::function<bool(const Match&)>& accepted_;
  std::vector<char> is_taken_, is_used_;
  std::size_t steps_left_ = most_steps;
  Match match_;
};

}  // namespace

std::optional<Match> find_match(const Store& store, const Product& pattern, const Product& whole, const Labels& known,
                                std::size_t excluded, const std::function<bool(const Match&)>& accepted) {
  if (pattern.operands.size() > whole.operands.size()) return std::nullopt;
  return Matching(store, pattern, whole, excluded, accepted).run(known);
}

}  // namespace tyto::optimize
