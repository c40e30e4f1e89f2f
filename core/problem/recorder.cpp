#include "problem/recorder.hpp"
#include <algorithm>
#include <fmt/format.h>
#include "error/fail.hpp"
#include "graph/handle.hpp"

namespace tyto::problem {

using graph::Role;

namespace {

[[noreturn]] void refuse_rule(const std::string& what, const std::string& expected = {}, const std::string& found = {},
                              const std::string& hint = {}) {
  fail(Code::plugin_rule, what, expected, found, hint);
}

/// Traits that no kernel of this version can keep are refused where they are asked for.
void check_traits(const std::string& name, const Traits& traits, const Where& where) {
  std::string what;
  if (!traits.symmetric.empty()) what = "a symmetric unknown";
  if (!what.empty())
    fail({.code = Code::unsupported,
          .where = where,
          .what = fmt::format("{} ({}) is not part of this version", what, name),
          .hint = "fixed, nonnegative, ridge or init, which this version has"});
  if (traits.ridge < 0)
    fail({.code = Code::out_of_range,
          .where = where,
          .what = fmt::format("the ridge of {} is negative", name),
          .expected = ">= 0",
          .found = fmt::format("{}", traits.ridge)});
  static const std::vector<std::string> words{"random", "random-normal", "ones", "zeros", "hosvd", "st-hosvd", "given"};
  if (std::find(words.begin(), words.end(), traits.init) == words.end())
    fail({.code = Code::unknown_word,
          .where = where,
          .what = fmt::format("'{}' is no start for {}", traits.init, name),
          .expected = listed(words),
          .found = traits.init,
          .hint = nearest(traits.init, words)});
}

/// An orthonormal unknown has orthonormal vectors, and nothing else is asked of them.
void check_orthonormal(const std::string& name, const Indices& shape, const Traits& traits, const Where& where) {
  if (traits.orthonormal.empty()) return;
  std::int64_t vectors = 1, entries = 1;
  for (const Index& label : traits.orthonormal)
    if (!graph::contains(shape, label))
      refuse_rule(fmt::format("{} is declared orthonormal in {}, which it does not have", name, label.name()),
                  "some of its labels " + graph::listed(shape));
  for (const Index& label : shape) (graph::contains(traits.orthonormal, label) ? vectors : entries) *= label.extent();
  if (vectors > entries)
    refuse_rule(fmt::format("{} is declared orthonormal and cannot be", name), "no more vectors than each has entries",
                fmt::format("vectors: {}, entries of each: {}", vectors, entries));
  if (traits.ridge > 0)
    fail({.code = Code::contradiction,
          .where = where,
          .what = fmt::format("a ridge on {} would be a constant: its columns are orthonormal", name),
          .expected = "ridge: 0",
          .found = fmt::format("ridge: {:g}", traits.ridge)});
}

/// Bounds that leave no value.
void check_bounds(const std::string& name, const Unknown& u) {
  if (u.lower <= u.upper) return;
  fail({.code = Code::contradiction,
        .where = u.where,
        .what = fmt::format("the bounds of {} leave no value", name),
        .expected = fmt::format(">= {:g}{}", u.lower, u.traits.nonnegative ? ", being nonnegative" : ""),
        .found = fmt::format("upper: {:g}", u.upper),
        .hint = "lower <= upper"});
}

}  // namespace

Recorder::Recorder(const std::vector<Input>& inputs, std::function<UserTraits(const std::string&)> traits,
                   std::function<Expr(Declaration&)> written)
    : inputs_(inputs), traits_(std::move(traits)), written_(std::move(written)) {}

Expr Recorder::leaf(const std::string& name, Role role, const Indices& shape, const Facts& facts, Field field) {
  if (std::find(names_.begin(), names_.end(), name) != names_.end())
    refuse_rule(fmt::format("two tensors are called {}", name), "a name of its own for each");
  names_.push_back(name);
  return graph::make_leaf(problem_.store, name, role, shape, field, facts);
}

namespace {

void check_count(const std::string& name, const Indices& shape, std::size_t count) {
  Extents extents;
  for (const Index& label : shape) extents.push_back(label.extent());
  if (element_count(extents) != static_cast<std::int64_t>(count))
    refuse_rule(fmt::format("the constant {} has the wrong number of values", name), fmt::format("{}", element_count(extents)),
                fmt::format("{}", count));
}

}  // namespace

Expr Recorder::constant(const std::string& name, const Indices& shape, const std::vector<double>& values) {
  check_count(name, shape, values.size());
  problem_.constants.push_back({leaf(name, Role::constant, shape), {}, values});
  return problem_.constants.back().expression;
}

Expr Recorder::complex_constant(const std::string& name, const Indices& shape, const std::vector<std::complex<double>>& values) {
  check_count(name, shape, values.size());
  Leaf constant{leaf(name, Role::constant, shape, {}, Field::complex), {}};
  for (const std::complex<double>& v : values) constant.values.push_back(v.real()), constant.imaginary.push_back(v.imag());
  problem_.constants.push_back(std::move(constant));
  return problem_.constants.back().expression;
}

Expr Recorder::unknown(const std::string& name, const Indices& shape, const Traits& declared) {
  Unknown u{.traits = declared};
  const UserTraits user = traits_(name);
  if (user.nonnegative) u.traits.nonnegative = *user.nonnegative;
  if (user.fixed) u.traits.fixed = *user.fixed;
  if (user.ridge) u.traits.ridge = *user.ridge;
  if (user.lower) u.lower = *user.lower;
  if (user.upper) u.upper = *user.upper;
  if (u.traits.nonnegative) u.lower = std::max(u.lower, 0.0);
  if (user.init) u.traits.init = *user.init;
  if (user.init_file) u.traits.init = "given", u.init_file = *user.init_file;
  u.where = user.where;
  for (const Index& label : shape)
    if (label.varies())
      fail_unsupported(fmt::format("an unknown with a varying label ({} of {})", label.name(), name), "labels of fixed extent are");
  check_traits(name, u.traits, user.where);
  check_orthonormal(name, shape, u.traits, user.where);
  check_bounds(name, u);
  if (u.traits.fixed && u.init_file.empty())
    fail({.code = Code::contradiction,
          .where = user.where,
          .what = fmt::format("{} is fixed and has no values", name),
          .expected = "init: {file: ...}",
          .found = fmt::format("init: {}", u.traits.init),
          .hint = "{fixed: true, init: {file: ...}}"});
  u.expression = leaf(name, Role::unknown, shape, {.orthonormal = u.traits.orthonormal});
  problem_.unknowns.push_back(std::move(u));
  return problem_.unknowns.back().expression;
}

Expr Recorder::state(const std::string& name, const Indices& shape) {
  problem_.states.push_back({leaf(name, Role::state, shape), {}});
  return problem_.states.back().expression;
}

Expr Recorder::parameter(const std::string& name, double start) {
  problem_.parameters.push_back({leaf(name, Role::parameter, {}), {}, {start}});
  return problem_.parameters.back().expression;
}

tyto::Objective Recorder::minimize(const Expr& scalar) {
  if (scalar.order() != 0)
    fail({.code = Code::not_scalar,
          .where = {.quote = scalar.text()},
          .what = "an objective is a scalar",
          .expected = "no labels",
          .found = "labels " + graph::listed(scalar.shape()),
          .hint = "sum() over its labels"});
  if (!scalar.store()) refuse_rule("an objective is a number", "an expression of unknowns", scalar.text());
  const graph::NodeId node = problem_.store->import(*scalar.store(), scalar.id());
  problem_.objectives.push_back({Expr(problem_.store, node, {}), {}});
  return {static_cast<std::int32_t>(problem_.objectives.size()) - 1};
}

tyto::Objective Recorder::declared_objective() {
  if (declared_) return *declared_;
  if (!written_)
    fail(Code::missing_key, "the run file states no objective", "a scalar expression under 'minimize'", {},
         "minimize: 0.5 * norm2(X[i,j] - A[i,r] * B[j,r])");
  declared_ = minimize(written_(*this));
  return *declared_;
}

Exprs Recorder::unknowns(tyto::Objective f) const {
  check_objective(f, "unknowns");
  const graph::NodeId objective = problem_.objectives[static_cast<std::size_t>(f.id)].fit.id();
  Exprs found;
  for (const Unknown& u : problem_.unknowns)
    if (!u.traits.fixed && graph::depends_on(*problem_.store, objective, u.expression.id())) found.push_back(u.expression);
  return found;
}

void Recorder::check_objective(tyto::Objective f, const std::string& request) const {
  if (f.id < 0 || f.id >= static_cast<std::int32_t>(problem_.objectives.size()))
    refuse_rule(fmt::format("{} names an objective that was never declared", request), "the handle that minimize() returned");
}

std::size_t Recorder::unknown_index(const Expr& block, const std::string& request) const {
  for (std::size_t k = 0; k < problem_.unknowns.size(); ++k) {
    const Expr& u = problem_.unknowns[k].expression;
    if (block.store() && problem_.store->import(*block.store(), block.id()) == u.id()) return k;
  }
  refuse_rule(fmt::format("{} needs an unknown", request), "what unknown() returned", block.text());
}

namespace {

/// What only a subspace keeps is not given to a kernel that would spoil it.
void refuse_orthonormal(const Unknown& u, const std::string& request) {
  if (!u.traits.orthonormal.empty())
    refuse_rule(fmt::format("{} would not keep {} orthonormal", request, u.expression.name()), "subspace()", request + "()");
}

}  // namespace

tyto::BlockSolve Recorder::block_solve(tyto::Objective f, const Expr& block) {
  check_objective(f, "block_solve");
  const auto unknown = static_cast<std::int32_t>(unknown_index(block, "block_solve"));
  refuse_orthonormal(problem_.unknowns[static_cast<std::size_t>(unknown)], "block_solve");
  for (std::size_t k = 0; k < problem_.block_solves.size(); ++k)
    if (problem_.block_solves[k].objective == f.id && problem_.block_solves[k].unknown == unknown)
      return {static_cast<std::int32_t>(k)};
  problem_.block_solves.push_back({f.id, unknown});
  return {static_cast<std::int32_t>(problem_.block_solves.size()) - 1};
}

/// The unknowns of a step or a minimizer, checked, without fixed ones.
Step Recorder::requested(tyto::Objective f, const Exprs& unknowns, Method method, const std::string& request) const {
  check_objective(f, request);
  Step result{.objective = f.id, .unknowns = {}, .method = method};
  const graph::NodeId fit = problem_.objectives[static_cast<std::size_t>(f.id)].fit.id();
  for (const Expr& e : unknowns) {
    const std::size_t k = unknown_index(e, request);
    const auto unknown = static_cast<std::int32_t>(k);
    if (std::find(result.unknowns.begin(), result.unknowns.end(), unknown) != result.unknowns.end())
      refuse_rule(fmt::format("{} names the unknown {} twice", request, e.name()));
    refuse_orthonormal(problem_.unknowns[k], request);
    if (!graph::depends_on(*problem_.store, fit, problem_.unknowns[k].expression.id()))
      refuse_rule(fmt::format("{} is asked for in {}, which the objective does not depend on", request, e.name()));
    if (!problem_.unknowns[k].traits.fixed) result.unknowns.push_back(unknown);
  }
  return result;
}

namespace {

/// Equal requests are one kernel.
std::int32_t number_among(std::vector<Step>& known, const Step& request) {
  for (std::size_t k = 0; k < known.size(); ++k)
    if (known[k].objective == request.objective && known[k].unknowns == request.unknowns && known[k].method == request.method)
      return static_cast<std::int32_t>(k);
  known.push_back(request);
  return static_cast<std::int32_t>(known.size()) - 1;
}

}  // namespace

tyto::Step Recorder::step(tyto::Objective f, const Exprs& unknowns, Method method) {
  if (method == Method::quasi_newton)
    fail_unsupported("a single step of a quasi-Newton method", "minimizer(), since such a method carries what it has seen");
  return {number_among(problem_.steps, requested(f, unknowns, method, "step"))};
}

Minimize Recorder::minimizer(tyto::Objective f, const Exprs& unknowns, Method method) {
  if (method != Method::newton && method != Method::quasi_newton)
    fail_unsupported("a minimizer by Gauss-Newton or gradient descent", "step(), or the methods newton and quasi_newton");
  return {number_among(problem_.minimizers, requested(f, unknowns, method, "minimizer"))};
}

tyto::Subspace Recorder::subspace(tyto::Objective f, const Expr& block) {
  check_objective(f, "subspace");
  const std::size_t k = unknown_index(block, "subspace");
  const Unknown& u = problem_.unknowns[k];
  if (u.traits.orthonormal.size() != 1 || u.expression.order() != 2)
    refuse_rule(fmt::format("subspace() is asked for {}", u.expression.text()), "a matrix declared orthonormal in one label",
                u.traits.orthonormal.empty() ? "no orthonormal label" : "orthonormal in " + graph::listed(u.traits.orthonormal),
                fmt::format("d.unknown(\"{}\", {{i, r}}, {{.orthonormal = {{r}}}})", u.expression.name()));
  const auto unknown = static_cast<std::int32_t>(k);
  for (std::size_t n = 0; n < problem_.subspaces.size(); ++n)
    if (problem_.subspaces[n].objective == f.id && problem_.subspaces[n].unknown == unknown) return {static_cast<std::int32_t>(n)};
  problem_.subspaces.push_back({f.id, unknown});
  return {static_cast<std::int32_t>(problem_.subspaces.size()) - 1};
}

tyto::Assign Recorder::assign(const Expr& target, const Expr& value) {
  const auto is_target = [&](const Expr& e) { return target.store() == e.store() && target.id() == e.id(); };
  const bool known =
      std::any_of(problem_.unknowns.begin(), problem_.unknowns.end(), [&](const Unknown& u) { return is_target(u.expression); }) ||
      std::any_of(problem_.states.begin(), problem_.states.end(), [&](const Leaf& s) { return is_target(s.expression); });
  for (const Unknown& u : problem_.unknowns)
    if (is_target(u.expression)) refuse_orthonormal(u, "assign");
  if (!known) refuse_rule("assign() needs an unknown or a state", "what unknown() or state() returned", target.text());
  const auto labels_of = [](const Expr& e) { return e.order() == 0 ? "no labels" : "labels " + graph::listed(e.shape()); };
  if (value.store() && !graph::same_labels(value.shape(), target.shape()))
    fail(Code::label, fmt::format("{} is assigned an expression with other labels", target.text()), labels_of(target),
         labels_of(value));
  const Expr like_target = value.store() ? permute(value, target.shape()) : value * expand(Expr(1.0), target.shape());
  const graph::NodeId node = problem_.store->import(*like_target.store(), like_target.id());
  problem_.assigns.push_back({target, Expr(problem_.store, node, target.shape())});
  return {static_cast<std::int32_t>(problem_.assigns.size()) - 1};
}

Value Recorder::observe(const std::string& name, const Expr& e) {
  if (std::any_of(problem_.observed.begin(), problem_.observed.end(), [&](const Observed& o) { return o.name == name; }))
    refuse_rule(fmt::format("two observed expressions are called {}", name), "a name of its own for each");
  if (!e.store()) refuse_rule(fmt::format("the observed expression {} is a number", name), "an expression of unknowns", e.text());
  problem_.observed.push_back({name, Expr(problem_.store, problem_.store->import(*e.store(), e.id()), e.shape())});
  return {static_cast<std::int32_t>(problem_.observed.size()) - 1};
}

tyto::Column Recorder::column(const std::string& name, const std::string& help) {
  problem_.columns.push_back({name, help});
  return {static_cast<std::int32_t>(problem_.columns.size()) - 1};
}

Problem Recorder::finish() {
  if (written_ && !declared_)
    fail(Code::contradiction, "the algorithm declares an objective of its own, so 'minimize' has no effect",
         "a method that takes the objective of the run file", {}, "method: alternating");
  if (problem_.objectives.empty()) refuse_rule("the plugin declares no objective", "one call of minimize()");
  const graph::Store& store = *problem_.store;
  std::vector<char> used(problem_.unknowns.size(), 0);
  for (Objective& f : problem_.objectives) {
    f.value = f.fit;
    for (std::size_t k = 0; k < problem_.unknowns.size(); ++k) {
      const Unknown& u = problem_.unknowns[k];
      if (!graph::depends_on(store, f.fit.id(), u.expression.id())) continue;
      used[k] = 1;
      if (u.traits.ridge > 0) f.value = f.value + 0.5 * u.traits.ridge * norm2(u.expression);
    }
  }
  for (std::size_t k = 0; k < used.size(); ++k)
    if (used[k] == 0)
      refuse_rule(fmt::format("no objective depends on the unknown {}", problem_.unknowns[k].expression.text()),
                  "each unknown in some objective");
  return std::move(problem_);
}

}  // namespace tyto::problem
