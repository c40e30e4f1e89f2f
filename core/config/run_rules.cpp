// Every key of a run file with its kind, range, default and help: the one place to add one.
#include "config/run_rules.hpp"

#include <utility>

namespace tyto::config {
namespace {

Rule optional(Key key) { return {.key = std::move(key), .is_optional = true}; }

Rule section(const std::string& name, const std::string& help, Rules members) {
  return {.key = {.name = name, .help = help, .kind = Kind::group}, .members = std::move(members)};
}

Rule named(const std::string& name, const std::string& help, const std::string& example, Rules members) {
  return {.key = {.name = name, .help = help, .kind = Kind::group},
          .form = Form::named,
          .word = example,
          .members = std::move(members)};
}

Rule entries(const std::string& name, const std::string& help, const std::string& example, Key each) {
  return {.key = {.name = name, .help = help, .kind = Kind::group},
          .form = Form::entries,
          .word = example,
          .members = {{.key = std::move(each)}}};
}

Rule file_section(const std::string& name, const std::string& help) {
  Rule rule = section(name, help, {{.key = text("file", "path of the array")}});
  rule.is_optional = true;
  return rule;
}

Key start(const std::string& help) {
  return choice("init", {"random", "random-normal", "hosvd", "st-hosvd", "ones", "zeros"}, help);
}

Rules data_rules() {
  return {
      optional(text("file", "path of the tensor: .npy, .tns, Tensor Toolbox text, or HDF5 as x.h5:/dataset")),
      optional(texts("files", "of a list of tensors: their paths in order, or one with * for numbers: mpo/H[*].npy")),
      {.key = flag("dense", "read a coordinate file as a dense tensor: entries it leaves out are 0").otherwise("false")},
      optional(texts("modes", "names of the modes, else 0, 1, 2, ...")),
      {.key = choice("missing", {"error", "nan"}, "what NaN in the data means: an error, or an entry that is missing")
                  .otherwise("error")},
      {.key = choice("scale", {"none", "auto"}, "divide by a power of two against overflow").otherwise("none")},
      {.key = integer("index_base", "index of the first entry in a coordinate file").at_least(0).at_most(1).otherwise("1")},
      optional(integers("shape", "extents, where the file does not give them").at_least(0)),
      file_section("mask", "1: observed, 0: missing"),
      file_section("weights", "factors of the squared residual's entries"),
  };
}

Rules unknown_rules() {
  return {
      optional(flag("nonnegative", "keep all entries >= 0")),
      optional(flag("fixed", "keep it as given by init")),
      optional(real("ridge", "adds ridge/2 times its squared norm to the objective").at_least(0)),
      optional(real("lower", "least value of its entries, for minimizers that take bounds")),
      optional(real("upper", "largest value of its entries, for minimizers that take bounds")),
      {.key = start("its starting values"), .is_optional = true, .takes_file = true},
  };
}

Rules solver_rules() {
  return {
      {.key = integer("max_sweeps", "stop after so many sweeps").at_least(0).otherwise("500")},
      {.key = real("tolerance", "stop at this relative change of the objective; 0: never").at_least(0).otherwise("1e-10")},
      {.key = real("gradient_tolerance", "stop at this relative norm of the gradient; 0: never").at_least(0).otherwise("0")},
      {.key = real("time_limit", "stop after the sweep that passes it; 0: never").at_least(0).in("seconds").otherwise("0")},
      {.key = integer("seed", "of all random numbers").at_least(0).otherwise("1")},
      {.key = start("starting values of the unknowns").otherwise("random"), .takes_file = true},
      {.key = integer("starts", "how many random starts; the best result is kept").at_least(1).otherwise("1")},
      {.key = flag("require_convergence", "not converging is an error").otherwise("false")},
      {.key =
           choice("backend", {"auto", "builtin", "petsc", "trilinos"}, "who solves the linear systems of steps").otherwise("auto")},
      {.key = choice("krylov", {"auto", "cg", "stcg", "nash", "gltr", "minres", "gmres", "direct"},
                     "how: a method of the backend; direct: by factorizations")
                  .otherwise("auto")},
      {.key = real("krylov_tolerance", "of those systems' residuals, relative; auto: tighter as the gradient falls")
                  .above(0)
                  .otherwise("auto"),
       .word = "auto"},
      {.key = integer("krylov_products", "most products with the matrix in one such system").at_least(1).otherwise("200")},
      {.key =
           choice("minimizer", {"auto", "ntr", "nls", "bntr", "lmvm", "blmvm"}, "which of PETSc runs methods that own their loop")
               .otherwise("auto")},
      {.key = choice("eigensolver", {"auto", "davidson", "krylovschur", "gd", "jd", "lobpcg"},
                     "for eigenproblems of blocks: a method of the backend")
                  .otherwise("auto")},
      optional(text("petsc_options", "options in PETSc's own words: -ksp_type gltr -ksp_view")),
      {.key = flag("normalize", "norms of factors' columns are kept alike while it runs, by powers of two").otherwise("true")},
      {.key = flag("extrapolation", "alternating sweeps go further than each solution, where that pays").otherwise("false")},
  };
}

Rules execution_rules() {
  return {
      {.key = choice("executor", {"auto", "cpu", "reference"}, "what runs the plan").otherwise("auto"),
       .later = {"cuda", "gpu", "tpetra", "sql"}},
      {.key = integer("threads", "of one process").at_least(1).at_most(65536).otherwise("1")},
      {.key = text("memory_limit", "most that a run may allocate, such as 8 GiB; auto: what is free").otherwise("auto")},
      {.key = choice("precision", {"f64", "f32"}, "of the computation").otherwise("f64")},
  };
}

Rules plan_rules() {
  return {
      {.key = integer("sweeps_per_cycle", "sweeps that the planner may unroll").at_least(1).otherwise("auto"), .word = "auto"},
      {.key = flag("verify", "compare every pass before and after on random numbers").otherwise("false")},
      {.key = texts("switched_off", "passes of the optimizer and fusions of steps not to run").otherwise("[]")},
  };
}

Rules output_rules() {
  return {
      optional(text("directory", "where the result is written; none: nowhere")),
      {.key = {.name = "formats", .help = "of the unknowns", .kind = Kind::texts, .choices = {"npy", "ktensor", "hdf5"}},
       .is_optional = true},
      {.key = flag("overwrite", "replace an earlier result").otherwise("false")},
      {.key = flag("report", "write report.html").otherwise("true")},
      {.key = flag("plots", "write plots/*.svg, the charts of the report").otherwise("false")},
      {.key =
           integer("checkpoint",
                   "sweeps from one checkpoint to the next; 1: also within one, where it has parts; auto: about a minute; 0: none")
               .at_least(0)
               .otherwise("auto"),
       .word = "auto"},
  };
}

Rule expect_rule() {
  Rule rule = section(
      "expect", "what the result must be",
      {
          optional(real("relative_error", "expected relative error").at_least(0)),
          optional(real("objective", "expected objective")),
          {.key = real("tolerance", "deviation that passes; of the objective, relative to it").at_least(0).otherwise("1e-6")},
      });
  rule.is_optional = true;
  return rule;
}

}  // namespace

Rules run_rules() {
  return {
      optional(text("algorithm", "name of the plugin")),
      optional(text("method", "in place of algorithm: what minimizes the objective that stands here")),
      optional(text("minimize", "the objective, a scalar expression of data and unknowns")),
      entries("define", "parts of the objective by name; each may use those above it", "model[i,j]", text("", "an expression")),
      entries("extents", "of labels that no data have", "r", integer("", "how many positions").at_least(1)),
      {.key = texts("plugin_path", "further folders with plugins").otherwise("[]")},
      named("data", "the inputs by name", "X", data_rules()),
      {.key = {.name = "settings", .help = "keys of the algorithm", .kind = Kind::group}, .form = Form::plugin},
      named("unknowns", "traits of unknowns by name, \"*\" for all", "A_0", unknown_rules()),
      section("solver", "how the iteration starts and stops", solver_rules()),
      section("execution", "what runs it", execution_rules()),
      section("plan", "what the planner may do", plan_rules()),
      section("output", "what is written", output_rules()),
      optional(text("compare_to", "folder of an earlier CP result: how well the components match its")),
      expect_rule(),
  };
}

}  // namespace tyto::config
