// Numbers and names for people.
#include "result/notation.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <cmath>

namespace tyto::result {
namespace {

/// Of a fraction: "0.2500" is 0.25, "3.000" is 3.
std::string without_last_zeros(std::string number) {
  if (number.find('.') == std::string::npos) return number;
  number.erase(number.find_last_not_of('0') + 1);
  if (number.back() == '.') number.pop_back();
  return number;
}

}  // namespace

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      case '\'': out += "&#39;"; break;
      default: out += c;
    }
  }
  return out;
}

std::string power_of_ten(int exponent) {
  static const char* const digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string out = "10";
  for (const char c : fmt::format("{}", exponent)) out += c == '-' ? "⁻" : digits[c - '0'];
  return out;
}

std::string written(double value) {
  if (!std::isfinite(value)) return "not finite";
  if (value == 0) return "0";
  const std::string scientific = fmt::format("{:.3e}", value);
  const std::size_t e = scientific.find('e');
  const int exponent = std::stoi(scientific.substr(e + 1));
  if (exponent >= -4 && exponent < 6) return without_last_zeros(fmt::format("{:.{}f}", value, std::max(0, 3 - exponent)));
  return without_last_zeros(scientific.substr(0, e)) + "×" + power_of_ten(exponent);
}

std::string with_decimals(double value, int decimals) {
  if (!std::isfinite(value)) return "not finite";
  const std::string text = fmt::format("{:.{}f}", value, decimals);
  return text.find_first_not_of("-0.") == std::string::npos && text[0] == '-' ? text.substr(1) : text;
}

std::string percentage(double share) {
  if (!std::isfinite(share)) return "not finite";
  const double rest = std::abs(100 - 100 * share);
  const int decimals = rest > 0 ? std::clamp(1 - static_cast<int>(std::floor(std::log10(rest))), 1, 8) : 0;
  return fmt::format("{:.{}f} %", 100 * share, decimals);
}

std::string written(const Extents& extents) {
  std::string out;
  for (const std::int64_t extent : extents) out += fmt::format("{}{}", out.empty() ? "" : " × ", extent);
  return out.empty() ? "a number" : out;
}

std::string mode_name(const std::string& label) {
  const bool number = !label.empty() && std::all_of(label.begin(), label.end(), [](char c) { return c >= '0' && c <= '9'; });
  return number ? "mode " + label : label;
}

std::string counted(std::int64_t count, const std::string& noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

}  // namespace tyto::result
