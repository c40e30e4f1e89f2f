// A table written by hand, in which the functions were forgotten.
#include "tyto/plugin.hpp"

extern "C" TYTO_API const tyto::PluginInfo* tyto_plugin(std::uint32_t k) {
  static const tyto::PluginInfo info{TYTO_PLUGIN_API, TYTO_BUILD_TAG, "incomplete", "1", "is refused", nullptr, nullptr, nullptr};
  return k == 0 ? &info : nullptr;
}
