#pragma once
/// The result of a finished run: numbers in the user's units, and where they came from.
#include "result/record.hpp"
#include "session/flow.hpp"
#include "solve/iteration.hpp"

namespace tyto::session {

/// Unknowns and observed expressions as they are now; values are scaled back.
Result collected(const Prepared&, const solve::State&, solve::Solver&, const solve::Solver::Finished&);
result::Record recorded(const Prepared&, Result, std::vector<result::StartSummary>, std::optional<double> optimality,
                        const std::string& started_at);
std::string present_time();

}  // namespace tyto::session
