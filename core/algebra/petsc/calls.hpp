#pragma once
/// What calls of PETSc answer: error codes become errors, and exceptions of ours come through the C code in between.
#include <petscsys.h>
#include <exception>
#include <string>

namespace tyto::algebra::petsc {

/// What a callback returns when all went well: PETSC_SUCCESS, which versions before 3.19 do not have.
inline constexpr auto success = static_cast<PetscErrorCode>(0);

/// Throws Error{third_party} with PETSc's text for a code that is not success.
void require(PetscErrorCode, const char* function);

/// The calls of one solve. While it lives PETSc does not print its errors; the object remembers the first of a chain, which is the
/// one that says what happened.
class Calls {
 public:
  Calls();
  ~Calls();
  Calls(const Calls&) = delete;
  Calls& operator=(const Calls&) = delete;

  /// Throws what a callback threw meanwhile, or Error{third_party} with what PETSc said and where; of a type that PETSc does not
  /// know also those that it knows.
  void check(PetscErrorCode);

  /// The body of a callback: PETSc gets a code, and check() throws what the body threw.
  template <class Body>
  PetscErrorCode guard(Body&& body) noexcept {
    try {
      body();
      return success;
    } catch (...) {
      if (thrown_ == nullptr) thrown_ = std::current_exception();
      return PETSC_ERR_LIB;
    }
  }

  /// Whether check() would throw what a callback threw.
  bool has_thrown() const { return thrown_ != nullptr; }

  /// Called by PETSc.
  void remember(const char* function, PetscErrorCode, const char* message);

 private:
  std::exception_ptr thrown_;
  std::string function_, message_;
};

}  // namespace tyto::algebra::petsc
