#include "tensor/hdf5/container.hpp"

#include <algorithm>
#include "error/fail.hpp"
#include "tensor/file.hpp"
#include "tensor/hdf5/element_type.hpp"
#include <fmt/format.h>

namespace tyto::tensor::hdf5 {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail_format(const fs::path& path, std::string what) {
  fail(file_finding(Code::file_format, path.string(), std::move(what), "a whole file of HDF5", reason(), "copying the file again"));
}

Handle open(const fs::path& path) {
  Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
  if (file < 0)
    fail(file_finding(Code::reading, path.string(), "the file cannot be opened", {}, reason(),
                      "checking its permissions, and that nobody is writing it"));
  return file;
}

/// Where the elements of a dataset are. A dataset without any (H5S_NULL) has no extents either.
Extents extents_of(hid_t dataset) {
  const Handle space(H5Dget_space(dataset), H5Sclose);
  if (H5Sget_simple_extent_type(space) == H5S_NULL) return {0};
  std::vector<hsize_t> sizes(static_cast<std::size_t>(std::max(H5Sget_simple_extent_ndims(space), 0)));
  H5Sget_simple_extent_dims(space, sizes.data(), nullptr);
  return {sizes.begin(), sizes.end()};
}

std::vector<std::string> names_in(hid_t file, const fs::path& path) {
  std::vector<std::string> names;
  const auto keep = [](hid_t, const char* name, const H5O_info_t* info, void* all) -> herr_t {
    if (info->type == H5O_TYPE_DATASET) static_cast<std::vector<std::string>*>(all)->push_back(std::string("/") + name);
    return 0;
  };
  if (H5Ovisit(file, H5_INDEX_NAME, H5_ITER_INC, keep, &names) < 0) fail_format(path, "the contents of the file cannot be listed");
  return names;
}

Handle new_file() {
  const Handle in_memory(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  constexpr std::size_t step = std::size_t{1} << 20;
  H5Pset_fapl_core(in_memory, step, /*backing_store=*/0);
  Handle file(H5Fcreate("in memory", H5F_ACC_TRUNC, H5P_DEFAULT, in_memory), H5Fclose);
  if (file < 0) fail(Code::third_party, "HDF5 cannot make a file in memory", {}, reason());
  return file;
}

void add(hid_t file, const std::string& name, const ConstArray& array) {
  const Dense elements = Dense::copy(array);
  const std::vector<hsize_t> sizes(array.extents.begin(), array.extents.end());
  const Handle type = native(array.dtype), make_groups(H5Pcreate(H5P_LINK_CREATE), H5Pclose),
               space(H5Screate_simple(static_cast<int>(sizes.size()), sizes.data(), nullptr), H5Sclose);
  H5Pset_create_intermediate_group(make_groups, 1);
  const Handle dataset(H5Dcreate2(file, name.c_str(), type, space, make_groups, H5P_DEFAULT, H5P_DEFAULT), H5Dclose);
  const bool is_written =
      dataset >= 0 && (elements.size() == 0 || H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, elements.view().data) >= 0);
  if (!is_written) fail(Code::third_party, fmt::format("HDF5 cannot store {}", name), {}, reason());
}

}  // namespace

std::vector<Dataset> File::datasets(const fs::path& path) const {
  const Quiet quiet;
  const Handle file = open(path);
  std::vector<Dataset> all;
  for (const std::string& name : names_in(file, path)) {
    const Handle dataset(H5Dopen2(file, name.c_str(), H5P_DEFAULT), H5Dclose);
    if (dataset < 0) fail_format(path, fmt::format("the dataset {} cannot be opened", name));
    const Handle type(H5Dget_type(dataset), H5Tclose);
    all.push_back({name, text_of(type), extents_of(dataset)});
  }
  return all;
}

Dense File::read(const fs::path& path, const std::string& name) const {
  const Quiet quiet;
  const Handle file = open(path);
  const Handle dataset(H5Dopen2(file, name.c_str(), H5P_DEFAULT), H5Dclose);
  if (dataset < 0) fail_format(path, fmt::format("the dataset {} cannot be opened", name));
  const Handle type(H5Dget_type(dataset), H5Tclose);
  const std::optional<Dtype> dtype = dtype_of(type);
  if (!dtype)
    fail(file_finding(Code::element_type, path.string(), fmt::format("the type of the elements of {} is not supported", name),
                      "integers, reals, or complex numbers as records of r and i", text_of(type), "saving it as doubles"));
  Dense values = Dense::zeros(*dtype, extents_of(dataset));
  const Handle in_memory = native(*dtype);
  if (values.size() > 0 && H5Dread(dataset, in_memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.view().address()) < 0)
    fail_format(path, fmt::format("the dataset {} cannot be read", name));
  return values;
}

std::string File::bytes(const std::vector<NamedView>& arrays) const {
  const Quiet quiet;
  const Handle file = new_file();
  for (const auto& [name, array] : arrays) add(file, name, array);
  H5Fflush(file, H5F_SCOPE_LOCAL);
  const ssize_t size = H5Fget_file_image(file, nullptr, 0);
  std::string image(static_cast<std::size_t>(std::max<ssize_t>(size, 0)), '\0');
  if (size < 0 || H5Fget_file_image(file, image.data(), image.size()) < 0)
    fail(Code::third_party, "HDF5 cannot give the bytes of a file", {}, reason());
  return image;
}

}  // namespace tyto::tensor::hdf5
