#pragma once
/// Tensors as text: the Tensor Toolbox's `tensor`, `sptensor`, `ktensor` and `matrix`, and FROSTT's coordinates without a header.
///
///     tensor     sptensor            ktensor        matrix      (no header)
///     3          3                   3              2           # i j k value, from 1
///     4 5 3      4 5 3               4 5 3          2 3         1 1 1 0.5
///     1.0        2                   2              1 2 3       2 1 3 1.5
///     ...        1 1 1 0.5           1.0 1.0        4 5 6
///                2 1 3 1.5           matrix
///                                    ...
///
/// The values of `tensor` are listed with the first index fastest, those of `matrix` row by row; both may be broken into lines
/// anywhere. Indices of `sptensor` count from 0 if one of them is 0, else from 1; those without a header count from 1.
#include <optional>
#include <variant>
#include "tensor/coordinate.hpp"
#include "tensor/ktensor.hpp"

namespace tyto::tensor {

struct TextTensor {
  std::string format;  ///< "Tensor-Toolbox sptensor, indices from 0"
  std::variant<Dense, Coordinate, Ktensor> value;
};

/// Whether the first line that is not blank or a comment looks like one of these formats.
bool is_tensor_text(const std::string& text);

/// `file` is for errors. `index_base` (0 or 1) and `shape` overrule what is found out, for coordinates only; a shape that a header
/// contradicts is Error{contradiction}. Errors have the line: Error{file_format}, {file_truncated}, {out_of_range} for an index
/// outside the extents, {extent} for extents that overflow, {overflow} for a value beyond f64.
TextTensor read_text(const std::string& text, const std::string& file, const std::optional<int>& index_base,
                     const std::optional<Extents>& shape);

}  // namespace tyto::tensor
