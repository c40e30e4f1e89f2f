// The .npy format: what numpy writes is read, what we write numpy reads.
#include "tensor/npy.hpp"

#include <boost/test/unit_test.hpp>
#include <cstring>
#include <numeric>
#include "core/tensor/files.hpp"
#include "tensor/read.hpp"
#include "tensor/write.hpp"

using namespace tyto;
using namespace tyto::tensor;

namespace {

template <class T>
std::string raw(const std::vector<T>& values) {
  std::string bytes(values.size() * sizeof(T), '\0');
  if (!values.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}
std::string reversed(std::string bytes, std::size_t width) {
  for (std::size_t k = 0; k < bytes.size(); k += width)
    std::reverse(bytes.begin() + static_cast<std::ptrdiff_t>(k), bytes.begin() + static_cast<std::ptrdiff_t>(k + width));
  return bytes;
}
std::string file_of(const std::string& header, const std::string& data, int version = 1) {
  std::string bytes = "\x93NUMPY";
  bytes += static_cast<char>(version);
  bytes += '\0';
  bytes += static_cast<char>(header.size() % 256);
  bytes += static_cast<char>(header.size() / 256);
  if (version > 1) bytes += std::string(2, '\0');
  return bytes + header + data;
}
std::string header_of(const std::string& descr, const std::string& order, const std::string& shape) {
  return "{'descr': " + descr + ", 'fortran_order': " + order + ", 'shape': " + shape + ", }\n";
}
Dense read(const std::string& bytes) { return npy_elements(npy_header(bytes, "x.npy"), bytes, "x.npy"); }
std::string error_in(const std::string& bytes) {
  return error_of([&] { read(bytes); });
}
template <class T>
std::vector<T> counting() {
  std::vector<T> values(6);
  for (int k = 0; k < 6; ++k) values[static_cast<std::size_t>(k)] = static_cast<T>(static_cast<float>(k));
  return values;
}
template <class T>
void check_type(const std::string& code) {
  const std::vector<T> values = counting<T>();
  const Dense little = read(file_of(header_of("'<" + code + "'", "False", "(2, 3)"), raw(values)));
  BOOST_TEST((little.dtype() == dtype_of<T>()), code);
  BOOST_TEST(little.extents() == (Extents{2, 3}));
  BOOST_TEST(std::equal(values.begin(), values.end(), little.view().as<T>()), code);
  const std::size_t width = code[0] == 'c' ? sizeof(T) / 2 : sizeof(T);
  const Dense big = read(file_of(header_of("'>" + code + "'", "False", "(2, 3)"), reversed(raw(values), width)));
  BOOST_TEST(std::equal(values.begin(), values.end(), big.view().as<T>()), code);
}

}  // namespace

BOOST_AUTO_TEST_CASE(all_types_are_read_in_both_byte_orders) {
  check_type<std::int16_t>("i2");
  check_type<std::int32_t>("i4");
  check_type<std::int64_t>("i8");
  check_type<float>("f4");
  check_type<double>("f8");
  check_type<std::complex<float>>("c8");
  check_type<std::complex<double>>("c16");
}

BOOST_AUTO_TEST_CASE(both_orders_of_elements_give_the_same_tensor) {
  const Dense c = read(file_of(header_of("'<f8'", "False", "(2, 3)"), raw<double>({0, 1, 2, 3, 4, 5})));
  const Dense f = read(file_of(header_of("'<f8'", "True", "(2, 3)"), raw<double>({0, 3, 1, 4, 2, 5})));
  BOOST_TEST(std::equal(c.view().as<double>(), c.view().as<double>() + 6, f.view().as<double>()));
  std::vector<double> column_major(24);
  for (std::int64_t n = 0; n < 24; ++n)
    column_major[static_cast<std::size_t>(n % 4 * 6 + n / 4 % 3 * 2 + n / 12)] = static_cast<double>(n);
  const Dense order3 = read(file_of(header_of("'<f8'", "True", "(2, 3, 4)"), raw(column_major)));
  for (std::int64_t n = 0; n < 24; ++n) BOOST_TEST(order3.view().as<double>()[n] == static_cast<double>(n));
}

BOOST_AUTO_TEST_CASE(versions_two_and_three_are_read) {
  for (int version : {2, 3}) {
    const std::string bytes = file_of(header_of("'<f8'", "False", "(1,)"), raw<double>({2.5}), version);
    BOOST_TEST(npy_header(bytes, "x").version == version);
    BOOST_TEST(read(bytes).view().as<double>()[0] == 2.5);
  }
}

BOOST_AUTO_TEST_CASE(headers_may_be_written_in_other_ways) {
  const Dense a = read(file_of("{\"shape\":(2L,3L),\"fortran_order\":False,\"descr\":\"=f8\"}", raw<double>({0, 1, 2, 3, 4, 5})));
  BOOST_TEST(a.extents() == (Extents{2, 3}));
  BOOST_TEST(read(file_of(header_of("'<f8'", "False", "()"), raw<double>({7}))).extents() == Extents{});
  BOOST_TEST(read(file_of(header_of("'<f8'", "True", "(3, 0)"), "")).extents() == (Extents{3, 0}));
}

BOOST_AUTO_TEST_CASE(written_files_have_the_bytes_that_numpy_writes) {
  const std::vector<double> values{1, 2, 3};
  const std::string bytes = npy_bytes(ConstArray(values.data(), {3}));
  const std::string header = "{'descr': '<f8', 'fortran_order': False, 'shape': (3,), }";
  BOOST_TEST(bytes == std::string("\x93NUMPY\x01\x00\x76\x00", 10) + header + std::string(118 - header.size() - 1, ' ') + "\n" +
                          raw(values));
  BOOST_TEST(npy_bytes(ConstArray(values.data(), {3, 1})).find("'shape': (3, 1), }") != std::string::npos);
  BOOST_TEST(npy_bytes(ConstArray(values.data(), {})).find("'shape': (), }") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(what_is_written_is_read_again) {
  const TemporaryFolder folder;
  const std::vector<float> values{0, 1, 2, 3, 4, 5};
  write_npy(folder.path() / "t.npy", ConstArray(values.data(), Extents{3, 2}, Extents{1, 3}));
  const Dense again = read_tensor(folder.path() / "t.npy");
  BOOST_TEST((again.dtype() == Dtype::f32));
  BOOST_TEST(again.extents() == (Extents{3, 2}));
  const std::vector<float> expected{0, 3, 1, 4, 2, 5};
  BOOST_TEST(std::equal(expected.begin(), expected.end(), again.view().as<float>()));
}

BOOST_AUTO_TEST_CASE(unsupported_types_are_named) {
  const auto text = [](const std::string& found) {
    return "x.npy: the type of the elements of this .npy file is not supported\n"
           "  expected  i2, i4, i8, f4, f8, c8 or c16\n"
           "  found     " +
           found +
           "\n"
           "  try       saving it as float64: numpy.save(name, array.astype(\"f8\"))";
  };
  const auto error_for = [](const std::string& descr) { return error_in(file_of(header_of(descr, "False", "(1,)"), "12345678")); };
  BOOST_TEST(error_for("'|b1'") == text("bool (|b1)"));
  BOOST_TEST(error_for("'|u1'") == text("unsigned integers of 1 bytes (|u1)"));
  BOOST_TEST(error_for("'|i1'") == text("integers of 1 bytes (|i1)"));
  BOOST_TEST(error_for("'<f2'") == text("reals of 2 bytes (<f2)"));
  BOOST_TEST(error_for("'<c32'") == text("complex numbers of 32 bytes (<c32)"));
  BOOST_TEST(error_for("'|O'") == text("Python objects (|O)"));
  BOOST_TEST(error_for("'<U3'") == text("text (<U3)"));
  BOOST_TEST(error_for("'<M8[s]'") == text("dates or times (<M8[s])"));
  BOOST_TEST(error_for("'|V4'") == text("raw bytes (|V4)"));
  BOOST_TEST(error_for("''") == text("nothing ()"));
  BOOST_TEST(error_for("[('a', '<f8')]") == text("records of several fields"));
}

BOOST_AUTO_TEST_CASE(truncated_files_say_how_many_bytes_are_missing) {
  const std::string bytes = npy_bytes(Dense::zeros(Dtype::f64, {5, 4}).view());
  BOOST_TEST(error_in(bytes.substr(0, 280)) ==
             "x.npy: this .npy file is truncated\n"
             "  expected  288 bytes: 20 elements of 8 bytes after a header of 128\n"
             "  found     280 bytes\n"
             "  try       copying the file again");
  BOOST_TEST(error_in(bytes.substr(0, 100)) ==
             "x.npy: this .npy file ends within its header\n"
             "  expected  at least 128 bytes\n"
             "  found     100 bytes\n"
             "  try       copying the file again");
  BOOST_TEST(error_in(bytes.substr(0, 7)) ==
             "x.npy: this .npy file ends within its header\n"
             "  expected  at least 10 bytes\n"
             "  found     7 bytes\n"
             "  try       copying the file again");
  BOOST_TEST(error_in(bytes + "1234") ==
             "x.npy: this .npy file is longer than its header says\n"
             "  expected  288 bytes: 20 elements of 8 bytes after a header of 128\n"
             "  found     292 bytes\n"
             "  try       saving the array alone with numpy.save");
}

BOOST_AUTO_TEST_CASE(no_beginning_of_a_file_is_accepted_or_crashes) {
  const std::string bytes = npy_bytes(Dense::zeros(Dtype::c64, {3, 2}).view());
  for (std::size_t n = 0; n < bytes.size(); ++n) BOOST_TEST(!error_in(bytes.substr(0, n)).empty());
}

BOOST_AUTO_TEST_CASE(extents_that_overflow_are_refused_before_memory_is_taken) {
  BOOST_TEST(error_in(file_of(header_of("'<f8'", "False", "(4294967296, 4294967296)"), "")) ==
             "x.npy: the extents of this tensor overflow\n"
             "  expected  fewer than 9223372036854775808 bytes\n"
             "  found     4294967296 x 4294967296\n"
             "  try       checking the shape in the header of the file");
  BOOST_TEST(error_in(file_of(header_of("'<f8'", "False", "(1152921504606846976,)"), "")).find("overflow") != std::string::npos);
  BOOST_TEST(error_in(file_of(header_of("'<f8'", "False", "(99999999999999999999,)"), "")).find("an extent beyond 63 bits") !=
             std::string::npos);
  BOOST_TEST(error_in(file_of(header_of("'<f8'", "False", "(1000000000000,)"), "")).find("truncated") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(headers_that_cannot_be_read_say_what_is_wrong) {
  const auto check = [](const std::string& header, const std::string& found) {
    BOOST_TEST(error_in(file_of(header, "")) ==
               "x.npy: the header of this .npy file cannot be read\n"
               "  expected  a dictionary with the keys descr, fortran_order and shape\n"
               "  found     " +
                   found +
                   "\n"
                   "  try       saving the array again with numpy.save");
  };
  check("", "its end");
  check("{'descr': '<f8'", "its end");
  check("{'descr': '<f8}", "text without an end");
  check("[1]", "'[' in place of '{'");
  check("{'descr': '<f8', 'shape': (1,)}", "no key \"fortran_order\"");
  check("{'descr': '<f8', 'fortran_order': 1, 'shape': (1,)}", "a value of fortran_order other than True or False");
  check("{'descr': '<f8', 'fortran_order': False, 'shape': (-1,)}", "a shape that is not a list of extents");
  check("{'descr': '<f8', 'fortran_order': False, 'shape': (a)}", "a shape that is not a list of extents");
  check("{'kind': '<f8'}", "the key \"kind\"");
  BOOST_TEST(error_in(file_of("", "", 4)).find("found     version 4") != std::string::npos);
}
