// "8 GiB" -> 8589934592.
#include "config/memory_size.hpp"

#include <charconv>
#include <utility>
#include <vector>

#include "error/fail.hpp"

namespace tyto::config {
namespace {

constexpr std::pair<const char*, double> units[] = {{"bytes", 1.0}, {"B", 1.0},      {"kB", 1e3}, {"KiB", 0x1p10},
                                                    {"MB", 1e6},    {"MiB", 0x1p20}, {"GB", 1e9}, {"GiB", 0x1p30},
                                                    {"TB", 1e12},   {"TiB", 0x1p40}};

/// "8 GiB" -> 8 and "GiB"; nothing without a number.
std::optional<std::pair<double, std::string>> split(const std::string& text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return {};
  std::string unit = text.substr(static_cast<std::size_t>(end - text.data()));
  unit.erase(0, unit.find_first_not_of(' '));
  return std::make_pair(number, unit);
}

}  // namespace

std::optional<std::int64_t> parse_memory_size(const std::string& text) {
  const auto parts = split(text);
  if (!parts) return {};
  for (const auto& [name, factor] : units) {
    const double bytes = parts->first * factor;
    if (parts->second == name && bytes >= 1 && bytes < 0x1p63) return static_cast<std::int64_t>(bytes);
  }
  return {};
}

std::string suggest_memory_size(const std::string& text) {
  const auto parts = split(text);
  if (!parts || !(parts->first > 0)) return "8 GiB";
  std::vector<std::string> names;
  for (const auto& unit : units) names.emplace_back(unit.first);
  const std::string near = nearest(parts->second, names);
  const std::string number = text.substr(0, text.size() - parts->second.size());
  const std::string suggestion = number.substr(0, number.find_last_not_of(' ') + 1) + " " + (near.empty() ? "GiB" : near);
  return parse_memory_size(suggestion) ? suggestion : "8 GiB";
}

}  // namespace tyto::config
