// Where a run begins: random, from the data, from files, several times.
#include "core/session/runs.hpp"
#include <fmt/format.h>

namespace tyto::session {

namespace {

Table noisy() { return of_rank({4, 5, 3}, 2, 71, 0.3); }

}  // namespace

BOOST_AUTO_TEST_SUITE(starts)

BOOST_AUTO_TEST_CASE(the_best_of_several_is_kept_and_all_are_in_the_history) {
  const std::string limits = ", max_sweeps: 6, tolerance: 0}";
  const Result all = checked(noisy(), 2, "solver: {seed: 5, starts: 4" + limits);
  BOOST_TEST(all.history.size() == 24U);
  std::vector<double> errors;
  for (int k = 0; k < 4; ++k) {
    const Result one = checked(noisy(), 2, fmt::format("solver: {{seed: {}", 5 + k) + limits);
    errors.push_back(one.relative_error);
    for (std::size_t sweep = 0; sweep < 6; ++sweep) {
      const Progress& row = all.history[static_cast<std::size_t>(k) * 6 + sweep];
      BOOST_TEST(row.start == k);
      BOOST_TEST(row.sweep == static_cast<std::int64_t>(sweep) + 1);
      BOOST_TEST(row.objective == one.history[sweep].objective);
    }
    if (k == all.best_start) BOOST_TEST(one.array("A_1").values == all.array("A_1").values);
  }
  BOOST_TEST(all.relative_error == *std::min_element(errors.begin(), errors.end()));
  BOOST_TEST(errors[0] != errors[1]);
}

BOOST_AUTO_TEST_CASE(hosvd_starts_from_leading_singular_vectors) {
  const Table x = noisy();
  const Result r = checked(x, 2, "solver: {init: hosvd, max_sweeps: 0}");
  const Table a = table_of(r, "A_1");
  const Table gram = plain::contract({{x, "ijk"}, {x, "iJk"}}, "jJ"), image = plain::contract({{gram, "jJ"}, {a, "Jr"}}, "jr");
  const Table values = plain::contract({{a, "jr"}, {image, "jr"}}, "r"), product = plain::contract({{a, "jr"}, {a, "js"}}, "rs");
  for (std::size_t k = 0; k < 4; ++k) BOOST_TEST(std::abs(product.values[k] - (k % 3 == 0 ? 1 : 0)) <= 1e-12);
  for (std::size_t k = 0; k < a.values.size(); ++k)
    BOOST_TEST(std::abs(image.values[k] - values.values[k % 2] * a.values[k]) <= 1e-10 * values.values[0]);
  BOOST_TEST(values.values[0] > values.values[1]);
  double trace = 0;
  for (std::size_t j = 0; j < 5; ++j) trace += gram.values[j * 6];
  BOOST_TEST(values.values[1] > (trace - values.values[0] - values.values[1]));  // the noise has the rest
}

BOOST_AUTO_TEST_CASE(hosvd_says_when_the_rank_exceeds_a_mode) {
  std::vector<std::string> messages;
  const Table x = noisy();
  Session session = cp_als(x, 4, "solver: {init: hosvd, max_sweeps: 2, starts: 2}");
  session.on_message([&](const std::string& text) { messages.push_back(text); });
  BOOST_TEST(session.run().relative_error < 0.3);
  BOOST_TEST(messages == std::vector<std::string>{"hosvd: 1 of 4 columns of A_2 are filled at random"},
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_result_is_a_start) {
  const std::string folder = fresh_folder("again");
  const Table x = noisy();
  cp_als(x, 2, "solver: {max_sweeps: 3}\noutput: {directory: " + folder + ", overwrite: true}").run();
  const Result further = checked(x, 2, "solver: {max_sweeps: 2, init: {file: " + folder + "}}"),
               whole = checked(x, 2, "solver: {max_sweeps: 5}");
  BOOST_TEST(close(further.relative_error, whole.relative_error, 1e-11));
}

BOOST_AUTO_TEST_CASE(a_start_of_another_shape_is_refused) {
  const std::string path = written(fresh_folder("shape"), "a", plain::filled({5, 2}, 1));
  const Table x = noisy();
  check_error(
      "text:3:17: the start of A_0 has another shape than A_0\n"
      "  expected  4 x 2\n"
      "  found     5 x 2 in " +
          path +
          "\n"
          "  try       the result of a run with the same data and settings, or init: random",
      [&] { cp_als(x, 2, "unknowns: {A_0: {init: {file: " + path + "}}}").run(); });
}

BOOST_AUTO_TEST_CASE(fixed_factors_stay_and_need_values) {
  const Table x = noisy(), a = plain::random({4, 2}, 72);
  const std::string path = written(fresh_folder("fixed"), "a", a);
  const Result r = checked(x, 2, "unknowns: {A_0: {fixed: true, init: {file: " + path + "}}}");
  BOOST_TEST(r.array("A_0").values == a.values);
  check_error(
      "text:3:17: A_0 is fixed and has no values\n"
      "  expected  init: {file: ...}\n"
      "  found     init: random\n"
      "  try       {fixed: true, init: {file: ...}}\n"
      "  while     plugin 'cp-als' was in declare()",
      [&] { cp_als(x, 2, "unknowns: {A_0: {fixed: true}}").run(); });
}

BOOST_AUTO_TEST_CASE(unknowns_that_are_none_are_refused) {
  const Table x = noisy();
  check_error(
      "text:3:17: cp-als has no unknown 'B_0'\n"
      "  expected  A_0, A_1 or A_2\n"
      "  found     B_0\n"
      "  try       A_0",
      [&] { cp_als(x, 2, "unknowns: {B_0: {ridge: 1}}").run(); });
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace tyto::session
