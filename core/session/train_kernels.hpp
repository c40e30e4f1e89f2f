#pragma once
/// Trains as solve wants them: networks cut into sites, numbers that they give, eigenproblems and splits.
#include "session/compile.hpp"

namespace tyto::session {

/// Adds trains to the setup, and marks their cores among its tensors.
void number_cores(Declared&);

/// Adds networks, eigenproblems and splits to the setup. Whatever the objectives and observed expressions make of trains
/// becomes numbers: states that take the values of networks. Error{plugin_rule} for an eigenproblem of an objective that is no
/// Rayleigh quotient of its train; Error{unsupported} for other uses of cores, and for single precision, which is set at a place.
void number_trains(Declared&, const Where& precision);

}  // namespace tyto::session
