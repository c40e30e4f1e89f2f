// A plugin without an algorithm.
#include "tyto/plugin.hpp"

extern "C" TYTO_API const tyto::PluginInfo* tyto_plugin(std::uint32_t) { return nullptr; }
