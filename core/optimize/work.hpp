#pragma once
/// What it costs to compute nodes when their leaves have changed: how passes compare two forms of an expression.
#include <map>
#include "optimize/pass.hpp"
#include "optimize/product.hpp"

namespace tyto::optimize {

/// Flops, a multiply and an add being two; parts that never change cost nothing. The store and the context must outlive it.
class Work {
 public:
  Work(const graph::Store& store, const Context& context) : store_(store), context_(context) {}

  bool changes(graph::NodeId);
  /// Of the product with its operands given.
  double flops(const Product&);
  /// Of the node and everything below it.
  double flops(graph::NodeId);

 private:
  const graph::Store& store_;
  const Context& context_;
  std::map<graph::NodeId, bool> changes_;
  std::map<graph::NodeId, double> flops_;
};

/// Flops of the einsums of a graph in one cycle once it repeats, each one loop nest, computed when it is asked for after an operand
/// changed. What the cycle does not ask for counts once.
double cycle_flops(const graph::Graph&, const std::vector<Event>& cycle);

}  // namespace tyto::optimize
