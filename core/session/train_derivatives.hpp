#pragma once
/// Derivatives of Rayleigh quotients by the cores of their trains, against differences.
#include "session/flow.hpp"
#include "tyto/session.hpp"

namespace tyto::session {

/// The gradient of an objective that is a quotient of networks, by each core at the start of a run: from local maps, which is what
/// eigenproblems are made of, along random directions.
std::vector<ObjectiveDerivative> train_derivatives(Prepared&, solve::State& start, std::size_t objective);

}  // namespace tyto::session
