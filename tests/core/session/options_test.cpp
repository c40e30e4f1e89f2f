// What must not change the numbers: executors, threads, passes. And what must: ridge, weights.
#include "core/session/runs.hpp"
#include "optimize/pipeline.hpp"

namespace tyto::session {

namespace {

Table noisy() { return of_rank({4, 5, 3}, 2, 81, 0.3); }
const std::string three_sweeps = "solver: {max_sweeps: 3, tolerance: 0}\n";

void check_same(const Result& a, const Result& b) {
  BOOST_TEST(close(a.relative_error, b.relative_error, 1e-10),
             a.relative_error << " and " << b.relative_error << ", difference " << a.relative_error - b.relative_error);
  BOOST_TEST(plain::distance(model_of(a).values, model_of(b).values) <= 1e-10 * plain::norm(model_of(a).values));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(options)

BOOST_AUTO_TEST_CASE(executors_agree) {
  for (const auto& extents : {std::vector<std::int64_t>{4, 5, 3}, {6, 3}, {3, 2, 4, 2}}) {
    const Table x = of_rank(extents, 3, 82, 0.3);
    check_same(checked(x, 2, three_sweeps + "execution: {executor: reference}"),
               checked(x, 2, three_sweeps + "execution: {executor: cpu}"));
  }
}

BOOST_AUTO_TEST_CASE(passes_change_no_number) {
  const std::string folder = fresh_folder("passes");
  Table weights = plain::random({4, 5, 3}, 83);
  for (double& w : weights.values) w = std::abs(w);
  const std::string weighted = "data: {X: {weights: {file: " + written(folder, "w", weights) + "}}}\n";
  std::vector<std::string> switched_off{"[]"};
  std::string all;
  for (const optimize::Pass& pass : optimize::pipeline())
    switched_off.push_back("[" + pass.name + "]"), all += (all.empty() ? "" : ", ") + pass.name;
  switched_off.push_back("[" + all + "]");
  for (const std::string& data : {std::string(), weighted, std::string("unknowns: {A_1: {ridge: 0.5}}\n")}) {
    const Result plain_run = cp_als(noisy(), 2, data + three_sweeps).run();
    for (const std::string& off : switched_off) {
      BOOST_TEST_CONTEXT("without " << off << " " << data) {
        const Table x = noisy();
        Session session = cp_als(x, 2, data + three_sweeps + "plan: {sweeps_per_cycle: 2, switched_off: " + off + "}");
        BOOST_TEST(!session.explain().empty());
        const Result r = session.run();
        BOOST_TEST(r.sweeps == 3);
        check_same(r, plain_run);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(less_memory_changes_no_number) {
  // X takes 64 kB, the product with one factor 19 kB; with 13 kB for intermediates products are summed in slices.
  const Table x = of_rank({20, 20, 20}, 6, 84, 0.3);
  const std::string run = "solver: {max_sweeps: 2, tolerance: 0}\n";
  const Result whole = cp_als(x, 6, run).run();
  Session small = cp_als(x, 6, run + "execution: {memory_limit: 80 kB}\n");
  const std::string plan = small.explain();
  BOOST_TEST(plan.find(" slices, ") != std::string::npos, plan);
  check_same(small.run(), whole);
}

BOOST_AUTO_TEST_CASE(a_pass_that_does_not_exist_is_refused) {
  const Table x = noisy();
  check_error(
      "text:3:22: there is no pass 'message_trees'\n"
      "  expected  algebra, distribute, fuse, prune_identities, prune_orthonormal, structured_solve, prune_inverses, factor, "
      "common_subexpressions, "
      "message_tree, contraction_path, fuse_identities, fuse_elementwise, fuse_products, fuse_accumulation or fuse_slabs\n"
      "  found     message_trees\n"
      "  try       message_tree",
      [&] { cp_als(x, 2, "plan: {switched_off: [message_trees]}").check(); });
}

BOOST_AUTO_TEST_CASE(a_ridge_is_in_the_objective_and_not_in_the_error) {
  const Table x = noisy();
  const Result r = checked(x, 2, "unknowns: {A_0: {ridge: 0.5}, A_2: {ridge: 2}}\nsolver: {tolerance: 1e-12}");
  const auto square = [](const std::vector<double>& v) { return plain::norm(v) * plain::norm(v); };
  const double fit = square(plain::minus(x, model_of(r)).values),
               ridge = 0.5 * square(r.array("A_0").values) + 2 * square(r.array("A_2").values);
  BOOST_TEST(close(r.objective, (fit + ridge) / 2, 1e-9));
  BOOST_TEST(ridge > 1e-3 * fit);
}

BOOST_AUTO_TEST_CASE(entries_that_a_mask_hides_do_not_matter) {
  const std::string folder = fresh_folder("mask");
  Table x = of_rank({5, 4, 6}, 1, 84), mask = plain::filled(x.extents, 1);
  const Table truth = x;
  for (std::size_t k = 0; k < x.values.size(); k += 5) mask.values[k] = 0, x.values[k] = 1000;
  const Result r =
      checked(cp_als(x, 1, "data: {X: {mask: {file: " + written(folder, "m", mask) + "}}}\nsolver: {tolerance: 1e-15}"), x, &mask);
  BOOST_TEST(relative_error(truth, model_of(r)) <= 1e-7);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace tyto::session
