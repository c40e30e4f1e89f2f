// Text formats: what is read, and the exact words where a file is broken.
#include "tensor/text.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include "core/tensor/files.hpp"

using namespace tyto;
using namespace tyto::tensor;

namespace {

TextTensor read(const std::string& text, std::optional<int> base = {}, std::optional<Extents> shape = {}) {
  return read_text(text, "x.tns", base, shape);
}
std::string error_in(const std::string& text, std::optional<int> base = {}, std::optional<Extents> shape = {}) {
  return error_of([&] { read(text, base, shape); });
}
std::vector<double> elements(const Dense& dense) { return {dense.view().as<double>(), dense.view().as<double>() + dense.size()}; }
std::vector<double> dense_elements(const std::string& text) { return elements(std::get<Dense>(read(text).value)); }
Coordinate list_of(const std::string& text, std::optional<int> base = {}, std::optional<Extents> shape = {}) {
  return std::get<Coordinate>(read(text, base, shape).value);
}

}  // namespace

BOOST_AUTO_TEST_CASE(values_of_a_tensor_have_the_first_index_fastest) {
  const std::vector<double> expected{1, 3, 5, 2, 4, 6};
  BOOST_TEST(dense_elements("tensor\n2\n2 3\n1\n2\n3\n4\n5\n6\n") == expected);
  BOOST_TEST(dense_elements("# made by hand\n\ntensor\r\n2 \r\n2 3 \r\n1 2 3 4\r\n5e+000 6 # last\r\n") == expected);
}

BOOST_AUTO_TEST_CASE(values_of_a_matrix_are_listed_row_by_row) {
  BOOST_TEST(dense_elements("matrix\n2\n2 3\n1 2 3\n4 5 6") == (std::vector<double>{1, 2, 3, 4, 5, 6}));
}

BOOST_AUTO_TEST_CASE(an_index_zero_makes_an_sptensor_count_from_zero) {
  const Coordinate from_one = list_of("sptensor\n2\n2 3\n2\n1 3 0.5\n2 1 1.5\n");
  BOOST_TEST(from_one.indices == (std::vector<std::int64_t>{0, 2, 1, 0}));
  const TextTensor text = read("sptensor\n2\n2 3\n2\n1 2 0.5\n1 0 1.5\n");
  BOOST_TEST(text.format == "Tensor-Toolbox sptensor, indices from 0");
  BOOST_TEST(std::get<Coordinate>(text.value).indices == (std::vector<std::int64_t>{1, 2, 1, 0}));
  BOOST_TEST(list_of("sptensor\n2\n2 3\n1\n1 1 0.5\n").indices == (std::vector<std::int64_t>{0, 0}));
  BOOST_TEST(list_of("sptensor\n2\n2 3\n1\n1 1 0.5\n", 0).indices == (std::vector<std::int64_t>{1, 1}));
  BOOST_TEST(list_of("sptensor\n2\n2 3\n0\n").entries() == 0);
}

BOOST_AUTO_TEST_CASE(lists_without_a_header_count_from_one_and_give_the_extents) {
  const TextTensor text = read("# comment\n\n 1\t2 +3.5 # more\n3 1 -1e-3\n");
  BOOST_TEST(text.format == "FROSTT coordinates, indices from 1");
  const Coordinate& list = std::get<Coordinate>(text.value);
  BOOST_TEST(list.extents == (Extents{3, 2}));
  BOOST_TEST(list.indices == (std::vector<std::int64_t>{0, 1, 2, 0}));
  BOOST_TEST(list.values == (std::vector<double>{3.5, -1e-3}));
  BOOST_TEST(list_of("0 2 1\n", 0).extents == (Extents{1, 3}));
  BOOST_TEST(list_of("1 2 1\n", {}, Extents{4, 5}).extents == (Extents{4, 5}));
  BOOST_TEST(list_of("# none\n", {}, Extents{4, 5}).entries() == 0);
}

BOOST_AUTO_TEST_CASE(numbers_at_the_edges_of_f64_are_read) {
  const std::vector<double> values =
      list_of("1 inf\n1 -inf\n1 nan\n1 1e-400\n1 -1e-400\n1 1.7976931348623157e308\n1 4.9e-324\n1 .5\n1 5.").values;
  BOOST_TEST(std::isinf(values[0]));
  BOOST_TEST(values[1] < 0);
  BOOST_TEST(std::isnan(values[2]));
  BOOST_TEST(values[3] == 0);
  BOOST_TEST(values[4] == 0);
  BOOST_TEST(values[5] == 1.7976931348623157e308);
  BOOST_TEST(values[6] == 4.9e-324);
  BOOST_TEST(values[7] == 0.5);
  BOOST_TEST(values[8] == 5);
  BOOST_TEST(error_in("1 1 2\n1 1 1e400\n") ==
             "x.tns:2:5: a value is too large\n"
             "  in        1 1 1e400\n"
             "  expected  a number below 1.8e308\n"
             "  found     \"1e400\"");
}

