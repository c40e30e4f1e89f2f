#pragma once
/// Measures the rates of the machine it runs on: small steps of every kind are timed, and the few numbers of the device model are
/// fitted to them.
#include <functional>
#include <string_view>
#include "execute/cpu/rates.hpp"

namespace tyto::execute::cpu {

/// One thread; half a minute at most. `progress` is told what is measured next. What cannot be measured keeps its built-in value.
/// `source` of the result is left to the caller.
Rates measured_rates(arithmetic::Isa, const std::function<void(std::string_view)>& progress);

}  // namespace tyto::execute::cpu
