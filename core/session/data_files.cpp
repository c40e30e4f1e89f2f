#include "session/data_files.hpp"
#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include "backend/loader.hpp"
#include "error/fail.hpp"
#include "session/flow.hpp"
#include "tensor/file.hpp"

namespace tyto::session {

DataPath data_path(const std::string& path) {
  std::error_code ignored;
  const std::size_t end = path.find(":/");
  if (end == std::string::npos || std::filesystem::exists(path, ignored)) return {path, ""};
  return {path.substr(0, end), path.substr(end + 1)};
}

backend::Owned<tensor::Container> hdf5() {
  const std::vector<std::string> built = backend::names_in(backend_folders());
  if (std::find(built.begin(), built.end(), "hdf5") == built.end())
    fail(Code::backend, "this tyto was built without HDF5", "the module hdf5.so beside the other backends", {},
         "installing libhdf5-dev and building tyto again, or .npy files");
  const backend::BackendInfo& info = backend::load(backend_folders(), "hdf5");
  return {info.containers.create(0), info.containers.destroy};
}

tensor::Dense read_data(const DataPath& path, const tensor::ReadOptions& options) {
  if (!tensor::is_hdf5(path.file)) {
    if (path.dataset.empty() || !std::filesystem::exists(path.file)) return tensor::read_tensor(path.file, options);
    fail(tensor::file_finding(Code::file_format, path.file, "a dataset is named, and this is no file of HDF5", "a file of datasets",
                              path.dataset, "the path without " + path.dataset));
  }
  tensor::Dense values = with_place({.file = path.file}, [&] { return tensor::read_dataset(*hdf5(), path.file, path.dataset); });
  if (options.shape && *options.shape != values.extents())
    fail(tensor::file_finding(Code::contradiction, path.file, "the extents are not those given", tensor::text_of(*options.shape),
                              tensor::text_of(values.extents()), "leaving out the shape"));
  return values;
}

}  // namespace tyto::session
