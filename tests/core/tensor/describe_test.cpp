// What is said about a file that is not used.
#include <boost/test/unit_test.hpp>
#include <cmath>
#include "core/tensor/files.hpp"
#include "tensor/read.hpp"
#include "tensor/write.hpp"

using namespace tyto;
using namespace tyto::tensor;

BOOST_AUTO_TEST_CASE(a_complete_list_needs_nothing) {
  const FileDescription d = describe_file(data_folder() / "aminoacid.txt");
  BOOST_TEST(d.format == "Tensor-Toolbox sptensor, indices from 0");
  BOOST_TEST((d.dtype == Dtype::f64));
  BOOST_TEST(d.extents == (Extents{5, 201, 61}));
  BOOST_TEST(d.elements.value() == 61305);
  BOOST_TEST(d.entries == 61305);
  BOOST_TEST(d.file_bytes == 1122436);
  BOOST_TEST(d.has_statistics);
  BOOST_TEST(d.minimum == -6.204);
  BOOST_TEST(std::abs(d.norm.value() - 47991.950132) < 1e-6);
  BOOST_TEST(d.needs.empty());
}

BOOST_AUTO_TEST_CASE(missing_values_are_counted_and_get_a_remedy) {
  const FileDescription d = describe_file(data_folder() / "il2_response.npy");
  BOOST_TEST(d.format == "npy 1.0, C order");
  BOOST_TEST(d.non_finite.nan == 192);
  BOOST_TEST(d.non_finite.first == (Extents{3, 3, 0, 0}));
  BOOST_TEST(std::abs(d.norm.value() - 18.43678120) < 1e-8);
  BOOST_TEST(d.needs == (std::vector<std::string>{
                            "`mask: {file: ...}` with 0 where NaN is and 1 elsewhere, and any number in place of NaN"}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_sparse_file_is_described_and_says_what_it_needs) {
  const FileDescription d = describe_file(data_folder() / "formats" / "pyttb_sptensor.tns");
  BOOST_TEST(d.elements.value() == 60);
  BOOST_TEST(d.entries == 18);
  BOOST_TEST(d.nonzeros == 18);
  BOOST_TEST(d.maximum == 18);
  BOOST_TEST(d.needs == (std::vector<std::string>{"`dense: true`, which takes 480 bytes and sets what is not listed to 0"}),
             boost::test_tools::per_element());
  const TemporaryFolder folder;
  const FileDescription huge = describe_file(folder.file("h.tns", "1000000000 1000000000 1000000000 1\n"));
  BOOST_TEST(!huge.elements.has_value());
}

BOOST_AUTO_TEST_CASE(a_ktensor_is_described_by_what_it_stands_for) {
  const FileDescription d = describe_file(data_folder() / "formats" / "pyttb_ktensor.tns");
  BOOST_TEST(d.format == "Tensor-Toolbox ktensor");
  BOOST_TEST(d.extents == (Extents{4, 5, 3}));
  BOOST_TEST(d.entries == 2 + 2 * (4 + 5 + 3));
  BOOST_TEST(d.maximum == 3.0 * 4 * 6 * 5 + 2.0 * 8 * 11 * 8);
}

BOOST_AUTO_TEST_CASE(complex_elements_have_no_statistics) {
  const TemporaryFolder folder;
  const std::complex<double> value{1, 2};
  write_npy(folder.path() / "c.npy", ConstArray(&value, {1}));
  const FileDescription d = describe_file(folder.path() / "c.npy");
  BOOST_TEST((d.dtype == Dtype::c128));
  BOOST_TEST(!d.has_statistics);
}
