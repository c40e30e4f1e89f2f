// Subscripts as text and the questions about them that need no tensor.
#include "einsum/subscripts.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <string_view>
#include <utility>
#include "error/fail.hpp"
#include <fmt/format.h>

namespace tyto::einsum {
namespace {

constexpr std::int64_t no_number = std::numeric_limits<Label>::max();

/// How a label is written: a letter, or a number in braces. Ordered as numpy orders letters, numbers last.
struct Name {
  bool numbered = false;
  std::int64_t value = 0;
  auto operator<=>(const Name&) const = default;
};

class Parser {
 public:
  Parser(const std::string& text, const std::vector<std::int32_t>* orders) : text_(text), orders_(orders) {}

  Subscripts run() {
    Subscripts result;
    bool has_output = false;
    Labels* labels = &result.inputs.emplace_back();
    ellipsis_.push_back(none);
    for (skip_spaces(); position_ < size(); skip_spaces()) {
      if (!has_output && accept("->")) {
        has_output = true;
        labels = &result.output;
        ellipsis_.push_back(none);
      } else if (!has_output && accept(",")) {
        labels = &result.inputs.emplace_back();
        ellipsis_.push_back(none);
      } else if (orders_ != nullptr && ellipsis_.back() == none && accept("...")) {
        ellipsis_.back() = static_cast<std::int64_t>(labels->size());
      } else {
        labels->push_back(label(has_output ? "a letter or a number in braces" : "a letter, a number in braces, ',' or '->'"));
      }
    }
    if (!has_output) result.output = labels_seen_once(result.inputs), ellipsis_.push_back(0);
    if (orders_ != nullptr) expand(result);
    return result;
  }

 private:
  std::int64_t size() const { return static_cast<std::int64_t>(text_.size()); }
  char at(std::int64_t position) const { return text_[static_cast<std::size_t>(position)]; }
  void skip_spaces() {
    while (position_ < size() && at(position_) == ' ') ++position_;
  }
  bool accept(std::string_view word) {
    if (text_.compare(static_cast<std::size_t>(position_), word.size(), word) != 0) return false;
    position_ += static_cast<std::int64_t>(word.size());
    return true;
  }
  static bool is_digit(char c) { return c >= '0' && c <= '9'; }
  static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

  /// Puts labels in the place of ellipses.
  void expand(Subscripts& s) const {
    if (orders_->size() != s.inputs.size())
      refuse("subscripts are for another number of operands", fmt::format("{}", orders_->size()),
             fmt::format("{}", s.inputs.size()));
    std::vector<std::int64_t> lengths;
    std::int64_t longest = 0;
    for (std::size_t k = 0; k < s.inputs.size(); ++k) {
      const std::int64_t order = (*orders_)[k], named = static_cast<std::int64_t>(s.inputs[k].size());
      if (ellipsis_[k] == none ? named != order : named > order)
        refuse(fmt::format("operand {} has another order than its subscripts", k), fmt::format("{} labels", order),
               fmt::format("{}", named));
      lengths.push_back(ellipsis_[k] == none ? 0 : order - named);
      longest = std::max(longest, lengths.back());
    }
    if (longest > 0 && ellipsis_.back() == none)
      refuse("the output has no ellipsis for the axes that those of the operands stand for",
             fmt::format("'...' for {} axes", longest), "none");
    const auto first = static_cast<Label>(numbers_.size());
    const auto insert = [&](Labels& labels, std::int64_t at, std::int64_t length) {
      for (std::int64_t n = 0; n < length; ++n)
        labels.insert(labels.begin() + at + n, first + static_cast<Label>(longest - length + n));
    };
    for (std::size_t k = 0; k < s.inputs.size(); ++k)
      if (lengths[k] > 0) insert(s.inputs[k], ellipsis_[k], lengths[k]);
    if (longest > 0) insert(s.output, ellipsis_.back(), longest);
  }

  Label label(const char* expected) {
    const char first = at(position_);
    if (is_letter(first)) {
      ++position_;
      return number_of({.numbered = false, .value = first});
    }
    std::int64_t end = position_ + 1;
    if (first != '{') reject(position_, expected);
    std::int64_t value = 0;
    for (; end < size() && is_digit(at(end)); ++end) value = std::min<std::int64_t>(value * 10 + (at(end) - '0'), no_number);
    if (value >= no_number) reject(position_, "a number below 2147483647 in braces");
    if (end == position_ + 1) reject(end, "a number");
    if (end == size() || at(end) != '}') reject(end, "'}'");
    position_ = end + 1;
    return number_of({.numbered = true, .value = value});
  }

  Label number_of(Name name) { return numbers_.try_emplace(name, static_cast<Label>(numbers_.size())).first->second; }

  /// numpy's rule for a missing "->": what occurs once stays, in the order of the letters.
  Labels labels_seen_once(const std::vector<Labels>& inputs) const {
    std::vector<int> seen(numbers_.size(), 0);
    for (const Labels& labels : inputs)
      for (Label l : labels) ++seen[static_cast<std::size_t>(l)];
    Labels result;
    for (const auto& [name, l] : numbers_)
      if (seen[static_cast<std::size_t>(l)] == 1) result.push_back(l);
    return result;
  }

