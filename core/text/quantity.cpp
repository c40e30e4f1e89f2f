// Choosing units and decimals.
#include "text/quantity.hpp"

#include <fmt/format.h>

#include <cmath>

namespace tyto {
namespace {

/// Three significant digits of a number from 1 to 999.5.
std::string three_digits(double value) { return fmt::format("{:.{}f}", value, value < 9.995 ? 2 : value < 99.95 ? 1 : 0); }

}  // namespace

std::string text_of_bytes(double bytes) {
  if (bytes == 1) return "1 byte";
  if (bytes < 999.5) return fmt::format("{:.0f} bytes", bytes);
  const char* unit = "";
  for (const char* larger : {"kB", "MB", "GB", "TB", "PB", "EB"}) {
    if (bytes < 999.5) break;
    bytes /= 1000;
    unit = larger;
  }
  return bytes < 999.5 ? three_digits(bytes) + " " + unit : fmt::format("{:.1e} {}", bytes, unit);
}

std::string text_of_bytes(std::int64_t bytes) { return text_of_bytes(static_cast<double>(bytes)); }

std::string text_of_megaflops(std::int64_t flops) {
  const double value = static_cast<double>(flops) / 1e6;
  return fmt::format("{:.{}f}", value, value >= 100 ? 0 : value >= 0.01 || flops == 0 ? 2 : 4);
}

std::string text_of_seconds(double seconds) {
  if (!std::isfinite(seconds)) return "unknown";
  if (seconds < 60) return fmt::format("{:.{}f} s", seconds, seconds < 0.01 ? 4 : seconds < 10 ? 2 : 1);
  const auto whole = static_cast<std::int64_t>(std::llround(seconds));
  if (whole < 3600) return fmt::format("{} min {} s", whole / 60, whole % 60);
  return fmt::format("{} h {} min", whole / 3600, whole % 3600 / 60);
}

}  // namespace tyto
