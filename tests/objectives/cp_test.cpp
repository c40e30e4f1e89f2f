// Variants of CP that the core has never seen: each block update is the least-squares solution of minimum norm.
#include "objectives/check_updates.hpp"

namespace tyto::objectives {

using plain::Table;
using plain::Tables;

namespace {

/// Residuals of a CP model of any order with factors PREFIX0, PREFIX1, ... of shape (mode, rank).
Residuals cp_residuals(const Table& x, const std::string& prefix = "A_") {
  return [=](const Tables& t) {
    const std::string modes = std::string("ijklmn").substr(0, x.extents.size());
    std::vector<plain::Factor> factors;
    for (std::size_t n = 0; n < modes.size(); ++n)
      factors.push_back({t.at(prefix + std::to_string(n)), std::string{modes[n], 'r'}});
    return plain::minus(plain::contract(factors, modes), x).values;
  };
}

std::string rank(int r) { return "settings: {rank: " + std::to_string(r) + "}\n"; }

/// A factor whose second column is its first again.
Table with_equal_columns(std::int64_t rows, std::int64_t columns, unsigned seed) {
  Table t = plain::random({rows, columns}, seed);
  for (std::int64_t i = 0; i < rows; ++i)
    t.values[static_cast<std::size_t>(i * columns + 1)] = t.values[static_cast<std::size_t>(i * columns)];
  return t;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(cp)

BOOST_AUTO_TEST_CASE(a_factor_times_a_known_matrix) {
  for (const auto& [shape, q] : std::vector<std::pair<std::vector<std::int64_t>, std::vector<std::int64_t>>>{
           {{4, 5, 6}, {3, 2}},  // B has more columns than the rank: its solution is not unique
           {{5, 3, 4}, {2, 3}},
           {{3, 6, 2}, {4, 4}},
           {{1, 4, 3}, {1, 2}}}) {
    const Tables inputs{{"X", plain::random(shape, 1)}, {"Q", plain::random(q, 2)}};
    check_updates(
        {"cp-mixed", inputs, "settings: {}"},
        [&](const Tables& t) {
          return plain::minus(
                     plain::contract({{t.at("B"), "ip"}, {inputs.at("Q"), "pr"}, {t.at("V"), "jr"}, {t.at("W"), "kr"}}, "ijk"),
                     inputs.at("X"))
              .values;
        },
        3);
  }
}

BOOST_AUTO_TEST_CASE(coupled_with_a_matrix) {
  for (const auto& [shape, columns, r] :
       {std::tuple{std::vector<std::int64_t>{4, 5, 3}, 6, 2}, {{3, 2, 7}, 1, 3}, {{6, 4, 1}, 2, 5}}) {
    const Tables inputs{{"X", plain::random(shape, 3)}, {"Y", plain::random({shape[0], columns}, 4)}};
    check_updates(
        {"coupled", inputs, "settings: {rank: " + std::to_string(r) + ", share: 2.25}"},
        [&](const Tables& t) {
          std::vector<double> all =
              plain::minus(plain::contract({{t.at("A"), "ir"}, {t.at("B"), "jr"}, {t.at("C"), "kr"}}, "ijk"), inputs.at("X"))
                  .values;
          append(all, plain::minus(plain::contract({{t.at("A"), "ir"}, {t.at("V"), "mr"}}, "im"), inputs.at("Y")), 1.5);
          return all;
        },
        4);
  }
}

BOOST_AUTO_TEST_CASE(two_known_factors) {
  for (const int r : {1, 3, 5}) {
    const Tables inputs{{"X", plain::random({5, 4, 3}, 5)}, {"B", plain::random({4, r}, 6)}, {"C", plain::random({3, r}, 7)}};
    check_updates(
        {"cp-two-known", inputs, "settings: {}"},
        [&](const Tables& t) {
          return plain::minus(plain::contract({{t.at("A"), "ir"}, {inputs.at("B"), "jr"}, {inputs.at("C"), "kr"}}, "ijk"),
                              inputs.at("X"))
              .values;
        },
        1);
  }
}

BOOST_AUTO_TEST_CASE(two_factors_that_the_user_fixes) {
  const std::string folder = fresh_folder("fixed");
  const Table x = plain::random({5, 4, 3}, 5), b = plain::random({5, 2}, 6), c = plain::random({3, 2}, 7);
  const std::string fixed = "unknowns: {A_0: {fixed: true, init: {file: " + written(folder, "b", b) +
                            "}}, A_2: {fixed: true, init: {file: " + written(folder, "c", c) + "}}}";
  check_updates({"cp-als", {{"X", x}}, rank(2) + fixed}, cp_residuals(x), 1);
  const Watched w = watched_sweep("cp-als", {{"X", x}}, rank(2) + fixed);
  BOOST_TEST(w.last.at("A_0").values == b.values);
  BOOST_TEST(w.last.at("A_2").values == c.values);
}

BOOST_AUTO_TEST_CASE(weights_that_are_data) {
  for (const auto& shape : {std::vector<std::int64_t>{4, 5, 3}, {2, 3, 4, 2}, {6, 5}}) {
    Table w = plain::random(shape, 8);
    for (std::size_t k = 0; k < w.values.size(); ++k)
      if (k % 3 == 0) w.values[k] = 0;  // entries that are not known
    for (std::size_t k = 0; k < w.values.size() / static_cast<std::size_t>(shape[0]); ++k) w.values[k] = 0;  // a slice without any
    const Tables inputs{{"X", plain::random(shape, 9)}, {"W", w}};
    const Residuals unweighted = cp_residuals(inputs.at("X"));
    check_updates(
        {"cp-masked", inputs, rank(2)},
        [&](const Tables& t) {
          std::vector<double> all = unweighted(t);
          for (std::size_t k = 0; k < all.size(); ++k) all[k] *= w.values[k];
          return all;
        },
        shape.size());
  }
}

BOOST_AUTO_TEST_CASE(weights_and_a_mask_of_the_user) {
  const std::string folder = fresh_folder("weights");
  const std::vector<std::int64_t> shape{4, 5, 3};
  const Table x = plain::random(shape, 10);
  Table weights = plain::random(shape, 11), mask = plain::filled(shape, 1);
  for (double& v : weights.values) v = std::abs(v);
  for (std::size_t k = 0; k < mask.values.size(); k += 4) mask.values[k] = 0;
  for (std::size_t k = 0; k < 15; ++k) mask.values[k] = k < 1 ? 1 : 0;  // one entry known for two unknowns
  const std::string files = "data: {X: {mask: {file: " + written(folder, "mask", mask) +
                            "}, weights: {file: " + written(folder, "weights", weights) + "}}}\n";
  const Residuals unweighted = cp_residuals(x);
  check_updates(
      {"cp-als", {{"X", x}}, files + rank(2)},
      [&](const Tables& t) {
        std::vector<double> all = unweighted(t);
        for (std::size_t k = 0; k < all.size(); ++k) all[k] *= std::sqrt(weights.values[k]) * mask.values[k];
        return all;
      },
      3);
}

BOOST_AUTO_TEST_CASE(order_six) {
  const Table x = plain::random({2, 3, 2, 4, 1, 3}, 12);
  for (const int r : {1, 2, 4})
    check_updates(
        {"cp-order-six", {{"X", x}}, rank(r)},
        [&](const Tables& t) {
          std::vector<plain::Factor> factors;
          for (std::size_t n = 0; n < 6; ++n) factors.push_back({t.at("F_" + std::to_string(n)), std::string{'r', "ijklmn"[n]}});
          std::vector<double> all;
          append(all, plain::minus(plain::contract(factors, "ijklmn"), x), std::sqrt(2.0));
          return all;
        },
        6);
}

BOOST_AUTO_TEST_CASE(a_ridge_in_the_objective_or_in_the_config) {
  const Table x = plain::random({4, 3, 5}, 13);
  const auto with_ridge = [&](const std::vector<double>& mu) -> Residuals {
    return [=](const Tables& t) {
      std::vector<double> all = cp_residuals(x)(t);
      for (std::size_t n = 0; n < 3; ++n) append(all, t.at("A_" + std::to_string(n)), std::sqrt(mu[n]));
      return all;
    };
  };
  check_updates({"cp-ridge", {{"X", x}}, "settings: {rank: 2, mu: 0.25}"}, with_ridge({0.25, 0.25, 0.25}), 3);
  check_updates({"cp-als", {{"X", x}}, rank(6) + "unknowns: {\"*\": {ridge: 0.25}, A_1: {ridge: 4}, A_2: {ridge: 0}}"},
                with_ridge({0.25, 4, 0}), 3);
}

BOOST_AUTO_TEST_CASE(minimum_norm_where_columns_are_equal_or_zero) {
  const Table x = plain::random({4, 3, 5}, 14);
  check_updates({"cp-als",
                 {{"X", x}},
                 rank(3) + starts("equal", {{"A_1", with_equal_columns(3, 3, 15)}, {"A_2", with_equal_columns(5, 3, 16)}})},
                cp_residuals(x), 3);
  check_updates({"cp-als", {{"X", x}}, rank(2) + starts("zero", {{"A_1", plain::filled({3, 2}, 0)}})}, cp_residuals(x), 3);
}

BOOST_AUTO_TEST_CASE(minimum_norm_where_the_rank_exceeds_the_equations) {
  for (const auto& shape : {std::vector<std::int64_t>{2, 2, 7}, {1, 7, 1}, {3, 4}, {5}, {2, 3, 1, 2}}) {
    const Table x = plain::random(shape, 17);
    check_updates({"cp-als", {{"X", x}}, rank(5)}, cp_residuals(x), shape.size());
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace tyto::objectives
