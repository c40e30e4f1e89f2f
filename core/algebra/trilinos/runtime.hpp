#pragma once
/// MPI and Kokkos, on which Trilinos computes, in this process.

namespace tyto::algebra::trilinos {

/// Starts them where nobody has yet, without options from a command line; what was started here ends with the process. Vectors here
/// are of one process, but Tpetra asks MPI for its number of ranks all the same. Throws Error{third_party}.
void boot();

}  // namespace tyto::algebra::trilinos
