/// numbered() and scale_data(): tensors as solve sees them.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include "error/fail.hpp"
#include "graph/handle.hpp"
#include "optimize/scaling.hpp"
#include "session/compile.hpp"
#include "session/starts.hpp"
#include "session/step_kernels.hpp"
#include "session/subspace_kernels.hpp"
#include "session/train_kernels.hpp"
#include "solve/extrapolation.hpp"

namespace tyto::session {

namespace {

solve::Tensor tensor_of(const Expr& e, solve::Kind kind) {
  solve::Tensor t{.name = e.name(), .kind = kind};
  for (const Index& label : e.shape()) t.extents.push_back(label.extent()), t.labels.push_back(label.name());
  return t;
}

/// What extrapolated block solves carry from sweep to sweep, for each objective that has some.
void number_extrapolations(Declared& d) {
  solve::Setup& setup = d.setup;
  const auto state = [&](std::string name, Extents extents) {
    d.nodes.push_back(-1);
    setup.tensors.push_back({.name = std::move(name), .kind = solve::Kind::state, .extents = std::move(extents)});
    return static_cast<std::int32_t>(setup.tensors.size()) - 1;
  };
  for (std::size_t k = 0; k < setup.block_solves.size(); ++k) {
    solve::BlockSolve& block = setup.block_solves[k];
    if (block.tensor < 0) continue;
    const Extents extents = setup.tensors[static_cast<std::size_t>(block.tensor)].extents;
    block.solution = state(fmt::format("solution of block solve {}", k), extents);
    block.accepted = state(fmt::format("accepted by block solve {}", k), extents);
    solve::Objective& f = setup.objectives[static_cast<std::size_t>(block.objective)];
    if (f.pace < 0) f.pace = state(fmt::format("pace of {}", f.name), {solve::Extrapolation::pace_entries});
  }
}

}  // namespace

Declared numbered(problem::Problem problem, const std::vector<Loaded>& inputs, const config::RunConfig& config) {
  Declared d{.problem = std::move(problem)};
  solve::Setup& setup = d.setup;
  setup.precision = config.execution.precision == "f32" ? Dtype::f32 : Dtype::f64;
  const auto add = [&](const Expr& e, solve::Tensor t) {
    d.nodes.push_back(e.id());
    setup.tensors.push_back(std::move(t));
  };
  const auto input_named = [&](const std::string& name) -> const Loaded& {
    return *std::find_if(inputs.begin(), inputs.end(), [&](const Loaded& in) { return in.name == name; });
  };
  for (const problem::Leaf& leaf : d.problem.data) {
    solve::Tensor t = tensor_of(leaf.expression, solve::Kind::data);
    t.values = input_named(leaf.input).values.view();
    t.is_complex = leaf.expression.field() == Field::complex;
    add(leaf.expression, std::move(t));
  }
  for (const problem::Leaf& leaf : d.problem.weights) {
    solve::Tensor t = tensor_of(leaf.expression, solve::Kind::data);
    t.values = input_named(leaf.input).weights->view();
    add(leaf.expression, std::move(t));
  }
  for (const problem::Leaf& leaf : d.problem.constants) {
    solve::Tensor t = tensor_of(leaf.expression, solve::Kind::constant);
    if (leaf.imaginary.empty()) {
      t.start.given = tensor::Dense::copy(ConstArray(leaf.values.data(), t.extents), setup.precision);
    } else {
      t.is_complex = true;
      t.start.given = tensor::Dense::zeros(Dtype::c128, t.extents);
      auto* const to = t.start.given->view().as<std::complex<double>>();
      for (std::size_t k = 0; k < leaf.values.size(); ++k) to[k] = {leaf.values[k], leaf.imaginary[k]};
    }
    add(leaf.expression, std::move(t));
  }
  for (const problem::Unknown& u : d.problem.unknowns) {
    solve::Tensor t = tensor_of(u.expression, solve::Kind::unknown);
    t.is_fixed = u.traits.fixed, t.lower = u.lower, t.upper = u.upper;
    for (int axis = 0; axis < u.expression.order(); ++axis)
      if (graph::contains(u.traits.orthonormal, u.expression.axis(axis))) t.orthonormal = axis;
    t.is_complex = u.expression.field() == Field::complex;
    add(u.expression, std::move(t));
  }
  for (const problem::Leaf& leaf : d.problem.states) add(leaf.expression, tensor_of(leaf.expression, solve::Kind::state));
  for (const problem::Leaf& leaf : d.problem.parameters) {
    solve::Tensor t = tensor_of(leaf.expression, solve::Kind::parameter);
    t.initial = leaf.values[0];
    add(leaf.expression, std::move(t));
  }
  number_cores(d);
  set_starts(d, config);
  const auto tensor_at = [&](graph::NodeId node) {
    return static_cast<std::int32_t>(std::find(d.nodes.begin(), d.nodes.end(), node) - d.nodes.begin());
  };
  const bool single = d.problem.objectives.size() == 1;
  for (std::size_t k = 0; k < d.problem.objectives.size(); ++k)
    setup.objectives.push_back({.name = single ? "objective" : fmt::format("objective[{}]", k)});
  for (const problem::BlockSolve& b : d.problem.block_solves) {
    const problem::Unknown& u = d.problem.unknowns[static_cast<std::size_t>(b.unknown)];
    setup.block_solves.push_back({b.objective, u.traits.fixed ? -1 : tensor_at(u.expression.id()), {}});
  }
  if (config.solver.extrapolation) number_extrapolations(d);
  for (const problem::Assign& a : d.problem.assigns) setup.assigns.push_back({tensor_at(a.target.id()), {}});
  for (const problem::Observed& o : d.problem.observed) {
    const solve::Tensor t = tensor_of(o.expression, solve::Kind::data);
    setup.observed.push_back({.name = o.name, .labels = t.labels, .extents = t.extents, .value = {}});
  }
  for (const problem::Column& c : d.problem.columns) setup.columns.push_back(c.name);
  number_subspaces(d, config);
  number_steps(d);
  if (config.solver.extrapolation) {
    setup.sweep_columns.extrapolation = static_cast<std::int32_t>(setup.columns.size());
    setup.columns.emplace_back("extrapolation");
  }
  number_trains(d, config.where("execution.precision"));
  return d;
}

namespace {

/// Squares of numbers up to this power of two, and sums of them, stay finite; of their inverses, normal.
std::int64_t largest_exponent(Dtype precision) { return precision == Dtype::f32 ? 55 : 500; }

void scale_in_place(tensor::Dense& values, std::int64_t power) {
  for (std::int64_t k = 0; k < values.size(); ++k) {
    if (values.dtype() == Dtype::f32)
      values.view().as<float>()[k] = std::ldexp(values.view().as<float>()[k], static_cast<int>(power));
    else values.view().as<double>()[k] = std::ldexp(values.view().as<double>()[k], static_cast<int>(power));
  }
}

/// Observed values are those of the data as they are.
void scale_observed(Declared& d, const std::vector<graph::NodeId>& scaled, std::int64_t power, const Where& where) {
  for (std::size_t k = 0; k < d.problem.observed.size(); ++k) {
    const problem::Observed& o = d.problem.observed[k];
    const auto degree = optimize::degree_in(*d.problem.store, o.expression.id(), scaled);
    if (!degree)
      fail({.code = Code::contradiction,
            .where = where,
            .what = fmt::format("the data cannot be scaled: the observed {} does not scale with them", o.name),
            .expected = "products of the same degree in the data",
            .hint = "scale: none, and data of moderate size"});
    d.setup.observed[k].scale = *degree * power;
  }
}

std::string text_of(const tensor::ScaledValue& v) {
  if (v.mantissa == 0) return "0";
  const double decimal = std::log10(v.mantissa) + static_cast<double>(v.exponent) * std::log10(2.0);
  return fmt::format("{:.4g}e{:+d}", std::pow(10.0, decimal - std::floor(decimal)), static_cast<int>(std::floor(decimal)));
}

}  // namespace

std::int64_t scale_data(Declared& d, std::vector<Loaded>& inputs, const config::RunConfig& config) {
  std::vector<Loaded*> scaled;
  std::int64_t power = std::numeric_limits<std::int64_t>::min();
  for (Loaded& in : inputs) {
    const std::int64_t exponent = in.norm.mantissa == 0 ? 0 : in.norm.exponent;
    if (in.wants_scale && in.norm.mantissa != 0) scaled.push_back(&in), power = std::max(power, exponent);
    if (!in.wants_scale && std::abs(exponent) > largest_exponent(d.setup.precision))
      fail({.code = Code::overflow,
            .where = in.where,
            .what = fmt::format("the squared norm of {} {}flows", in.name, exponent > 0 ? "over" : "under"),
            .expected = fmt::format("a norm between {:.0e} and {:.0e}",
                                    std::ldexp(1.0, -static_cast<int>(largest_exponent(d.setup.precision))),
                                    std::ldexp(1.0, static_cast<int>(largest_exponent(d.setup.precision)))),
            .found = fmt::format("|{}| = {}", in.name, text_of(in.norm)),
            .hint = fmt::format("data.{}.scale: auto", in.name)});
  }
  if (scaled.empty()) return 0;
  std::vector<graph::NodeId> data, unknowns;
  for (const problem::Leaf& leaf : d.problem.data)
    if (std::any_of(scaled.begin(), scaled.end(), [&](const Loaded* in) { return in->name == leaf.input; }))
      data.push_back(leaf.expression.id());
  for (const problem::Unknown& u : d.problem.unknowns)
    if (!u.traits.fixed && u.traits.orthonormal.empty()) unknowns.push_back(u.expression.id());
  std::vector<graph::NodeId> scaled_leaves = data;
  for (const problem::Objective& f : d.problem.objectives) {
    const auto follow = optimize::homogeneous_with(*d.problem.store, f.value.id(), data, unknowns);
    if (!follow)
      fail({.code = Code::contradiction,
            .where = config.where("data." + scaled.front()->name + ".scale"),
            .what = "the data cannot be scaled: the objective does not scale with the data and some of its unknowns",
            .expected = "an objective that is homogeneous of degree two",
            .hint = "scale: none, and data of moderate size"});
    scaled_leaves.insert(scaled_leaves.end(), follow->begin(), follow->end());
    for (const graph::NodeId node : *follow)
      d.setup.tensors[static_cast<std::size_t>(std::find(d.nodes.begin(), d.nodes.end(), node) - d.nodes.begin())].scale = power;
  }
  scale_observed(d, scaled_leaves, power, config.where("data." + scaled.front()->name + ".scale"));
  for (Loaded* in : scaled) scale_in_place(in->values, -power);
  for (solve::Tensor& t : d.setup.tensors)
    if (t.scale != 0)
      t.lower = std::ldexp(t.lower, static_cast<int>(-t.scale)), t.upper = std::ldexp(t.upper, static_cast<int>(-t.scale));
  for (solve::Tensor& t : d.setup.tensors)
    if (t.scale != 0 && t.start.given) scale_in_place(*t.start.given, -t.scale);
  return power;
}

}  // namespace tyto::session
