// Maps without entries; see the header.
#include "algebra/petsc/shell.hpp"

#include <petscksp.h>
#include "algebra/petsc/vector.hpp"
#include "error/fail.hpp"

namespace tyto::algebra::petsc {
namespace {

PetscErrorCode context_of(Mat mat, ShellContext*& context) { return MatShellGetContext(mat, &context); }

PetscErrorCode multiply(Mat mat, Vec x, Vec y) {
  PetscFunctionBeginUser;
  ShellContext* shell = nullptr;
  PetscCall(context_of(mat, shell));
  PetscCall(shell->calls.guard([&] {
    PetscVector result(y);
    shell->map.apply(PetscVector(x), result);
  }));
  PetscFunctionReturn(success);
}

PetscErrorCode multiply_transposed(Mat mat, Vec y, Vec x) {
  PetscFunctionBeginUser;
  ShellContext* shell = nullptr;
  PetscCall(context_of(mat, shell));
  PetscCall(shell->calls.guard([&] {
    PetscVector result(x);
    if (shell->map.is_symmetric()) shell->map.apply(PetscVector(y), result);
    else shell->map.apply_transposed(PetscVector(y), result);
  }));
  PetscFunctionReturn(success);
}

PetscErrorCode diagonal(Mat mat, Vec entries) {
  PetscFunctionBeginUser;
  ShellContext* shell = nullptr;
  PetscCall(context_of(mat, shell));
  PetscCall(shell->calls.guard([&] {
    PetscVector result(entries);
    if (!shell->map.diagonal(result)) fail_unsupported("the diagonal of this linear map", "pc_type none, or no pc_type");
  }));
  PetscFunctionReturn(success);
}

PetscErrorCode precondition(PC pc, Vec x, Vec y) {
  PetscFunctionBeginUser;
  ShellContext* shell = nullptr;
  PetscCall(PCShellGetContext(pc, &shell));
  PetscCall(shell->calls.guard([&] {
    PetscVector result(y);
    shell->map.apply(PetscVector(x), result);
  }));
  PetscFunctionReturn(success);
}

template <class Operation>
void set(Calls& calls, Mat mat, MatOperation name, Operation operation) {
#if PETSC_VERSION_LT(3, 24, 0)
  calls.check(MatShellSetOperation(mat, name, reinterpret_cast<void (*)()>(operation)));
#else
  calls.check(MatShellSetOperation(mat, name, reinterpret_cast<PetscErrorCodeFn*>(operation)));
#endif
}

Owned<Mat> shell_over(ShellContext& context, UnknownDiagonal unknown) {
  const PetscInt rows = petsc_int(context.map.range()->size()), columns = petsc_int(context.map.domain()->size());
  Mat made = nullptr;
  context.calls.check(MatCreateShell(PETSC_COMM_SELF, rows, columns, rows, columns, &context, &made));
  Owned<Mat> mat(made);
  set(context.calls, made, MATOP_MULT, multiply);
  set(context.calls, made, MATOP_MULT_TRANSPOSE, multiply_transposed);
  // PETSc itself takes zeros where a shell has no such operation, and then does without.
  if (unknown == UnknownDiagonal::refused) set(context.calls, made, MATOP_GET_DIAGONAL, diagonal);
  if (context.map.is_symmetric()) context.calls.check(MatSetOption(made, MAT_SYMMETRIC, PETSC_TRUE));
  return mat;
}

}  // namespace

MatrixShell::MatrixShell(const LinearMap& map, UnknownDiagonal unknown, Calls& calls)
    : context_{map, calls}, mat_(shell_over(context_, unknown)) {}

void precondition_by(PC pc, ShellContext& context) {
  Calls& calls = context.calls;
  calls.check(PCSetType(pc, PCSHELL));
  calls.check(PCShellSetContext(pc, &context));
  calls.check(PCShellSetApply(pc, precondition));
  calls.check(PCShellSetName(pc, "tyto"));
}

}  // namespace tyto::algebra::petsc
