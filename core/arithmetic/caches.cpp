#include "arithmetic/caches.hpp"
#include <unistd.h>

namespace tyto::arithmetic {

Caches caches_of_this_machine() {
  Caches caches;
  const auto ask = [](int name, std::int64_t& bytes) {
    if (const long said = sysconf(name); said > 0) bytes = said;
  };
#if defined(_SC_LEVEL1_DCACHE_SIZE)
  ask(_SC_LEVEL1_DCACHE_SIZE, caches.first);
  ask(_SC_LEVEL2_CACHE_SIZE, caches.second);
  ask(_SC_LEVEL3_CACHE_SIZE, caches.last);
#endif
  return caches;
}

}  // namespace tyto::arithmetic
