// A Vec as a Vector; see the header.
#include "algebra/petsc/vector.hpp"

#include "algebra/petsc/calls.hpp"
#include "error/fail.hpp"

namespace tyto::algebra::petsc {
namespace {

Owned<Vec> shared(Vec vec) {
  require(PetscObjectReference(reinterpret_cast<PetscObject>(vec)), "PetscObjectReference");
  return Owned<Vec>(vec);
}

Vec vec_of(const Vector& vector) {
  const auto* ours = dynamic_cast<const PetscVector*>(&vector);
  TYTO_ASSERT(ours != nullptr);
  return ours->vec();
}

}  // namespace

PetscVector::PetscVector(Vec vec) : vec_(shared(vec)) {}

PetscVector::~PetscVector() {
  double* numbers = nullptr;
  if (!is_written_ || PetscFinalizeCalled) return;
  if (VecGetArrayWrite(vec(), &numbers) == success) static_cast<void>(VecRestoreArrayWrite(vec(), &numbers));
}

std::int64_t PetscVector::size() const {
  PetscInt count = 0;
  require(VecGetSize(vec(), &count), "VecGetSize");
  return count;
}

std::unique_ptr<Vector> PetscVector::create() const {
  Vec fresh = nullptr;
  require(VecDuplicate(vec(), &fresh), "VecDuplicate");
  const Owned<Vec> owned(fresh);
  require(VecSet(fresh, 0), "VecSet");
  return std::make_unique<PetscVector>(fresh);
}

void PetscVector::copy(const Vector& from) { require(VecCopy(vec_of(from), vec()), "VecCopy"); }
void PetscVector::fill(double value) { require(VecSet(vec(), value), "VecSet"); }
void PetscVector::scale(double factor) { require(VecScale(vec(), factor), "VecScale"); }
void PetscVector::axpy(double factor, const Vector& x) { require(VecAXPY(vec(), factor, vec_of(x)), "VecAXPY"); }

double PetscVector::dot(const Vector& other) const {
  double result = 0;
  require(VecDot(vec(), vec_of(other), &result), "VecDot");
  return result;
}

double PetscVector::norm() const {
  if (is_written_) open();
  double result = 0;
  require(VecNorm(vec(), NORM_2, &result), "VecNorm");
  return result;
}

ConstArray PetscVector::read() const {
  const double* numbers = nullptr;
  PetscInt count = 0;
  require(VecGetLocalSize(vec(), &count), "VecGetLocalSize");
  require(VecGetArrayRead(vec(), &numbers), "VecGetArrayRead");
  const double* const address = numbers;  // PETSc's memory stays where it is while the Vec lives
  require(VecRestoreArrayRead(vec(), &numbers), "VecRestoreArrayRead");
  return ConstArray(address, {count});
}

/// Tells PETSc that the numbers change.
double* PetscVector::open() const {
  double* numbers = nullptr;
  require(VecGetArrayWrite(vec(), &numbers), "VecGetArrayWrite");
  double* const address = numbers;
  require(VecRestoreArrayWrite(vec(), &numbers), "VecRestoreArrayWrite");
  return address;
}

Array PetscVector::write() {
  PetscInt count = 0;
  require(VecGetLocalSize(vec(), &count), "VecGetLocalSize");
  is_written_ = true;
  return Array(open(), {count});
}

}  // namespace tyto::algebra::petsc
