// Options and output; see the header.
#include "algebra/petsc/options.hpp"

#include <algorithm>
#include <cstdarg>
#include <utility>
#include "error/fail.hpp"

namespace tyto::algebra::petsc {
namespace {

/// With the hyphen that PETSc expects; a user may write it or not.
std::string hyphenated(const std::string& name) { return name.rfind('-', 0) == 0 ? name : "-" + name; }

/// PETSc's hook for printing has no room for a context.
Printing*& printing_now() {
  static Printing* now = nullptr;
  return now;
}

void check_name(const std::string& name, Calls& calls) {
  PetscBool is_key = PETSC_FALSE;
  calls.check(PetscOptionsValidKey(hyphenated(name).c_str(), &is_key));
  if (is_key) return;
  fail(Code::unknown_word, "'" + name + "' cannot be the name of an option of PETSc", "letters, digits and _, as in ksp_rtol",
       name);
}

}  // namespace

Options::Options(const Library& library, Calls& calls, const Pairs& defaults) : library_(library), calls_(calls) {
  for (const auto& [name, value] : library_.options) check_name(name, calls_);
  calls_.check(PetscOptionsCreate(&database_));
  for (const auto& [name, value] : defaults) insert(name, value);
  for (const auto& [name, value] : library_.options) insert(name, value);
  calls_.check(PetscOptionsPush(database_));
}

Options::~Options() {
  static_cast<void>(PetscOptionsPop());
  static_cast<void>(PetscOptionsDestroy(&database_));
}

void Options::insert(const std::string& name, const std::string& value) {
  calls_.check(PetscOptionsSetValue(database_, hyphenated(name).c_str(), value.c_str()));
}

bool Options::has(const std::string& name) const {
  return std::any_of(library_.options.begin(), library_.options.end(),
                     [&](const auto& option) { return hyphenated(option.first) == hyphenated(name); });
}

void Options::report_unused() const {
  if (!library_.unused) return;
  for (const auto& [name, value] : library_.options) {
    PetscBool is_used = PETSC_FALSE;
    calls_.check(PetscOptionsUsed(database_, hyphenated(name).c_str() + 1, &is_used));
    if (!is_used) library_.unused(name);
  }
}

Printing::Printing(const Log& log)
    : log_(log), outer_(std::exchange(printing_now(), this)), before_(std::exchange(PetscVFPrintf, print)) {}

Printing::~Printing() {
  PetscVFPrintf = before_;
  printing_now() = outer_;
}

void Printing::deliver() {
  if (is_wanted() && !text_.empty()) log_(std::exchange(text_, {}));
}

PetscErrorCode Printing::print(FILE*, const char* format, va_list arguments) {
  std::string line(1024, '\0');
  for (;;) {
    va_list again;
    va_copy(again, arguments);
    std::size_t needed = 0;  // with the final zero
    const PetscErrorCode code = PetscVSNPrintf(line.data(), line.size(), format, &needed, again);
    va_end(again);
    if (code != success) return code;
    if (needed <= line.size()) break;
    line.resize(needed + 1);
  }
  printing_now()->text_ += line.c_str();
  return success;
}

}  // namespace tyto::algebra::petsc
