// Orthonormal bases of matrices, and the matrices that arrays unfold to.
#include "solve/basis.hpp"
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>
#include "tensor/random.hpp"

namespace tyto::solve {

namespace {

std::vector<double> random_values(std::int64_t count, const std::string& name) {
  const tensor::Random random(5, name);
  std::vector<double> values;
  for (std::int64_t k = 0; k < count; ++k) values.push_back(random.normal(k));
  return values;
}

double at(const std::vector<double>& m, std::int64_t columns, std::int64_t i, std::int64_t j) {
  return m[static_cast<std::size_t>(i * columns + j)];
}

/// The largest entry of U^T U - I.
double off_orthonormal(const std::vector<double>& u, std::int64_t rows, std::int64_t count) {
  double farthest = 0;
  for (std::int64_t r = 0; r < count; ++r)
    for (std::int64_t s = 0; s < count; ++s) {
      double product = r == s ? -1 : 0;
      for (std::int64_t i = 0; i < rows; ++i) product += at(u, count, i, r) * at(u, count, i, s);
      farthest = std::max(farthest, std::abs(product));
    }
  return farthest;
}

/// |Y^T u_r|^2 for each vector.
std::vector<double> captured(const std::vector<double>& y, std::int64_t columns, const std::vector<double>& u, std::int64_t count) {
  const auto rows = static_cast<std::int64_t>(y.size()) / columns;
  std::vector<double> squares(static_cast<std::size_t>(count), 0);
  for (std::int64_t r = 0; r < count; ++r)
    for (std::int64_t j = 0; j < columns; ++j) {
      double product = 0;
      for (std::int64_t i = 0; i < rows; ++i) product += at(u, count, i, r) * at(y, columns, i, j);
      squares[static_cast<std::size_t>(r)] += product * product;
    }
  return squares;
}

/// diag(scale) * random orthonormal rows: singular values known, left vectors the axes.
std::vector<double> with_values(const std::vector<double>& values, std::int64_t columns) {
  const auto rows = static_cast<std::int64_t>(values.size());
  const std::vector<double> any = random_values(columns * rows, "right");
  const Basis right = leading_basis(Unfolding(ConstArray(any.data(), {columns, rows}), 0), rows, Route::orthogonal);
  std::vector<double> y;
  for (std::int64_t i = 0; i < rows; ++i)
    for (std::int64_t j = 0; j < columns; ++j) y.push_back(values[static_cast<std::size_t>(i)] * at(right.vectors, rows, j, i));
  return y;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(basis)

BOOST_AUTO_TEST_CASE(an_unfolding_is_read_in_place_or_copied_with_one_gram) {
  const std::vector<double> x = random_values(2 * 3 * 4, "x");
  for (const std::vector<std::int64_t>& strides :
       {std::vector<std::int64_t>{12, 4, 1}, {1, 2, 6}, {4, 8, 1}, {3, 1, 6}}) {  // the same numbers, laid out in many ways
    const ConstArray array{x.data(), Dtype::f64, {2, 3, 4}, strides};
    for (std::int32_t axis = 0; axis < 3; ++axis) {
      const Unfolding y(array, axis);
      const std::vector<double> rows = y.by_rows(), gram = y.gram();
      for (std::int64_t i = 0; i < y.rows(); ++i)
        for (std::int64_t k = 0; k < y.rows(); ++k) {
          double expected = 0;
          for (std::int64_t j = 0; j < y.columns(); ++j) expected += at(rows, y.columns(), i, j) * at(rows, y.columns(), k, j);
          BOOST_TEST(std::abs(at(gram, y.rows(), i, k) - expected) <= 1e-13);
        }
    }
  }
  const ConstArray array(x.data(), {2, 3, 4});
  const std::vector<double> middle = Unfolding(array, 1).by_rows();
  BOOST_TEST(at(middle, 8, 2, 5) == x[12 + 2 * 4 + 1]);
}

BOOST_AUTO_TEST_CASE(both_routes_find_the_same_vectors) {
  for (const auto& [rows, columns] : {std::pair{6, 40}, {6, 6}, {9, 4}, {1, 5}, {5, 1}}) {
    const std::vector<double> y = random_values(rows * columns, "y");
    const Unfolding unfolded(ConstArray(y.data(), {rows, columns}), 0);
    const std::int64_t count = std::min({3, rows, columns});
    const Basis a = leading_basis(unfolded, count, Route::gram), b = leading_basis(unfolded, count, Route::orthogonal);
    BOOST_TEST(off_orthonormal(a.vectors, rows, count) <= 1e-13);
    BOOST_TEST(off_orthonormal(b.vectors, rows, count) <= 1e-13);
    const std::vector<double> squares = captured(y, columns, b.vectors, count);
    for (std::size_t k = 0; k < a.vectors.size(); ++k) BOOST_TEST(std::abs(a.vectors[k] - b.vectors[k]) <= 1e-10);
    for (std::int64_t r = 0; r < count; ++r)
      BOOST_TEST(std::abs(squares[static_cast<std::size_t>(r)] - b.squares[static_cast<std::size_t>(r)]) <= 1e-12 * b.squares[0]);
  }
}

BOOST_AUTO_TEST_CASE(a_gram_matrix_that_would_lose_digits_is_refused) {
  const auto route_for = [](const std::vector<double>& values, std::int64_t count) {
    const std::vector<double> y = with_values(values, 12);
    return leading_basis(Unfolding(ConstArray(y.data(), {static_cast<std::int64_t>(values.size()), 12}), 0), count, Route::gram)
        .route;
  };
  BOOST_TEST((route_for({1, 1e-2, 1e-3}, 2) == Route::gram));
  BOOST_TEST((route_for({1, 1e-7, 1e-8}, 2) == Route::orthogonal));  // kept, and hardly seen beside 1
  BOOST_TEST((route_for({1, 0.5, 1e-8}, 2) == Route::orthogonal));   // what is left out is what the run is about
  BOOST_TEST((route_for({1, 0.5, 1e-8}, 3) == Route::gram));         // nothing is left out
  BOOST_TEST((route_for({0, 0, 0}, 2) == Route::gram));
}

BOOST_AUTO_TEST_CASE(small_singular_values_are_found_to_rounding_of_the_largest) {
  const std::vector<double> y = with_values({1, 1e-10, 1e-12, 1e-14}, 9);
  const Basis found = leading_basis(Unfolding(ConstArray(y.data(), {4, 9}), 0), 2, Route::gram);
  BOOST_TEST(std::abs(found.vectors[0] - 1) <= 1e-15);
  BOOST_TEST(std::abs(at(found.vectors, 2, 1, 1) - 1) <= 1e-4);  // 1e-12 and eps beside 1e-10
  BOOST_TEST(std::abs(std::sqrt(found.squares[1]) / 1e-10 - 1) <= 1e-4);
}

BOOST_AUTO_TEST_CASE(more_vectors_than_columns_are_completed) {
  const std::vector<double> y = random_values(7 * 2, "tall");
  const Basis found = leading_basis(Unfolding(ConstArray(y.data(), {7, 2}), 0), 5, Route::gram);
  BOOST_TEST(off_orthonormal(found.vectors, 7, 5) <= 1e-13);
  const std::vector<double> squares = captured(y, 2, found.vectors, 5);
  for (std::size_t r = 2; r < 5; ++r) BOOST_TEST(squares[r] <= 1e-28);
}

BOOST_AUTO_TEST_CASE(the_entry_of_largest_magnitude_of_each_vector_is_positive) {
  std::vector<double> y = random_values(5 * 20, "signs");
  for (const Route route : {Route::gram, Route::orthogonal}) {
    const Basis found = leading_basis(Unfolding(ConstArray(y.data(), {5, 20}), 0), 4, route);
    for (std::int64_t r = 0; r < 4; ++r) {
      double largest = 0;
      for (std::int64_t i = 0; i < 5; ++i)
        if (std::abs(at(found.vectors, 4, i, r)) > std::abs(largest)) largest = at(found.vectors, 4, i, r);
      BOOST_TEST(largest > 0);
    }
  }
}

BOOST_AUTO_TEST_CASE(what_is_not_finite_has_no_basis) {
  for (const auto& [rows, columns] : {std::pair{2, 3}, {3, 2}})
    for (const Route route : {Route::gram, Route::orthogonal}) {
      std::vector<double> y(6, 1);
      y[4] = std::numeric_limits<double>::quiet_NaN();
      BOOST_TEST(!leading_basis(Unfolding(ConstArray(y.data(), {rows, columns}), 0), 1, route).is_finite);
    }
}

BOOST_AUTO_TEST_CASE(single_precision_is_decomposed_in_double) {
  const std::vector<float> y{3, 0, 0, 4};
  const ConstArray array{y.data(), Dtype::f32, {2, 2}, {2, 1}};
  const Basis found = leading_basis(Unfolding(array, 0), 1, Route::gram);
  BOOST_TEST(std::abs(found.vectors[1] - 1) <= 1e-15);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace tyto::solve
