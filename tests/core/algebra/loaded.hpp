#pragma once
// The module under test, as a session opens it.
#include "backend/loader.hpp"
#include "backend/registry.hpp"
#include "core/algebra/systems.hpp"

namespace tyto::algebra {

inline const backend::Registry& solvers() {
  static const backend::Registry registry = [] {
    backend::Registry loaded;
    loaded.add(backend::load({{.path = TYTO_BINARY_DIR "/lib/tyto/backends"}}, BACKEND));
    return loaded;
  }();
  return registry;
}

}  // namespace tyto::algebra
