// Reserved at the first singular system.
#include "execute/spare_room.hpp"
#include <algorithm>
#include <cstdlib>
#include "error/fail.hpp"
#include "execute/host_memory.hpp"
#include "text/quantity.hpp"
#include <fmt/format.h>

namespace tyto::execute {
namespace {

constexpr std::int64_t cache_line = 64;  // bytes

char* reserve(std::int64_t bytes) {
  if (bytes > HostMemory::available_bytes()) return nullptr;
  const std::int64_t rounded = (std::max<std::int64_t>(bytes, 1) + cache_line - 1) / cache_line * cache_line;
  return static_cast<char*>(std::aligned_alloc(cache_line, static_cast<std::size_t>(rounded)));
}

}  // namespace

void SpareRoom::Release::operator()(char* memory) const { std::free(memory); }

char* SpareRoom::memory() {
  if (memory_ == nullptr) memory_.reset(reserve(bytes_));
  if (memory_ == nullptr)
    fail(Code::memory, "there is not enough memory to solve a system whose matrix is singular", text_of_bytes(bytes_),
         fmt::format("{} on this machine", text_of_bytes(HostMemory::available_bytes())),
         "a smaller problem, or a ridge, so that the matrix is not singular");
  return memory_.get();
}

}  // namespace tyto::execute