BOOST_AUTO_TEST_CASE(text_that_is_a_tensor_is_recognized) {
  BOOST_TEST(is_tensor_text("sptensor\n"));
  BOOST_TEST(is_tensor_text("# c\n\n1 1 0.5\n"));
  BOOST_TEST(is_tensor_text("1 nan\n"));
  BOOST_TEST(!is_tensor_text(""));
  BOOST_TEST(!is_tensor_text("3\n"));
  BOOST_TEST(!is_tensor_text("a,b\n1,2\n"));
  BOOST_TEST(!is_tensor_text("ttensor\n"));
  BOOST_TEST(!is_tensor_text("tensor of rank 3\n"));
}

BOOST_AUTO_TEST_CASE(malformed_lines_are_refused_with_their_place) {
  const std::string start = "1 1 1 2.0\n# comment\n";
  BOOST_TEST(error_in(start + "1 2 x 3.0\n") ==
             "x.tns:3:5: an index cannot be read\n"
             "  in        1 2 x 3.0\n"
             "  expected  3 indices and a value\n"
             "  found     \"x\"");
  BOOST_TEST(error_in(start + "1 2 3 3.0.1\n") ==
             "x.tns:3:7: a value cannot be read\n"
             "  in        1 2 3 3.0.1\n"
             "  expected  3 indices and a value\n"
             "  found     \"3.0.1\"");
  BOOST_TEST(error_in(start + "1 2 3\n") ==
             "x.tns:3: this line is not an entry\n"
             "  in        1 2 3\n"
             "  expected  3 indices and a value\n"
             "  found     3 words");
  BOOST_TEST(error_in(start + "1 1.5 1 1\n").find("x.tns:3:3: an index cannot be read") == 0U);
  BOOST_TEST(error_in(start + "1 1 1 1 1\n").find("found     5 words") != std::string::npos);
  BOOST_TEST(error_in("1 2\n1\n").find("expected  1 index and a value\n  found     1 word") != std::string::npos);
  BOOST_TEST(error_in("7\n") ==
             "x.tns:1: this line is not an entry\n"
             "  in        7\n"
             "  expected  at least one index and a value\n"
             "  found     1 word");
  BOOST_TEST(error_in("1 " + std::string(200, 'z') + "\n").find("  in        1 " + std::string(70, 'z') + "...\n") !=
             std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_file_of_comments_holds_no_entries) {
  BOOST_TEST(error_in("# only\n# comments\n") ==
             "x.tns:2: the file holds no entries\n"
             "  expected  lines of indices and a value\n"
             "  found     comments and blank lines\n"
             "  try       giving the extents by `shape`");
}

BOOST_AUTO_TEST_CASE(index_zero_where_indices_count_from_one_gets_the_remedy) {
  BOOST_TEST(error_in("1 1 3 1 2.0\n2 1 1 0 4.0\n") ==
             "x.tns:2:7: an index of mode 3 is too small\n"
             "  in        2 1 1 0 4.0\n"
             "  expected  1 or more: indices count from 1\n"
             "  found     0\n"
             "  try       `index_base: 0`");
  BOOST_TEST(error_in("sptensor\n2\n2 2\n1\n0 1 4.0\n", 1).find("try       leaving out `index_base: 1`") != std::string::npos);
  BOOST_TEST(error_in("1 -1 4.0\n").find("found     -1\n  try       correcting the line") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(indices_outside_the_extents_are_refused) {
  BOOST_TEST(error_in("sptensor\n2\n2 3\n2\n1 1 0.5\n2 4 1.5\n") ==
             "x.tns:6:3: an index of mode 1 is outside the extent 3\n"
             "  in        2 4 1.5\n"
             "  expected  1 to 3: indices count from 1\n"
             "  found     4\n"
             "  try       correcting the line or the extents");
  BOOST_TEST(error_in("sptensor\n2\n2 3\n2\n0 1 0.5\n1 3 1.5\n").find("expected  0 to 2: indices count from 0") !=
             std::string::npos);
  BOOST_TEST(error_in("1 1 1\n3 1 1\n", {}, Extents{2, 2}).find("x.tns:2:1: an index of mode 0 is outside the extent 2") == 0U);
  BOOST_TEST(error_in("9223372036854775807 1\n", 0).find("outside the extent") != std::string::npos);
  BOOST_TEST(error_in("99999999999999999999 1\n").find("an index cannot be read") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_shape_of_another_order_or_size_is_refused) {
  BOOST_TEST(error_in("1 1 1 0.5\n", {}, Extents{2, 2}).find("expected  2 indices and a value\n  found     4 words") !=
             std::string::npos);
  BOOST_TEST(error_in("sptensor\n2\n2 3\n0\n", {}, Extents{3, 2}) ==
             "x.tns:3: the extents are not those given\n"
             "  in        2 3\n"
             "  expected  3 x 2\n"
             "  found     2 x 3\n"
             "  try       leaving out the shape");
}

BOOST_AUTO_TEST_CASE(headers_that_contradict_the_lines_are_refused) {
  BOOST_TEST(error_in("sptensor\n2\n2 3\n3\n1 1 0.5\n2 3 1.5\n") ==
             "x.tns:6: there are fewer entries than the header says\n"
             "  expected  3 entries\n"
             "  found     2 entries\n"
             "  try       copying the file again, or correcting the header");
  BOOST_TEST(error_in("sptensor\n2\n2 3\n1\n1 1 0.5\n2 3 1.5\n") ==
             "x.tns:6: there are more entries than the header says\n"
             "  in        2 3 1.5\n"
             "  expected  1 entry\n"
             "  found     another one\n"
             "  try       correcting the header");
  BOOST_TEST(error_in("tensor\n2\n2 2\n1\n2\n3\n") ==
             "x.tns:6: the file ends before its last value\n"
             "  expected  4 values for 2 x 2\n"
             "  found     3 values\n"
             "  try       copying the file again");
  BOOST_TEST(error_in("tensor\n1\n2\n1\n2 3\n") ==
             "x.tns:5: there are more values than the header says\n"
             "  in        2 3\n"
             "  expected  2 values for 2\n"
             "  found     more\n"
             "  try       correcting the header");
  BOOST_TEST(error_in("matrix\n2\n1 2\n1 2\n3 4\n") ==
             "x.tns:5: there is more in the file than the header says\n"
             "  in        3 4\n"
             "  expected  the end of the file\n"
             "  try       correcting the header");
}

BOOST_AUTO_TEST_CASE(headers_that_cannot_be_read_are_refused) {
  BOOST_TEST(error_in("tensor\n") ==
             "x.tns:1: the file ends where the number of modes should follow\n"
             "  try       copying the file again");
  BOOST_TEST(error_in("tensor\n0\n") ==
             "x.tns:2:1: the number of modes cannot be read\n"
             "  in        0\n"
             "  expected  a number from 1 to 255\n"
             "  found     0");
  BOOST_TEST(error_in("tensor\n3\n2 2\n") ==
             "x.tns:3:4: the list of extents cannot be read\n"
             "  in        2 2\n"
             "  expected  3 extents\n"
             "  found     the end of the line");
  BOOST_TEST(error_in("tensor\n2\n2 -2\n").find("an extent is negative") != std::string::npos);
  BOOST_TEST(error_in("tensor\n2\n2 2 2\n").find("found     \"2\"") != std::string::npos);
  BOOST_TEST(error_in("tensor\n2\n4294967296 4294967296\n1\n") ==
             "x.tns:3: the extents of this tensor overflow\n"
             "  in        4294967296 4294967296\n"
             "  expected  fewer than 9223372036854775808 bytes\n"
             "  found     4294967296 x 4294967296");
  BOOST_TEST(error_in("tensor\n2\n1000000 1000000\n1\n").find("found     1 values") != std::string::npos);
  BOOST_TEST(error_in("matrix\n3\n1 1 1\n1\n").find("a matrix has two extents") != std::string::npos);
  BOOST_TEST(error_in("sptensor\n1\n5\nmany\n").find("expected  a number of 0 or more\n  found     \"many\"") != std::string::npos);
  BOOST_TEST(error_in("sptensor\n1\n5\n99999999999999\n1 1\n").find("found     1 entry") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(broken_ktensors_are_refused) {
  BOOST_TEST(error_in("ktensor\n2\n1 2\n1\n1.0\nmatrix\n2\n1 1\n5\n") ==
             "x.tns:9: the file ends where matrix 2 of 2 should follow\n"
             "  try       copying the file again");
  BOOST_TEST(error_in("ktensor\n2\n1 2\n1\n1.0\nmatrix\n2\n2 1\n5\n6\n") ==
             "x.tns:6: matrix 1 of 2 does not fit the header\n"
             "  in        matrix\n"
             "  expected  1 x 1\n"
             "  found     2 x 1");
  BOOST_TEST(error_in("ktensor\n1\n1\n1\n1.0\n5\n") ==
             "x.tns:6:1: matrix 1 of 1 is missing\n"
             "  in        5\n"
             "  expected  \"matrix\"\n"
             "  found     \"5\"");
}

BOOST_AUTO_TEST_CASE(any_beginning_of_a_file_is_read_or_refused) {
  for (const char* name : {"pyttb_ktensor.tns", "pyttb_sptensor.tns", "small4.tns"}) {
    const std::string text = bytes_of(data_folder() / "formats" / name);
    BOOST_TEST_REQUIRE(!text.empty());
    for (std::size_t n = 0; n < text.size(); ++n) error_in(text.substr(0, n));
  }
}
