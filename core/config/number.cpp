// Numbers are read in full and in the C locale: "3x" is no number, and "1,5" is none anywhere.
#include "config/number.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

namespace tyto::config {
namespace {

template <class T>
struct Parsed {
  T value = 0;
  bool is_number = false, is_in_range = false;
};

template <class T>
Parsed<T> parse(const std::string& text) {
  Parsed<T> parsed;
  const char* const start = text.data() + (text.size() > 1 && text[0] == '+' && text[1] != '-' ? 1 : 0);
  const char* const end = text.data() + text.size();
  const std::from_chars_result result = std::from_chars(start, end, parsed.value);
  parsed.is_number = result.ptr == end && result.ec != std::errc::invalid_argument;
  parsed.is_in_range = parsed.is_number && result.ec == std::errc();
  return parsed;
}

/// What the writer most likely meant by a text that is no number; empty if that is not clear.
std::string meant_number(const Node& node, bool is_integer) {
  if (node.form != Node::Form::scalar) return {};
  const Parsed<double> real = parse<double>(node.text);
  if (node.is_quoted && real.is_in_range) return node.text + " without quotes";
  const bool is_whole = real.is_in_range && std::floor(real.value) == real.value && std::abs(real.value) < 1e15;
  if (is_integer) return is_whole ? fmt::format("{:.0f}", real.value) : "";
  std::string text = node.text;
  std::replace(text.begin(), text.end(), ',', '.');
  std::replace(text.begin(), text.end(), 'd', 'e');
  std::replace(text.begin(), text.end(), 'D', 'e');
  return parse<double>(text).is_in_range ? text : "";
}

std::string default_of(const Rule& rule) { return rule.key.fallback.empty() ? "" : rule.key.fallback + ", the default"; }

/// A finding if the value lies outside of the range of the key.
template <class T>
bool is_within(T value, const Node& node, const Rule& rule, const std::string& path, std::vector<Finding>& findings) {
  const Key& key = rule.key;
  const auto number = static_cast<double>(value);
  const bool is_low = number < key.low || (key.low_open && number == key.low);
  if (!is_low && !(number > key.high)) return true;
  const bool has_limit_as_hint = !is_low || !key.low_open;
  findings.push_back({.code = Code::out_of_range,
                      .where = node.where,
                      .what = "'" + path + "' is too " + (is_low ? "small" : "large"),
                      .expected = expectation(rule),
                      .found = name_of(node),
                      .hint = !rule.key.fallback.empty() ? default_of(rule)
                              : has_limit_as_hint        ? fmt::format("{}", is_low ? key.low : key.high)
                                                         : fmt::format("a number above {}", key.low)});
  return false;
}

}  // namespace

Finding wrong_type(const Node& node, const Rule& rule, const std::string& path, const std::string& what, const std::string& hint) {
  return {.code = Code::wrong_type,
          .where = node.where,
          .what = node.form == Node::Form::nothing ? "'" + path + "' has no value" : "'" + path + "' is not " + what,
          .expected = expectation(rule),
          .found = node.form == Node::Form::nothing ? "" : name_of(node),
          .hint = hint.empty() ? default_of(rule) : hint};
}

std::optional<std::int64_t> read_integer(const Node& node, const Rule& rule, const std::string& path,
                                         std::vector<Finding>& findings) {
  const bool is_plain = node.form == Node::Form::scalar && !node.is_quoted;
  const Parsed<std::int64_t> parsed = is_plain ? parse<std::int64_t>(node.text) : Parsed<std::int64_t>{};
  if (!parsed.is_number) {
    findings.push_back(wrong_type(node, rule, path, "an integer", meant_number(node, true)));
    return {};
  }
  if (!parsed.is_in_range) {
    findings.push_back({.code = Code::out_of_range,
                        .where = node.where,
                        .what = "'" + path + "' does not fit 64 bits",
                        .expected = expectation(rule),
                        .found = node.text,
                        .hint = fmt::format("at most {}", std::numeric_limits<std::int64_t>::max())});
    return {};
  }
  if (!is_within(parsed.value, node, rule, path, findings)) return {};
  return parsed.value;
}

std::optional<double> read_real(const Node& node, const Rule& rule, const std::string& path, std::vector<Finding>& findings) {
  const bool is_plain = node.form == Node::Form::scalar && !node.is_quoted;
  const std::string text = is_plain ? node.text : "";
  const bool is_special = text.find_first_of("nN") != std::string::npos;  // inf, nan, .inf, .NaN: of numbers only these have an n
  const Parsed<double> parsed = parse<double>(is_special && text.find('.') < 2 ? std::string(text).erase(text.find('.'), 1) : text);
  if (!parsed.is_number) {
    findings.push_back(wrong_type(node, rule, path, "a number", meant_number(node, false)));
    return {};
  }
  if (!parsed.is_in_range || !std::isfinite(parsed.value)) {
    findings.push_back({.code = Code::out_of_range,
                        .where = node.where,
                        .what = "'" + path + (is_special ? "' is not finite" : "' does not fit a double"),
                        .expected = expectation(rule),
                        .found = node.text,
                        .hint = is_special ? default_of(rule) : "a magnitude from 1e-307 to 1e308"});
    return {};
  }
  if (!is_within(parsed.value, node, rule, path, findings)) return {};
  return parsed.value;
}

std::optional<bool> read_flag(const Node& node, const Rule& rule, const std::string& path, std::vector<Finding>& findings) {
  if (node.form == Node::Form::scalar && !node.is_quoted) {
    for (const char* word : {"true", "True", "TRUE", "yes", "Yes", "YES", "on", "On", "ON"}) {
      if (node.text == word) return true;
    }
    for (const char* word : {"false", "False", "FALSE", "no", "No", "NO", "off", "Off", "OFF"}) {
      if (node.text == word) return false;
    }
  }
  const std::string meant = node.text == "1" ? "true" : node.text == "0" ? "false" : "";
  findings.push_back(wrong_type(node, rule, path, "true or false", meant));
  return {};
}

}  // namespace tyto::config
