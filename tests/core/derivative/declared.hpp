#pragma once
/// A problem declared as a plugin would, for tests.
#include "derivative/kernels.hpp"
#include "evaluate/evaluate.hpp"
#include "problem/recorder.hpp"

namespace tyto::test {

class Declared {
 public:
  explicit Declared(std::vector<problem::Input> inputs = {}) : inputs_(std::move(inputs)) {}
  problem::Recorder* operator->() { return &recorder_; }
  /// Declares f and asks for the block, returns the node of its update.
  graph::NodeId update(const Expr& f, const Expr& block) {
    recorder_.block_solve(recorder_.minimize(f), block);
    problem_ = recorder_.finish();
    return derivative::block_update(problem_, problem_.block_solves[0]);
  }
  Numbers updated(const Expr& f, const Expr& block, const Values& values) {
    const graph::NodeId node = update(f, block);
    return evaluate(problem_.store, node, values);
  }
  const problem::Problem& problem() const { return problem_; }

 private:
  std::vector<problem::Input> inputs_;
  problem::Recorder recorder_{inputs_, [](const std::string&) { return problem::UserTraits{}; }};
  problem::Problem problem_;
};

}  // namespace tyto::test
