// Objects by name; see the header.
#include "backend/registry.hpp"

#include <algorithm>
#include <utility>
#include "error/fail.hpp"

namespace tyto::backend {
namespace {

template <class T>
std::vector<std::string> names_of(const std::vector<Owned<T>>& objects) {
  std::vector<std::string> names;
  for (const Owned<T>& object : objects) names.push_back(object->name());
  return names;
}

template <class T>
void insert(std::vector<Owned<T>>& objects, Owned<T> object) {
  const std::string name = object->name();
  const std::vector<std::string> names = names_of(objects);
  if (std::find(names.begin(), names.end(), name) != names.end()) {
    fail(Code::backend, "'" + name + "' is registered twice", "names other than " + listed(names), name,
         "using one of the backends that offer it");
  }
  objects.push_back(std::move(object));
}

template <class T>
void insert(std::vector<Owned<T>>& objects, std::unique_ptr<T> object) {
  insert(objects, Owned<T>(object.release(), [](T* mine) { delete mine; }));
}

template <class T>
void insert_all(std::vector<Owned<T>>& objects, const Factory<T>& factory) {
  for (std::int32_t k = 0; k < factory.count; ++k) {
    Owned<T> object(factory.create(k), factory.destroy);
    TYTO_ASSERT(object != nullptr);
    insert(objects, std::move(object));
  }
}

using Missing = std::map<std::string, std::string>;

[[noreturn]] void refuse(const std::string& noun, const std::string& name, std::vector<std::string> names, const Missing& missing) {
  const auto known = missing.find(name);
  const std::string expected = names.empty() ? "the name of one; there are none" : listed(names);
  if (known != missing.end()) {
    fail(Code::unknown_word, noun + " '" + name + "' is missing here", expected, name + ": " + known->second);
  }
  fail(Code::unknown_word, "unknown " + noun + " '" + name + "'", expected, name, nearest(name, names));
}

template <class T>
const T& find(const std::string& noun, const std::vector<Owned<T>>& objects, const std::string& name, const Missing& missing) {
  for (const Owned<T>& object : objects) {
    if (object->name() == name) return *object;
  }
  refuse(noun, name, names_of(objects), missing);
}

}  // namespace

void Registry::add(std::unique_ptr<execute::Executor> executor) { insert(executors_, std::move(executor)); }
void Registry::add(std::unique_ptr<algebra::LinearSolver> solver) { insert(linear_solvers_, std::move(solver)); }
void Registry::add(std::unique_ptr<algebra::EigenSolver> solver) { insert(eigen_solvers_, std::move(solver)); }
void Registry::add(std::unique_ptr<algebra::SvdSolver> solver) { insert(svd_solvers_, std::move(solver)); }
void Registry::add(std::unique_ptr<algebra::Minimizer> minimizer) { insert(minimizers_, std::move(minimizer)); }

void Registry::add(const BackendInfo& backend) {
  insert_all(executors_, backend.executors);
  insert_all(linear_solvers_, backend.linear_solvers);
  insert_all(eigen_solvers_, backend.eigen_solvers);
  insert_all(svd_solvers_, backend.svd_solvers);
  insert_all(minimizers_, backend.minimizers);
  if (backend.communicators.create != nullptr) communicators_.emplace(backend.name, backend.communicators);
}

void Registry::note_missing(const std::string& name, const std::string& reason) { missing_[name] = reason; }

const execute::Executor& Registry::executor(const std::string& name) const { return find("executor", executors_, name, missing_); }
const algebra::LinearSolver& Registry::linear_solver(const std::string& name) const {
  return find("linear solver", linear_solvers_, name, missing_);
}
const algebra::EigenSolver& Registry::eigen_solver(const std::string& name) const {
  return find("eigenvalue solver", eigen_solvers_, name, missing_);
}
const algebra::SvdSolver& Registry::svd_solver(const std::string& name) const {
  return find("SVD solver", svd_solvers_, name, missing_);
}
const algebra::Minimizer& Registry::minimizer(const std::string& name) const {
  return find("minimizer", minimizers_, name, missing_);
}

Owned<communicator::Communicator> Registry::communicator(const std::string& backend, const void* native) const {
  const auto factory = communicators_.find(backend);
  if (factory != communicators_.end()) return {factory->second.create(native), factory->second.destroy};
  std::vector<std::string> names;
  for (const auto& [name, ignored] : communicators_) names.push_back(name);
  refuse("communicator", backend, names, missing_);
}

bool Registry::has_executor(const std::string& name) const {
  const std::vector<std::string> names = executors();
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::vector<std::string> Registry::executors() const { return names_of(executors_); }

}  // namespace tyto::backend
