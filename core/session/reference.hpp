#pragma once
/// The result that a run compares its own with: compare_to in the run file.
#include "session/flow.hpp"

namespace tyto::session {

/// The factors in the folder that the config names, each under the name of the unknown that it is compared with; none where it
/// names no folder. All findings at once: a result that is no CP decomposition, a folder or files that are missing, shapes that do
/// not fit, values that are not finite.
std::map<std::string, NamedArray> reference_factors(const Prepared&);

/// The match of a record's components with those factors; nothing where there are none, or where the record holds no finite result.
std::optional<result::FactorMatch> matched(const Prepared&, const result::Record&);

}  // namespace tyto::session
