#pragma once
// Runs a plugin for one sweep and keeps all unknowns as they are before and after each of its block updates.
#include "objectives/plain.hpp"
#include "tyto/session.hpp"

namespace tyto::objectives {

struct Update {
  std::string block;
  plain::Tables before;       ///< all unknowns
  std::vector<double> after;  ///< the block
};

struct Watched {
  std::vector<Update> updates;
  Result result;
  plain::Tables last;  ///< all unknowns in the end
};

/// A folder for files of the test of that name, new and empty.
std::string fresh_folder(const std::string& name);
/// Writes FOLDER/NAME.npy and returns its path.
std::string written(const std::string& folder, const std::string& name, const plain::Table&);

/// `yaml` is what a run file has besides `algorithm`; the sweep is that of the default run(), all block solves in order.
Watched watched_sweep(const std::string& plugin, const plain::Tables& inputs, const std::string& yaml);

/// A session with the test plugins in reach.
Session session_of(const std::string& plugin, const plain::Tables& inputs, const std::string& yaml);

}  // namespace tyto::objectives
