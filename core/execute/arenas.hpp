#pragma once
/// Memory that programs have left behind, for those that are loaded next. A small program runs in less time than the system takes
/// to hand out fresh pages for it.
#include <cstdint>
#include <map>
#include <memory>

namespace tyto::execute {

/// For one thread at a time.
class Arenas {
 public:
  /// Keeps at most so many bytes that nobody uses.
  explicit Arenas(std::int64_t most_bytes) : most_bytes_(most_bytes) {}
  ~Arenas();
  Arenas(const Arenas&) = delete;
  Arenas& operator=(const Arenas&) = delete;

  /// Aligned to 64 bytes, with whatever values it was left with; null if the machine has less. `bytes` becomes what it holds, no
  /// less than asked for.
  char* take(std::int64_t& bytes);
  /// What take() returned, with what it holds.
  void give_back(char* memory, std::int64_t bytes);
  std::int64_t idle_bytes() const { return idle_bytes_; }

 private:
  std::multimap<std::int64_t, char*> idle_;  ///< by bytes
  std::int64_t most_bytes_, idle_bytes_ = 0;
};

/// The same from the system, and back to it. Large ones start on a huge page and ask for more of them: streaming then runs a
/// quarter faster.
char* reserve(std::int64_t bytes);
void release(char* memory);
/// Bytes that a program may use on this host: physical memory, or the limit of the control group where that is smaller.
std::int64_t available_bytes();

}  // namespace tyto::execute