  [[noreturn]] void reject(std::int64_t position, const char* expected) const {
    Finding finding;
    finding.code = Code::syntax;
    finding.where.line = 1;
    finding.where.column = static_cast<int>(position) + 1;
    finding.where.quote = text_;
    finding.what = "subscripts cannot be read";
    finding.expected = expected;
    finding.found = position < size() ? fmt::format("'{}'", at(position)) : "the end of the text";
    finding.hint = "writing subscripts as in \"ij,jk->ik\"";
    fail(std::move(finding));
  }

  [[noreturn]] void refuse(const std::string& what, const std::string& expected, const std::string& found) const {
    fail({.code = Code::shape, .where = {.quote = text_}, .what = what, .expected = expected, .found = found});
  }

  static constexpr std::int64_t none = -1;
  const std::string& text_;
  const std::vector<std::int32_t>* orders_;
  std::int64_t position_ = 0;
  std::vector<std::int64_t> ellipsis_;  ///< by operand, then of the output: how many labels stand before it
  std::map<Name, Label> numbers_;
};

std::string text_of(const Labels& labels) {
  std::string text;
  for (Label l : labels) {
    if (l < 26) {
      text += static_cast<char>('a' + l);
    } else if (l < 52) {
      text += static_cast<char>('A' + l - 26);
    } else {
      text += fmt::format("{{{}}}", l);
    }
  }
  return text;
}

void add_once(Labels& labels, Label l) {
  if (!contains(labels, l)) labels.push_back(l);
}

/// Products of extents that no loop will ever finish stay comparable instead of wrapping around.
std::int64_t saturated_product(std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  return __builtin_mul_overflow(a, b, &result) ? std::numeric_limits<std::int64_t>::max() : result;
}

}  // namespace

Subscripts parse(const std::string& text) { return Parser(text, nullptr).run(); }
Subscripts parse(const std::string& text, const std::vector<std::int32_t>& orders) { return Parser(text, &orders).run(); }

std::string print(const Subscripts& subscripts) {
  std::string text;
  for (std::size_t k = 0; k < subscripts.inputs.size(); ++k) {
    if (k > 0) text += ',';
    text += text_of(subscripts.inputs[k]);
  }
  return text + "->" + text_of(subscripts.output);
}

std::int32_t label_count(const Subscripts& subscripts) {
  Label largest = -1;
  for (Label l : subscripts.output) largest = std::max(largest, l);
  for (const Labels& labels : subscripts.inputs)
    for (Label l : labels) largest = std::max(largest, l);
  return largest + 1;
}

Subscripts renumbered(const Subscripts& subscripts) {
  std::vector<Label> number(static_cast<std::size_t>(label_count(subscripts)), -1);
  Label next = 0;
  const auto renumber = [&](Labels labels) {
    for (Label& l : labels) {
      Label& known = number[static_cast<std::size_t>(l)];
      if (known < 0) known = next++;
      l = known;
    }
    return labels;
  };
  Subscripts result;
  result.output = renumber(subscripts.output);
  for (const Labels& labels : subscripts.inputs) result.inputs.push_back(renumber(labels));
  return result;
}

bool contains(const Labels& labels, Label label) { return std::find(labels.begin(), labels.end(), label) != labels.end(); }

Roles roles(const Subscripts& of_two) {
  TYTO_ASSERT(of_two.inputs.size() == 2);
  const Labels &left = of_two.inputs[0], &right = of_two.inputs[1], &out = of_two.output;
  Roles result;
  for (Label l : out) {
    const bool in_left = contains(left, l), in_right = contains(right, l);
    if (in_left && in_right) add_once(result.batch, l);
    if (in_left && !in_right) add_once(result.left, l);
    if (!in_left && in_right) add_once(result.right, l);
  }
  for (Label l : left)
    if (!contains(out, l)) add_once(contains(right, l) ? result.contracted : result.left_summed, l);
  for (Label l : right)
    if (!contains(out, l) && !contains(left, l)) add_once(result.right_summed, l);
  return result;
}

std::int64_t loop_flops(const Subscripts& subscripts, const Extents& extent_of_label) {
  Labels all;
  for (Label l : subscripts.output) add_once(all, l);
  const std::size_t kept = all.size();
  for (const Labels& labels : subscripts.inputs)
    for (Label l : labels) add_once(all, l);

  std::int64_t points = 1;
  bool empty = false;
  for (Label l : all) {
    const std::int64_t extent = extent_of_label[static_cast<std::size_t>(l)];
    empty = empty || extent == 0;
    points = saturated_product(points, extent);
  }
  const auto operands = static_cast<std::int64_t>(subscripts.inputs.size());
  const std::int64_t per_point = std::max<std::int64_t>(operands - 1, 0) + (all.size() > kept ? 1 : 0);
  return empty ? 0 : saturated_product(points, per_point);
}

}  // namespace tyto::einsum
