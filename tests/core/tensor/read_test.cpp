// From a path to a tensor: real files, and what people hear when it is not one.
#include "tensor/read.hpp"

#include <boost/test/unit_test.hpp>
#include <chrono>
#include <cmath>
#include "core/tensor/files.hpp"

using namespace tyto;
using namespace tyto::tensor;

namespace {

std::string error_for(const TemporaryFolder& folder, const std::filesystem::path& path, const ReadOptions& options = {}) {
  return folder.error_of([&] { read_tensor(path, options); });
}
const std::string formats =
    "  expected  a .npy file, Tensor-Toolbox text (tensor, sptensor, ktensor, matrix) or FROSTT coordinates (.tns)\n";

}  // namespace

BOOST_AUTO_TEST_CASE(amino_acids_are_a_dense_tensor_in_coordinate_form) {
  const auto start = std::chrono::steady_clock::now();
  const Dense x = read_tensor(data_folder() / "aminoacid.txt");
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  BOOST_TEST_MESSAGE("read in " << seconds.count() << " s");
  BOOST_TEST(x.extents() == (Extents{5, 201, 61}));
  BOOST_TEST(std::abs(frobenius_norm(x.view()).value() - 47991.950132) < 1e-6);
  BOOST_TEST(minimum(x.view()) == -6.204);
  BOOST_TEST(maximum(x.view()) == 938.499);
  BOOST_TEST(x.view().as<double>()[1] == 1.868);
}

BOOST_AUTO_TEST_CASE(il2_responses_have_missing_values) {
  const Dense x = read_tensor(data_folder() / "il2_response.npy");
  BOOST_TEST(x.extents() == (Extents{13, 4, 12, 8}));
  BOOST_TEST(std::abs(frobenius_norm(x.view(), NanRule::skip).value() - 18.43678120) < 1e-8);
  const NonFinite missing = count_non_finite(x.view());
  BOOST_TEST(missing.nan == 192);
  BOOST_TEST(missing.first == (Extents{3, 3, 0, 0}));
}

BOOST_AUTO_TEST_CASE(both_bases_of_an_sptensor_give_one_tensor) {
  const ReadOptions dense{.dense = true};
  const Dense a = read_tensor(data_folder() / "formats" / "pyttb_sptensor.tns", dense);
  const Dense b = read_tensor(data_folder() / "formats" / "pyttb_sptensor_0_based.tns", dense);
  BOOST_TEST(a.extents() == (Extents{5, 4, 3}));
  BOOST_TEST(std::equal(a.view().as<double>(), a.view().as<double>() + 60, b.view().as<double>()));
  BOOST_TEST(a.view().as<double>()[59] == 18);
}

BOOST_AUTO_TEST_CASE(a_ktensor_is_expanded) {
  const Dense x = read_tensor(data_folder() / "formats" / "pyttb_ktensor.tns");
  BOOST_TEST(x.extents() == (Extents{4, 5, 3}));
  BOOST_TEST(x.view().as<double>()[0] == 3.0 * 1 * 2 * 3 + 2.0 * 5 * 7 * 6);
  BOOST_TEST(x.view().as<double>()[59] == 3.0 * 4 * 6 * 5 + 2.0 * 8 * 11 * 8);
}

BOOST_AUTO_TEST_CASE(frostt_files_are_read_with_the_base_that_is_given) {
  const Dense x = read_tensor(data_folder() / "formats" / "small4.tns", {.dense = true});
  BOOST_TEST(x.extents() == (Extents{2, 2, 3, 3}));
  const Dense y = read_tensor(data_folder() / "formats" / "small4_zeroidx.tns", {.dense = true, .index_base = 0});
  BOOST_TEST(y.extents() == (Extents{3, 3, 4, 3}));
  BOOST_TEST(frobenius_norm(x.view()).mantissa == frobenius_norm(y.view()).mantissa);
}

BOOST_AUTO_TEST_CASE(sparse_files_say_what_a_dense_tensor_would_cost) {
  const TemporaryFolder folder;
  const auto sparse = folder.file("s.tns", bytes_of(data_folder() / "formats" / "pyttb_sptensor.tns"));
  BOOST_TEST(error_for(folder, sparse) ==
             "DIR/s.tns: sparse input is not part of this version\n"
             "  expected  all 60 entries of 5 x 4 x 3\n"
             "  found     18 entries (30 %)\n"
             "  try       `dense: true`, which takes 480 bytes and sets what is not listed to 0");
  const auto twice = folder.file("t.tns", "1 1 1\n1 1 1\n2 1 1\n2 2 1\n");
  BOOST_TEST(error_for(folder, twice) ==
             "DIR/t.tns: sparse input is not part of this version\n"
             "  expected  all 4 entries of 2 x 2\n"
             "  found     4 entries (100 %), some of them listed twice\n"
             "  try       `dense: true`, which takes 32 bytes and sets what is not listed to 0");
  const auto huge = folder.file("h.tns", "1000000000 1000000000 1000000000 1\n");
  BOOST_TEST(error_for(folder, huge) ==
             "DIR/h.tns: sparse input is not part of this version\n"
             "  expected  all the entries of 1000000000 x 1000000000 x 1000000000\n"
             "  found     1 entries (1e-25 %)\n"
             "  try       `dense: true`, which takes 8.0e+09 EB and sets what is not listed to 0");
  BOOST_TEST(error_for(folder, huge, {.dense = true}) ==
             "DIR/h.tns: a tensor of 1000000000 x 1000000000 x 1000000000 has too many elements\n"
             "  expected  fewer than 9223372036854775808 bytes");
}

