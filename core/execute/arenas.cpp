#include "execute/arenas.hpp"
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sys/mman.h>
#include <unistd.h>

namespace tyto::execute {

namespace {

constexpr std::int64_t cache_line = 64;                    // bytes
constexpr std::int64_t huge_page = std::int64_t{2} << 20;  // bytes

/// An arena may be used for a program that needs this much less.
constexpr std::int64_t most_waste = 2;

}  // namespace

std::int64_t available_bytes() {
  const std::int64_t physical = static_cast<std::int64_t>(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE);
  std::int64_t limit = 0;
  std::ifstream file("/sys/fs/cgroup/memory.max");  // "max" where there is no limit
  return file >> limit && limit > 0 ? std::min(physical, limit) : physical;
}

char* reserve(std::int64_t bytes) {
  const std::int64_t alignment = bytes >= 2 * huge_page ? huge_page : cache_line;
  if (bytes > available_bytes()) return nullptr;
  const std::int64_t rounded = (std::max<std::int64_t>(bytes, 1) + alignment - 1) / alignment * alignment;
  auto* memory = static_cast<char*>(std::aligned_alloc(static_cast<std::size_t>(alignment), static_cast<std::size_t>(rounded)));
  if (memory == nullptr) return nullptr;
  if (alignment == huge_page) madvise(memory, static_cast<std::size_t>(rounded), MADV_HUGEPAGE);
  std::memset(memory, 0, static_cast<std::size_t>(rounded));
  return memory;
}

void release(char* memory) { std::free(memory); }

Arenas::~Arenas() {
  for (const auto& [bytes, memory] : idle_) release(memory);
}

char* Arenas::take(std::int64_t& bytes) {
  const auto best = idle_.lower_bound(bytes);
  if (best == idle_.end() || best->first > most_waste * bytes) return reserve(bytes);
  char* memory = best->second;
  bytes = best->first;
  idle_bytes_ -= best->first;
  idle_.erase(best);
  return memory;
}

void Arenas::give_back(char* memory, std::int64_t bytes) {
  idle_.emplace(bytes, memory);
  idle_bytes_ += bytes;
  while (idle_bytes_ > most_bytes_) {  // the smallest cost least to get anew
    const auto smallest = idle_.begin();
    idle_bytes_ -= smallest->first;
    release(smallest->second);
    idle_.erase(smallest);
  }
}

}  // namespace tyto::execute
