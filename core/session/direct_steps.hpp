#pragma once
/// Whether the systems of a step are solved by forming their matrix and factoring it, or by products alone.
#include "session/compile.hpp"

namespace tyto::session {

/// A matrix of more unknowns is never formed: it and its factor take 400 MB.
constexpr std::int64_t most_direct_unknowns = 5000;

/// Unknowns of a step.
std::int64_t unknown_count(const solve::Setup&, const solve::Step&);

/// What a system is solved with, as outputs of one graph, and the leaves that change from one evaluation to the next.
struct SystemKernels {
  struct Group {
    std::vector<graph::Output> outputs;
    std::vector<graph::NodeId> changing;
  };
  Group products, preconditioned;
};

struct DirectChoice {
  bool is_direct = false;
  std::string reason = {};  ///< for people; empty where nothing was to be decided
};

/// By what the executor's model predicts: a few Cholesky factorizations and the matrix, against the products that conjugate
/// gradients usually take. `matrix` is asked for only if the factorizations alone are cheaper.
DirectChoice choose_direct(const Declared&, const solve::Step&, const SystemKernels&,
                           const std::function<SystemKernels::Group()>& matrix);

}  // namespace tyto::session
