#pragma once
/// What a host application shows beside running sessions: plugins, their settings, files. Texts for a terminal.
#include <functional>
#include <string>
#include "tyto/error.hpp"

namespace tyto::inline v1 {

/// "0.1.0"
TYTO_API std::string version();
/// All plugins found in TYTO_PLUGIN_PATH and beside tyto, a line each, and files that cannot be used with the reason.
TYTO_API std::string plugin_list();
/// The settings of one plugin, or the keys of a run file for the name "config". Error{plugin_missing} with suggestions.
TYTO_API std::string plugin_help(const std::string& name);
/// Format, extents, type, norm and what it takes to use a data file. Error as for reading it.
TYTO_API std::string file_info(const std::string& path);

/// Writes the tensor that a data file or the folder of a result stands for as a .npy file, or a list that the algorithm of a run
/// file declares as H[*].npy, and says what was written.
TYTO_API std::string convert(const std::string& in, const std::string& out);

/// Measures this processor for the device model, in under half a minute, and writes a file with the rates that later sessions use;
/// `output` empty: in the user's cache. Returns a table of the rates, and where they were written. `on_progress` hears what is
/// measured next. Error{output} where the file cannot be written.
TYTO_API std::string calibrate(const std::string& output, const std::function<void(const std::string&)>& on_progress);

}  // namespace tyto::inline v1
