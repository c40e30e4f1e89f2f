// Values against what is declared of them, for every element type and layout.
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>
#include <numeric>
#include "error/fail.hpp"
#include "verify/facts.hpp"

namespace tyto::verify {

namespace {

const Declared symmetric{"A", {"i", "i'"}, {.symmetric = {{0, 1}}}};
const Declared orthonormal{"Q", {"i", "r"}, {.orthonormal = {1}}};

/// Nothing, or the findings as people see them.
std::string broken(const Declared& declared, const ConstArray& array) {
  const std::vector<Finding> findings = broken_facts(declared, array);
  for (const Finding& finding : findings) BOOST_TEST((finding.code == Code::contradiction));
  return findings.empty() ? "" : Error(findings).what();
}

template <class T>
std::string broken(const Declared& declared, const std::vector<T>& values, Extents extents) {
  return broken(declared, ConstArray(values.data(), std::move(extents)));
}

/// a(i,j,k) = (1 + i)(1 + j)(1 + k) + i + j + k
std::vector<double> symmetric_cube(std::int64_t n) {
  std::vector<double> a;
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t j = 0; j < n; ++j)
      for (std::int64_t k = 0; k < n; ++k) a.push_back(static_cast<double>((1 + i) * (1 + j) * (1 + k) + i + j + k));
  return a;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(symmetry)

BOOST_AUTO_TEST_CASE(a_symmetric_array_passes_in_every_element_type) {
  BOOST_TEST(broken(symmetric, std::vector<double>{1, 2.5, 2.5, 4}, {2, 2}).empty());
  BOOST_TEST(broken(symmetric, std::vector<float>{1, 2.5F, 2.5F, 4}, {2, 2}).empty());
  BOOST_TEST(broken(symmetric, std::vector<std::int16_t>{1, 2, 2, 4}, {2, 2}).empty());
  BOOST_TEST(broken(symmetric, std::vector<std::int32_t>{1, 2, 2, 4}, {2, 2}).empty());
  BOOST_TEST(broken(symmetric, std::vector<std::int64_t>{1, 2, 2, 4}, {2, 2}).empty());
  BOOST_TEST(broken(symmetric, std::vector<std::complex<float>>{1, {2, 1}, {2, 1}, 4}, {2, 2}).empty());
  BOOST_TEST(broken(symmetric, std::vector<std::complex<double>>{1, {2, 1}, {2, 1}, 4}, {2, 2}).empty());
}

BOOST_AUTO_TEST_CASE(another_array_is_refused_in_every_element_type) {
  const auto text = [](const std::string& expected, const std::string& found) {
    return "A is declared symmetric in i, i'\n"
           "  expected  A(1,0) = A(0,1) = " +
           expected +
           " of the largest magnitude\n"
           "  found     " +
           found +
           "\n"
           "  try       values that are symmetric, or a leaf without Facts::symmetric";
  };
  BOOST_TEST(broken(symmetric, std::vector<double>{1, 2.5, 3.5, 4}, {2, 2}) == text("2.5 within 1e-08", "3.5"));
  BOOST_TEST(broken(symmetric, std::vector<float>{1, 2.5F, 3.5F, 4}, {2, 2}) == text("2.5 within 0.0001", "3.5"));
  BOOST_TEST(broken(symmetric, std::vector<std::int16_t>{1, 2, 3, 4}, {2, 2}) == text("2 within 1e-08", "3"));
  BOOST_TEST(broken(symmetric, std::vector<std::int32_t>{1, 2, 3, 4}, {2, 2}) == text("2 within 1e-08", "3"));
  BOOST_TEST(broken(symmetric, std::vector<std::int64_t>{1, 2, 3, 4}, {2, 2}) == text("2 within 1e-08", "3"));
  BOOST_TEST(broken(symmetric, std::vector<std::complex<float>>{1, {2, 1}, {2, -1}, 4}, {2, 2}) ==
             text("2+1i within 0.0001", "2-1i"));
  BOOST_TEST(broken(symmetric, std::vector<std::complex<double>>{1, {2, 1}, {2, -1}, 4}, {2, 2}) ==
             text("2+1i within 1e-08", "2-1i"));
}

BOOST_AUTO_TEST_CASE(the_tolerance_is_relative_to_the_largest_magnitude) {
  const auto with = [](double scale, double change) {
    return broken(symmetric, std::vector<double>{0, scale, scale * (1 + change), -4 * scale}, {2, 2}).empty();
  };
  for (const double scale : {1e-200, 1.0, 1e200}) {
    BOOST_TEST(with(scale, 3.9e-8));
    BOOST_TEST(!with(scale, 4.1e-8));
  }
  const auto single = [](float change) { return broken(symmetric, std::vector<float>{1, 1, 1 + change, 1}, {2, 2}).empty(); };
  BOOST_TEST(single(0.5e-4F));
  BOOST_TEST(!single(2e-4F));
}

BOOST_AUTO_TEST_CASE(three_axes_are_exchanged_in_every_way) {
  const Declared cube{"T", {"i", "i'", "i''"}, {.symmetric = {{0, 1, 2}}}};
  const std::vector<double> values = symmetric_cube(3);
  BOOST_TEST(broken(cube, values, {3, 3, 3}).empty());
  for (std::size_t k = 0; k < values.size(); ++k) {
    std::vector<double> other = values;
    other[k] += 0.25;
    const bool is_diagonal = k == 0 || k == 13 || k == 26;
    BOOST_TEST(broken(cube, other, {3, 3, 3}).empty() == is_diagonal);
  }
  std::vector<double> other = values;
  other[2 * 9 + 0 * 3 + 1] += 0.25;
  BOOST_TEST(broken(cube, other, {3, 3, 3}) ==
             "T is declared symmetric in i, i', i''\n"
             "  expected  T(2,0,1) = T(0,1,2) = 9 within 1e-08 of the largest magnitude\n"
             "  found     9.25\n"
             "  try       values that are symmetric, or a leaf without Facts::symmetric");
}

BOOST_AUTO_TEST_CASE(axes_outside_the_group_are_left_alone) {
  std::vector<double> values(2 * 3 * 2);
  for (std::size_t b = 0; b < 3; ++b)
    for (std::size_t i = 0; i < 2; ++i)
      for (std::size_t j = 0; j < 2; ++j) values[i * 6 + b * 2 + j] = static_cast<double>(b * 10 + i + j);
  const Declared outer{"A", {"i", "b", "j"}, {.symmetric = {{2, 0}}}};
  BOOST_TEST(broken(outer, values, {2, 3, 2}).empty());
  values[6 + 2 + 0] = 7;  // A(1,1,0)
  BOOST_TEST(broken(outer, values, {2, 3, 2}).find("A is declared symmetric in i, j\n  expected  A(1,1,0) = A(0,1,1) = 11 ") == 0);
}

BOOST_AUTO_TEST_CASE(every_group_that_is_not_symmetric_is_named) {
  const Declared pairs{"A", {"i", "i'", "j", "j'"}, {.symmetric = {{0, 1}, {2, 3}}}};
  std::vector<double> values(16, 1);
  BOOST_TEST(broken_facts(pairs, ConstArray(values.data(), {2, 2, 2, 2})).empty());
  values[4 + 2] = 2;  // A(0,1,1,0)
  const std::vector<Finding> both = broken_facts(pairs, ConstArray(values.data(), {2, 2, 2, 2}));
  BOOST_TEST_REQUIRE(both.size() == 2U);
  BOOST_TEST(both[0].what == "A is declared symmetric in i, i'");
  BOOST_TEST(both[1].what == "A is declared symmetric in j, j'");
}

BOOST_AUTO_TEST_CASE(strides_of_any_sign_are_followed) {
  // Columns backwards, every second number.
  std::vector<double> memory(24, std::numeric_limits<double>::quiet_NaN());
  const auto place = [](std::size_t i, std::size_t j) { return 4 + 8 * i - 2 * j; };
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) memory[place(i, j)] = static_cast<double>(i + j);
  const ConstArray array(memory.data() + 4, {3, 3}, {8, -2});
  BOOST_TEST(broken(symmetric, array).empty());
  memory[place(2, 1)] = -7;
  BOOST_TEST(broken(symmetric, array).find("A(2,1) = A(1,2) = 3 within 1e-08") != std::string::npos);
  const std::vector<double> one{5};
  BOOST_TEST(broken(symmetric, ConstArray(one.data(), {3, 3}, {0, 0})).empty());
}

BOOST_AUTO_TEST_CASE(what_is_no_number_is_symmetric_to_nothing) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
  BOOST_TEST(!broken(symmetric, std::vector<double>{1, nan, 2, 1}, {2, 2}).empty());
  BOOST_TEST(!broken(symmetric, std::vector<double>{1, 2, nan, 1}, {2, 2}).empty());
  BOOST_TEST(!broken(symmetric, std::vector<double>{1, infinity, 2, 1}, {2, 2}).empty());
  BOOST_TEST(!broken(symmetric, std::vector<double>{infinity, 2, 3, 1}, {2, 2}).empty());
  BOOST_TEST(broken(symmetric, std::vector<double>{1, infinity, infinity, 1}, {2, 2}).empty());
  BOOST_TEST(broken(symmetric, std::vector<double>{nan, 2, 2, 1}, {2, 2}).empty());  // on the diagonal it is nothing's mirror
}

