#include "processes.hpp"
#ifdef TYTO_HAVE_MPI
#include <mpi.h>
#endif

Processes::Processes() {
#ifdef TYTO_HAVE_MPI
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
