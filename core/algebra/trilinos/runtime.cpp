// Starting and ending MPI and Kokkos; see the header.
#include "algebra/trilinos/runtime.hpp"

#include <mpi.h>
#include <Kokkos_Core.hpp>
#include "backend/visibility.hpp"
#include "error/fail.hpp"

namespace tyto::algebra::trilinos {
namespace {

bool mpi_is(int (*question)(int*)) {
  int yes = 0;
  question(&yes);
  return yes != 0;
}

class Process {
 public:
  Process() : mpi_is_mine_(!mpi_is(MPI_Initialized)), kokkos_is_mine_(!Kokkos::is_initialized()) {
    if (mpi_is(MPI_Finalized)) {
      fail(Code::third_party, "Trilinos cannot start: MPI has ended in this process", {}, {}, "ending MPI after the last solve");
    }
    if (mpi_is_mine_) start_mpi();
    Kokkos::InitArguments quiet;
    quiet.disable_warnings = true;
    if (kokkos_is_mine_) Kokkos::initialize(quiet);
  }
  ~Process() {
    if (kokkos_is_mine_ && Kokkos::is_initialized()) Kokkos::finalize();
    if (mpi_is_mine_ && !mpi_is(MPI_Finalized)) MPI_Finalize();
  }
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

 private:
  static void start_mpi() {
    // Open MPI opens components that look for its symbols among those of the program.
    backend::make_visible_to_all(reinterpret_cast<const void*>(&MPI_Init_thread));
    int provided = 0;
    if (MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided) != MPI_SUCCESS) {
      fail(Code::third_party, "Trilinos cannot start: MPI does not");
    }
  }

  bool mpi_is_mine_, kokkos_is_mine_;
};

}  // namespace

void boot() { static const Process process; }

}  // namespace tyto::algebra::trilinos
