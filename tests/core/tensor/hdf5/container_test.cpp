// Files of HDF5, written and read by the module, and files that the library itself writes as others do.
#include <boost/test/unit_test.hpp>
#include <complex>
#include <filesystem>
#include <fstream>
#include <hdf5.h>
#include <unistd.h>
#include "backend/loader.hpp"
#include "evaluate/error_text.hpp"
#include "tensor/container.hpp"
#include "tensor/write.hpp"

using tyto::test::error_of;

namespace tyto::tensor {

namespace {

namespace fs = std::filesystem;

struct Files {
  fs::path folder = fs::temp_directory_path() / ("tyto_hdf5_" + std::to_string(getpid())), path = folder / "x.h5";
  const backend::Factory<Container>& factory = backend::load({{.path = TYTO_BINARY_DIR "/lib/tyto/backends"}}, "hdf5").containers;
  std::unique_ptr<Container, void (*)(Container*)> hdf5{factory.create(0), factory.destroy};

  Files() { fs::create_directories(folder); }
  ~Files() { fs::remove_all(folder); }
  Files(const Files&) = delete;
  Files& operator=(const Files&) = delete;

  void write(const std::vector<NamedView>& arrays) const { write_file(path, hdf5->bytes(arrays)); }
  std::string refusal(const std::string& dataset = {}) const {
    std::string text = error_of([&] { read_dataset(*hdf5, path, dataset); });
    for (std::size_t at = 0; (at = text.find(folder.string() + "/")) != std::string::npos;)
      text.erase(at, folder.string().size() + 1);
    return text;
  }
};

template <class T>
std::vector<T> values_of(const Dense& array) {
  const T* const first = array.view().as<T>();
  return {first, first + array.size()};
}

/// A dataset of any type of the library, as another program would write it.
void write_raw(const fs::path& path, const char* name, hid_t in_file, hid_t in_memory, std::vector<hsize_t> sizes,
               const void* data) {
  const hid_t file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  const hid_t space = H5Screate_simple(static_cast<int>(sizes.size()), sizes.data(), nullptr);
  const hid_t dataset = H5Dcreate2(file, name, in_file, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  BOOST_REQUIRE(H5Dwrite(dataset, in_memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0);
  H5Dclose(dataset), H5Sclose(space), H5Fclose(file);
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(hdf5, Files)

BOOST_AUTO_TEST_CASE(arrays_of_every_type_come_back_as_they_were) {
  const std::vector<double> reals{1, 2, 3, 4, 5, 6};
  const std::vector<float> singles{1, -2};
  const std::vector<std::complex<double>> numbers{{1, -1}, {0, 2}};
  const std::vector<std::complex<float>> small{{3, 4}};
  const std::vector<std::int16_t> counts{-3, 7};
  write({{"/psi[0]", ConstArray(reals.data(), {2, 3})},
         {"/f", ConstArray(singles.data(), {2})},
         {"/group/z", ConstArray(numbers.data(), {1, 2})},
         {"/c", ConstArray(small.data(), {})},
         {"/n", ConstArray(counts.data(), {2})},
         {"/none", ConstArray(reals.data(), {0, 3})}});
  BOOST_TEST(is_hdf5(path));
  BOOST_TEST(values_of<double>(read_dataset(*hdf5, path, "/psi[0]")) == reals);
  BOOST_TEST((read_dataset(*hdf5, path, "psi[0]").extents() == Extents{2, 3}));
  BOOST_TEST(values_of<float>(read_dataset(*hdf5, path, "f")) == singles);
  BOOST_TEST((values_of<std::complex<double>>(read_dataset(*hdf5, path, "/group/z")) == numbers));
  BOOST_TEST((values_of<std::complex<float>>(read_dataset(*hdf5, path, "c")) == small));
  BOOST_TEST(values_of<std::int16_t>(read_dataset(*hdf5, path, "n")) == counts);
  BOOST_TEST((read_dataset(*hdf5, path, "none").extents() == Extents{0, 3}));
}

BOOST_AUTO_TEST_CASE(strides_do_not_matter) {
  const std::vector<double> values{1, 2, 3, 4, 5, 6};
  write({{"t", ConstArray(values.data(), {3, 2}, {1, 3})}});
  BOOST_TEST(values_of<double>(read_dataset(*hdf5, path, "")) == (std::vector<double>{1, 4, 2, 5, 3, 6}));
}

BOOST_AUTO_TEST_CASE(other_byte_orders_and_unsigned_integers_are_read) {
  const std::vector<double> reals{1.5, -2};
  write_raw(path, "x", H5T_IEEE_F64BE, H5T_NATIVE_DOUBLE, {2}, reals.data());
  BOOST_TEST(values_of<double>(read_dataset(*hdf5, path, "")) == reals);
  const std::vector<std::uint32_t> large{4000000000U};
  write_raw(path, "x", H5T_STD_U32LE, H5T_NATIVE_UINT32, {1}, large.data());
  BOOST_TEST(values_of<std::int64_t>(read_dataset(*hdf5, path, "")) == std::vector<std::int64_t>{4000000000});
}

BOOST_AUTO_TEST_CASE(what_the_file_holds_is_said) {
  const std::vector<double> values{1, 2, 3, 4};
  write({{"H[0]", ConstArray(values.data(), {2, 2})}, {"H[1]", ConstArray(values.data(), {4})}});
  const std::string contents = "  found     /H[0] (2 x 2, f64), /H[1] (4, f64)\n";
  BOOST_TEST(refusal() == "x.h5: the file holds several datasets, and none is named\n  expected  one dataset of it\n" + contents +
                              "  try       x.h5:/H[0]");
  BOOST_TEST(refusal("/H[2]") ==
             "x.h5: the file holds no dataset /H[2]\n  expected  one of what it holds\n" + contents + "  try       /H[0]");
  write({});
  BOOST_TEST(refusal() ==
             "x.h5: the file holds no dataset\n  expected  an array\n  found     groups or nothing\n"
             "  try       writing the array again");
}

BOOST_AUTO_TEST_CASE(other_types_are_refused_in_words) {
  const hid_t text = H5Tcopy(H5T_C_S1);
  H5Tset_size(text, 4);
  write_raw(path, "x", text, text, {2}, "abcdefg");
  H5Tclose(text);
  BOOST_TEST(refusal() ==
             "x.h5: the type of the elements of /x is not supported\n"
             "  expected  integers, reals, or complex numbers as records of r and i\n  found     text\n"
             "  try       saving it as doubles");
}

BOOST_AUTO_TEST_CASE(broken_files_are_refused_with_the_words_of_the_library) {
  const std::vector<double> values(1000, 1);
  write({{"x", ConstArray(values.data(), {1000})}});
  fs::resize_file(path, 3000);
  BOOST_TEST(is_hdf5(path));
  BOOST_TEST(refusal().starts_with("x.h5: the file cannot be opened\n  found     "));
  std::ofstream(path) << "no file of HDF5";
  BOOST_TEST(!is_hdf5(path));
  BOOST_TEST(!is_hdf5(folder));
  BOOST_TEST(!is_hdf5(folder / "nowhere"));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace tyto::tensor
