#pragma once
/// Kokkos, on which Trilinos computes, in this process.

namespace tyto::algebra::trilinos {

/// Starts Kokkos where nobody has yet, without options from a command line; what was started here ends with the process.
void boot();

}  // namespace tyto::algebra::trilinos
