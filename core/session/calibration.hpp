#pragma once
/// Where a session takes the rates of its processor from: a file that `tyto calibrate` has written, else the table that is built
/// in.
#include <filesystem>
#include "execute/cpu/rates.hpp"

namespace tyto::session {

struct Calibration {
  execute::cpu::Rates rates;
  std::string warning = {};  ///< why a file was not used; empty: it was, or there is none
};

/// TYTO_CALIBRATION of the environment decides: `off` for the built-in table, `portable`, `avx2` or `avx512` for that of one
/// instruction set whatever the processor (plans are then the same everywhere), else the path of a file. Where it is unset or
/// empty, the file in the user's cache is used if there is one. A file that is damaged, or that was not measured by this version
/// on this processor, is not used, and the warning says why.
Calibration found_calibration();

/// The file for this processor in the user's cache: in $XDG_CACHE_HOME/tyto or ~/.cache/tyto. Empty where neither is known.
std::filesystem::path calibration_path();

/// Writes the rates as measured today on this processor: into a temporary file that then takes the name. Makes missing folders.
/// Error{output}.
void write_calibration(const std::filesystem::path&, const execute::cpu::Rates&);

/// Makes missing folders, too; Error{output} where write_calibration would throw it.
void check_writable(const std::filesystem::path&);

/// Measured and built-in rates side by side, a line each.
std::string table_of(const execute::cpu::Rates& measured, const execute::cpu::Rates& built_in);

}  // namespace tyto::session
