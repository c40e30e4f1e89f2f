#pragma once
/// Which processor this is.
#include <string>

namespace tyto::arithmetic {

/// The name that the processor gives itself, "AMD EPYC 7763 64-Core Processor"; "unknown" where it has none.
std::string processor_name();

}  // namespace tyto::arithmetic