BOOST_AUTO_TEST_CASE(missing_files_get_the_nearest_name) {
  const TemporaryFolder folder;
  folder.file("aminoacid.txt", "x");
  BOOST_TEST(error_for(folder, folder.path() / "aminoacids.txt") ==
             "DIR/aminoacids.txt: the file does not exist\n"
             "  try       \"aminoacid.txt\", which is in that folder");
  BOOST_TEST(error_for(folder, folder.path() / "serology.npy") ==
             "DIR/serology.npy: the file does not exist\n"
             "  try       checking the name: the folder \"DIR\" holds nothing similar");
  BOOST_TEST(error_for(folder, folder.path() / "none" / "x.npy") ==
             "DIR/none/x.npy: the file does not exist\n"
             "  found     no folder \"DIR/none\" either\n"
             "  try       checking the path");
  BOOST_TEST(error_for(folder, "no_such_folder/x.npy") ==
             "no_such_folder/x.npy: the file does not exist\n"
             "  found     no folder \"no_such_folder\" either\n"
             "  try       checking the path, which is relative to the current folder");
}

BOOST_AUTO_TEST_CASE(folders_and_empty_files_are_refused) {
  const TemporaryFolder folder;
  BOOST_TEST(error_for(folder, folder.path()) ==
             "DIR: this is a folder\n"
             "  expected  a file that holds a tensor\n"
             "  found     a folder\n"
             "  try       naming a file in it");
  BOOST_TEST(error_for(folder, folder.file("e.npy", "")) ==
             "DIR/e.npy: the file is empty\n"
             "  expected  a file that holds a tensor\n"
             "  found     0 bytes\n"
             "  try       writing the file again");
}

BOOST_AUTO_TEST_CASE(what_is_not_a_tensor_is_named_or_shown) {
  const TemporaryFolder folder;
  const auto check = [&](const std::string& name, const std::string& bytes, const std::string& found) {
    BOOST_TEST(error_for(folder, folder.file(name, bytes)) == "DIR/" + name + ": this is not a tensor that tyto can read\n" +
                                                                  formats + "  found     " + found +
                                                                  "\n  try       saving the tensor with numpy.save");
  };
  check("a.csv", "a,b,c\n1,2,3\n", "the first bytes are \"a,b,c 1,\" (61 2c 62 2c 63 0a 31 2c)");
  check("b.npy", std::string("\x00\x01\x02", 3), "the first bytes are 00 01 02");
  check("c.npz", "PK\x03\x04rest", "a zip archive, as .npz files are");
  check("d.mtx", "%%MatrixMarket matrix coordinate real general\n", "a MatrixMarket file");
  check("e.h5", "\x89HDF\r\n\x1a\nrest", "an HDF5 file");
  check("f.txt", "ttensor\n3\n", "a Tensor-Toolbox ttensor");
}

BOOST_AUTO_TEST_CASE(errors_inside_a_file_have_its_name_and_line) {
  const TemporaryFolder folder;
  BOOST_TEST(error_for(folder, folder.file("a.tns", "1 1 1\nx 1 1\n")).find("DIR/a.tns:2:1: an index cannot be read") == 0U);
  BOOST_TEST(error_for(folder, folder.file("b.tns", "words only\n")).find("DIR/b.tns:1:1: an index cannot be read") == 0U);
  BOOST_TEST(
      error_for(folder, data_folder() / "formats" / "small4_zeroidx.tns", {.dense = true}).find("try       `index_base: 0`") !=
      std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_shape_that_the_file_contradicts_is_refused) {
  const TemporaryFolder folder;
  const auto path = folder.file("m.txt", "matrix\n2\n1 2\n3 4\n");
  BOOST_TEST(read_tensor(path, {.shape = Extents{1, 2}}).size() == 2);
  BOOST_TEST(error_for(folder, path, {.shape = Extents{2, 1}}) ==
             "DIR/m.txt: the extents are not those given\n"
             "  expected  2 x 1\n"
             "  found     1 x 2\n"
             "  try       leaving out the shape");
  BOOST_TEST(error_for(folder, path, {.index_base = 2}) ==
             "DIR/m.txt: indices can count from 0 or from 1\n"
             "  expected  0 or 1\n"
             "  found     2");
}
