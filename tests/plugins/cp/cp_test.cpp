// What the CP plugins reach, and what they call an end that is none.
#include <set>
#include "core/session/runs.hpp"

namespace tyto::session {

namespace {

Session cp(const std::string& algorithm, const Table& x, int rank, const std::string& yaml, const std::string& settings = "") {
  Session session = Session::from_text("algorithm: " + algorithm + "\nsettings: {rank: " + std::to_string(rank) +
                                       (settings.empty() ? "" : ", " + settings) + "}\n" + yaml);
  session.input("X", ConstArray(x.values.data(), x.extents));
  return session;
}

/// e100 + e010 + e001: rank 3, and the limit of tensors of rank 2.
Table w_state() { return {{2, 2, 2}, {0, 1, 1, 0, 1, 0, 0, 0}}; }

Table counted() {
  Table x{{3, 4, 2}, std::vector<double>(24)};
  for (std::size_t k = 0; k < 24; ++k) x.values[k] = static_cast<double>(k);
  return x;
}

/// Rank 5 with columns whose cosines are 0.95 in each mode, and noise of that size relative to it.
Table collinear(double noise) {
  std::vector<Table> factors;
  const std::vector<std::int64_t> extents{30, 40, 50};
  for (std::size_t n = 0; n < 3; ++n) {
    // Orthonormal columns times the Cholesky factor of the matrix of cosines.
    Table q = plain::random({extents[n], 5}, 11 + static_cast<unsigned>(n));
    const auto rows = static_cast<std::size_t>(extents[n]);
    for (std::size_t r = 0; r < 5; ++r) {
      for (int twice = 0; twice < 2; ++twice)
        for (std::size_t s = 0; s < r; ++s) {
          double dot = 0;
          for (std::size_t i = 0; i < rows; ++i) dot += q.values[i * 5 + r] * q.values[i * 5 + s];
          for (std::size_t i = 0; i < rows; ++i) q.values[i * 5 + r] -= dot * q.values[i * 5 + s];
        }
      double square = 0;
      for (std::size_t i = 0; i < rows; ++i) square += q.values[i * 5 + r] * q.values[i * 5 + r];
      for (std::size_t i = 0; i < rows; ++i) q.values[i * 5 + r] /= std::sqrt(square);
    }
    double cholesky[5][5] = {};
    for (std::size_t i = 0; i < 5; ++i)
      for (std::size_t j = 0; j <= i; ++j) {
        double rest = i == j ? 1 : 0.95;
        for (std::size_t k = 0; k < j; ++k) rest -= cholesky[i][k] * cholesky[j][k];
        cholesky[i][j] = i == j ? std::sqrt(rest) : rest / cholesky[j][j];
      }
    Table a{{extents[n], 5}, std::vector<double>(rows * 5, 0)};
    for (std::size_t i = 0; i < rows; ++i)
      for (std::size_t r = 0; r < 5; ++r)
        for (std::size_t k = 0; k <= r; ++k) a.values[i * 5 + r] += q.values[i * 5 + k] * cholesky[r][k];
    factors.push_back(a);
  }
  Table x = plain::contract({{factors[0], "ir"}, {factors[1], "jr"}, {factors[2], "kr"}}, "ijk");
  const Table e = plain::random(extents, 5);
  const double size = noise * plain::norm(x.values) / plain::norm(e.values);
  for (std::size_t k = 0; k < x.values.size(); ++k) x.values[k] += size * e.values[k];
  return x;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(cp_methods)

BOOST_AUTO_TEST_CASE(amino_acids_by_every_method) {
  const std::vector<double> known{0.59674117, 0.36368258, 0.02504852};
  const std::string data = "data: {X: {file: " TYTO_SOURCE_DIR "/share/data/aminoacid.txt, scale: auto}}\n";
  for (const std::string method : {"auto", "alternating", "gauss-newton", "newton"})
    for (int rank = 1; rank <= 3; ++rank) {
      const Result r = Session::from_text("algorithm: cp\nsettings: {rank: " + std::to_string(rank) + ", method: " + method +
                                          "}\n" + data + "solver: {max_sweeps: 1000, tolerance: 1e-13}")
                           .run();
      BOOST_TEST(std::abs(r.relative_error - known[static_cast<std::size_t>(rank - 1)]) < 1e-8,
                 method << " at rank " << rank << ": " << r.relative_error << ", " << r.outcome.reason);
    }
}

/// With each component scaled to 1 in the sample that holds its chemical alone, the mixtures have loadings that do not depend on
/// the method; see share/data/README.md.
BOOST_AUTO_TEST_CASE(amino_acids_load_on_the_mixtures_as_known) {
  const double known[3][2] = {{0.579, 0.329}, {0.403, 0.334}, {0.435, 0.378}}, digits = 6e-4;
  const std::string data = "data: {X: {file: " TYTO_SOURCE_DIR "/share/data/aminoacid.txt, scale: auto}}\n";
  for (const std::string algorithm : {"cp-als", "cp-gauss-newton", "cp"}) {
    const Result r = Session::from_text("algorithm: " + algorithm + "\nsettings: {rank: 3}\n" + data).run();
    const std::vector<double>& loadings = r.array("A_0").values;
    const auto at = [&](std::size_t sample, std::size_t component) { return loadings[sample * 3 + component]; };
    std::set<std::size_t> chemicals;
    for (std::size_t component = 0; component < 3; ++component) {
      std::size_t chemical = 0;  // the one of the three pure samples that has it
      for (std::size_t sample = 1; sample < 3; ++sample)
        if (std::abs(at(sample, component)) > std::abs(at(chemical, component))) chemical = sample;
      chemicals.insert(chemical);
      const double pure = at(chemical, component);
      for (std::size_t other = 0; other < 3; ++other)
        if (other != chemical) BOOST_TEST(std::abs(at(other, component) / pure) < 0.02, algorithm << ": sample " << other);
      for (std::size_t mixture = 0; mixture < 2; ++mixture)
        BOOST_TEST(std::abs(at(3 + mixture, component) / pure - known[chemical][mixture]) < digits,
                   algorithm << ": chemical " << chemical << ", mixture " << mixture);
    }
    BOOST_TEST(chemicals.size() == 3);
  }
}

BOOST_AUTO_TEST_CASE(degenerate_fits_are_named) {
  for (const Table& x : {w_state(), counted()}) {
    const Result two = cp("cp", x, 2, "solver: {max_sweeps: 500}").run();
    BOOST_CHECK_MESSAGE(two.outcome.stop == Stop::degenerate, two.outcome.reason);
    BOOST_TEST(two.outcome.reason.find("components 0 and 1 cancel each other (cosine -") == 0);
    BOOST_TEST(two.outcome.reason.find("ridge") != std::string::npos);
    const Result three = cp("cp", x, 3, "solver: {max_sweeps: 1000}").run();
    BOOST_TEST(three.relative_error < 1e-12);
    BOOST_CHECK_MESSAGE(three.outcome.stop == Stop::converged, three.outcome.reason);
  }
}

BOOST_AUTO_TEST_CASE(an_exact_fit_with_opposed_columns_is_no_alarm) {
  const Table ones{{2, 3, 4}, std::vector<double>(24, 1)};
  for (const std::string algorithm : {"cp-als", "cp-gauss-newton", "cp"})
    for (int seed = 1; seed <= 3; ++seed) {
      const Result r = cp(algorithm, ones, 3, "solver: {seed: " + std::to_string(seed) + "}").run();
      BOOST_CHECK_MESSAGE(r.outcome.stop == Stop::converged, algorithm << ": " << r.outcome.reason);
      BOOST_TEST(r.relative_error < 1e-8);
    }
}

BOOST_AUTO_TEST_CASE(gauss_newton_leaves_swamps) {
  const Table x = collinear(1e-6);
  const Result r = cp("cp-gauss-newton", x, 5, "solver: {starts: 10, max_sweeps: 100, tolerance: 0}").run();
  const double floor = 1e-6 * (1 - 1e-6);  // of the noise relative to the data
  std::vector<double> least(10, 1);
  for (const Progress& row : r.history) {
    double& of_start = least[static_cast<std::size_t>(row.start)];
    of_start = std::min(of_start, row.relative_error);
  }
  BOOST_TEST(std::count_if(least.begin(), least.end(), [&](double e) { return e <= 1.01 * floor; }) >= 9);
}

BOOST_AUTO_TEST_CASE(alternating_hands_over_where_it_crawls) {
  const Result r = cp("cp", collinear(1e-6), 5, "solver: {max_sweeps: 300}").run();
  BOOST_TEST(r.relative_error <= 1.01e-6);
  BOOST_REQUIRE(r.warnings.size() == 1);
  BOOST_TEST(r.warnings[0].find("alternating least squares crawls from sweep ") == 0);
  const auto by_gauss_newton = [](const Progress& row) {
    return std::any_of(row.columns.begin(), row.columns.end(),
                       [](const auto& c) { return c.first == "gauss-newton" && c.second == 1; });
  };
  BOOST_TEST(!by_gauss_newton(r.history.front()));
  BOOST_TEST(by_gauss_newton(r.history.back()));
  for (std::size_t k = 1; k < r.history.size(); ++k) BOOST_TEST(r.history[k].objective <= r.history[k - 1].objective * (1 + 1e-9));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace tyto::session
