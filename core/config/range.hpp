#pragma once
/// The values of a scan, from a text: an arithmetic range of decimal numbers, or a list.
#include <string>
#include <vector>

namespace tyto::config {

/// The values, as YAML, that "FIRST:LAST:STEP" or "[a, b, c]" stands for. Numbers are added as decimals, so that 0:2:0.1 has 21
/// values and 0.3 is written as that. Error{syntax}, Error{out_of_range}, Error{duplicate_key}, the text being their place.
std::vector<std::string> range_values(const std::string& text);

}  // namespace tyto::config
