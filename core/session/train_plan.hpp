#pragma once
/// What a run will do with its trains, before it does: forecast for the bonds that its schedule allows.
#include "session/flow.hpp"
#include "solve/train_forecast.hpp"

namespace tyto::session {

/// Error{memory} where messages, cores and the vectors of an eigensolver exceed what a run may take once bonds have the largest
/// extents of its schedule.
void check_train_memory(const Prepared&);

/// For people: blocks, contractions, eigensolver, splits and memory. Planned by the plans of the run. Empty without eigenproblems.
std::string train_plan_text(const Prepared&);

/// The requests of a sweep, in its order: what the run asks its plans for, once bonds have the extents that the sweep allows.
std::vector<program::ContractionRequest> train_requests(const Prepared&, std::int64_t sweep);

}  // namespace tyto::session
