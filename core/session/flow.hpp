#pragma once
/// What prepare() makes of a config: everything that a run, a check or an explanation needs.
#include "backend/registry.hpp"
#include "language/objective.hpp"
#include "plugin/algorithm.hpp"
#include "plugin/catalogue.hpp"
#include "result/folder.hpp"
#include "result/write.hpp"
#include "session/calibration.hpp"
#include "session/compile.hpp"

namespace tyto::session {

struct Prepared {
  config::RunConfig config;
  std::shared_ptr<const SettingsNode> settings;
  const PluginInfo* plugin = nullptr;
  std::optional<language::Objective> objective;  ///< that stands in the run file, for a method
  backend::Registry registry;
  const execute::Executor* executor = nullptr;
  std::vector<Loaded> inputs;
  plugin::AlgorithmOwner algorithm{nullptr, nullptr};
  Declared declared;
  Kernels kernels;
  optimize::Optimized optimized;
  plan::Plan plan;
  std::unique_ptr<program::PlanSource> contractions;         ///< for what is planned while the solve runs
  backend::Owned<tensor::Container> hdf5{nullptr, nullptr};  ///< what formats name
  result::Formats formats;
  std::map<std::string, NamedArray> reference = {};  ///< factors to compare with, see reference.hpp
  std::string linear_algebra = {};  ///< who solves linear systems and runs minimizers, and why; empty: nothing needs them
  std::shared_ptr<std::string> solver = std::make_shared<std::string>();  ///< how a library's solver describes itself, once it ran
  std::int64_t scale = 0;                                                 ///< the run sees data / 2^scale
};

/// The folders in which plugins are looked for: of the config, of TYTO_PLUGIN_PATH, beside libtyto.
std::vector<module::Folder> plugin_folders(const config::RunConfig&);
/// The folder beside libtyto where backend modules lie.
std::vector<module::Folder> backend_folders();
/// The executors that are built in, the one for this processor with these rates, and reasons for those that are not.
backend::Registry built_in_backends(execute::cpu::Rates);
/// The kernels that one sweep spends, in order; the second is what repeats.
std::vector<solve::Recorded> dry_run(const Prepared&, std::int64_t sweep = 2);
/// Error{unknown_word} for entries under `unknowns:` that the algorithm does not have.
void check_unknown_names(const Prepared&);
/// Error{contradiction} for a mask, weights or missing values that no objective names: they would have no effect.
void check_weights_are_used(const Prepared&);
/// What is to be written; Error{contradiction} with the reason if a ktensor is asked for and the result is none, Error{backend} if
/// HDF5 is asked for and not there.
result::Formats wanted_formats(Prepared&);
/// Empty, or why the result will be no CP decomposition.
std::string why_not_ktensor(const Prepared&);
/// The folder of the config, made sure of; errors are at its place in the config.
result::OutputFolder output_folder(const config::RunConfig&);
/// Of the program that all sweeps run.
std::string plan_text(const Prepared&);
/// The same, and what is planned while the run goes on.
std::string explanation(const Prepared&);
/// An explanation with the times of a few cycles on the starting values.
std::string analysis_text(const Prepared&);
/// What the user set, in words: "rank 3".
std::string settings_text(const SettingsNode&);

}  // namespace tyto::session
