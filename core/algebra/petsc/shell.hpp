#pragma once
/// A LinearMap of ours as PETSc's solvers see it: a matrix without entries, or a preconditioner.
#include "algebra/linear_map.hpp"
#include "algebra/petsc/calls.hpp"
#include "algebra/petsc/handles.hpp"

namespace tyto::algebra::petsc {

/// What PETSc's callbacks need. Outlives everything that PETSc makes of it.
struct ShellContext {
  const LinearMap& map;
  Calls& calls;
};

/// What PETSc gets that asks for a diagonal which the map does not know.
enum class UnknownDiagonal { refused, zero };

/// A MATSHELL: products, products with the transpose, and the diagonal. Of a symmetric map the transpose is the map itself.
class MatrixShell {
 public:
  MatrixShell(const LinearMap&, UnknownDiagonal, Calls&);
  MatrixShell(const MatrixShell&) = delete;
  MatrixShell& operator=(const MatrixShell&) = delete;
  Mat mat() const { return mat_.get(); }

 private:
  ShellContext context_;
  Owned<Mat> mat_;
};

/// Makes a preconditioner a PCSHELL that applies the map.
void precondition_by(PC, ShellContext&);

}  // namespace tyto::algebra::petsc
