// The kernel's files about the first processor; sysconf where they are missing. The C library of 2022 reports the last level of
// some processors eight times too large.
#include "arithmetic/caches.hpp"
#include <fstream>
#include <string>
#include <unistd.h>

namespace tyto::arithmetic {
namespace {

/// "32768K" of /sys/devices/system/cpu/cpu0/cache/index3/size in bytes; 0 where there is no such cache or file. Index 0 is the
/// data cache of the first level, 1 that of instructions.
std::int64_t said_by_kernel(int index) {
  std::ifstream file("/sys/devices/system/cpu/cpu0/cache/index" + std::to_string(index) + "/size");
  std::int64_t size = 0;
  char unit = 'B';
  if (!(file >> size)) return 0;
  file >> unit;
  return unit == 'K' ? size << 10 : unit == 'M' ? size << 20 : size;
}

void ask(int index, int name, std::int64_t& bytes) {
  if (const std::int64_t said = said_by_kernel(index); said > 0) bytes = said;
  else if (const long counted = name < 0 ? 0 : sysconf(name); counted > 0) bytes = counted;
}

}  // namespace

Caches caches_of_this_machine() {
  Caches caches;
#if defined(_SC_LEVEL1_DCACHE_SIZE)
  ask(0, _SC_LEVEL1_DCACHE_SIZE, caches.first);
  ask(2, _SC_LEVEL2_CACHE_SIZE, caches.second);
  ask(3, _SC_LEVEL3_CACHE_SIZE, caches.last);
#else
  ask(0, -1, caches.first);
  ask(2, -1, caches.second);
  ask(3, -1, caches.last);
#endif
  return caches;
}

}  // namespace tyto::arithmetic
