// Error codes and exceptions; see the header.
#include "algebra/petsc/calls.hpp"

#include <algorithm>
#include <utility>
#include <vector>
#include <fmt/format.h>
#include <petsctao.h>
#include "error/fail.hpp"

namespace tyto::algebra::petsc {
namespace {

PetscErrorCode on_error(MPI_Comm, int, const char* function, const char*, PetscErrorCode code, PetscErrorType type,
                        const char* message, void* calls) {
  if (type == PETSC_ERROR_INITIAL) static_cast<Calls*>(calls)->remember(function, code, message);
  return code;
}

std::vector<std::string> names_in(PetscFunctionList list) {
  const char** entries = nullptr;
  int count = 0;
  require(PetscFunctionListGet(list, &entries, &count), "PetscFunctionListGet");
  std::vector<std::string> names;
  for (int k = 0; k < count; ++k) {
    if (entries[k] != nullptr) names.emplace_back(entries[k]);
  }
  static_cast<void>(PetscFree(entries));
  std::sort(names.begin(), names.end());
  return names;
}

/// The types among which a function of PETSc chooses by name.
std::string types_for(const std::string& function) {
  if (function == "KSPSetType") return listed(names_in(KSPList));
  if (function == "PCSetType") return listed(names_in(PCList));
  if (function == "TaoSetType") return listed(names_in(TaoList));
  return {};
}

[[noreturn]] void refuse(PetscErrorCode code, const std::string& function, const std::string& message) {
  const char* general = nullptr;
  static_cast<void>(PetscErrorMessage(code, &general, nullptr));
  const auto number = static_cast<int>(code);
  const std::string kind = general == nullptr ? "of a kind without a name" : general;
  const bool unknown_type = code == PETSC_ERR_ARG_UNKNOWN_TYPE;
  fail(Code::third_party, "PETSc failed: " + (message.empty() ? kind : message), unknown_type ? types_for(function) : std::string{},
       fmt::format("error {} in {}: {}", number, function, kind),
       unknown_type ? "another name for the type, or leaving the choice to tyto" : "");
}

}  // namespace

void require(PetscErrorCode code, const char* function) {
  if (code == success) return;
  const char* general = nullptr;
  char* specific = nullptr;
  static_cast<void>(PetscErrorMessage(code, &general, &specific));
  refuse(code, function, specific == nullptr ? "" : specific);
}

Calls::Calls() { require(PetscPushErrorHandler(on_error, this), "PetscPushErrorHandler"); }
Calls::~Calls() { static_cast<void>(PetscPopErrorHandler()); }

void Calls::remember(const char* function, PetscErrorCode, const char* message) {
  function_ = function == nullptr ? "" : function;
  message_ = message == nullptr ? "" : message;
}

void Calls::check(PetscErrorCode code) {
  if (thrown_ != nullptr) std::rethrow_exception(std::exchange(thrown_, nullptr));
  if (code != success) refuse(code, function_, message_);
}

}  // namespace tyto::algebra::petsc
