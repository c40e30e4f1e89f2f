#pragma once
/// What a plugin declared: data, unknowns and their traits, objectives, and the kernels it asked for. Expressions only, no numbers
/// but those of constants.
#include <functional>
#include <limits>
#include <optional>
#include "graph/graph.hpp"
#include "tyto/plugin.hpp"

namespace tyto::problem {

/// An input as the run provides it, known before declare(). One that is a list comes as its items, called H[0], H[1], ...
struct Input {
  std::string name;
  Extents extents;
  std::vector<std::string> modes;  ///< names of the axes
  bool has_named_modes = false;    ///< by the user: modes of one name in two inputs are one mode
  bool has_weights = false;        ///< a mask or weights come with it
  Where where = {};
  /// Of its values: those of a sequentially truncated HOSVD with at most this relative error, one per axis.
  std::function<Extents(double)> hosvd_ranks = {};
  bool is_complex = false;
};

/// What the user sets for an unknown, over the plugin's traits.
struct UserTraits {
  std::optional<bool> nonnegative = {}, fixed = {};
  std::optional<double> ridge = {}, lower = {}, upper = {};
  std::optional<std::string> init = {};       ///< a word
  std::optional<std::string> init_file = {};  ///< or a file
  Where where = {};
};

struct Leaf {
  Expr expression;
  std::string input;                   ///< data and weights: the name of the input
  std::vector<double> values = {};     ///< constants and parameters: row-major
  std::vector<double> imaginary = {};  ///< the same of complex ones
};

struct Unknown {
  Expr expression;
  Traits traits;
  std::string init_file = {};       ///< empty: as traits.init says
  std::vector<double> vector = {};  ///< of a core: the state of its site that it starts with; empty: as traits.init says
  double lower = -std::numeric_limits<double>::infinity(),
         upper = std::numeric_limits<double>::infinity();  ///< bounds on its entries
  Where where = {};
};

/// A scalar to be made small. `fit` is what was declared, `value` has the ridge terms of its unknowns too.
struct Objective {
  Expr fit, value;
};

/// block <- argmin of an objective.
struct BlockSolve {
  std::int32_t objective = -1, unknown = -1;
};
/// One globalized step in several unknowns at once, or all steps of a minimizer that owns its loop; all else is fixed.
struct Step {
  std::int32_t objective = -1;
  std::vector<std::int32_t> unknowns;  ///< none of them fixed
  Method method = Method::gauss_newton;
};
/// unknown <- orthonormal basis that minimizes an objective.
struct Subspace {
  std::int32_t objective = -1, unknown = -1;
};
/// Unknowns with bonds that change, in order.
struct Train {
  std::string name;
  std::vector<std::int32_t> cores;  ///< unknowns
};
/// Neighbouring cores of a train: one, or two merged.
struct Block {
  std::int32_t train = -1, first = -1, count = 1;
};
/// block <- lowest eigenvector of an objective that is a Rayleigh quotient, with no part in what the scalars are overlaps with.
struct EigenSolve {
  std::int32_t objective = -1;
  Block block;
  Exprs orthogonal_to;
};
struct Split {
  Block block;  ///< of two
};
/// unknown or state <- value; `target` has the axes of `value`.
struct Assign {
  Expr target, value;
};
struct Observed {
  std::string name;
  Expr expression;
};
struct Column {
  std::string name, help;
};

struct Problem {
  std::shared_ptr<graph::Store> store = std::make_shared<graph::Store>();
  std::vector<Leaf> data, weights, constants, states, parameters;
  std::vector<Unknown> unknowns;
  std::vector<Objective> objectives;
  std::vector<BlockSolve> block_solves;  ///< by handle; those of fixed unknowns stay and are never run
  std::vector<Step> steps, minimizers;   ///< by handle; those without unknowns are never run
  std::vector<Subspace> subspaces;       ///< by handle; those of fixed unknowns stay and are never run
  std::vector<Train> trains;
  std::vector<EigenSolve> eigen_solves;  ///< by handle
  std::vector<Split> splits;             ///< by handle
  std::vector<Assign> assigns;
  std::vector<Observed> observed;
  std::vector<Column> columns;
  std::vector<std::string> notes;  ///< for people
};

}  // namespace tyto::problem
