#pragma once
/// Sizes of the caches that one thread works with.
#include <cstdint>

namespace tyto::arithmetic {

/// Bytes. The last level is what all cores share.
struct Caches {
  std::int64_t first = 32 << 10, second = 512 << 10, last = 8 << 20;
};
/// As the operating system says; the defaults for what it does not know.
Caches caches_of_this_machine();

}  // namespace tyto::arithmetic
