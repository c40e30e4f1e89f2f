// A host that starts MPI before the backend and ends it after: the backend leaves both to the host. Exit status 0 if all went well.
#include <mpi.h>
#include <cstdio>
#include "backend/loader.hpp"
#include "backend/registry.hpp"
#include "core/algebra/dense_map.hpp"

namespace tyto::algebra {

static double solve() {
  backend::Registry registry;
  registry.add(backend::load({{.path = TYTO_BINARY_DIR "/lib/tyto/backends"}}, BACKEND));
  const HostVector b({1, 2});
  HostVector x(2);
  const DenseMap a(2, 2, {2, 1, 1, 3}, true);
  return registry.linear_solver(BACKEND "-cg").solve(a, b, x, {}).residual;
}

}  // namespace tyto::algebra

int main(int count, char** words) {
  MPI_Init(&count, &words);
  int status = 1, is_finalized = 0;
  try {
    const double residual = tyto::algebra::solve();
    std::printf("residual %.1e\n", residual);
    status = residual < 1e-9 ? 0 : 1;
  } catch (const tyto::Error& error) {
    std::puts(error.what());
  }
  MPI_Finalized(&is_finalized);
  if (is_finalized != 0) return 1;
  MPI_Finalize();
  return status;
}
