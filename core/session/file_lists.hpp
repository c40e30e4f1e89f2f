#pragma once
/// Inputs that are lists of tensors: which files, in which order.
#include <string>
#include <vector>
#include "config/run_config.hpp"

namespace tyto::session {

/// The paths of the items of data.NAME.files: as they are listed, or all that fit the one pattern "mpo/H[*].npy" or
/// "mpo.h5:/H[*]", in the order of the numbers that stand for *. Numbers begin with 0 or 1. Error{file_missing} where nothing fits,
/// Error{contradiction} for numbers that are missing or there twice, for a pattern of another form, and for keys beside `files`
/// that are of one tensor only: file, modes, scale, shape, mask, weights.
std::vector<std::string> files_of_list(const config::RunConfig&, const std::string& name, const config::DataConfig&);

/// A pattern with the folder where its files are, which may be that of the config.
std::string found_pattern(const config::RunConfig&, const std::string& pattern);

}  // namespace tyto::session
