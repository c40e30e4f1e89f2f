// Ownership of PETSc's objects; see the header.
#include "algebra/petsc/handles.hpp"

#include <limits>
#include <fmt/format.h>
#include "algebra/petsc/calls.hpp"
#include "algebra/vector.hpp"
#include "error/fail.hpp"

namespace tyto::algebra::petsc {
namespace {

/// A destructor can do nothing with an error.
template <class Object>
void destroy(PetscErrorCode (*give_back)(Object*), Object object) {
  if (!PetscFinalizeCalled) static_cast<void>(give_back(&object));
}

Owned<Vec> over(const ConstArray& local, std::int64_t size) {
  if (local.size() != size) fail_unsupported("PETSc on a vector over several ranks", "a run of one process");
  Vec vec = nullptr;
  require(VecCreateSeqWithArray(PETSC_COMM_SELF, 1, petsc_int(size), local.as<double>(), &vec), "VecCreateSeqWithArray");
  return Owned<Vec>(vec);
}

}  // namespace

void Destroy::operator()(Vec vec) const { destroy(VecDestroy, vec); }
void Destroy::operator()(Mat mat) const { destroy(MatDestroy, mat); }
void Destroy::operator()(KSP ksp) const { destroy(KSPDestroy, ksp); }
void Destroy::operator()(Tao tao) const { destroy(TaoDestroy, tao); }

PetscInt petsc_int(std::int64_t count) {
  constexpr std::int64_t largest = std::numeric_limits<PetscInt>::max();
  if (count <= largest) return static_cast<PetscInt>(count);
  fail(Code::overflow, "a vector is too long for the integers of this PETSc", fmt::format("at most {} numbers", largest),
       std::to_string(count), "a PETSc with 64-bit indices");
}

Owned<Vec> wrap(const Vector& vector) { return over(vector.read(), vector.size()); }
Owned<Vec> wrap_for_writing(Vector& vector) { return over(vector.write(), vector.size()); }

}  // namespace tyto::algebra::petsc
