#pragma once
/// Quantities as people read them: three digits that say something and a unit in powers of 1000, the same everywhere.
#include <cstdint>
#include <string>

namespace tyto {

/// "0 bytes", "1 byte", "480 bytes", "1.54 kB", "48.9 MB", "120 GB", up to EB. bytes >= 0.
std::string text_of_bytes(double bytes);
std::string text_of_bytes(std::int64_t bytes);
/// Millions of flops without the unit, for columns: "1234", "12.35", "0.01"; below that four decimals: "0.0021"; "0.00" for none.
std::string text_of_megaflops(std::int64_t flops);
/// "0.0042 s", "0.31 s", "12.3 s", "1 min 15 s", "2 h 3 min"; "unknown" where it is not finite.
std::string text_of_seconds(double seconds);

}  // namespace tyto
