#pragma once
/// What a Session holds, and the steps of its flow.
#include "config/document.hpp"
#include "session/checkpoint.hpp"
#include "session/flow.hpp"
#include "tyto/session.hpp"

namespace tyto::inline v1 {

struct Session::Impl {
  explicit Impl(config::Document d) : document(std::move(d)) {}
  config::Document document;
  std::map<std::string, ConstArray> inputs;
  const PluginInfo* linked = nullptr;
  std::optional<session::Checkpoint> resumed;  ///< what run() goes on from
  std::string resumed_folder;
  std::function<void(const Progress&)> on_progress;
  std::function<void(const std::string&)> on_message;
  std::function<bool()> interrupted;

  /// Reads and checks the config and the plugin's settings: all findings in one report.
  void configure(session::Prepared&);
  problem::Problem declare(session::Prepared&);
  void load(session::Prepared&);
  /// Everything before the first sweep.
  session::Prepared prepare();
  Result run();

 private:
  /// The output folder, made sure of; none without output.directory.
  std::optional<result::OutputFolder> folder_of(const session::Prepared&) const;
};

}  // namespace tyto::inline v1
