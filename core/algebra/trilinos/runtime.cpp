// Starting and ending Kokkos; see the header.
#include "algebra/trilinos/runtime.hpp"

#include <Kokkos_Core.hpp>

namespace tyto::algebra::trilinos {
namespace {

class Process {
 public:
  Process() {
    if (Kokkos::is_initialized()) return;
    Kokkos::InitArguments quiet;
    quiet.disable_warnings = true;
    Kokkos::initialize(quiet);
    is_mine_ = true;
  }
  ~Process() {
    if (is_mine_ && Kokkos::is_initialized()) Kokkos::finalize();
  }
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

 private:
  bool is_mine_ = false;
};

}  // namespace

void boot() { static const Process process; }

}  // namespace tyto::algebra::trilinos
