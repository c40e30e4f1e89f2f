#pragma once
/// Ownership of PETSc's objects, and the one checked narrowing to its integers.
#include <petsctao.h>
#include <cstdint>
#include <memory>
#include <type_traits>
#include "tyto/array.hpp"

namespace tyto::algebra {
class Vector;
}

namespace tyto::algebra::petsc {

/// Gives an object back; does nothing once PETSc has ended.
struct Destroy {
  void operator()(Vec) const;
  void operator()(Mat) const;
  void operator()(KSP) const;
  void operator()(Tao) const;
};

template <class Object>
using Owned = std::unique_ptr<std::remove_pointer_t<Object>, Destroy>;

/// Throws Error{overflow} where this build of PETSc counts with too few bits.
PetscInt petsc_int(std::int64_t count);

/// The numbers of a vector as a Vec over the same memory, which must outlive it. Throws Error{unsupported} for a vector over
/// several ranks and Error{element_type} for one that does not hold doubles of the host.
Owned<Vec> wrap(const Vector&);
/// The same, to be written; whoever wraps calls write() of the vector again when PETSc is done with it.
Owned<Vec> wrap_for_writing(Vector&);

}  // namespace tyto::algebra::petsc
