#include "session/linear_algebra.hpp"
#include <algorithm>
#include <set>
#include <sstream>
#include <utility>
#include <fmt/format.h>
#include "backend/loader.hpp"
#include "error/fail.hpp"
#include "session/direct_steps.hpp"

namespace tyto::session {

namespace {

void load_backend(Prepared& p, const std::string& name, const std::string& key) {
  with_place(p.config.where(key), [&] {
    p.registry.add(backend::load(backend_folders(), name));
    return 0;
  });
}

/// A solver that is called for each step describes itself each time: the first time is kept, and told where an option asks for a
/// view; each unused option is told once.
algebra::Library library(const Prepared& p) {
  const auto message = p.declared.setup.on_message;
  const bool is_asked_for = p.config.solver.petsc_options.find("view") != std::string::npos;
  const auto unused = std::make_shared<std::set<std::string>>();
  return {.options = library_options(p.config.solver.petsc_options),
          .log =
              [message, is_asked_for, solver = p.solver](const std::string& text) {
                if (!solver->empty()) return;
                *solver = text;
                if (message && is_asked_for) message(text);
              },
          .unused =
              [message, unused](const std::string& name) {
                if (message && unused->insert(name).second) message("solver.petsc_options: nothing reads the option " + name);
              }};
}

/// Methods of each backend for linear systems, its own choice first.
const std::vector<std::string>& methods_of(const std::string& backend) {
  static const std::vector<std::string> builtin{"stcg", "direct"}, petsc{"stcg", "nash", "gltr", "cg", "minres", "gmres"},
      trilinos{"cg", "minres", "gmres"};
  return backend == "petsc" ? petsc : backend == "trilinos" ? trilinos : builtin;
}

std::string krylov_name(const Prepared& p, const std::string& backend) {
  const std::vector<std::string>& methods = methods_of(backend);
  const std::string& wanted = p.config.solver.krylov;
  if (wanted != "auto" && std::find(methods.begin(), methods.end(), wanted) == methods.end())
    fail({.code = Code::contradiction,
          .where = p.config.where("solver.krylov"),
          .what = fmt::format("the backend {} has no method {}", backend, wanted),
          .expected = listed(methods),
          .found = wanted,
          .hint = wanted == "direct"                                          ? "solver.backend: builtin"
                  : wanted == "cg" || wanted == "minres" || wanted == "gmres" ? "solver.backend: petsc or trilinos"
                                                                              : "solver.backend: petsc"});
  const std::string method = wanted == "auto" || wanted == "direct" ? methods.front() : wanted;
  return backend == "builtin" ? "conjugate-gradient" : backend + "-" + method;
}

/// A key that the user gave and that nothing in this run reads would be passed over in silence.
void refuse_unread(const Prepared& p, const std::vector<const char*>& keys, const char* reader) {
  for (const char* key : keys)
    if (p.config.places.contains(std::string("solver.") + key))
      fail({.code = Code::contradiction,
            .where = p.config.where(std::string("solver.") + key),
            .what = fmt::format("nothing in this run reads solver.{}", key),
            .expected = reader,
            .hint = fmt::format("leaving out solver.{}", key)});
}

bool needs_inner(const solve::Step& s) { return !s.blocks.empty() && s.method != Method::gradient_descent; }

/// Error{contradiction} where a step's matrix is to be factored that is not semidefinite or too large.
void check_direct(const Prepared& p) {
  const auto refuse = [&](const char* what, std::string expected, std::string found) {
    fail({.code = Code::contradiction,
          .where = p.config.where("solver.krylov"),
          .what = what,
          .expected = std::move(expected),
          .found = std::move(found),
          .hint = "krylov: auto"});
  };
  for (const solve::Step& step : p.declared.setup.steps) {
    if (!needs_inner(step)) continue;
    if (step.method != Method::gauss_newton)
      refuse("only systems of Gauss-Newton are solved directly", "a matrix without negative eigenvalues", "Newton's Hessian");
    if (const std::int64_t unknowns = unknown_count(p.declared.setup, step); unknowns > most_direct_unknowns)
      refuse("the matrix of a step is too large to be factored", fmt::format("at most {} unknowns", most_direct_unknowns),
             fmt::format("{}", unknowns));
  }
}

void choose_inner(Prepared& p) {
  solve::InnerSolver& inner = p.declared.setup.inner;
  const std::string backend = p.config.solver.backend == "auto" ? "builtin" : p.config.solver.backend;
  const std::string name = krylov_name(p, backend);
  if (backend != "builtin") load_backend(p, backend, "solver.backend");
  inner.solver = &p.registry.linear_solver(name);
  inner.tolerance = p.config.solver.krylov_tolerance.value_or(0), inner.max_products = p.config.solver.krylov_products;
  if (backend == "petsc") inner.library = library(p);
  const std::string& krylov = p.config.solver.krylov;
  const bool bounds_iterations =
      p.config.places.contains("solver.krylov_tolerance") || p.config.places.contains("solver.krylov_products");
  inner.directly = krylov == "direct"                                               ? solve::Directly::always
                   : krylov == "auto" && backend == "builtin" && !bounds_iterations ? solve::Directly::where_cheaper
                                                                                    : solve::Directly::never;
  if (inner.directly == solve::Directly::always) {
    check_direct(p);
    refuse_unread(p, {"krylov_tolerance", "krylov_products"}, "krylov: auto, or one that iterates");
  }
  p.declared.setup.executor = p.executor;  // whose model says what a system costs
  p.linear_algebra = fmt::format(
      "linear systems of steps: {} ({})", name,
      p.config.solver.backend == "auto" ? "on the run's own vectors; solver.backend names another" : "solver.backend: " + backend);
}

/// The minimizer for a method: with bounds one that keeps them.
std::string minimizer_name(const Prepared& p, const solve::Step& request, bool is_bounded) {
  const bool is_newton = request.method == Method::newton;
  const std::vector<std::string> names =
      is_newton ? std::vector<std::string>{"ntr", "nls", "bntr"} : std::vector<std::string>{"lmvm", "blmvm"};
  const std::string& wanted = p.config.solver.minimizer;
  const std::string chosen = wanted != "auto" ? wanted : is_bounded ? names.back() : names.front();
  if (std::find(names.begin(), names.end(), chosen) == names.end())
    fail({.code = Code::contradiction,
          .where = p.config.where("solver.minimizer"),
          .what = fmt::format("{} is no minimizer by {}", chosen, is_newton ? "Newton's method" : "a quasi-Newton method"),
          .expected = listed(names),
          .found = chosen,
          .hint = "auto"});
  if (is_bounded && chosen != names.back())
    fail({.code = Code::contradiction,
          .where = p.config.where("solver.minimizer"),
          .what = fmt::format("{} keeps no bounds, and unknowns have some", chosen),
          .expected = names.back(),
          .found = chosen,
          .hint = "auto"});
  return chosen;
}

void choose_minimizers(Prepared& p) {
  solve::Setup& setup = p.declared.setup;
  if (p.config.solver.backend == "builtin" || p.config.solver.backend == "trilinos")
    fail({.code = Code::contradiction,
          .where = p.config.where("solver.backend"),
          .what = "a method that owns its loop is run by PETSc",
          .expected = "petsc or auto",
          .found = p.config.solver.backend,
          .hint = "gauss-newton or newton, which need no library"});
  load_backend(p, "petsc", p.config.solver.backend == "petsc" ? "solver.backend" : "algorithm");
  setup.minimizer.library = library(p);
  for (const solve::Step& request : setup.minimizers) {
    const bool is_bounded = std::any_of(request.blocks.begin(), request.blocks.end(), [&](const solve::Step::Block& block) {
      return solve::has_bounds(setup.tensors[static_cast<std::size_t>(block.unknown)]);
    });
    const std::string name = "petsc-" + minimizer_name(p, request, is_bounded);
    (request.method == Method::newton ? setup.minimizer.newton : setup.minimizer.quasi_newton) = &p.registry.minimizer(name);
    p.linear_algebra +=
        fmt::format("{}minimizer: {}{}", p.linear_algebra.empty() ? "" : "\n", name, is_bounded ? ", which keeps the bounds" : "");
  }
}

/// Minimizers keep any bounds, block solves that of values that are not negative.
void check_bounds(const Prepared& p) {
  const solve::Setup& setup = p.declared.setup;
  const auto refuse = [&](std::int32_t tensor, const char* kernel) {
    if (tensor < 0 || !solve::has_bounds(setup.tensors[static_cast<std::size_t>(tensor)])) return;
    const solve::Tensor& unknown = setup.tensors[static_cast<std::size_t>(tensor)];
    const std::string& name = unknown.name;
    if (solve::is_conic(unknown))
      fail({.code = Code::contradiction,
            .where = p.config.where("unknowns." + name),
            .what = fmt::format("{} is not to be negative, which {} does not keep", name, kernel),
            .expected = "a method that keeps it: alternating, quasi-newton, or newton of PETSc",
            .hint = "method alternating"});
    fail({.code = Code::contradiction,
          .where = p.config.where("unknowns." + name),
          .what = fmt::format("{} has bounds, which {} does not keep", name, kernel),
          .expected = "a method that keeps bounds: quasi-newton, or newton of PETSc",
          .hint = "method quasi-newton"});
  };
  for (const solve::BlockSolve& b : setup.block_solves)
    if (b.tensor >= 0 && !solve::is_conic(setup.tensors[static_cast<std::size_t>(b.tensor)])) refuse(b.tensor, "a block solve");
  for (const solve::Step& s : setup.steps)
    for (const solve::Step::Block& block : s.blocks) refuse(block.unknown, "a step");
}

/// Eigensolvers of each backend, its own choice first, and how their names begin.
struct EigenMethods {
  std::string prefix;
  std::vector<std::string> methods;
};
EigenMethods eigen_methods_of(const std::string& backend) {
  if (backend == "petsc") return {"slepc-", {"krylovschur", "gd", "jd", "lobpcg"}};
  if (backend == "trilinos") return {"anasazi-", {"krylovschur", "davidson", "lobpcg"}};
  return {"", {"davidson"}};
}

void choose_eigen_solver(Prepared& p) {
  solve::Setup& setup = p.declared.setup;
  const bool is_asked_for = p.config.solver.backend != "auto";
  const std::string backend = is_asked_for ? p.config.solver.backend : "builtin";
  const EigenMethods known = eigen_methods_of(backend);
  const std::string& wanted = p.config.solver.eigensolver;
  if (wanted != "auto" && std::find(known.methods.begin(), known.methods.end(), wanted) == known.methods.end())
    fail({.code = Code::contradiction,
          .where = p.config.where("solver.eigensolver"),
          .what = fmt::format("the backend {} has no eigensolver {}", backend, wanted),
          .expected = listed(known.methods),
          .found = wanted,
          .hint = wanted == "gd" || wanted == "jd" ? "solver.backend: petsc" : "solver.backend: petsc or trilinos"});
  const std::string name = known.prefix + (wanted == "auto" ? known.methods.front() : wanted);
  if (backend != "builtin") load_backend(p, backend, "solver.backend");
  with_place(p.config.where("solver.backend"), [&] { return setup.eigen_solver = &p.registry.eigen_solver(name); });
  if (backend == "petsc") setup.eigen_library = library(p);
  p.linear_algebra +=
      fmt::format("{}eigenproblems of blocks: {} ({})", p.linear_algebra.empty() ? "" : "\n", name,
                  is_asked_for ? "solver.backend: " + backend
                               : "on the run's own vectors, a few products from a good start; solver.backend names another");
}

void choose_svd_solver(Prepared& p) {
  solve::Setup& setup = p.declared.setup;
  if (p.config.solver.backend == "auto" || p.config.solver.backend == "builtin") return;  // LAPACK
  if (p.config.solver.backend == "trilinos")
    fail({.code = Code::contradiction,
          .where = p.config.where("solver.backend"),
          .what = "Trilinos has no singular value decomposition that is used here",
          .expected = "petsc, for SLEPc's, or auto",
          .found = "trilinos"});
  load_backend(p, "petsc", "solver.backend");
  with_place(p.config.where("solver.backend"), [&] { return setup.svd_solver = &p.registry.svd_solver("slepc-svd"); });
  setup.svd_library = library(p);
}

}  // namespace

std::vector<std::pair<std::string, std::string>> library_options(const std::string& text) {
  std::vector<std::pair<std::string, std::string>> options;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    const bool is_name =
        word.size() > 1 && word[0] == '-' && std::isdigit(static_cast<unsigned char>(word[1])) == 0 && word[1] != '.';
    if (is_name) options.emplace_back(word.substr(1), "");
    else if (!options.empty() && options.back().second.empty()) options.back().second = word;
    else options.emplace_back(word, "");  // a word where a name should be: the library will say that it does not know it
  }
  return options;
}

