/// What a Declaration says about trains.
#include <algorithm>
#include <fmt/format.h>
#include "error/fail.hpp"
#include "graph/handle.hpp"
#include "problem/recorder.hpp"

namespace tyto::problem {

namespace {

[[noreturn]] void refuse_rule(const std::string& what, const std::string& expected = {}, const std::string& found = {},
                              const std::string& hint = {}) {
  fail(Code::plugin_rule, what, expected, found, hint);
}

/// Inner bonds start with at most so many vectors: enough for a random state not to be a product, few enough to cost nothing.
constexpr std::int64_t starting_bond = 8;

/// min(a b, limit) without overflow.
std::int64_t limited_product(std::int64_t a, std::int64_t b, std::int64_t limit) {
  return a >= limit / b + 1 ? limit : std::min(a * b, limit);
}

/// Bonds 0..n of a chain: no wider than either side can fill.
std::vector<std::int64_t> starting_bonds(const Indices& sites, const Extents& capacity) {
  const std::size_t n = sites.size();
  std::vector<std::int64_t> bonds(n + 1, 1);
  for (std::size_t k = 1; k < n; ++k)
    bonds[k] =
        limited_product(bonds[k - 1], sites[k - 1].extent(), std::min(starting_bond, capacity[capacity.size() == 1 ? 0 : k - 1]));
  std::int64_t from_right = 1;
  for (std::size_t k = n; k-- > 1;) {
    from_right = limited_product(from_right, sites[k].extent(), starting_bond);
    bonds[k] = std::min(bonds[k], from_right);
  }
  return bonds;
}

}  // namespace

Exprs Recorder::train(const std::string& name, const Indices& sites, const Extents& capacity, Field field) {
  if (sites.size() < 2)
    refuse_rule(fmt::format("the train {} has {} sites", name, sites.size()), "two or more", {}, "an unknown, for one tensor");
  if (capacity.size() != 1 && capacity.size() + 1 != sites.size())
    refuse_rule(fmt::format("the train {} has {} capacities", name, capacity.size()), fmt::format("1 or {}", sites.size() - 1));
  for (const std::int64_t c : capacity)
    if (c < 1) refuse_rule(fmt::format("the train {} has bonds of capacity {}", name, c), ">= 1");
  const std::vector<std::int64_t> starts = starting_bonds(sites, capacity);
  Indices bonds{Index(name + ".0", 1)};
  for (std::size_t k = 1; k < sites.size(); ++k)
    bonds.emplace_back(fmt::format("{}.{}", name, k), starts[k], capacity[capacity.size() == 1 ? 0 : k - 1]);
  bonds.emplace_back(fmt::format("{}.{}", name, sites.size()), 1);
  Train train{name, {}};
  Exprs cores;
  for (std::size_t k = 0; k < sites.size(); ++k) {
    const UserTraits user = traits_(item(name, k));
    if (user.nonnegative.value_or(false) || user.fixed.value_or(false) || user.ridge.value_or(0) != 0 || user.lower || user.upper)
      fail({.code = Code::contradiction,
            .where = user.where,
            .what = fmt::format("{} is a core of a train, which is kept orthonormal and nothing else", item(name, k)),
            .expected = "no bounds, no ridge, not fixed",
            .hint = "leaving it out"});
    Unknown u{.expression = leaf(item(name, k), graph::Role::unknown, {bonds[k], sites[k], bonds[k + 1]}, {}, field),
              .traits = {.init = user.init_file ? "given" : user.init.value_or("random-normal")},
              .init_file = user.init_file.value_or(""),
              .where = user.where};
    cores.push_back(u.expression);
    train.cores.push_back(static_cast<std::int32_t>(problem_.unknowns.size()));
    problem_.unknowns.push_back(std::move(u));
  }
  problem_.trains.push_back(std::move(train));
  return cores;
}

void Recorder::start(const Exprs& cores, const std::vector<std::vector<double>>& vectors) {
  const Block first = block_of(cores.empty() ? Expr() : cores.front(), "start");
  const Train& train = problem_.trains[static_cast<std::size_t>(first.train)];
  if (vectors.size() != train.cores.size())
    refuse_rule(fmt::format("the train {} starts from {} vectors", train.name, vectors.size()),
                fmt::format("{}, one for each site", train.cores.size()));
  for (std::size_t k = 0; k < vectors.size(); ++k) {
    Unknown& core = problem_.unknowns[static_cast<std::size_t>(train.cores[k])];
    const std::int64_t states = core.expression.axis(1).extent();
    if (static_cast<std::int64_t>(vectors[k].size()) != states)
      refuse_rule(fmt::format("{} starts from a vector of {}", item(train.name, k), vectors[k].size()),
                  fmt::format("{}, the states of its site", states));
    core.vector = vectors[k];
  }
}

Expr Recorder::merged(const Expr& left, const Expr& right) {
  const Block a = block_of(left, "merged"), b = block_of(right, "merged");
  if (a.count != 1 || b.count != 1 || a.train != b.train || a.first + 1 != b.first)
    refuse_rule(fmt::format("{} and {} are merged", left.text(), right.text()),
                "two neighbouring cores of one train, the left one first");
  const Expr product = v1::einsum({left, right}, {left.axis(0), left.axis(1), right.axis(1), right.axis(2)});
  merged_[problem_.store->import(*product.store(), product.id())] = {a.train, a.first, 2};
  return product;
}

Block Recorder::block_of(const Expr& e, const std::string& request) const {
  if (e.store()) {
    const graph::NodeId node = problem_.store->import(*e.store(), e.id());
    if (const auto at = merged_.find(node); at != merged_.end()) return at->second;
    for (std::size_t t = 0; t < problem_.trains.size(); ++t)
      for (std::size_t k = 0; k < problem_.trains[t].cores.size(); ++k)
        if (problem_.unknowns[static_cast<std::size_t>(problem_.trains[t].cores[k])].expression.id() == node)
          return {static_cast<std::int32_t>(t), static_cast<std::int32_t>(k), 1};
  }
  refuse_rule(fmt::format("{} needs a core of a train, or two merged", request), "what train() or merged() returned", e.text());
}

tyto::EigenSolve Recorder::lowest_eigenpair(tyto::Objective f, const Expr& block, const Exprs& orthogonal_to) {
  check_objective(f, "lowest_eigenpair");
  problem::EigenSolve request{f.id, block_of(block, "lowest_eigenpair"), {}};
  for (const Expr& e : orthogonal_to) {
    if (e.order() != 0 || !e.store())
      refuse_rule("lowest_eigenpair() is asked to be orthogonal to something that is no overlap", "a scalar", e.text());
    request.orthogonal_to.emplace_back(problem_.store, problem_.store->import(*e.store(), e.id()), Indices{});
  }
  problem_.eigen_solves.push_back(std::move(request));
  return {static_cast<std::int32_t>(problem_.eigen_solves.size()) - 1};
}

tyto::Split Recorder::split(const Expr& merged) {
  const Block block = block_of(merged, "split");
  if (block.count != 2) refuse_rule(fmt::format("split() is asked for {}", merged.text()), "what merged() returned");
  problem_.splits.push_back({block});
  return {static_cast<std::int32_t>(problem_.splits.size()) - 1};
}

}  // namespace tyto::problem
