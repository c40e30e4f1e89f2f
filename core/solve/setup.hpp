#pragma once
/// All that a solve needs, free of graphs: tensors, which kernel of which program computes what, how unknowns start, when to stop.
/// The session fills it; nothing here runs.
#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>
#include "algebra/solvers.hpp"
#include "execute/executor.hpp"
#include "program/plan_source.hpp"
#include "tensor/dense.hpp"
#include "tyto/plugin.hpp"
#include "tyto/session.hpp"

namespace tyto::solve {

/// Directions are what linear maps act on: a solver binds or fills them, no start, result or checkpoint has them.
enum class Kind : std::int8_t { data, constant, unknown, state, parameter, direction };

/// How an unknown starts: a word of Traits::init, or values.
struct Start {
  std::string word = "random";
  std::optional<tensor::Dense> given = {};  ///< of an unknown, or the values of a constant
  std::int32_t data = -1, axis = -1;        ///< of hosvd and st-hosvd: the tensor and axis whose unfolding is used
};
inline bool is_sequential(const Start& s) { return !s.given && s.word == "st-hosvd"; }

struct Tensor {
  std::string name;
  Kind kind = Kind::data;
  Extents extents;
  std::vector<std::string> labels;
  bool varies = false;  ///< a core of a train: its bonds change, `extents` are those of the start
  bool is_complex = false;
  ConstArray values = {};         ///< data: what it is bound to, owned by the session; all else lives in State
  double initial = 0;             ///< parameter
  program::LeafId leaf = -1;      ///< in the main program; -1: no kernel uses it
  bool is_fixed = false;          ///< an unknown that never changes
  std::int32_t orthonormal = -1;  ///< of a matrix: the axis that numbers orthonormal vectors
  double lower = -std::numeric_limits<double>::infinity(), upper = std::numeric_limits<double>::infinity();  ///< of an unknown
  Start start = {};
  std::int64_t scale = 0;  ///< the result is 2^scale times the values of the run
};

/// Whether some value of it is ruled out.
inline bool has_bounds(const Tensor& t) { return std::isfinite(t.lower) || std::isfinite(t.upper); }
/// Whether its bounds are none, or that it is not negative: what a positive factor leaves true.
inline bool is_conic(const Tensor& t) { return !std::isfinite(t.upper) && (!std::isfinite(t.lower) || t.lower == 0); }

/// Where a value is found: axis k is axis axes[k] of the kernel's buffer.
struct Value {
  std::int32_t kernel = -1;
  std::vector<std::int32_t> axes;
};

/// A value that is asked for again and again, by its turns in the planned cycle: sweep by sweep, equally many in each, or one for
/// all. They are equal, but may be computed in different ways.
struct Variants {
  std::vector<Value> of;
  std::size_t number = 0;  ///< of this among all, see Setup::variants
  bool exist() const { return !of.empty(); }
};

/// coefficient * (a squared norm), computed from the residual itself, a tile at a time, with no more memory than a tile needs.
struct ResidualTerm {
  double coefficient = 1;
  std::shared_ptr<const program::Program> tile, rest;  ///< one kernel each, a scalar; rest is null where tiles fit exactly
  std::int64_t extent = 0, tile_extent = 0;            ///< of the label that is cut into tiles
  struct Leaf {
    std::int32_t tensor = -1;
    std::int32_t axis = -1;  ///< the axis that is cut; -1: the whole tensor
  };
  std::vector<Leaf> leaves;  ///< by LeafId of both programs
};

/// An objective -c |G|^2 in which G has the coordinates of data X in orthonormal bases: c (|X|^2 - |G|^2) is what they leave.
struct Projection {
  Value whole;             ///< c |X|^2
  Variants core;           ///< G
  std::int32_t copy = -1;  ///< tensor: where the residual finds G
};

/// A number that a tensor network has: coefficient * the product of its operands, summed over all labels. It is cut into sites
/// along the cores of a train; bonds between them take their extents from the cores as they are.
struct Network {
  struct Operand {
    std::int32_t tensor = -1;
    bool is_conjugated = false;
    einsum::Labels labels;  ///< of the network
    friend bool operator==(const Operand&, const Operand&) = default;
  };
  double coefficient = 1;
  std::vector<std::vector<Operand>> sites;
  std::int32_t value = -1;  ///< tensor: the state that takes its value, the real part; -1: nobody asks for it
};

/// Unknowns [left bond][site][right bond] whose bonds change, in order; kept orthonormal towards one of them.
struct Train {
  std::string name;
  std::vector<std::int32_t> cores;  ///< tensors
};

/// A sum of networks over the squared norm of a train, in which each is quadratic: <psi|H|psi> / <psi|psi>. `ket` and `bra` say by
/// site which operand of a network is the core, and which its conjugate.
struct Rayleigh {
  struct Form {
    std::int32_t network = -1;
    std::vector<std::size_t> ket, bra;
  };
  std::int32_t train = -1;
  std::vector<Form> forms;
  Form norm;  ///< <psi|psi>
};

/// The slope of an objective by one of its unknowns.
struct Gradient {
  std::int32_t tensor = -1;
  Variants value;
};

struct Objective {
  std::string name;
  Variants value, fit;                        ///< with and without ridge terms
  Value fit_at_zero;                          ///< kernel -1: the fit is no sum of squares
  std::vector<ResidualTerm> residual;         ///< the fit again, accurate where the expanded form cancels; may be empty
  std::optional<Projection> projection = {};  ///< then fit_at_zero is none, and `residual` is of what the projection leaves
  std::optional<Rayleigh> rayleigh = {};      ///< where it is a quotient of networks
  std::vector<std::int32_t> networks = {};    ///< whose values it is made from
  std::vector<Gradient> gradients;            ///< by all that are not fixed, where a gradient tolerance or a bound is set
  std::int32_t pace = -1;                     ///< tensor: how far block solves are extrapolated, see extrapolation.hpp; -1: not
};
struct BlockSolve {
  std::int32_t objective = -1, tensor = -1;  ///< tensor -1: the block is fixed
  Variants update;
  std::int32_t solution = -1, accepted = -1;  ///< tensors, where its objective has a pace: the unknown as it was solved for last,
                                              ///< and as the last sweep that was not undone left it
};
/// A step in several unknowns, none of them fixed, or the steps of a minimizer. `product` is the matrix of the local model times
/// the directions, and `preconditioned` the inverse of its diagonal block times `right`; which, depends on the method.
struct Step {
  std::int32_t objective = -1;
  Method method = Method::gauss_newton;
  struct Block {
    std::int32_t unknown = -1, direction = -1, right = -1;  ///< tensors; right -1: the block has no preconditioner
    Variants gradient, product, preconditioned;
  };
  std::vector<Block> blocks;
  /// The matrix of the model between two blocks: axes of the row's unknown, then of the column's. Those with row <= column where
  /// systems are solved directly, else none.
  struct Part {
    std::size_t row = 0, column = 0;
    Variants value = {};
  };
  std::vector<Part> matrix;
  std::int32_t region = -1;  ///< of a step, a tensor: what a step carries to the next; see trust_region.hpp
};
/// unknown <- the leading left singular vectors of dL/dU, unfolded along the axis that the unknown's rows have there.
struct Subspace {
  std::int32_t objective = -1, tensor = -1;  ///< tensor -1: the unknown is fixed
  Variants matrix;
  std::int32_t axis = -1;   ///< of the matrix, in the value's order
  std::int32_t route = -1;  ///< tensor: what was found out about the route; see subspace.hpp
};
/// One core, or two neighbours merged <- lowest eigenvector of the Rayleigh quotient of an objective, its overlaps 0.
struct EigenSolve {
  std::int32_t objective = -1;
  std::int32_t first = -1, count = 1;  ///< sites
  struct Overlap {
    std::int32_t network = -1;      ///< linear in the conjugate of the train, or in the train
    std::vector<std::size_t> core;  ///< by site, the operand that is the train's
  };
  std::vector<Overlap> orthogonal_to;
};
/// Two neighbouring cores <- the factors of their product, by a truncated singular value decomposition.
struct Split {
  std::int32_t train = -1, first = -1;
};
struct Assign {
  std::int32_t tensor = -1;
  Variants value;
};
struct Observed {
  std::vector<std::int32_t> networks = {};  ///< whose values it is made from
  std::string name;
  std::vector<std::string> labels;
  Extents extents;
  Variants value;
  std::int64_t scale = 0;  ///< the result is 2^scale times the value of the run
};

/// Unknowns whose slices along one label may be scaled against each other without changing any objective.
struct Balance {
  struct Member {
    std::int32_t tensor = -1, axis = -1;
  };
  std::vector<Member> members;
};

struct Limits {
  std::int64_t max_sweeps = 500;
  double tolerance = 1e-10, gradient_tolerance = 0, time_limit = 0;  ///< time in seconds; 0: none
};

/// When the matrix of a step is formed and factored.
enum class Directly : std::int8_t { never, where_cheaper, always };

/// How linear systems within a step are solved.
struct InnerSolver {
  Directly directly = Directly::never;
  const algebra::LinearSolver* solver = nullptr;
  double tolerance = 0;  ///< of the residual, relative; 0: tightened as the gradient falls
  std::int64_t max_products = 200;
  algebra::Library library = {};
};

/// Who runs the minimizers of each method; null where none is asked for.
struct Minimizers {
  const algebra::Minimizer *newton = nullptr, *quasi_newton = nullptr;
  algebra::Library library = {};
};

/// Where steps and minimizers report, among the columns; -1: nowhere.
struct StepColumns {
  std::int32_t gradient_norm = -1, products = -1, gain = -1;
};
/// The same for the weight of extrapolations.
struct SweepColumns {
  std::int32_t extrapolation = -1;
};

struct Snapshot;  // see snapshot.hpp

/// When a solve leaves a snapshot: with the end of each objective's last sweep unless that failed, and after a sweep in between,
/// where `sweeps` divides its number or so many seconds have passed; 0: not for that. Only where a repeated run() would come to the
/// same sweep: those of objectives asked for earlier must be done.
struct Checkpoints {
  std::int64_t sweeps = 0;
  double seconds = 0;
  std::function<void(const Snapshot&)> take = {};  ///< none: no snapshots
};

struct Setup {
  std::vector<Tensor> tensors;
  std::vector<Objective> objectives;
  std::vector<BlockSolve> block_solves;
  std::vector<Step> steps, minimizers;
  std::vector<Subspace> subspaces;
  std::vector<Train> trains;
  std::vector<Network> networks;
  std::vector<EigenSolve> eigen_solves;
  std::vector<Split> splits;
  std::vector<Assign> assigns;
  std::vector<Observed> observed;
  std::vector<std::string> columns;  ///< those of the plugin, then those of the step columns
  StepColumns step_columns;
  SweepColumns sweep_columns;
  std::vector<Balance> balances;
  std::shared_ptr<const program::Program> program;
  std::int64_t sweeps_per_cycle = 1;  ///< that the program was planned for
  std::size_t variants = 0;           ///< how many Variants there are
  const execute::Executor* executor = nullptr;
  execute::Options options;
  Dtype precision = Dtype::f64;
  Limits limits;
  InnerSolver inner;
  program::PlanSource* plans = nullptr;                ///< for contractions with bonds; null: there are no trains
  const algebra::EigenSolver* eigen_solver = nullptr;  ///< null: nobody asks for eigenpairs
  algebra::Library eigen_library = {};
  const algebra::SvdSolver* svd_solver = nullptr;  ///< null: bases are found by LAPACK
  algebra::Library svd_library = {};
  Minimizers minimizer;
  Checkpoints checkpoints;
  std::function<void(const Progress&)> on_progress = {};
  std::function<void(const std::string&)> on_message = {};
  std::function<bool()> interrupted = {};
};

}  // namespace tyto::solve
