#pragma once
/// Files of HDF5 as tensor/container.hpp wants them. Files are opened by the plain driver: no process but this one is involved.
#include "tensor/container.hpp"

namespace tyto::tensor::hdf5 {

class File final : public Container {
 public:
  std::vector<Dataset> datasets(const std::filesystem::path&) const override;
  Dense read(const std::filesystem::path&, const std::string& dataset) const override;
  std::string bytes(const std::vector<NamedView>&) const override;
};

}  // namespace tyto::tensor::hdf5
