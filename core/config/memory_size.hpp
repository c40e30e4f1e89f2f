#pragma once
/// Sizes of memory as people write them.
#include <cstdint>
#include <optional>
#include <string>

namespace tyto::config {

/// Bytes: "8 GiB", "800MB", "1.5 GiB", "1024 bytes". kB, MB, GB, TB count in thousands, KiB, MiB, GiB, TiB in 1024s. Nothing if the
/// text is no positive size of less than 2^63 bytes with a unit.
std::optional<std::int64_t> parse_memory_size(const std::string& text);

/// What the writer of a text that parse_memory_size refuses may have meant ("8 GiB" for "8 gib" and "8"); never empty.
std::string suggest_memory_size(const std::string& text);

}  // namespace tyto::config
