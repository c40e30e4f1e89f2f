// A host that starts MPI before the backend and ends it after: the backend leaves both to the host. Exit status 0 if all went well.
#include <mpi.h>
#include <cstdio>
#include "backend/loader.hpp"
#include "backend/registry.hpp"
#include "core/algebra/dense_map.hpp"

int main(int count, char** words) {
  using namespace tyto;
  MPI_Init(&count, &words);
  int is_finalized = 0;
  double residual = 1;
  {
    backend::Registry registry;
    registry.add(backend::load({{.path = TYTO_BINARY_DIR "/lib/tyto/backends"}}, "petsc"));
    const algebra::HostVector b({1, 2});
    algebra::HostVector x(2);
    const algebra::DenseMap a(2, 2, {2, 1, 1, 3}, true);
    residual = registry.linear_solver("petsc-cg").solve(a, b, x, {}).residual;
  }
  MPI_Finalized(&is_finalized);
  if (is_finalized != 0) return 1;
  MPI_Finalize();
  std::printf("residual %.1e\n", residual);
  return residual < 1e-9 ? 0 : 1;
}
