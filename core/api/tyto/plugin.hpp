#pragma once
/// Everything an algorithm plugin needs.
///
/// A plugin answers three questions: which settings it takes (schema), what it wants computed (declare), in which order
/// (run). declare() states mathematics and asks for kernels; asking is what puts a kernel in the plan. run() spends kernels
/// and never builds expressions. Between the two the core differentiates, optimizes, plans and allocates, so a plugin holds
/// no numbers: the host can checkpoint, resume and restart it without its help.
///
/// Names: a leaf called "psi[3]" is item 3 of the list "psi" in files, reports and the `unknowns:` section of a config.
/// What this version cannot do yet throws Error{unsupported} that names the request.
#include "tyto/array.hpp"
#include "tyto/expr.hpp"
#include "tyto/settings.hpp"

namespace tyto::inline v1 {

/// What declare() obtains and run() spends. A handle kept from declare() stays valid for the life of the Algorithm; one never
/// assigned is refused by name. Distinct types: a Split where a BlockSolve is meant does not compile.
template <class Tag>
struct Handle {
  std::int32_t id = -1;
};
using Objective = Handle<struct ObjectiveTag>;    ///< a scalar to be made small, with its own stopping state
using BlockSolve = Handle<struct BlockSolveTag>;  ///< block <- argmin f, all else fixed; f quadratic in the block
using Step = Handle<struct StepTag>;              ///< one globalized step in several unknowns at once
using Minimize = Handle<struct MinimizeTag>;      ///< a minimizer that owns its loop runs to its end
using Subspace = Handle<struct SubspaceTag>;      ///< block <- orthonormal basis that minimizes f
using EigenSolve = Handle<struct EigenSolveTag>;  ///< block <- minimizer of a Rayleigh quotient
using Split = Handle<struct SplitTag>;            ///< a merged pair <- two factors over their bond, by truncated SVD
using Assign = Handle<struct AssignTag>;          ///< leaf <- value of an expression
using Value = Handle<struct ValueTag>;            ///< a named expression that can be evaluated
using Column = Handle<struct ColumnTag>;          ///< a column of the history, for numbers only the plugin knows

/// The name of one item of a list: item("psi", 3) is "psi[3]".
inline std::string item(const std::string& list, std::size_t k) { return list + "[" + std::to_string(k) + "]"; }

/// What is known or demanded of an unknown. The user's `unknowns:` section is merged over it, key by key.
struct Traits {
  Indices orthonormal = {};             ///< summed over its other labels, conj(U) U is the identity in these
  std::vector<Indices> symmetric = {};  ///< values do not change when the labels of one group are exchanged
  bool nonnegative = false;             ///< every kernel keeps it so, or refuses at declare() with the reason
  bool fixed = false;                   ///< kept as given; kernels asked for it are dropped
  double ridge = 0;                     ///< adds ridge/2 |A|^2 to each objective that depends on it
  std::string init = "random";  ///< start if the user names none: random, random-normal, ones, zeros, hosvd, st-hosvd, given
};

enum class Method { gauss_newton, newton, quasi_newton, gradient_descent };

/// declare()'s side of the host. All shapes are known here; no values. Everything throws Error with the position of the
/// config entry it concerns, or Error{plugin_rule} for a rule of this file. Equal requests are one kernel.
class TYTO_API Declaration {
 public:
  virtual Expr data(const std::string& input) = 0;  ///< named under `data:` in the config; labels come with it
  /// The same under given labels: order and extents of the file are checked against them, in one error text.
  virtual Expr data(const std::string& input, const Indices& labels) = 0;
  virtual Exprs data_list(const std::string& input) = 0;      ///< an input that is a list (an MPO); never empty
  virtual bool has_data(const std::string& input) const = 0;  ///< for inputs that may be left out
  virtual Expr constant(const std::string& name, const Indices& shape, const std::vector<double>& row_major_values) = 0;
  virtual Expr complex_constant(const std::string& name, const Indices& shape, const std::vector<std::complex<double>>&) = 0;
  [[noreturn]] virtual void reject(const std::string& input, const std::string& why, const std::string& hint = {}) const = 0;
  /// The ranks of a sequentially truncated HOSVD whose relative error is at most `tolerance`, one per label of the data. The one
  /// request that looks at values.
  virtual Extents hosvd_ranks(const Expr& data, double tolerance) = 0;
  virtual Expr weights(const Expr& data) = 0;  ///< the user's mask times weights, labels of data; 1 if not given
  virtual Expr unknown(const std::string& name, const Indices& shape, const Traits& = {}) = 0;
  virtual Expr state(const std::string& name, const Indices& shape) = 0;  ///< carried between sweeps, not solved for; starts as 0
  virtual Expr parameter(const std::string& name, double start) = 0;      ///< a scalar that run() sets; part of a checkpoint
  /// Unknowns name[0], name[1], ... with labels (left bond, site, right bond): end bonds of extent 1, inner ones varying up to
  /// `capacity` (one per inner bond, or one for all). Kept in mixed canonical gauge and of norm 1: all cores are orthonormal
  /// towards the one being solved, and the core moves that centre by itself.
  virtual Exprs train(const std::string& name, const Indices& sites, const Extents& capacity, Field = Field::real) = 0;
  /// The train starts as a product of these vectors, one with an entry for each state of its site, unless the user says how it
  /// starts. Without, it is random.
  virtual void start(const Exprs& train, const std::vector<std::vector<double>>& vectors) = 0;
  /// The product of two unknowns over their one shared label, to be solved as one block. Once solved it must be split before
  /// another kernel runs (Error{plugin_rule}).
  virtual Expr merged(const Expr& left, const Expr& right) = 0;

