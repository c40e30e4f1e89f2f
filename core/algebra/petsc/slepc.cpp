// Starting SLEPc; see the header.
#include "algebra/petsc/slepc.hpp"

#include "algebra/petsc/calls.hpp"
#include "algebra/petsc/runtime.hpp"

namespace tyto::algebra::petsc {
namespace {

/// A destructor can do nothing with an error.
template <class Object>
void destroy(PetscErrorCode (*give_back)(Object*), Object object) {
  if (!PetscFinalizeCalled) static_cast<void>(give_back(&object));
}

}  // namespace

void boot_slepc() {
  boot();
  // PETSc runs already, so SLEPc takes nothing from a command line and ends when PETSc does.
  if (!SlepcInitializeCalled) require(SlepcInitializeNoArguments(), "SlepcInitializeNoArguments");
}

void DestroySlepc::operator()(EPS eps) const { destroy(EPSDestroy, eps); }
void DestroySlepc::operator()(SVD svd) const { destroy(SVDDestroy, svd); }

}  // namespace tyto::algebra::petsc
