#pragma once
/// Memory for what seldom happens. A matrix that turns out singular is solved anew by a decomposition with several times the memory
/// of its Cholesky or LU factors; plans do not carry that along for matrices that never do.
#include <cstdint>
#include <memory>

namespace tyto::execute {

/// One for all steps of a loaded program, as large as the neediest of them.
class SpareRoom {
 public:
  explicit SpareRoom(std::int64_t bytes = 0) : bytes_(bytes) {}
  /// Aligned to 64 bytes. The first call allocates, no other does. Throws Error{memory} if the machine has less.
  char* memory();
  std::int64_t bytes() const { return bytes_; }

 private:
  struct Release {
    void operator()(char*) const;
  };
  std::int64_t bytes_;
  std::unique_ptr<char[], Release> memory_;
};

}  // namespace tyto::execute
