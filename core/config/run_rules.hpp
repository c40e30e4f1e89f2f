#pragma once
/// The rules of a whole run file: the contract that every algorithm shares. The plugin's own keys stand below `settings`.
#include "config/rule.hpp"

namespace tyto::config {

Rules run_rules();

}  // namespace tyto::config
