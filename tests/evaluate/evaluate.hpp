#pragma once
/// Expressions and graph nodes as numbers, for tests: planned for the reference executor and run there, no pass in between.
/// Compile evaluate.cpp into the test: SOURCES ... ../../evaluate/evaluate.cpp.
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>
#include "graph/graph.hpp"
#include "tyto/expr.hpp"

namespace tyto::test {

using Numbers = std::vector<double>;

/// Values of leaves, row-major in the order of their axes. A leaf is found by itself first, then by its name.
class Values {
 public:
  Values& set(const Expr& leaf, Numbers);
  Values& set(const std::string& leaf, Numbers);
  /// Numbers that depend on the seed and the name alone, uniform in [low, high).
  Values& randomize(const Expr& leaf, std::uint64_t seed, double low = -1, double high = 1);
  /// The same where the leaf has no values yet.
  Values& fill_in(const Expr& leaf, std::uint64_t seed, double low = -1, double high = 1);
  const Numbers& operator[](const Expr& leaf) const;
  /// Throws std::logic_error that names a leaf without values.
  const Numbers& of(const graph::Leaf&) const;

 private:
  std::map<std::shared_ptr<const char>, Numbers> by_leaf_;
  std::map<std::string, Numbers> by_name_;
};

/// Planned once, run for as many values as needed.
class Evaluator {
 public:
  explicit Evaluator(const Exprs&);
  explicit Evaluator(const graph::Graph&);
  ~Evaluator();
  /// Of each expression or output, row-major in the order of its labels or axes.
  std::vector<Numbers> operator()(const Values&);

 private:
  struct Loaded;
  struct Item {
    double constant = 0;
    std::int32_t output = -1;  ///< -1: the constant
  };
  std::vector<Item> items_;
  std::unique_ptr<Loaded> loaded_;
};

Numbers evaluate(const Expr&, const Values&);
/// Of a node, in the order of its axes.
Numbers evaluate(const std::shared_ptr<graph::Store>&, graph::NodeId, const Values&);
/// Of each output of the graph.
std::vector<Numbers> evaluate(const graph::Graph&, const Values&);

Numbers random_numbers(std::int64_t count, std::uint64_t seed, double low = -1, double high = 1);
/// Elements that the labels span.
std::int64_t count(const Indices&);
/// Largest |a - b|, or infinity where the sizes differ or a difference is no number.
double distance(const Numbers& a, const Numbers& b);
double largest(const Numbers&);

}  // namespace tyto::test
