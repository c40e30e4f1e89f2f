// Owning tensors: storage, copies from strided arrays, conversion between types.
#include "tensor/dense.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include "core/tensor/files.hpp"

using namespace tyto;
using namespace tyto::tensor;

namespace {

template <class T>
std::vector<T> elements(const Dense& dense) {
  const T* data = dense.view().as<T>();
  return {data, data + dense.size()};
}
template <class T>
std::vector<T> counting(std::int64_t n) {
  std::vector<T> values(static_cast<std::size_t>(n));
  std::iota(values.begin(), values.end(), T{0});
  return values;
}
template <class T>
Dense from_values(const std::vector<T>& values) {
  return Dense::copy(ConstArray(values.data(), Extents{static_cast<std::int64_t>(values.size())}));
}
constexpr double infinity = std::numeric_limits<double>::infinity();

}  // namespace

BOOST_AUTO_TEST_CASE(zeros_are_aligned_and_zero) {
  for (std::int64_t n : {1, 3, 17, 1000}) {
    Dense dense = Dense::zeros(Dtype::f32, {n, 3});
    BOOST_TEST(reinterpret_cast<std::uintptr_t>(dense.view().address()) % 64 == 0U);
    BOOST_TEST(dense.bytes() == n * 12);
    BOOST_TEST(elements<float>(dense) == std::vector<float>(static_cast<std::size_t>(3 * n), 0.0F));
    BOOST_TEST((dense.view().strides == Extents{3, 1}));
  }
}

BOOST_AUTO_TEST_CASE(scalars_and_empty_tensors_are_tensors) {
  BOOST_TEST(Dense::zeros(Dtype::f64, {}).size() == 1);
  BOOST_TEST(Dense::zeros(Dtype::f64, {4, 0, 2}).size() == 0);
  BOOST_TEST(Dense().size() == 0);
  BOOST_TEST(Dense::copy(Dense::zeros(Dtype::i16, {0, 3}).view(), Dtype::f64).extents() == (Extents{0, 3}));
}

BOOST_AUTO_TEST_CASE(copies_are_independent_and_moves_leave_nothing) {
  Dense a = from_values(counting<double>(5));
  Dense b = a;
  b.view().as<double>()[0] = 7;
  BOOST_TEST(a.view().as<double>()[0] == 0);
  a = b;
  BOOST_TEST(elements<double>(a) == (std::vector<double>{7, 1, 2, 3, 4}));
  const Dense c = std::move(a);
  BOOST_TEST(c.size() == 5);
  BOOST_TEST(a.size() == 0);  // NOLINT: moved from on purpose
  b = Dense();
  BOOST_TEST(b.size() == 0);
}

BOOST_AUTO_TEST_CASE(copies_from_any_strides_are_row_major) {
  const std::vector<double> values = counting<double>(24);
  const Dense transposed = Dense::copy(ConstArray(values.data(), Extents{4, 3, 2}, Extents{1, 4, 12}));
  for (std::int64_t i = 0; i < 4; ++i)
    for (std::int64_t j = 0; j < 3; ++j)
      for (std::int64_t k = 0; k < 2; ++k)
        BOOST_TEST(transposed.view().as<double>()[(i * 3 + j) * 2 + k] == static_cast<double>(i + 4 * j + 12 * k));
  const Dense repeated = Dense::copy(ConstArray(values.data() + 5, Extents{2, 2}, Extents{0, -2}));
  BOOST_TEST(elements<double>(repeated) == (std::vector<double>{5, 3, 5, 3}));
}

BOOST_AUTO_TEST_CASE(copies_into_any_strides) {
  const std::vector<float> values = counting<float>(6);
  std::vector<double> target(12, -1);
  copy_to(ConstArray(values.data(), Extents{2, 3}), Array(target.data(), Extents{2, 3}, Extents{2, 4}));
  BOOST_TEST(target == (std::vector<double>{0, -1, 3, -1, 1, -1, 4, -1, 2, -1, 5, -1}));
  BOOST_TEST(error_of([&] {
               copy_to(ConstArray(values.data(), Extents{2, 3}), Array(target.data(), Extents{3, 2}));
             }) ==
             "arrays of different extents cannot be copied\n"
             "  expected  3 x 2\n"
             "  found     2 x 3");
}

BOOST_AUTO_TEST_CASE(integers_become_reals_and_back) {
  const std::vector<std::int16_t> small{-32768, -1, 0, 32767};
  const Dense reals = Dense::copy(from_values(small).view(), Dtype::f32);
  BOOST_TEST(elements<float>(reals) == (std::vector<float>{-32768, -1, 0, 32767}));
  BOOST_TEST(elements<std::int16_t>(Dense::copy(reals.view(), Dtype::i16)) == small);
  const std::vector<std::int64_t> large{(std::int64_t{1} << 53) + 1};
  BOOST_TEST(elements<double>(Dense::copy(from_values(large).view(), Dtype::f64))[0] == 0x1p53);
  const std::vector<double> edge{-0x1p63, 0x1p62};
  BOOST_TEST(elements<std::int64_t>(Dense::copy(from_values(edge).view(), Dtype::i64))[0] ==
             std::numeric_limits<std::int64_t>::min());
}

