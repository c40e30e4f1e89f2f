#pragma once
/// What a file holds, as it holds it: one step before a dense tensor is made of it.
#include <filesystem>
#include <variant>
#include "tensor/coordinate.hpp"
#include "tensor/ktensor.hpp"
#include "tensor/read.hpp"

namespace tyto::tensor {

struct Content {
  std::string format;
  std::int64_t file_bytes = 0;
  std::variant<Dense, Coordinate, Ktensor> value;

  Extents extents() const;
};

/// Finds out the format from the bytes and reads the file. options.dense plays no role.
Content read_content(const std::filesystem::path&, const ReadOptions&);

}  // namespace tyto::tensor
