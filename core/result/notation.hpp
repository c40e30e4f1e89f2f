#pragma once
/// How numbers and names are written for people in the report. Not for files that programs read.
#include "tyto/array.hpp"
#include <string>

namespace tyto::result {

/// Text for HTML, in elements and in attributes: & < > " ' are replaced.
std::string escaped(const std::string& text);
/// Four significant digits: "0.02505", "32150", "1.235×10⁻⁷"; "not finite" for what is not.
std::string written(double);
/// With a fixed number of decimals, for columns; never "-0.000".
std::string with_decimals(double, int decimals);
/// A share of 1 as percentage; the rest to 100 % has two significant digits: "99.937 %", "64.4 %".
std::string percentage(double share);
/// "5 × 201 × 61"; "a number" for no extents.
std::string written(const Extents&);
/// "10⁻³" and, for factors of 1, 2 and 5, "0.002" where that is short.
std::string power_of_ten(int exponent);
/// A mode or label as words: "emission", and "mode 0" where the name is a number.
std::string mode_name(const std::string& label);
/// "1 sweep", "23 sweeps".
std::string counted(std::int64_t count, const std::string& noun);

}  // namespace tyto::result