BOOST_AUTO_TEST_CASE(reals_keep_their_special_values) {
  const Dense singles =
      Dense::copy(from_values(std::vector<double>{infinity, -infinity, std::nan(""), 0.1, 1e-300}).view(), Dtype::f32);
  const std::vector<float> values = elements<float>(singles);
  BOOST_TEST(values[0] == std::numeric_limits<float>::infinity());
  BOOST_TEST(values[1] == -std::numeric_limits<float>::infinity());
  BOOST_TEST(std::isnan(values[2]));
  BOOST_TEST(values[3] == 0.1F);
  BOOST_TEST(values[4] == 0.0F);
}

BOOST_AUTO_TEST_CASE(complex_elements_are_stored_and_copied) {
  using c64 = std::complex<float>;
  using c128 = std::complex<double>;
  const std::vector<c128> values{{1, 2}, {3, -4}};
  const Dense singles = Dense::copy(from_values(values).view(), Dtype::c64);
  BOOST_TEST((elements<c64>(singles)[1] == c64{3, -4}));
  BOOST_TEST((elements<c128>(Dense::copy(singles.view(), Dtype::c128)) == values));
  BOOST_TEST((elements<c128>(Dense::copy(from_values(std::vector<std::int32_t>{5}).view(), Dtype::c128))[0] == c128{5, 0}));
  BOOST_TEST(error_of([&] { Dense::copy(singles.view(), Dtype::f64); }) ==
             "complex elements (c64) cannot become real (f64)\n"
             "  expected  a complex type\n"
             "  found     f64\n"
             "  try       taking the real or the imaginary part first");
}

BOOST_AUTO_TEST_CASE(a_number_that_would_change_is_refused_with_its_place) {
  std::vector<double> values(6, 1);
  const auto convert = [&](Dtype type) { return error_of([&] { Dense::copy(ConstArray(values.data(), {2, 3}), type); }); };
  values[4] = 1e39;
  BOOST_TEST(convert(Dtype::f32) ==
             "an element of type f64 cannot become f32 without changing its value\n"
             "  found     1e+39 at [1,1]\n"
             "  try       keeping the type f64");
  values[4] = 1.5;
  BOOST_TEST(convert(Dtype::f32).empty());
  BOOST_TEST(convert(Dtype::i32).find("found     1.5 at [1,1]") != std::string::npos);
  for (double x : {32768.0, -32769.0, infinity, std::nan(""), 1e300}) {
    values[4] = x;
    BOOST_TEST(convert(Dtype::i16).find("at [1,1]") != std::string::npos, x);
  }
  values[4] = 0x1p63;
  BOOST_TEST(convert(Dtype::i64).find("at [1,1]") != std::string::npos);
  const Dense wide = from_values(std::vector<std::int64_t>{1, 40000});
  BOOST_TEST(error_of([&] { Dense::copy(wide.view(), Dtype::i16); }).find("40000 at [1]") != std::string::npos);
  const Dense complex = from_values(std::vector<std::complex<double>>{{1, 1e300}});
  BOOST_TEST(error_of([&] { Dense::copy(complex.view(), Dtype::c64); }).find("found     1 + 1e+300 i at [0]") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(tensors_beyond_all_memory_are_refused) {
  const std::int64_t large = std::int64_t{1} << 31;
  BOOST_TEST(error_of([&] {
               Dense::zeros(Dtype::f64, {large, large});
             }) ==
             "a tensor of 2147483648 x 2147483648 has too many elements\n"
             "  expected  fewer than 9223372036854775808 bytes");
  BOOST_TEST(!error_of([&] { Dense::zeros(Dtype::f64, {0, large, large}); }).empty());
  BOOST_TEST(Dense::zeros(Dtype::f64, {0, large, 2}).size() == 0);
  const std::string text = error_of([&] { Dense::zeros(Dtype::f64, {large, 1 << 20}); });
  BOOST_TEST(text.find("a tensor needs 18.0 PB of memory\n  found     a machine with ") == 0U, text);
  BOOST_TEST(text.find("\n  try       a smaller tensor or a larger machine") != std::string::npos, text);
}

BOOST_AUTO_TEST_CASE(extents_are_written_as_people_say_them) {
  BOOST_TEST(text_of(Extents{}) == "scalar");
  BOOST_TEST(text_of(Extents{5, 201, 61}) == "5 x 201 x 61");
}
