#pragma once
/// What a user tells PETSc in PETSc's words, and what PETSc prints.
#include <petscsys.h>
#include <functional>
#include <string>
#include <utility>
#include <vector>
#include "algebra/petsc/calls.hpp"
#include "algebra/solvers.hpp"

namespace tyto::algebra::petsc {

/// A database of options for one solve. While it lives, PETSc looks for options here and nowhere else: nothing given to one solve
/// reaches another, and what stands in the environment or in ~/.petscrc does not change results.
class Options {
 public:
  using Pairs = std::vector<std::pair<std::string, std::string>>;
  /// What tyto itself asks for by options, where PETSc has no other way, goes in first: a user overrules it.
  Options(const Library&, Calls&, const Pairs& defaults = {});
  ~Options();
  Options(const Options&) = delete;
  Options& operator=(const Options&) = delete;

  /// Whether the user gave an option of that name.
  bool has(const std::string& name) const;
  /// Tells library.unused of the options that nobody has asked for yet, in the order in which they were given.
  void report_unused() const;

 private:
  void insert(const std::string& name, const std::string& value);

  const Library& library_;
  Calls& calls_;
  PetscOptions database_ = nullptr;
};

/// While it lives, what PETSc prints is collected for a log, or lost where there is none: the terminal is the host's.
class Printing {
 public:
  using Log = std::function<void(const std::string&)>;
  explicit Printing(const Log&);
  ~Printing();
  Printing(const Printing&) = delete;
  Printing& operator=(const Printing&) = delete;

  bool is_wanted() const { return static_cast<bool>(log_); }
  /// Hands the text so far to the log.
  void deliver();

 private:
  static PetscErrorCode print(FILE*, const char* format, va_list);

  const Log& log_;
  std::string text_;
  Printing* outer_ = nullptr;
  decltype(PetscVFPrintf) before_ = nullptr;
};

}  // namespace tyto::algebra::petsc
