#pragma once
/// What went wrong, where, and what to try. Includes nothing else of tyto.
///
/// Three kinds, never mixed: an Error (somebody outside the core can fix it), a defect (an Error with Fault::defect: we must
/// fix it), and an Outcome (the mathematics did not get there; a value, never thrown).
#include <cstdint>
#include <exception>
#include <string>
#include <vector>

#define TYTO_API __attribute__((visibility("default")))

namespace tyto::inline v1 {

/// A place a person can go to. Lines and columns count from 1; 0 means unknown. For an expression built in C++, `quote` is its
/// text and `file` is empty.
struct Where {
  std::string file = {};
  int line = 0, column = 0;
  std::string quote = {};
};

enum class Fault {
  input,        ///< a setting, an expression or data; host exit status 2
  plugin,       ///< a plugin that cannot be loaded, or broke the rules of tyto/plugin.hpp; exit status 2
  environment,  ///< files, memory, missing optional parts, a failing third party; exit status 2 before the first sweep, else 1
  defect,       ///< a bug in tyto; exit status 1
};

/// What kind of finding it is, for programs. Values are stable: they are never renumbered, and the hundreds give the Fault.
enum class Code : std::int32_t {
  syntax = 100,
  unknown_key,
  duplicate_key,
  missing_key,
  wrong_type,
  out_of_range,
  unknown_word,
  contradiction,
  shape = 120,
  extent,
  label,
  not_quadratic,
  not_scalar,
  unsupported,
  not_holomorphic,
  not_bound,
  file_missing = 140,
  file_format,
  file_truncated,
  element_type,
  not_finite,
  overflow,
  plugin_missing = 200,
  plugin_symbol,
  plugin_api,
  plugin_tag,
  plugin_duplicate,
  plugin_rule,
  output = 300,
  memory,
  backend,
  ranks,
  third_party,
  reading,
  defect = 900,
};

/// The Fault that a code belongs to.
constexpr Fault fault_of(Code code) {
  const auto value = static_cast<std::int32_t>(code);
  return value < 200 ? Fault::input : value < 300 ? Fault::plugin : value < 900 ? Fault::environment : Fault::defect;
}

/// One finding. `what` says it in one line; the other texts may be empty.
struct Finding {
  Code code = Code::defect;
  Where where = {};
  std::string what = {}, expected = {}, found = {}, hint = {};
  std::vector<std::string> context = {};  ///< outermost last: "while planning block_solve(A_j)"
};

/// Thrown across every C++ border of tyto, plugins included; its type information lives in libtyto, so a catch matches
/// whichever library threw. Carries one finding or several (a config is reported in full, not error by error).
class TYTO_API Error : public std::exception {
 public:
  explicit Error(Finding);
  explicit Error(std::vector<Finding>);
  Error(const Error&);
  Error& operator=(const Error&);
  ~Error() override;
  const char* what() const noexcept override;  ///< all findings as text, ready to print
  const std::vector<Finding>& findings() const noexcept;
  void add_context(const std::string& line);  ///< `catch (Error& e) { e.add_context("while ..."); throw; }`
 private:
  std::vector<Finding> findings_;
  std::string text_;
};

/// Why an iteration ended.
enum class Stop { converged, sweep_limit, time_limit, interrupted, stalled, degenerate, failed };

/// How an iteration ended: a value, never an exception. Whether not converging fails a run is the user's choice.
struct Outcome {
  Stop stop = Stop::sweep_limit;
  std::string reason = {};  ///< "relative change of the objective 3.1e-13 < 1e-12"
};

}  // namespace tyto::inline v1
