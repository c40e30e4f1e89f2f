#pragma once
/// A whole run, as the host does it: config -> declaration -> plan -> iteration -> result. For hosts, tests and simulation codes
/// that want an answer rather than a kernel.
#include <functional>
#include <map>
#include "tyto/compile.hpp"
#include "tyto/plugin.hpp"

namespace tyto::inline v1 {

/// One finished sweep.
struct Progress {
  int start = 0;                                             ///< which of several starts, from 0
  std::int64_t sweep = 0;                                    ///< from 1
  double objective = 0, relative_error = -1;                 ///< relative_error < 0: the objective is no sum of squares
  double change = 0;                                         ///< relative change of the objective
  double seconds = 0;                                        ///< since the start began
  std::vector<std::pair<std::string, double>> columns = {};  ///< those declared by the plugin, in order
  int starts = 1;                                            ///< how many there are
};

/// One array of a result, row-major, with its axes named.
struct NamedArray {
  Extents extents = {};
  std::vector<std::string> labels = {};
  std::vector<double> values = {};
  std::vector<double> imaginary = {};  ///< imaginary parts, where values are complex; else empty
};

/// The answer, which owns its numbers and outlives the session.
class TYTO_API Result {
 public:
  Outcome outcome = {};
  double objective = 0;        ///< inf where it does not fit a double (see scale in the guide)
  double relative_error = -1;  ///< sqrt(f / f at zero unknowns), without ridge; < 0: no sum of squares
  std::int64_t sweeps = 0;     ///< of the best start
  double seconds = 0;
  int best_start = 0;  ///< every start is in the history; the best one is in the values
  std::vector<Progress> history = {};
  std::vector<std::string> warnings = {};
  std::map<std::string, NamedArray> values = {};           ///< unknowns and observed expressions by name
  std::vector<std::string> names() const;                  ///< unknowns in order of declaration, then observed expressions
  const NamedArray& array(const std::string& name) const;  ///< Error{unknown_word} with a suggestion for an unknown name
  double scalar(const std::string& name) const;
  std::vector<std::string> unknowns = {}, observed = {};
  std::string settings = {};  ///< what the user set, in words: "rank 3"
  std::string folder = {};    ///< where it was written; empty: nowhere
};

/// A derivative of an objective, at the values with which a run starts, against differences.
struct ObjectiveDerivative {
  std::string objective, unknown;  ///< by name
  std::string derivative;          ///< "gradient" or "Hessian times vector"
  std::string checked;             ///< what was compared: "3 directions, 8 of 603 entries"
  DerivativeCheck result = {};
};

/// Settings come in as the same YAML text the host reads, so a run from C++ and one from a file cannot differ in meaning.
class TYTO_API Session {
 public:
  static Session from_file(const std::string& path);  ///< Error, all findings at once
  static Session from_text(const std::string& yaml, const std::string& name = "text");
  /// Goes on where the run ended that wrote this output folder: run() gives what it would have given. Limits may be set anew;
  /// settings that make it another problem are an Error, as are other data. Error{file_missing} where the folder holds no
  /// checkpoint.
  static Session from_checkpoint(const std::string& folder);
  Session(Session&&) noexcept;
  Session& operator=(Session&&) noexcept;
  ~Session();

  Session& set(const std::string& key, const std::string& yaml);  ///< "solver.max_sweeps", "5"; like --set
  Session& input(const std::string& name, const ConstArray&);     ///< instead of a file; copied by run() if it is not f64
  Session& use(const PluginInfo*);  ///< a plugin that is linked in rather than loaded; must outlive the session
  Session& on_progress(std::function<void(const Progress&)>);    ///< called after each sweep
  Session& on_message(std::function<void(const std::string&)>);  ///< what a person should know, said once
  Session& interrupt_when(std::function<bool()>);                ///< asked after each sweep; true: finish and return the result

  void check();           ///< declares and plans, runs nothing; throws what is wrong
  std::string explain();  ///< the plan as text
  /// The same after running the cycle a few times on the starting values: for each step the time that was predicted, the time
  /// measured, and the flops per second. Not the same on every run.
  std::string analyze();
  /// Gradient and Hessian of each objective by each unknown that is not fixed, as the passes leave them, in double precision: along
  /// random directions, and the gradient also at some entries. Fewer of both where an evaluation is expensive.
  std::vector<ObjectiveDerivative> check_derivatives();
  /// Runs and, where `output.directory` is set, writes the result there. May be called again: starts anew.
  Result run();
  /// Writes a list of tensors that the algorithm declares, data or constants such as the Hamiltonian H of dmrg, item by item:
  /// "mpo/H[*].npy" is the list H as mpo/H[0].npy, mpo/H[1].npy, ... in C order. Returns their names. Runs nothing.
  /// Error{unknown_word} with what there is, Error{output}.
  std::vector<std::string> write_list(const std::string& files);
  /// What `expect:` asks for and a result misses, a line each; empty: all is met.
  std::vector<std::string> unmet(const Result&) const;
  bool requires_convergence() const;  ///< solver.require_convergence
 private:
  struct Impl;
  explicit Session(std::unique_ptr<Impl>);
  std::unique_ptr<Impl> impl_;
};

}  // namespace tyto::inline v1
