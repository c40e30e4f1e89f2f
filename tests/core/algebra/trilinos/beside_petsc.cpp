// PETSc and Trilinos in one process, in the order given: whoever comes first starts MPI, both end with the process, and both find
// what the built-in method finds. Exit status 0 if so.
#include <cstdio>
#include <span>
#include <string>
#include "algebra/conjugate_gradient.hpp"
#include "backend/loader.hpp"
#include "backend/registry.hpp"
#include "core/algebra/dense_map.hpp"

namespace tyto::algebra {

static double difference(const LinearSolver& solver) {
  const DenseMap a(3, 3, {4, 1, 0, 1, 3, 1, 0, 1, 2}, true);
  const HostVector b({1, 2, 3});
  HostVector x(3), expected(3);
  ConjugateGradient().solve(a, b, expected, {.tolerance = 1e-14});
  solver.solve(a, b, x, {.tolerance = 1e-14});
  x.axpy(-1, expected);
  return x.norm();
}

static int compare(std::span<char*> names) {
  backend::Registry registry;
  for (const std::string name : names) {
    registry.add(backend::load({{.path = TYTO_BINARY_DIR "/lib/tyto/backends"}}, name));
    const double distance = difference(registry.linear_solver(name + "-cg"));
    std::printf("%s: %.1e\n", name.c_str(), distance);
    if (!(distance < 1e-12)) return 1;
  }
  return 0;
}

}  // namespace tyto::algebra

int main(int count, char** words) { return tyto::algebra::compare(std::span(words + 1, words + count)); }
