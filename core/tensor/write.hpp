#pragma once
/// Writing files so that a reader never sees half of one.
#include <filesystem>
#include <string>
#include "tyto/array.hpp"

namespace tyto::tensor {

/// Writes to a temporary name in the same folder, then renames: the file is complete or as it was before. Error{output} with the
/// system's reason; the temporary file is gone then. Folders are not made.
void write_file(const std::filesystem::path&, const std::string& bytes);
/// Removes what write_file() of processes that are gone left beside the file.
void remove_unfinished(const std::filesystem::path&);

/// Writes a .npy file, version 1.0, C order, elements as they are in memory. Any strides, any element type of tyto.
void write_npy(const std::filesystem::path&, const ConstArray&);

}  // namespace tyto::tensor
