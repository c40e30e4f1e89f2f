#pragma once
/// The threads of an instance, what their loops are compiled for, and the scratch memory of all of them but the first, which works
/// in that of the step.
#include <cstdlib>
#include <memory>
#include "arithmetic/caches.hpp"
#include "arithmetic/isa.hpp"
#include "arithmetic/pool.hpp"
#include "error/fail.hpp"

namespace tyto::execute::cpu {

class Workers {
 public:
  /// `scratch_bytes`: the most that a step needs for one thread. Throws Error{memory} if there is not so much.
  Workers(int threads, std::int64_t scratch_bytes) : pool_(threads) {
    const std::int64_t rounded = (scratch_bytes + alignment - 1) / alignment * alignment * (threads - 1);
    if (rounded <= 0) return;
    scratch_.reset(static_cast<char*>(std::aligned_alloc(alignment, static_cast<std::size_t>(rounded))));
    if (scratch_ == nullptr)
      fail(Code::memory, "there is not enough memory for the scratch of all threads", "", "", "fewer threads: `execution.threads`");
  }
  arithmetic::Pool& pool() { return pool_; }
  arithmetic::Isa isa() const { return isa_; }
  const arithmetic::Caches& caches() const { return caches_; }
  /// Of the workers from the second on, one behind the other.
  char* scratch() { return scratch_.get(); }

 private:
  static constexpr std::int64_t alignment = 64;  // bytes
  struct Release {
    void operator()(char* memory) const { std::free(memory); }
  };
  arithmetic::Pool pool_;
  arithmetic::Isa isa_ = arithmetic::chosen_isa();
  arithmetic::Caches caches_ = arithmetic::caches_of_this_machine();
  std::unique_ptr<char[], Release> scratch_;
};

}  // namespace tyto::execute::cpu
