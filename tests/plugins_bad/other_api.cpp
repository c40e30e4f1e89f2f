// A table of which only the API number may be read: what follows it is no memory of this process.
#include <sys/mman.h>
#include <unistd.h>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include "tyto/plugin.hpp"

static const tyto::PluginInfo* at_the_edge() {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  void* pages = mmap(nullptr, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED) throw std::bad_alloc();
  char* end = static_cast<char*>(pages) + page;
  mprotect(end, page, PROT_NONE);
  const std::uint32_t api = TYTO_PLUGIN_API + 1;
  char* table = end - offsetof(tyto::PluginInfo, build);  // the fields from the second on lie beyond the edge
  std::memcpy(table, &api, sizeof api);
  return reinterpret_cast<const tyto::PluginInfo*>(table);
}

extern "C" TYTO_API const tyto::PluginInfo* tyto_plugin(std::uint32_t k) { return k == 0 ? at_the_edge() : nullptr; }
