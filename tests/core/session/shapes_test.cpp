// Tensors of every order and odd shape, with answers that are known.
#include "core/session/runs.hpp"
#include <lapacke.h>

namespace tyto::session {

BOOST_AUTO_TEST_SUITE(shapes)

BOOST_AUTO_TEST_CASE(recovers_tensors_of_orders_two_to_six) {
  for (const auto& extents :
       std::vector<std::vector<std::int64_t>>{{6, 5}, {5, 4, 6}, {4, 3, 5, 2}, {3, 4, 2, 3, 2}, {2, 3, 2, 3, 2, 2}}) {
    const Result r = checked(of_rank(extents, 2, 31), 2, "solver: {max_sweeps: 3000, tolerance: 1e-13, starts: 3}");
    BOOST_TEST(r.relative_error <= 1e-6, "order " << extents.size() << ": " << r.relative_error);
  }
}

BOOST_AUTO_TEST_CASE(modes_of_extent_one) {
  const Result r = checked(plain::random({1, 7, 1}, 32), 2, "");
  BOOST_TEST(r.relative_error <= 1e-15);
  BOOST_TEST((r.outcome.stop == Stop::converged));
  checked(plain::random({4, 1, 3, 1}, 33), 2, "");
}

BOOST_AUTO_TEST_CASE(a_vector_is_fitted_exactly) { BOOST_TEST(checked(plain::random({9}, 34), 1, "").relative_error <= 1e-15); }

BOOST_AUTO_TEST_CASE(a_rank_above_every_mode) {
  const Result r = checked(plain::random({3, 4, 2}, 35), 8, "");
  BOOST_TEST(r.relative_error <= 1e-9);
  BOOST_TEST(std::count(r.warnings.begin(), r.warnings.end(),
                        "the equations for A_0 are rank deficient; the solution of minimum norm is taken") <= 1);
}

BOOST_AUTO_TEST_CASE(a_matrix_gets_the_error_of_its_truncated_svd) {
  const Table x = plain::random({5, 4}, 36);
  std::vector<double> copy = x.values, values(4), unused(4);
  BOOST_REQUIRE_EQUAL(
      LAPACKE_dgesvd(LAPACK_ROW_MAJOR, 'N', 'N', 5, 4, copy.data(), 4, values.data(), nullptr, 5, nullptr, 4, unused.data()), 0);
  const double expected = std::hypot(values[2], values[3]) / plain::norm(values);
  BOOST_TEST(std::abs(checked(x, 2, "solver: {tolerance: 1e-14}").relative_error - expected) <= 1e-7);
}

BOOST_AUTO_TEST_CASE(ones_at_rank_two) {
  const Result r = checked(plain::filled({2, 3, 4}, 1), 2, "");
  BOOST_TEST(r.relative_error <= 1e-12);
}

BOOST_AUTO_TEST_CASE(the_zero_tensor) {
  const Result r = checked(plain::filled({3, 4, 2}, 0), 2, "");
  BOOST_TEST(r.relative_error == 0);
  BOOST_TEST(r.objective == 0);
  BOOST_TEST((r.outcome.stop == Stop::converged));
  BOOST_TEST(r.outcome.reason == "relative error 0: exact to rounding");
}

BOOST_AUTO_TEST_CASE(the_w_state_has_rank_three_and_border_rank_two) {
  Table w = plain::filled({2, 2, 2}, 0);
  for (const std::size_t k : {1U, 2U, 4U}) w.values[k] = 1 / std::sqrt(3.0);
  BOOST_TEST(std::abs(checked(w, 1, "").relative_error - 0.745355992) <= 1e-9);
  BOOST_TEST(checked(w, 3, "solver: {max_sweeps: 5000, tolerance: 0, starts: 3}").relative_error < 1e-7);
}

BOOST_AUTO_TEST_CASE(integers_in_a_file) {
  const std::string folder = fresh_folder("integers");
  const std::vector<std::int64_t> numbers{1, 2, 2, 4, 3, 6, 10, 20, 20, 40, 30, 60};  // (1,10) x (1,2,3) x (1,2)
  tensor::write_npy(folder + "/x.npy", ConstArray(numbers.data(), {2, 3, 2}));
  const Result r = cp_als(1, "data: {X: {file: " + folder + "/x.npy}}").run();
  BOOST_TEST(r.relative_error <= 1e-15);
  BOOST_TEST(plain::distance(model_of(r).values, std::vector<double>(numbers.begin(), numbers.end())) <= 1e-13);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace tyto::session
