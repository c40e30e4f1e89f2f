#pragma once
/// Names of the files in an output folder.
#include <string>
#include <vector>

namespace tyto::result {

/// Where each named array of one kind goes, or its plot, as "unknowns/A_0.npy" relative to the output folder, in the order of
/// `names`. What cannot stand in a file name ('/', control characters, a leading dot) becomes '_'; names that would then meet get a
/// number.
std::vector<std::string> array_files(const std::string& folder, const std::vector<std::string>& names,
                                     const std::string& extension = ".npy");

}  // namespace tyto::result
