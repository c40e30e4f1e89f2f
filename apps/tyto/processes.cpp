#include "processes.hpp"
#ifdef TYTO_HAVE_MPI
#include <algorithm>
#include <array>
#include <cstdlib>
#include <mpi.h>
#endif

#ifdef TYTO_HAVE_MPI
namespace {

/// Launchers tell their processes about each other in the environment: Open MPI, PMIx (Slurm, PRRTE), MPICH and its kin, MVAPICH.
/// A process that was started without one is alone, and need not spend the better part of a second on MPI to learn that.
bool has_launcher() {
  constexpr std::array<const char*, 5> words{"OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMI_RANK", "PMI_SIZE", "MV2_COMM_WORLD_SIZE"};
  return std::any_of(words.begin(), words.end(), [](const char* word) { return std::getenv(word) != nullptr; });
}

}  // namespace
#endif

Processes::Processes() {
#ifdef TYTO_HAVE_MPI
  if (!has_launcher()) return;
  int is_initialized = 0;
  MPI_Initialized(&is_initialized);
  if (is_initialized == 0) {
    int provided = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
    is_mine_ = true;
  }
  MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
  MPI_Comm_size(MPI_COMM_WORLD, &size_);
#endif
}

Processes::~Processes() {
#ifdef TYTO_HAVE_MPI
  if (is_mine_) MPI_Finalize();
#endif
}
