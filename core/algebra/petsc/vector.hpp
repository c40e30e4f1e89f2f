#pragma once
/// A Vec of PETSc as a Vector of ours: how maps and functions see the vectors that PETSc's solvers own.
#include "algebra/petsc/handles.hpp"
#include "algebra/vector.hpp"

namespace tyto::algebra::petsc {

/// Shares a Vec with whoever else refers to it. PETSc keeps the norm of a Vec until it learns of a change; what is written through
/// write() counts as changed at every norm() from then on, and once more at the end.
class PetscVector final : public Vector {
 public:
  explicit PetscVector(Vec);
  ~PetscVector() override;
  PetscVector(const PetscVector&) = delete;
  PetscVector& operator=(const PetscVector&) = delete;

  std::int64_t size() const override;
  std::unique_ptr<Vector> create() const override;
  void copy(const Vector& from) override;
  void fill(double value) override;
  void scale(double factor) override;
  void axpy(double factor, const Vector& x) override;
  double dot(const Vector& other) const override;
  double norm() const override;
  ConstArray read() const override;
  Array write() override;

  Vec vec() const { return vec_.get(); }

 private:
  double* open() const;

  Owned<Vec> vec_;
  bool is_written_ = false;
};

}  // namespace tyto::algebra::petsc
