#pragma once
/// PETSc in this process: there can be one only, whoever starts it.

namespace tyto::algebra::petsc {

/// Why this process cannot use PETSc, as text that stays valid; null if it can. Starts nothing.
const char* why_unavailable();

/// Starts PETSc where nobody has yet. What was started here ends with the process; what the host started, MPI or PETSc itself, is
/// left to the host. Without a host's MPI, PETSc starts one of this process alone. Throws Error{third_party}.
void boot();

}  // namespace tyto::algebra::petsc
