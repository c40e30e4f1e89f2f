#pragma once
/// From expressions to a program that runs on your arrays:
///
///     const Expr a = tensor("A", {i, r}), b = tensor("B", {j, r});
///     const Expr f = norm2(x - einsum({a, b}, {i, j}));
///     Program program({f, gradient(f, a)});
///     program.bind(a, ConstArray(values.data(), {5, 2}));   // used in place
///     program.run();
///     const double* slope = program.output(1).as<double>();
#include <cstddef>
#include <memory>
#include <string>
#include <vector>
#include "tyto/array.hpp"
#include "tyto/expr.hpp"

namespace tyto::inline v1 {

/// How often a bound input changes; the optimizer minimizes cost x frequency.
enum class Changes : std::int8_t { never, rarely, every_run };

struct CompileOptions {
  Dtype precision = Dtype::f64;   ///< f32 or f64 (complex expressions: the complex type of that precision)
  std::string executor = "auto";  ///< reference, cpu, ...; "auto" takes the best that can run
  std::int64_t memory_limit = 0;  ///< bytes; 0: what the machine has. A forecast above it is Error{memory}
  int threads = 1;
  std::vector<std::string> switched_off = {};  ///< passes; Error{unknown_word} names those that are not there
  bool verify = false;                         ///< compare every pass on random values, and bound values with declared Facts
};

/// Of one run with everything changed; flops count a multiply and an add as two.
struct Forecast {
  std::int64_t flops = 0, bytes_moved = 0, peak_bytes = 0;
};

/// A compiled set of outputs. Movable; owns its plan and workspace, neither inputs nor bound outputs. One thread at a time.
class TYTO_API Program {
 public:
  /// Throws Error on options that do not fit, on what no executor can run, and Error{memory}.
  explicit Program(Exprs outputs, const CompileOptions& = {});
  ~Program();
  Program(Program&&) noexcept;
  Program& operator=(Program&&) noexcept;

  /// Uses the array in place, until it is bound anew or the program ends. Axes follow leaf.shape(); any strides. By default the
  /// contents may differ at each run, so nothing stale is ever used. `never` and `rarely` are promises kept through touch().
  /// Error{element_type}, Error{shape}, or Error{label} for a leaf that the outputs do not contain.
  void bind(const Expr& leaf, const ConstArray&, Changes = Changes::every_run);
  void touch(const Expr& leaf);                   ///< the contents of a leaf bound as never or rarely have changed
  void bind_output(std::size_t n, const Array&);  ///< each run leaves output n there too; any strides

  void run();               ///< all outputs; Error{not_bound} names a leaf without an array
  void run(std::size_t n);  ///< one output and only what it needs
  /// Axes follow the labels of the expression; valid until the next run or move. Error{not_bound} before the first run.
  ConstArray output(std::size_t n) const;

  Forecast forecast() const;
  std::string explain() const;  ///< the plan as text
 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// A leaf and its values, for one call.
struct Bound {
  Expr leaf;
  ConstArray values;
};

/// A derivative against differences of values.
struct DerivativeCheck {
  bool agrees = false;
  double largest_difference = 0;  ///< relative to the larger of the largest entries
  double allowed = 0;             ///< what the differences themselves may be wrong by, on the same scale
  std::string method;             ///< "complex step" where the expression is analytic and real, else "central differences"
  std::string worst;              ///< where the difference is largest: "(2,0) by (1,3): 0.51 against 0.47"
};
/// The Jacobian of y by the leaf x at the given values, entry by entry. Error{not_bound} names a leaf without values.
TYTO_API DerivativeCheck check_derivative(const Expr& y, const Expr& x, const std::vector<Bound>& at);

}  // namespace tyto::inline v1
