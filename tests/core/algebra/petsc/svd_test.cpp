// SLEPc's singular values against LAPACK.
#include <boost/test/unit_test.hpp>
#include <limits>
#include "core/algebra/eigen_maps.hpp"
#include "core/algebra/loaded.hpp"

namespace tyto::algebra {
namespace {

const SvdSolver& solver() { return solvers().svd_solver("slepc-svd"); }

Values singular_values_of(Values matrix, std::int64_t rows, std::int64_t columns) {
  Values values(static_cast<std::size_t>(std::min(rows, columns))), unused(values.size());
  const auto m = static_cast<lapack_int>(rows), n = static_cast<lapack_int>(columns);
  BOOST_REQUIRE(LAPACKE_dgesvd(LAPACK_ROW_MAJOR, 'N', 'N', m, n, matrix.data(), n, values.data(), nullptr, 1, nullptr, 1,
                               unused.data()) == 0);
  return values;
}

void check_triplets(const LinearMap& a, const SvdOutcome& outcome, const Values& expected, double accuracy) {
  BOOST_CHECK_MESSAGE(outcome.outcome.stop == Stop::converged, outcome.outcome.reason);
  BOOST_REQUIRE(outcome.values.size() == expected.size());
  BOOST_REQUIRE(outcome.left.size() == expected.size() && outcome.right.size() == expected.size());
  const auto image = a.range(), back = a.domain();
  for (std::size_t k = 0; k < expected.size(); ++k) {
    BOOST_TEST(std::abs(outcome.values[k] - expected[k]) <= accuracy, outcome.values[k] << " is not " << expected[k]);
    a.apply(*outcome.right[k], *image);
    image->axpy(-outcome.values[k], *outcome.left[k]);
    a.apply_transposed(*outcome.left[k], *back);
    back->axpy(-outcome.values[k], *outcome.right[k]);
    BOOST_TEST(std::abs(std::max(image->norm(), back->norm()) - outcome.residuals[k]) <= 1e-13);
    for (std::size_t j = 0; j <= k; ++j) {
      BOOST_TEST(std::abs(outcome.left[k]->dot(*outcome.left[j]) - (j == k ? 1 : 0)) <= 1e-10);
      BOOST_TEST(std::abs(outcome.right[k]->dot(*outcome.right[j]) - (j == k ? 1 : 0)) <= 1e-10);
    }
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(slepc_svd)

BOOST_AUTO_TEST_CASE(agrees_with_lapack_at_every_shape) {
  Numbers numbers(31);
  const std::vector<std::pair<std::int64_t, std::int64_t>> shapes{{1, 1}, {1, 4}, {5, 2}, {3, 3}, {40, 30}, {20, 90}};
  for (const auto& [rows, columns] : shapes) {
    for (const std::int64_t count : {1, 3}) {
      BOOST_TEST_CONTEXT(rows << " x " << columns << ", count = " << count) {
        const Values matrix = numbers.take(rows * columns);
        Values expected = singular_values_of(matrix, rows, columns);
        if (expected.size() > static_cast<std::size_t>(count)) expected.resize(static_cast<std::size_t>(count));
        const DenseMap a(rows, columns, matrix);
        check_triplets(a, solver().solve(a, {.count = count}), expected, 1e-9);
      }
    }
  }
}

/// Values 1, 1e-5 and 1e-9 between random directions: A^T A would lose the last.
BOOST_AUTO_TEST_CASE(small_values_are_accurate_to_rounding_of_the_largest) {
  constexpr std::int64_t n = 40;
  Numbers numbers(32);
  Values spectrum(static_cast<std::size_t>(n), 0.0);
  spectrum[0] = 1, spectrum[1] = 1e-5, spectrum[2] = -1e-9;
  const DenseMap a(n, n, with_spectrum(spectrum, numbers));
  const SvdOutcome outcome = solver().solve(a, {.count = 3, .tolerance = 1e-14});
  BOOST_REQUIRE(outcome.values.size() == 3U);
  for (std::size_t k = 0; k < 3; ++k) BOOST_TEST(std::abs(outcome.values[k] - std::abs(spectrum[k])) <= 1e-14);
}

BOOST_AUTO_TEST_CASE(describes_itself_and_takes_options) {
  Numbers numbers(33);
  const DenseMap a(30, 30, numbers.take(900));
  std::string log;
  std::vector<std::string> unused;
  const Library library{.options = {{"svd_type", "cross"}, {"svd_nonsense", "1"}},
                        .log = [&](const std::string& text) { log += text; },
                        .unused = [&](const std::string& name) { unused.push_back(name); }};
  const SvdOutcome outcome = solver().solve(a, {.tolerance = 1e-8, .library = library});
  BOOST_CHECK_MESSAGE(outcome.outcome.stop == Stop::converged, outcome.outcome.reason);
  BOOST_TEST(log.find("type: cross") != std::string::npos, log);
  BOOST_TEST(unused == std::vector<std::string>{"svd_nonsense"}, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(limits_and_bad_numbers_have_names) {
  Numbers numbers(34);
  const DenseMap a(80, 80, numbers.take(6400));
  const SvdOutcome stopped = solver().solve(a, {.count = 2, .tolerance = 1e-14, .max_iterations = 1});
  BOOST_CHECK(stopped.outcome.stop == Stop::sweep_limit);
  BOOST_TEST(stopped.outcome.reason == "1 iterations, 0 of 2 triplets");
  Values broken = numbers.take(400);
  broken[3] = std::numeric_limits<double>::quiet_NaN();
  const SvdOutcome failed = solver().solve(DenseMap(20, 20, broken), {});
  BOOST_CHECK(failed.outcome.stop == Stop::failed);
  BOOST_TEST(failed.outcome.reason == "a number is not finite");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace tyto::algebra
