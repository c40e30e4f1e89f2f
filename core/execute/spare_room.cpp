// Reserved at the first singular system.
#include "execute/spare_room.hpp"
#include "error/fail.hpp"
#include "execute/arenas.hpp"
#include "text/quantity.hpp"
#include <fmt/format.h>

namespace tyto::execute {
void SpareRoom::Release::operator()(char* memory) const { release(memory); }

char* SpareRoom::memory() {
  if (memory_ == nullptr) memory_.reset(reserve(bytes_));
  if (memory_ == nullptr)
    fail(Code::memory, "there is not enough memory to solve a system whose matrix is singular", text_of_bytes(bytes_),
         fmt::format("{} on this machine", text_of_bytes(available_bytes())),
         "a smaller problem, or a ridge, so that the matrix is not singular");
  return memory_.get();
}

}  // namespace tyto::execute