BOOST_AUTO_TEST_CASE(nothing_is_symmetric) {
  BOOST_TEST(broken(symmetric, std::vector<double>{}, {0, 0}).empty());
  BOOST_TEST(broken(symmetric, std::vector<double>{0, 0, 0, 0}, {2, 2}).empty());
  BOOST_TEST(!broken(symmetric, std::vector<double>{0, 0, 1e-300, 0}, {2, 2}).empty());
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(orthonormality)

BOOST_AUTO_TEST_CASE(columns_of_a_rotation_pass_in_every_element_type) {
  const auto passes = [](auto zero) {
    using T = decltype(zero);
    const T cosine = T(3) / T(5), sine = T(4) / T(5);
    const std::vector<T> values{cosine, -sine, 0, 0, sine, cosine};
    return broken(orthonormal, values, {3, 2}).empty();
  };
  BOOST_TEST(passes(0.0));
  BOOST_TEST(passes(0.0F));
  BOOST_TEST(passes(std::complex<double>()));
  BOOST_TEST(passes(std::complex<float>()));
  BOOST_TEST(broken(orthonormal, std::vector<std::int32_t>{0, -1, 1, 0}, {2, 2}).empty());
}

BOOST_AUTO_TEST_CASE(the_worst_scalar_product_is_shown) {
  BOOST_TEST(broken(orthonormal, std::vector<double>{1, 0.5, 0, 0.9}, {2, 2}) ==
             "Q is declared orthonormal in r\n"
             "  expected  the sum over i of Q(i,0) Q(i,1) = 0 within 1e-08\n"
             "  found     0.5\n"
             "  try       values that are orthonormal, or a leaf without Facts::orthonormal");
  BOOST_TEST(broken(orthonormal, std::vector<float>{1, 0, 0, 2}, {2, 2}) ==
             "Q is declared orthonormal in r\n"
             "  expected  the sum over i of Q(i,1) Q(i,1) = 1 within 0.0001\n"
             "  found     4\n"
             "  try       values that are orthonormal, or a leaf without Facts::orthonormal");
}

BOOST_AUTO_TEST_CASE(the_first_of_complex_vectors_is_conjugated) {
  const double h = std::sqrt(0.5);
  const std::complex<double> i(0, 1);
  BOOST_TEST(broken(orthonormal, std::vector<std::complex<double>>{h, h, i * h, -i * h}, {2, 2}).empty());
  const std::vector<std::complex<double>> without_conjugation{h, -i * h, i * h, h};  // sum of q q' is 0, of conj(q) q' it is -i
  BOOST_TEST(broken(orthonormal, without_conjugation, {2, 2}) ==
             "Q is declared orthonormal in r\n"
             "  expected  the sum over i of conj(Q(i,0)) Q(i,1) = 0 within 1e-08\n"
             "  found     0-1i\n"
             "  try       values that are orthonormal, or a leaf without Facts::orthonormal");
}

BOOST_AUTO_TEST_CASE(the_tolerance_is_that_of_the_element_type) {
  const auto with = [](double change) { return broken(orthonormal, std::vector<double>{1, change, 0, 1}, {2, 2}).empty(); };
  BOOST_TEST(with(0.9e-8));
  BOOST_TEST(!with(1.1e-8));
  const auto single = [](float change) { return broken(orthonormal, std::vector<float>{1, change, 0, 1}, {2, 2}).empty(); };
  BOOST_TEST(single(0.9e-4F));
  BOOST_TEST(!single(1.1e-4F));
}

BOOST_AUTO_TEST_CASE(several_axes_number_vectors_with_entries_along_several) {
  // Q(r,i,s,j): the four unit matrices, numbered by r and s.
  std::vector<double> values(16, 0);
  for (std::size_t r = 0; r < 2; ++r)
    for (std::size_t s = 0; s < 2; ++s) values[r * 8 + r * 4 + s * 2 + s] = 1;
  const Declared matrices{"Q", {"r", "i", "s", "j"}, {.orthonormal = {2, 0}}};
  BOOST_TEST(broken(matrices, values, {2, 2, 2, 2}).empty());
  values[8] = 0.25;  // Q(1,0,0,0): overlaps with the vector r = 0, s = 0
  BOOST_TEST(broken(matrices, values, {2, 2, 2, 2}) ==
             "Q is declared orthonormal in s, r\n"
             "  expected  the sum over i, j of Q(0,i,0,j) Q(1,i,0,j) = 0 within 1e-08\n"
             "  found     0.25\n"
             "  try       values that are orthonormal, or a leaf without Facts::orthonormal");
}

BOOST_AUTO_TEST_CASE(strides_of_any_sign_are_followed) {
  const std::vector<double> memory{0.6, 9, -0.8, 9, 0.8, 9, 0.6, 9};
  BOOST_TEST(broken(orthonormal, ConstArray(memory.data() + 2, {2, 2}, {4, -2})).empty());
  BOOST_TEST(!broken(orthonormal, ConstArray(memory.data() + 2, {2, 2}, {4, -1})).empty());
}

BOOST_AUTO_TEST_CASE(more_vectors_than_entries_are_told_without_a_product) {
  BOOST_TEST(broken(orthonormal, std::vector<double>(6, 1), {2, 3}) ==
             "Q is declared orthonormal in r\n"
             "  expected  at most as many vectors as they have entries, 2\n"
             "  found     3\n"
             "  try       values that are orthonormal, or a leaf without Facts::orthonormal");
  const double one = 1;  // as many products as this would not fit any memory
  BOOST_TEST(!broken(orthonormal, ConstArray(&one, {3, std::int64_t{1} << 40}, {0, 0})).empty());
  BOOST_TEST(!broken(orthonormal, std::vector<double>{}, {0, 3}).empty());
}

BOOST_AUTO_TEST_CASE(no_vectors_are_orthonormal) { BOOST_TEST(broken(orthonormal, std::vector<double>{}, {3, 0}).empty()); }

BOOST_AUTO_TEST_CASE(a_scalar_product_of_no_axes_is_one_product) {
  const Declared number{"Q", {"r"}, {.orthonormal = {0}}};
  BOOST_TEST(broken(number, std::vector<double>{-1}, {1}).empty());
  BOOST_TEST(broken(number, std::vector<double>{2}, {1}).find("expected  Q(0) Q(0) = 1 within 1e-08\n  found     4\n") !=
             std::string::npos);
}

BOOST_AUTO_TEST_CASE(what_is_no_number_is_not_orthonormal) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  BOOST_TEST(broken(orthonormal, std::vector<double>{1, 0, 0, nan}, {2, 2}).find("found     ") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_CASE(of_a_leaf_without_facts_nothing_is_asked) {
  BOOST_TEST(broken({"A", {"i", "j"}}, std::vector<double>{1, 2, 3, 4}, {2, 2}).empty());
}

}  // namespace tyto::verify
