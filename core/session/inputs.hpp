#pragma once
/// The data of a run: read, checked, converted to the run's precision, scaled where the user asks for it.
#include <filesystem>
#include <map>
#include "config/run_config.hpp"
#include "problem/problem.hpp"
#include "tensor/dense.hpp"
#include "tensor/read.hpp"
#include "tensor/statistics.hpp"

namespace tyto::session {

struct Loaded {
  std::string name, file;  ///< file is empty for an array given by the caller
  tensor::Dense values;
  std::optional<tensor::Dense> weights = {};  ///< mask times weights, 0 where a value is missing
  std::vector<std::string> modes;
  bool has_named_modes = false, wants_scale = false;
  tensor::ScaledValue norm = {};
  Where where = {};
};

/// Reads every input of the config, items of lists as inputs called H[0], H[1], ..., and those given by the caller. All findings at
/// once: missing files, formats, values that are not finite and not declared missing (how many, where the first is), names of modes
/// that do not fit, weights that are negative or of another shape.
std::vector<Loaded> load_inputs(const config::RunConfig&, const std::map<std::string, ConstArray>& given, Dtype precision);

/// What declare() may know of them. They outlive the result.
std::vector<problem::Input> described(const std::vector<Loaded>&);

/// Reads a file that the config names at `where`, for a purpose such as "the input X"; of HDF5 as "x.h5:/dataset".
/// Error{file_missing} at that place with the nearest name there is; errors within the file are reported in the file, with that
/// place as context. Error{unsupported} for complex numbers where only real ones are of use.
tensor::Dense read_file(const config::RunConfig&, const std::string& path, const tensor::ReadOptions&, const std::string& purpose,
                        const Where& where, Field widest = Field::real);

/// Error{file_missing} for a path of the config that leads nowhere, with the nearest name in the folders that it may mean.
[[noreturn]] void fail_missing_file(const config::RunConfig&, const std::string& path, const Where& where);

/// A path as the config gives it, or else beside the config; also of a dataset in a file.
std::string found_path(const config::RunConfig&, const std::string& path);

/// FOLDER/NAME.npy, FOLDER/unknowns/NAME.npy or FOLDER/unknowns.h5:/NAME, whichever exists, or FOLDER:/NAME where that is a file of
/// HDF5 itself; the first where none does.
std::string file_of_unknown(const std::filesystem::path& folder, const std::string& name);

}  // namespace tyto::session
