#pragma once
/// A run file in its typed form, with the place of every entry.
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "config/document.hpp"
#include "config/settings_node.hpp"

namespace tyto::config {

/// How an unknown starts: a word, or the path of a file.
struct InitConfig {
  std::string word = "random", file = {};  ///< word is empty where a file is given
};

struct DataConfig {
  std::string file = {};                ///< empty: it is a list, or the caller brings the array
  std::vector<std::string> files = {};  ///< of a list, in order, or one pattern; empty: it is no list
  bool dense = false;
  std::vector<std::string> modes = {};  ///< empty: named 0, 1, 2, ...
  std::string missing = "error", scale = "none";
  std::int64_t index_base = 1;
  std::vector<std::int64_t> shape = {};           ///< empty: as the file says
  std::string mask_file = {}, weights_file = {};  ///< empty: none
};

/// What the user says about an unknown; nothing: as the plugin says.
struct UnknownConfig {
  std::optional<bool> nonnegative = {}, fixed = {};
  std::optional<double> ridge = {}, lower = {}, upper = {};
  std::optional<InitConfig> init = {};
};

/// The objective that stands in the run file, for a method.
struct ObjectiveConfig {
  Passage minimize = {};
  std::vector<std::pair<Passage, Passage>> define = {};  ///< names and what they stand for, in the order of the file
  std::vector<std::pair<std::string, std::int64_t>> extents = {};
};

struct SolverConfig {
  std::int64_t max_sweeps = 500;
  double tolerance = 1e-10, gradient_tolerance = 0;
  double time_limit = 0;  ///< seconds; 0: none
  std::int64_t seed = 1;
  InitConfig init = {};
  std::int64_t starts = 1;
  std::string backend = "auto", krylov = "auto", minimizer = "auto", eigensolver = "auto";
  std::optional<double> krylov_tolerance = {};  ///< nothing: auto
  std::int64_t krylov_products = 200;
  std::string petsc_options = {};
  bool require_convergence = false, normalize = true, extrapolation = false;
};

struct ExecutionConfig {
  std::string executor = "auto";
  std::int64_t threads = 1;
  std::optional<std::int64_t> memory_limit = {};  ///< bytes; nothing: auto
  std::string precision = "f64";
};

struct PlanConfig {
  std::optional<std::int64_t> sweeps_per_cycle = {};  ///< nothing: auto
  bool verify = false;                                ///< compare every pass before and after on random numbers
  std::vector<std::string> switched_off = {};         ///< names of passes and fusions, not checked here
};

struct OutputConfig {
  std::optional<std::string> directory = {};
  std::optional<std::vector<std::string>> formats = {};  ///< nothing: npy, and ktensor where it applies
  bool overwrite = false, report = true, plots = false;
  std::optional<std::int64_t> checkpoint = {};  ///< sweeps between two; 0: none are written; nothing: auto
};

struct ExpectConfig {
  std::optional<double> relative_error = {}, objective = {};
  double tolerance = 1e-6;
};

struct RunConfig {
  std::string algorithm = {};                     ///< under `algorithm` or `method`
  std::optional<ObjectiveConfig> objective = {};  ///< of a method, where it is given
  std::vector<std::string> plugin_path = {};
  std::map<std::string, DataConfig> data = {};
  Node settings = {};                                  ///< for the plugin's schema: see check_settings
  std::map<std::string, UnknownConfig> unknowns = {};  ///< "*" is for all; see unknown()
  std::vector<std::string> unknown_names = {};         ///< in the order of the file, without "*"
  SolverConfig solver = {};
  ExecutionConfig execution = {};
  PlanConfig plan = {};
  OutputConfig output = {};
  std::optional<std::string> compare_to = {};  ///< folder of an earlier result
  std::optional<ExpectConfig> expect = {};

  std::map<std::string, Where> places = {};
  std::shared_ptr<const SettingsNode> checked = {};  ///< what this was read from, for to_json

  /// Place of the value of "data.X.shape"; where it is not given, of what encloses it, last of all the file.
  Where where(const std::string& path) const;
  /// Of the name of the algorithm or method.
  Where where_algorithm() const { return where(places.contains("method") ? "method" : "algorithm"); }
  /// The entry of this name merged over that of "*".
  UnknownConfig unknown(const std::string& name) const;
};

/// Throws one Error with all findings except those about the plugin's settings.
RunConfig read_run_config(const Document&);
/// Appends the findings instead; what was refused has its default. For one report with check_settings: see throw_if_any.
RunConfig read_run_config(const Document&, std::vector<Finding>&);

/// The values below `settings` under the schema of the plugin. Appends findings, or throws them.
std::shared_ptr<const SettingsNode> check_settings(const RunConfig&, const Schema&, std::vector<Finding>&);
std::shared_ptr<const SettingsNode> check_settings(const RunConfig&, const Schema&);

/// The whole configuration with all defaults filled in, as JSON that reads back as a run file; without `settings` where there is
/// no node for them.
std::string to_json(const RunConfig&, const SettingsNode* settings);

}  // namespace tyto::config
