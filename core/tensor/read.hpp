#pragma once
/// Tensors from files of any known format, and what can be said about a file without using it.
#include <filesystem>
#include <optional>
#include <vector>
#include "tensor/dense.hpp"
#include "tensor/statistics.hpp"

namespace tyto::tensor {

struct ReadOptions {
  bool dense = false;                  ///< a list of coordinates is a dense tensor, 0 where nothing is listed
  std::optional<int> index_base = {};  ///< of a list of coordinates: 0 or 1; else what its format says
  std::optional<Extents> shape = {};   ///< extents of a list without a header; of any other file it is checked
};

/// The tensor of a .npy file in its own type, or of a text file as f64 (see text.hpp); a ktensor is expanded. The content decides
/// about the format. A list of coordinates needs options.dense unless every entry is listed exactly once: else
/// Error{unsupported}, which says what `dense: true` would cost. Every Error has the file and, for text, the line.
Dense read_tensor(const std::filesystem::path&, const ReadOptions& = {});

struct FileDescription {
  std::string format;  ///< "npy 1.0, C order", "Tensor-Toolbox sptensor, indices from 0"
  std::int64_t file_bytes = 0;
  Dtype dtype = Dtype::f64;
  Extents extents;
  std::optional<std::int64_t> elements = {};  ///< of the dense tensor; none if it overflows
  std::int64_t entries = 0;                   ///< numbers in the file: elements, listed entries, or weights and factors
  bool has_statistics = false;                ///< false for complex elements and very large ktensors; the rest is over the entries
  std::int64_t nonzeros = 0;
  double minimum = 0, maximum = 0;      ///< other than NaN
  ScaledValue norm = {};                ///< of the entries other than NaN
  NonFinite non_finite = {};            ///< `first` is empty for a list of coordinates
  std::vector<std::string> needs = {};  ///< what a config has to say to use the file: "`dense: true`, which takes 480 bytes"
};

/// Reads the file and describes it. Throws what read_tensor() throws about files that are broken, not about sparse ones.
FileDescription describe_file(const std::filesystem::path&, const ReadOptions& = {});

}  // namespace tyto::tensor