void choose_linear_algebra(Prepared& p) {
  solve::Setup& setup = p.declared.setup;
  check_bounds(p);
  const std::vector<solve::Step>& steps = setup.steps;
  const bool has_eigenproblems = !setup.eigen_solves.empty();
  const bool has_systems = std::any_of(steps.begin(), steps.end(), needs_inner), has_minimizers = !setup.minimizers.empty();
  if (setup.block_solves.empty()) refuse_unread(p, {"extrapolation"}, "block solves, as alternating methods spend them");
  if (!has_systems) refuse_unread(p, {"krylov", "krylov_tolerance", "krylov_products"}, "steps of Gauss-Newton or Newton");
  if (!has_minimizers)
    refuse_unread(p, {"minimizer"}, "a method that PETSc's loop runs: quasi-newton, or newton with loop: library");
  if (!has_eigenproblems) refuse_unread(p, {"eigensolver"}, "an algorithm that solves eigenproblems: dmrg");
  const bool has_bases = std::any_of(setup.subspaces.begin(), setup.subspaces.end(), [](const auto& s) { return s.tensor >= 0; });
  if (!has_systems && !has_minimizers && !has_eigenproblems && !has_bases)
    refuse_unread(p, {"backend"}, "steps of Gauss-Newton or Newton, a minimizer, eigenproblems, or orthonormal bases");
  if (!has_minimizers && p.config.solver.backend != "petsc") refuse_unread(p, {"petsc_options"}, "solver.backend: petsc");
  if (has_systems) choose_inner(p);
  if (has_minimizers) choose_minimizers(p);
  if (has_eigenproblems) choose_eigen_solver(p);
  if (has_bases) choose_svd_solver(p);
}

}  // namespace tyto::session
