#pragma once
/// Files that hold several arrays by name, such as those of HDF5. What reads and writes them is a module that is loaded when a run
/// names such a file, since the libraries are large.
#include <filesystem>
#include <string>
#include <utility>
#include <vector>
#include "tensor/dense.hpp"

namespace tyto::tensor {

/// One array in a file, as far as it is known without reading it.
struct Dataset {
  std::string name;  ///< its path within the file: "/group/X"
  std::string type;  ///< "f64", or what its elements are in words where tyto cannot read them
  Extents extents;
};

/// An array with the path that it gets.
using NamedView = std::pair<std::string, ConstArray>;

class Container {
 public:
  virtual ~Container() = default;
  /// All arrays of a file, by name. Error{reading}, Error{file_format} with the words of the library.
  virtual std::vector<Dataset> datasets(const std::filesystem::path&) const = 0;
  /// One of them in row-major order, of the type that the file has. Error{element_type} for other than integers of up to 64 bits,
  /// f32, f64 and complex numbers of these; Error{file_format}, Error{reading} as above.
  virtual Dense read(const std::filesystem::path&, const std::string& dataset) const = 0;
  /// The bytes of a new file with these arrays; '/' in a name makes groups.
  virtual std::string bytes(const std::vector<NamedView>&) const = 0;
};

/// By the first bytes of a file; false for one that cannot be read.
bool is_hdf5(const std::filesystem::path&);

/// The array of that name, with or without its leading '/'; the only one of the file for an empty name. Error{missing_key} with all
/// that the file holds where there are several and none is named, Error{unknown_word} with the nearest name where it has no such
/// array.
Dense read_dataset(const Container&, const std::filesystem::path&, const std::string& name);

}  // namespace tyto::tensor
