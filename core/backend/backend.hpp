#pragma once
/// Everything a backend module implements: devices that run programs, solvers, a communicator, formats of files. One that has none
/// of a kind leaves that part empty. A backend is built together with tyto and links the same libtyto.
#include <cstdint>
#include "algebra/solvers.hpp"
#include "backend/backend_tag.hpp"
#include "communicator/communicator.hpp"
#include "execute/executor.hpp"
#include "tensor/container.hpp"

namespace tyto::backend {

/// What a backend has of one kind. Plain C layout; all members are null where it has none. Objects are made and destroyed on the
/// same side; they may be used until the process ends.
template <class T>
struct Factory {
  std::int32_t count = 0;
  T* (*create)(std::int32_t k) = nullptr;  ///< 0 <= k < count; never null, may throw tyto::Error
  void (*destroy)(T*) = nullptr;
};

/// Communicators are made over a handle that the host owns: a backend never reaches for all processes by itself.
struct CommunicatorFactory {
  /// `native` points to the handle of the library (an MPI_Comm), valid as long as the communicator; null: this process alone.
  communicator::Communicator* (*create)(const void* native) = nullptr;
  void (*destroy)(communicator::Communicator*) = nullptr;
};

/// Plain C layout; fields are only ever appended, and nothing past `api` is read before `api` matches.
struct BackendInfo {
  std::uint32_t api;
  const char *build, *name, *version, *summary;
  /// Why this machine cannot use it ("no GPU"), as text that stays valid; null if it can. Called before anything is made. Quick.
  const char* (*why_unavailable)();
  Factory<execute::Executor> executors;
  Factory<algebra::LinearSolver> linear_solvers;
  Factory<algebra::EigenSolver> eigen_solvers;
  Factory<algebra::SvdSolver> svd_solvers;
  Factory<algebra::Minimizer> minimizers;
  CommunicatorFactory communicators;
  Factory<tensor::Container> containers = {};
};

/// The factory of default-constructible types: factory_of<execute::Executor, MyExecutor>().
template <class T, class... Types>
constexpr Factory<T> factory_of() {
  return {.count = sizeof...(Types),
          .create = [](std::int32_t k) -> T* {
            using Make = T* (*)();
            constexpr Make make[] = {[]() -> T* { return new Types; }...};
            return make[k]();
          },
          .destroy = [](T* object) { delete object; }};
}

}  // namespace tyto::backend

/// At file scope, once in a backend: the one exported symbol. The arguments are the fields of BackendInfo from `name` on.
#define TYTO_BACKEND(...)                                                                          \
  extern "C" TYTO_API const tyto::backend::BackendInfo* tyto_backend() {                           \
    static const tyto::backend::BackendInfo info{TYTO_BACKEND_API, TYTO_BACKEND_TAG, __VA_ARGS__}; \
    return &info;                                                                                  \
  }
