#pragma once
/// Tensors from one form into another.
#include <filesystem>
#include <string>

namespace tyto::session {

/// Writes what `in` stands for as `out`, whose name ends in .npy: a data file of any known format, a dataset as "x.h5:/X", or the
/// folder of a result, which is a ktensor or a core with a factor for each mode. Lists of coordinates become dense. Of a run file,
/// a list that its algorithm declares: see Session::write_list. Error{file_format} for a folder that holds no such result,
/// Error{unknown_word} for another ending, and what reading throws. Returns what was written: "5 x 201 x 61".
std::string convert(const std::filesystem::path& in, const std::filesystem::path& out);

}  // namespace tyto::session
