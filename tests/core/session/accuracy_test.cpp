// The reported error of fits that are nearly exact, where the expanded objective has no digits left.
#include "core/session/runs.hpp"

namespace tyto::session {

namespace {

/// A tensor with noise around known factors, which are the start of the run.
struct Nearly {
  Table x;
  std::string yaml;
};

Nearly nearly(const std::vector<std::int64_t>& extents, double noise, const std::string& more = "") {
  const std::string folder = fresh_folder("nearly");
  Nearly n{of_rank(extents, 2, 51, noise), "solver: {max_sweeps: 2, tolerance: 0}\n" + more + "\nunknowns:"};
  for (unsigned k = 0; k < extents.size(); ++k)
    n.yaml += "\n  A_" + std::to_string(k) +
              ": {init: {file: " + written(folder, std::to_string(k), plain::random({extents[k], 2}, 51 + k)) + "}}";
  return n;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(accuracy)

BOOST_AUTO_TEST_CASE(of_nearly_exact_fits) {
  for (const double noise : {1e-2, 1e-4, 1e-5, 1e-8, 1e-12, 0.0})
    for (const std::string executor : {"cpu", "reference"})
      for (const auto& extents : {std::vector<std::int64_t>{6, 5, 4}, {3, 4, 2, 5}, {7, 6}}) {
        const Nearly n = nearly(extents, noise, "execution: {executor: " + executor + "}");
        const Result r = checked(n.x, 2, n.yaml);
        BOOST_TEST(r.relative_error <= 1.01 * noise + 1e-14);
        if (noise == 0.01) BOOST_TEST(r.relative_error >= 0.3 * noise);
      }
}

BOOST_AUTO_TEST_CASE(of_weighted_fits) {
  const std::string folder = fresh_folder("weighted");
  Table weights = plain::random({6, 5, 4}, 52);
  for (double& w : weights.values) w = std::abs(w) < 0.2 ? 0 : std::abs(w);
  const std::string file = "data: {X: {weights: {file: " + written(folder, "w", weights) + "}}}";
  for (const double noise : {1e-1, 1e-5, 1e-8, 1e-12}) {
    const Nearly n = nearly(weights.extents, noise, file);
    checked(cp_als(n.x, 2, n.yaml), n.x, &weights);
  }
}

BOOST_AUTO_TEST_CASE(of_a_tensor_of_several_tiles) {
  const Nearly n = nearly({61, 83, 71}, 1e-6);  // the first mode is cut, and not into equal parts
  checked(n.x, 2, n.yaml);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace tyto::session
