#pragma once
/// Code of a plugin, called with care: an object goes back to the plugin that made it, and nothing but tyto::Error comes out.
#include <memory>
#include <string>
#include <type_traits>
#include "tyto/plugin.hpp"

namespace tyto::plugin {

using AlgorithmOwner = std::unique_ptr<Algorithm, void (*)(Algorithm*)>;

/// For use in a catch block of everything: throws the exception in flight, as it is if it is an Error (with a line of context),
/// else as Error{plugin_rule} that names the plugin and `function` ("declare").
[[noreturn]] void rethrow(const PluginInfo&, const std::string& function);

/// Runs `body`, which calls `function` of the plugin.
template <class Body>
std::invoke_result_t<Body> call(const PluginInfo& info, const std::string& function, Body&& body) {
  try {
    return body();
  } catch (...) {
    rethrow(info, function);
  }
}

/// A new algorithm of that plugin. Throws Error{plugin_rule} if the plugin makes none.
AlgorithmOwner create(const PluginInfo&);
/// What it may be told.
Schema schema_of(const PluginInfo&);

}  // namespace tyto::plugin
