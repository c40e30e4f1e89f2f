#pragma once
/// What a session may compute with: built-in executors and solvers, and those of backends, by name. A value that the session owns.
#include <map>
#include <memory>
#include <string>
#include <vector>
#include "backend/backend.hpp"

namespace tyto::backend {

/// An object that goes back to whoever made it.
template <class T>
using Owned = std::unique_ptr<T, void (*)(T*)>;

class Registry {
 public:
  void add(std::unique_ptr<execute::Executor>);
  void add(std::unique_ptr<algebra::LinearSolver>);
  void add(std::unique_ptr<algebra::EigenSolver>);
  void add(std::unique_ptr<algebra::SvdSolver>);
  void add(std::unique_ptr<algebra::Minimizer>);
  /// Everything the backend makes. Names must be new: Error{backend}.
  void add(const BackendInfo&);
  /// A name that people know, and why it is not here: note_missing("cuda", "not built").
  void note_missing(const std::string& name, const std::string& reason);

  /// By name; throws Error{unknown_word} with all names, the nearest, and the reason of a name that is known to be missing.
  const execute::Executor& executor(const std::string& name) const;
  const algebra::LinearSolver& linear_solver(const std::string& name) const;
  const algebra::EigenSolver& eigen_solver(const std::string& name) const;
  const algebra::SvdSolver& svd_solver(const std::string& name) const;
  const algebra::Minimizer& minimizer(const std::string& name) const;
  /// A communicator of that backend over a handle that the caller owns (see CommunicatorFactory).
  Owned<communicator::Communicator> communicator(const std::string& backend, const void* native) const;

  bool has_executor(const std::string& name) const;
  std::vector<std::string> executors() const;  ///< names, in order of addition

 private:
  std::vector<Owned<execute::Executor>> executors_;
  std::vector<Owned<algebra::LinearSolver>> linear_solvers_;
  std::vector<Owned<algebra::EigenSolver>> eigen_solvers_;
  std::vector<Owned<algebra::SvdSolver>> svd_solvers_;
  std::vector<Owned<algebra::Minimizer>> minimizers_;
  std::map<std::string, CommunicatorFactory> communicators_;
  std::map<std::string, std::string> missing_;
};

}  // namespace tyto::backend
