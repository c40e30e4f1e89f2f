#pragma once
/// SLEPc in this process, and ownership of its objects.
#include <slepceps.h>
#include <slepcsvd.h>
#include <memory>
#include <type_traits>

namespace tyto::algebra::petsc {

/// Starts PETSc and SLEPc where nobody has yet; both end with the process. Throws Error{third_party}.
void boot_slepc();

/// Gives an object back; does nothing once PETSc has ended.
struct DestroySlepc {
  void operator()(EPS) const;
  void operator()(SVD) const;
};

template <class Object>
using OwnedSlepc = std::unique_ptr<std::remove_pointer_t<Object>, DestroySlepc>;

}  // namespace tyto::algebra::petsc