  virtual Objective minimize(const Expr& scalar) = 0;  ///< real scalar; several objectives are run one after the other
  virtual Objective declared_objective() = 0;          ///< what the user wrote under `minimize:`; Error{missing_key} without
  virtual Exprs unknowns(Objective) const = 0;         ///< that it depends on, in order of declaration, without fixed ones
  virtual BlockSolve block_solve(Objective, const Expr& block) = 0;  ///< minimum norm where the argmin is not unique
  /// gauss_newton: f is a sum of squares, weighted or not; newton, gradient_descent: any f. Monotone: f never rises.
  virtual Step step(Objective, const Exprs& unknowns, Method) = 0;
  virtual Minimize minimizer(Objective, const Exprs& unknowns, Method) = 0;  ///< newton or quasi_newton, of a library
  /// f is -norm2(L), L linear in the block, which is a matrix declared orthonormal in the one label that it keeps in L.
  virtual Subspace subspace(Objective, const Expr& block) = 0;
  /// f is <psi|H|psi> / <psi|psi>, both tensor networks, the block a core of psi or two merged; `orthogonal_to` are scalars
  /// (anti)linear in psi that must become 0.
  virtual EigenSolve lowest_eigenpair(Objective, const Expr& block, const Exprs& orthogonal_to = {}) = 0;
  virtual Split split(const Expr& merged) = 0;
  virtual Assign assign(const Expr& leaf, const Expr& value) = 0;   ///< to an unknown or state; same labels, any order
  virtual Value observe(const std::string& name, const Expr&) = 0;  ///< also evaluated at the end and written with the result
  virtual Column column(const std::string& name, const std::string& help) = 0;
  virtual void note(const std::string&) = 0;  ///< what a person should know of the problem: said before the run, and in its plan
 protected:
  virtual ~Declaration();
};

struct Krylov {
  double tolerance = 1e-10;
  std::int64_t max_iterations = 100;
  double perturbation = 0;  ///< of the start: a random vector of this many times its norm is added
};
struct Truncation {
  std::int64_t max_extent = 0, min_extent = 1;
  double cutoff = 0, noise = 0;
};                                  ///< 0: up to the capacity
enum class Weight { left, right };  ///< which factor of a split carries the singular values
struct StepReport {
  double decrease = 0, length = 0;
  bool accepted = false;
};
struct SplitReport {
  double discarded = 0, entropy = 0;
  std::int64_t extent = 0;
};  ///< relative weight, nats, new bond extent

/// Write access to one tensor on the host. The tensor's version moves on when this is made, so nothing computed from the old
/// values is used again. While it lives no kernel runs (Error{plugin_rule}). The whole tensor; all ranks write the same values.
class TYTO_API Write {
 public:
  explicit Write(Array a, bool* open) : array(std::move(a)), open_(open) { *open_ = true; }
  ~Write() { *open_ = false; }
  Write(const Write&) = delete;
  Write& operator=(const Write&) = delete;
  const Array array;
 private:
  bool* open_;
};

/// run()'s side of the host: the running solve. It owns stopping, logging, checkpoints, starts and random numbers. All calls are
/// collective over the ranks of the run. Kernels report their own numbers as columns. Numerical trouble has a name and becomes
/// a warning or the Outcome, not an exception. Before the real run the host runs the plugin once against a recording of this
/// class, to learn the order of kernels: there `read` gives the starting values and scalars are 1.
class TYTO_API Iteration {
 public:
  virtual bool next(Objective) = 0;        ///< begins a sweep of this objective; false once it is done, also after a resume
  virtual std::int64_t sweep() const = 0;  ///< of the present objective, from 1; continues after a resume
  /// Begins part 0, 1, ... of the present sweep, for sweeps that take long: false where a resumed run has it behind it. A
  /// checkpoint may be taken in between, so what later parts depend on belongs in unknowns, states, parameters and reports.
  virtual bool part(std::int64_t number) = 0;
  virtual double objective(Objective) = 0;  ///< f at the present values; free when the last kernel knows it
  virtual double value(Value) = 0;          ///< of a real scalar
  virtual void apply(BlockSolve) = 0;
  virtual StepReport apply(Step) = 0;
  virtual Outcome apply(Minimize) = 0;
  virtual std::int64_t apply(Subspace, const Truncation& = {}) = 0;  ///< the extent; truncates if the label varies
  virtual double apply(EigenSolve, const Krylov& = {}) = 0;          ///< the eigenvalue, its residual recomputed
  /// How far the block x, of norm 1, is from an eigenvector A x = a x of that problem: |A x - (x.A x) x| / |A|, with |A| as the
  /// larger one of |A x| and |A r| for a random r of norm 1. Two products.
  virtual double residual(EigenSolve) = 0;
  /// Splits the solved pair, or the product of the present factors if it was not solved; the bond takes a new extent.
  virtual SplitReport apply(Split, Weight, const Truncation&) = 0;
  virtual void apply(Assign) = 0;
  virtual double get(const Expr& parameter) const = 0;
  virtual void set(const Expr& parameter, double) = 0;  ///< a change of f this way is not taken for progress
  virtual std::int64_t extent(const Index&) const = 0;
  virtual void resize(const Index&, std::int64_t extent) = 0;  ///< keeps leading entries, new ones are 0; varying labels only
  virtual ConstArray read(const Expr& leaf) = 0;               ///< whole, host, row-major; until the next non-const call
  virtual Write write(const Expr& leaf) = 0;
  virtual double uniform() = 0;                     ///< [0,1), from the run's seed; equal on all ranks
  virtual void report(Column, double) = 0;          ///< in the present sweep's row of the history
  virtual void report_largest(Column, double) = 0;  ///< the same, unless it has a larger one; rows begin with 0
  virtual void warn(const std::string&) = 0;        ///< shown once per text
  /// Should the present sweep be the last, this is the outcome, whatever rule ends it; an exact fit stays one.
  virtual void end_as(Stop, const std::string& reason) = 0;
  virtual std::vector<Objective> objectives() const = 0;  ///< in the order of declaration
  /// In the order of declaration, without those of fixed unknowns.
  virtual std::vector<BlockSolve> block_solves(Objective) const = 0;
  virtual std::vector<Step> steps(Objective) const = 0;
  virtual std::vector<Minimize> minimizers(Objective) const = 0;
  virtual std::vector<Subspace> subspaces(Objective) const = 0;
 protected:
  virtual ~Iteration();
};

/// Derive, then TYTO_PLUGIN. `run` is const on purpose: what must survive a sweep belongs in an unknown, state or parameter.
class TYTO_API Algorithm {
 public:
  virtual ~Algorithm();
  virtual void declare(Declaration&, const Settings&) = 0;  ///< called once
  /// Called once per start, and again after a resume. By default each sweep of an objective spends all its kernels once: block
  /// solves and subspaces in order of declaration, then steps, then minimizers.
  virtual void run(Iteration&) const;
};

/// Plain C layout; fields are only ever appended, and nothing past `api` is read before `api` matches.
struct PluginInfo {
  std::uint32_t api;
  const char *build, *name, *version, *summary;
  Schema (*schema)();
  Algorithm* (*create)();
  void (*destroy)(Algorithm*);
};

}  // namespace tyto::inline v1

