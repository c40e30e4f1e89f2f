// Starting and ending PETSc; see the header.
#include "algebra/petsc/runtime.hpp"

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>
#include <link.h>
#include <petscsys.h>
#include <fmt/format.h>
#include "algebra/petsc/calls.hpp"
#include "backend/visibility.hpp"
#include "error/fail.hpp"

namespace tyto::algebra::petsc {
namespace {

bool mpi_is(int (*question)(int*)) {
  int yes = 0;
  question(&yes);
  return yes != 0;
}

/// PETSc from its start to the end of the process.
class Process {
 public:
  Process() {
    if (PetscInitializeCalled) return;
    if (mpi_is(MPI_Finalized)) {
      fail(Code::third_party, "PETSc cannot start: MPI has ended in this process", {}, {}, "ending MPI after the last solve");
    }
    // Open MPI opens components that look for its symbols among those of the program.
    if (!mpi_is(MPI_Initialized)) backend::make_visible_to_all(reinterpret_cast<const void*>(&MPI_Init_thread));
    // Signals are the host's, and so is the command line: PETSc would take options from it.
    require(PetscOptionsSetValue(nullptr, "-no_signal_handler", "true"), "PetscOptionsSetValue");
    require(PetscInitialize(&count_, &arguments_, nullptr, nullptr), "PetscInitialize");
    is_mine_ = true;
  }
  ~Process() {
    if (is_mine_ && !PetscFinalizeCalled && !mpi_is(MPI_Finalized)) static_cast<void>(PetscFinalize());
  }
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

 private:
  char name_[5] = "tyto";
  char* words_[2] = {name_, nullptr};
  char** arguments_ = words_;
  int count_ = 1;
  bool is_mine_ = false;
};

int collect(dl_phdr_info* library, std::size_t, void* names) {
  const std::string file = std::filesystem::path(library->dlpi_name).filename().string();
  if (file.rfind("libpetsc", 0) == 0) static_cast<std::vector<std::string>*>(names)->push_back(file);
  return 0;
}

/// Two builds of PETSc in one process answer to the same names, and numbers would be misread.
std::string reason_not_to() {
  std::vector<std::string> libraries;
  dl_iterate_phdr(collect, &libraries);
  if (libraries.size() > 1) return "this process holds more than one PETSc: " + listed(libraries);
  PetscInt major = 0, minor = 0;
  if (PetscGetVersionNumber(&major, &minor, nullptr, nullptr) != success) return "PETSc does not tell its version";
  if (major == PETSC_VERSION_MAJOR && minor == PETSC_VERSION_MINOR) return {};
  return fmt::format("built for PETSc {}.{}, found {}.{}", PETSC_VERSION_MAJOR, PETSC_VERSION_MINOR, major, minor);
}

}  // namespace

const char* why_unavailable() {
  static const std::string reason = reason_not_to();
  return reason.empty() ? nullptr : reason.c_str();
}

void boot() { static const Process process; }

}  // namespace tyto::algebra::petsc
