// Ranges in exact decimal arithmetic.
#include "config/range.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>

#include <fmt/format.h>

#include "config/node.hpp"
#include "error/fail.hpp"
#include "text/json.hpp"

namespace tyto::config {
namespace {

constexpr int most_digits = 15;  ///< of a number: every such decimal is a double that prints as itself
constexpr std::int64_t most_values = 1000;

/// digits * 10^exponent
struct Decimal {
  std::int64_t digits = 0;
  int exponent = 0;
};

/// "-0.50", "1e-3", "2."; nothing for what is no number or has too many digits.
std::optional<Decimal> decimal(const std::string& text) {
  Decimal d;
  std::size_t at = !text.empty() && (text[0] == '-' || text[0] == '+') ? 1 : 0;
  int count = 0, significant = 0;
  bool is_fraction = false;
  for (; at < text.size() && ((text[at] >= '0' && text[at] <= '9') || (text[at] == '.' && !is_fraction)); ++at) {
    if (text[at] == '.') {
      is_fraction = true;
      continue;
    }
    ++count;
    if (significant > 0 || text[at] != '0') ++significant;
    if (significant > most_digits) return std::nullopt;
    d.digits = 10 * d.digits + (text[at] - '0');
    if (is_fraction) --d.exponent;
  }
  if (count == 0) return std::nullopt;
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    const char* first = text.data() + at + 1;
    if (*first == '+') ++first;
    int power = 0;
    const auto [end, failed] = std::from_chars(first, text.data() + text.size(), power);
    if (failed != std::errc() || std::abs(power) > 100) return std::nullopt;
    d.exponent += power;
    at = static_cast<std::size_t>(end - text.data());
  }
  if (at < text.size()) return std::nullopt;
  if (text[0] == '-') d.digits = -d.digits;
  while (d.digits != 0 && d.digits % 10 == 0) d.digits /= 10, ++d.exponent;
  if (d.digits == 0) d.exponent = 0;
  return d;
}

/// The number in units of 10^exponent, which is not above its own; nothing where that has too many digits.
std::optional<std::int64_t> in_units(Decimal d, int exponent) {
  for (; d.digits != 0 && d.exponent > exponent; --d.exponent) {
    d.digits *= 10;
    if (std::abs(d.digits) >= 1'000'000'000'000'000) return std::nullopt;
  }
  return d.digits;
}

/// Without an exponent, as long as that is short.
std::string written(std::int64_t digits, int exponent) {
  while (digits != 0 && digits % 10 == 0) digits /= 10, ++exponent;
  if (digits == 0) return "0";
  std::string text = fmt::format("{}", std::abs(digits));
  const int length = static_cast<int>(text.size()), whole = length + exponent;
  if (whole > most_digits || whole < -5) {
    text = fmt::format("{}{}{}e{}", text.substr(0, 1), length > 1 ? "." : "", text.substr(1), whole - 1);
  } else if (exponent >= 0) {
    text.append(static_cast<std::size_t>(exponent), '0');
  } else if (whole > 0) {
    text.insert(static_cast<std::size_t>(whole), ".");
  } else {
    text.insert(0, "0." + std::string(static_cast<std::size_t>(-whole), '0'));
  }
  return (digits < 0 ? "-" : "") + text;
}

struct Asked {
  const std::string& text;

  [[noreturn]] void refuse(Code code, const std::string& what, const std::string& expected, const std::string& found,
                           const std::string& hint) const {
    fail({.code = code, .where = {.file = text}, .what = what, .expected = expected, .found = found, .hint = hint});
  }
};

constexpr const char* forms = "FIRST:LAST:STEP or [a, b, c]";

std::vector<std::string> arithmetic(const Asked& asked, const std::vector<std::string>& parts) {
  std::vector<Decimal> numbers;
  for (const std::string& part : parts) {
    const std::optional<Decimal> number = decimal(part);
    if (!number)
      asked.refuse(Code::syntax, fmt::format("'{}' is no decimal number of at most {} digits", part, most_digits),
                   "FIRST:LAST:STEP, as in 0:2:0.1", "", "[a, b, c] for values that are no such numbers");
    numbers.push_back(*number);
  }
  if (parts.size() == 2) asked.refuse(Code::syntax, "the range has no step", "FIRST:LAST:STEP", "", asked.text + ":1");
  if (parts.size() != 3) asked.refuse(Code::syntax, "this is no range", "FIRST:LAST:STEP", "", "0:2:0.1");
  const int unit = std::min({numbers[0].exponent, numbers[1].exponent, numbers[2].exponent});
  const auto first = in_units(numbers[0], unit), last = in_units(numbers[1], unit), step = in_units(numbers[2], unit);
  if (!first || !last || !step)
    asked.refuse(Code::out_of_range, "these numbers are too far apart to be added", fmt::format("{} digits in all", most_digits),
                 "", "[a, b, c]");
  if (*step == 0) asked.refuse(Code::out_of_range, "the step is 0", "one that leads from FIRST to LAST", "", "0:2:0.1");
  if (*last != *first && (*last > *first) != (*step > 0))
    asked.refuse(Code::out_of_range, fmt::format("steps of {} lead away from {}", parts[2], parts[1]), "", "",
                 fmt::format("{}:{}:{}", parts[0], parts[1], written(-*step, unit)));
  const std::int64_t count = (*last - *first) / *step + 1;
  if (count > most_values)
    asked.refuse(Code::out_of_range, fmt::format("the range has {} values", count), fmt::format("at most {}", most_values), "",
                 "a larger step");
  std::vector<std::string> values;
  for (std::int64_t k = 0; k < count; ++k) values.push_back(written(*first + k * *step, unit));
  return values;
}

/// A value as JSON, which is YAML; what has no quotes keeps none, since that may be a number.
std::string text_of(const Node& node) {
  std::string text;
  switch (node.form) {
    case Node::Form::nothing: return "null";
    case Node::Form::scalar: return node.is_quoted ? json_quoted(node.text) : node.text;
    case Node::Form::list:
      for (const Node& item : node.items) text += (text.empty() ? "" : ", ") + text_of(item);
      return "[" + text + "]";
    case Node::Form::mapping:
      for (const Entry& entry : node.entries)
        text += (text.empty() ? "" : ", ") + json_quoted(entry.key) + ": " + text_of(entry.value);
      return "{" + text + "}";
  }
  return text;
}

std::vector<std::string> items(const Asked& asked) {
  const Node list = with_place({.file = asked.text}, [&] { return parse_yaml(asked.text, ""); });
  if (list.form != Node::Form::list || list.items.empty())
    asked.refuse(Code::syntax, "there is nothing to scan", forms, list.form == Node::Form::list ? "an empty list" : name_of(list),
                 "0:2:0.1");
  if (static_cast<std::int64_t>(list.items.size()) > most_values)
    asked.refuse(Code::out_of_range, fmt::format("the list has {} values", list.items.size()),
                 fmt::format("at most {}", most_values), "", "a scan of some of them");
  std::vector<std::string> values;
  for (const Node& item : list.items) {
    const std::string value = text_of(item);
    if (std::find(values.begin(), values.end(), value) != values.end())
      asked.refuse(Code::duplicate_key, fmt::format("the value {} is given twice", value), "", "", "removing one of them");
    values.push_back(value);
  }
  return values;
}

}  // namespace

std::vector<std::string> range_values(const std::string& text) {
  const Asked asked{text};
  const std::size_t begin = text.find_first_not_of(' ');
  if (begin == std::string::npos || text[begin] == '[' || text.find(':') == std::string::npos) return items(asked);
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == ':') parts.emplace_back();
    else if (c != ' ') parts.back() += c;
  }
  return arithmetic(asked, parts);
}

}  // namespace tyto::config