#include "tyto/build_tag.hpp"
#ifdef TYTO_STATIC_PLUGINS  // one symbol per plugin; the build lists them in a table
#define TYTO_PLUGIN_SYMBOL(Type) tyto_plugin_##Type
#else
#define TYTO_PLUGIN_SYMBOL(Type) tyto_plugin
#endif
/// At file scope, once per file, Type without namespace: TYTO_PLUGIN(CpAls, "cp-als", "1.0.0", "what it does").
/// A file with several algorithms writes TYTO_PLUGINS(TYTO_ALGORITHM(A, ...), TYTO_ALGORITHM(B, ...)) instead.
#define TYTO_ALGORITHM(Type, name, version, summary)                                                                       \
  tyto::PluginInfo {                                                                                                       \
    TYTO_PLUGIN_API, TYTO_BUILD_TAG, name, version, summary, &Type::schema, []() -> tyto::Algorithm* { return new Type; }, \
        [](tyto::Algorithm* a) { delete a; }                                                                               \
  }
/// The one exported symbol: the entry with index k, or null past the last.
#define TYTO_PLUGINS_AS(symbol, ...)                                    \
  extern "C" TYTO_API const tyto::PluginInfo* symbol(std::uint32_t k) { \
    static const tyto::PluginInfo info[] = {__VA_ARGS__};               \
    return k < sizeof info / sizeof *info ? info + k : nullptr;         \
  }
#define TYTO_PLUGINS(...) TYTO_PLUGINS_AS(tyto_plugin, __VA_ARGS__)
#define TYTO_PLUGIN(Type, name, version, summary) \
  TYTO_PLUGINS_AS(TYTO_PLUGIN_SYMBOL(Type), TYTO_ALGORITHM(Type, name, version, summary))
