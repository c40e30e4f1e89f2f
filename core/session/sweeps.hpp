#pragma once
/// Several sweeps as one cycle: how many, and what their kernels are called.
#include "session/compile.hpp"

namespace tyto::session {

/// The recorded sweep repeated. A kernel that is asked for again after something that it depends on has changed becomes another
/// output, "A in sweep 2", so that it may be computed in another way; `turns` of the result lists them.
Kernels unrolled(const Kernels& one_sweep, std::int64_t sweeps);

/// What plan.sweeps_per_cycle says. For `auto` the fewest sweeps whose plan takes, by sweep and as the device model predicts,
/// within 1 % of the least time of all from one to one less than the blocks that a sweep updates, but at most four: with N blocks
/// every product of the data with one of them can serve the updates of the N - 1 others, which takes N - 1 sweeps to come around.
/// Plans that the memory does not hold are left out, and so is every plan of several sweeps where several objectives are swept,
/// whose sweeps need not alternate.
std::int64_t sweeps_per_cycle(const Declared&, const Kernels& one_sweep, const execute::Executor&, const config::RunConfig&);

}  // namespace tyto::session
