// The clock around each step.
#include "execute/timed_instance.hpp"
#include <chrono>

namespace tyto::execute {

void TimedInstance::run(program::StepId step) {
  const auto start = std::chrono::steady_clock::now();
  timed_->run(step);
  record_.push_back({step, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count()});
}

}  // namespace tyto::execute
