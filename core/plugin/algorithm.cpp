// Calls into plugins; see the header.
#include "plugin/algorithm.hpp"

#include <exception>
#include "error/fail.hpp"

namespace tyto::plugin {
namespace {

[[noreturn]] void refuse(const PluginInfo& info, const std::string& function, const std::string& found) {
  fail(Code::plugin_rule, std::string("plugin '") + info.name + "' failed in " + function + "()",
       "no exception but tyto::Error, as Declaration::reject and Settings::reject throw it", found,
       std::string("reporting this to the author of ") + info.name + " " + info.version);
}

}  // namespace

void rethrow(const PluginInfo& info, const std::string& function) {
  try {
    throw;
  } catch (Error& error) {
    error.add_context("while plugin '" + std::string(info.name) + "' was in " + function + "()");
    throw;
  } catch (const std::exception& error) {
    refuse(info, function, std::string("an exception: ") + error.what());
  } catch (...) {
    refuse(info, function, "an exception of unknown type");
  }
}

AlgorithmOwner create(const PluginInfo& info) {
  AlgorithmOwner algorithm(call(info, "create", info.create), info.destroy);
  if (algorithm == nullptr) refuse(info, "create", "a null pointer");
  return algorithm;
}

Schema schema_of(const PluginInfo& info) { return call(info, "schema", info.schema); }

}  // namespace tyto::plugin
