#pragma once
/// The executor that defines the right answer: every operation by its formula, in plain loops. Slow, always built.
#include "execute/executor.hpp"

namespace tyto::execute::reference {

/// Named "reference". Contractions of any number of operands and any pair of operations, in f32, f64 and the integers.
std::unique_ptr<Executor> make_executor();

}  // namespace tyto::execute::reference
