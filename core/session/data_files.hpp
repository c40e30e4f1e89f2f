#pragma once
/// Files with tensors of every format that there is, also those that a module reads.
#include <string>
#include "backend/registry.hpp"
#include "tensor/container.hpp"
#include "tensor/read.hpp"

namespace tyto::session {

/// "x.h5:/group/X": a file, and which of its datasets. Where a file of the whole name exists, or there is no ":/", that is the
/// file.
struct DataPath {
  std::string file, dataset;
};
DataPath data_path(const std::string&);

/// The module for HDF5, loaded now. Error{backend} with what to install where tyto was built without.
backend::Owned<tensor::Container> hdf5();

/// The tensor that a path stands for. Options are for files of other formats; of HDF5 the shape is checked. Error as of
/// tensor::read_tensor and tensor::read_dataset.
tensor::Dense read_data(const DataPath&, const tensor::ReadOptions& = {});

}  // namespace tyto::session
