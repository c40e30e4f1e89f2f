#pragma once
/// The executor for this machine's processor: BLAS, LAPACK and vectorized loops, in f32 and f64.
#include "execute/cpu/rates.hpp"
#include "execute/executor.hpp"

namespace tyto::execute::cpu {

/// Named "cpu". What it loads, its model must not refuse.
std::unique_ptr<Executor> make_executor(Rates);
/// With the rates that are built in for the instructions that this processor is to use.
std::unique_ptr<Executor> make_executor();

}  // namespace tyto::execute::cpu
