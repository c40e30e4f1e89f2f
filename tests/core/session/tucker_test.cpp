// Runs of tucker-hooi from C++, compared with plain loops: the error, the bases, and what HOOI has to be at its end.
#include <lapacke.h>
#include <numeric>
#include "core/session/runs.hpp"
#include "tyto/plugin.hpp"

namespace tyto::session {

namespace {

const std::string modes = "ijkl", ranks = "pqrs";

Session tucker(const Table& x, const std::string& settings, const std::string& yaml = "") {
  Session session = Session::from_text("algorithm: tucker-hooi\nsettings: {" + settings + "}\n" + yaml);
  session.input("X", ConstArray(x.values.data(), x.extents));
  return session;
}

/// The bases of a result as factors that join the labels of modes and core.
std::vector<plain::Factor> bases_of(const std::vector<Table>& tables) {
  std::vector<plain::Factor> factors;
  for (std::size_t n = 0; n < tables.size(); ++n) factors.push_back({tables[n], std::string{modes[n], ranks[n]}});
  return factors;
}

std::vector<Table> tables_of(const Result& r) {
  std::vector<Table> tables;
  for (const std::string& name : r.unknowns) tables.push_back(table_of(r, name));
  return tables;
}

Table tucker_model(const Result& r) {
  const std::vector<Table> tables = tables_of(r);
  const Table core = table_of(r, "core");
  std::vector<plain::Factor> factors = bases_of(tables);
  factors.push_back({core, ranks.substr(0, tables.size())});
  return plain::contract(factors, modes.substr(0, tables.size()));
}

/// The largest entry of U^T U - I over all bases.
double off_orthonormal(const Result& r) {
  double farthest = 0;
  for (const Table& u : tables_of(r)) {
    const Table gram = plain::contract({{u, "ip"}, {u, "iq"}}, "pq");
    for (std::int64_t p = 0; p < gram.extents[0]; ++p)
      for (std::int64_t q = 0; q < gram.extents[0]; ++q)
        farthest = std::max(farthest, std::abs(gram.values[static_cast<std::size_t>(p * gram.extents[0] + q)] - (p == q ? 1 : 0)));
  }
  return farthest;
}

/// The result; its error is that of core and bases, the bases are orthonormal, the core is what they keep, the objective fell.
Result checked_tucker(Session session, const Table& x, double accuracy = 1e-6) {
  Result r = session.run();
  BOOST_TEST(close(r.relative_error, relative_error(x, tucker_model(r)), accuracy));
  BOOST_TEST(off_orthonormal(r) <= 1e-13);
  const std::vector<Table> tables = tables_of(r);
  std::vector<plain::Factor> factors = bases_of(tables);
  factors.push_back({x, modes.substr(0, tables.size())});
  const Table core = plain::contract(factors, ranks.substr(0, tables.size()));
  for (std::size_t k = 0; k < core.values.size(); ++k)
    BOOST_TEST(std::abs(core.values[k] - r.array("core").values[k]) <= 1e-13 * (1 + plain::norm(x.values)));
  for (std::size_t k = 1; k < r.history.size(); ++k)
    BOOST_TEST(r.history[k].objective <= r.history[k - 1].objective + 1e-13 * std::abs(r.history[k].objective));
  BOOST_TEST(r.warnings.empty());
  return r;
}
Result checked_tucker(const Table& x, const std::string& settings, const std::string& yaml = "") {
  return checked_tucker(tucker(x, settings, yaml), x);
}

/// A core of those extents in random bases, and noise of that size relative to it.
Table of_ranks(const std::vector<std::int64_t>& extents, const std::vector<std::int64_t>& core_extents, double noise,
               unsigned seed) {
  const Table core = plain::random(core_extents, seed);
  std::vector<Table> tables;
  for (std::size_t n = 0; n < extents.size(); ++n)
    tables.push_back(plain::random({extents[n], core_extents[n]}, seed + 1 + static_cast<unsigned>(n)));
  std::vector<plain::Factor> factors = bases_of(tables);
  factors.push_back({core, ranks.substr(0, extents.size())});
  Table x = plain::contract(factors, modes.substr(0, extents.size()));
  const Table e = plain::random(extents, seed + 50);
  const double size = noise * plain::norm(x.values) / plain::norm(e.values);
  for (std::size_t k = 0; k < x.values.size(); ++k) x.values[k] += size * e.values[k];
  return x;
}

/// U U^T of the leading left singular vectors of a tensor unfolded along its first axis, by LAPACK.
Table leading_projector(const Table& y, std::int64_t count) {
  const auto rows = static_cast<int>(y.extents[0]), columns = static_cast<int>(plain::count(y.extents) / rows);
  std::vector<double> copy = y.values, values(static_cast<std::size_t>(rows)), u(static_cast<std::size_t>(rows * rows)),
                      rest(values);
  BOOST_REQUIRE(LAPACKE_dgesvd(LAPACK_ROW_MAJOR, 'A', 'N', rows, columns, copy.data(), columns, values.data(), u.data(), rows,
                               nullptr, columns, rest.data()) == 0);
  Table leading = plain::filled({rows, count}, 0);
  for (std::int64_t i = 0; i < rows; ++i)
    for (std::int64_t r = 0; r < count; ++r)
      leading.values[static_cast<std::size_t>(i * count + r)] = u[static_cast<std::size_t>(i * rows + r)];
  return plain::contract({{leading, "ip"}, {leading, "jp"}}, "ij");
}

void check_near(const Table& found, const Table& expected, double allowed) {
  BOOST_REQUIRE(found.values.size() == expected.values.size());
  for (std::size_t k = 0; k < found.values.size(); ++k) BOOST_TEST(std::abs(found.values[k] - expected.values[k]) <= allowed);
}

/// One basis of a matrix, whose first entry is doubled after each update.
class Spoils final : public Algorithm {
 public:
  static Schema schema() { return {}; }
  void declare(Declaration& d, const Settings&) override {
    const Expr x = d.data("X");
    const Index r("r", 2);
    u_ = d.unknown("U", {x.axis(0), r}, {.orthonormal = {r}, .init = "hosvd"});
    fit_ = d.minimize(-norm2(v1::einsum({x, u_}, {r, x.axis(1)})));
    basis_ = d.subspace(fit_, u_);
  }
  void run(Iteration& it) const override {
    while (it.next(fit_)) {
      BOOST_TEST(it.apply(basis_) == 2);
      const Write open = it.write(u_);
      open.array.as<double>()[0] *= 2;
    }
  }

 private:
  Expr u_;
  Objective fit_;
  Subspace basis_;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(tucker_hooi)

BOOST_AUTO_TEST_CASE(a_basis_that_is_no_longer_orthonormal_is_noticed) {
  static const PluginInfo info = TYTO_ALGORITHM(Spoils, "spoils", "1", "spoils its basis");
  const Table x = plain::random({5, 6}, 79);
  Session session = Session::from_text("algorithm: spoils\nsolver: {max_sweeps: 2}\n");
  session.use(&info).input("X", ConstArray(x.values.data(), x.extents));
  const Result r = session.run();
  BOOST_REQUIRE(r.warnings.size() == 1U);
  BOOST_TEST(r.warnings[0].find("the bases are not orthonormal") != std::string::npos, r.warnings[0]);
}

BOOST_AUTO_TEST_CASE(one_sweep_is_the_explicit_formula) {
  const Table x = plain::random({6, 7, 8}, 60);
  const std::string solver = "solver: {init: random, seed: 4, max_sweeps: ";
  std::vector<Table> u = tables_of(tucker(x, "ranks: [2, 3, 4]", solver + "0}").run());
  const std::vector<Table> found = tables_of(tucker(x, "ranks: [2, 3, 4]", solver + "1}").run());
  const auto projector = [](const Table& basis) { return plain::contract({{basis, "ip"}, {basis, "jp"}}, "ij"); };
  check_near(projector(found[0]), leading_projector(plain::contract({{x, "ijk"}, {u[1], "jq"}, {u[2], "kr"}}, "iqr"), 2), 1e-10);
  check_near(projector(found[1]), leading_projector(plain::contract({{x, "ijk"}, {found[0], "ip"}, {u[2], "kr"}}, "jpr"), 3),
             1e-10);
  check_near(projector(found[2]), leading_projector(plain::contract({{x, "ijk"}, {found[0], "ip"}, {found[1], "jq"}}, "kpq"), 4),
             1e-10);
}

BOOST_AUTO_TEST_CASE(a_shared_tree_changes_no_number) {
  const Table x = plain::random({6, 7, 8}, 77);
  const Result shared = checked_tucker(x, "ranks: 3", "solver: {max_sweeps: 5, tolerance: 0}");
  const Result alone = checked_tucker(x, "ranks: 3", "solver: {max_sweeps: 5, tolerance: 0}\nplan: {switched_off: [message_tree]}");
  for (const std::string& name : shared.unknowns) check_near(table_of(alone, name), table_of(shared, name), 1e-10);
  check_near(table_of(alone, "core"), table_of(shared, "core"), 1e-10);
}

BOOST_AUTO_TEST_CASE(every_pass_keeps_the_values) {
  std::string said;
  const Table x = plain::random({4, 5, 6}, 78);
  Session session = tucker(x, "ranks: 2", "plan: {verify: true}");
  session.on_message([&](const std::string& text) { said += text; });
  session.run();
  BOOST_TEST(said.find("differ") == std::string::npos, said);
  BOOST_TEST(!said.empty());
}

BOOST_AUTO_TEST_CASE(each_basis_spans_an_invariant_subspace_at_the_end) {
  const Table x = plain::random({6, 7, 8}, 61);
  const Result r = checked_tucker(x, "ranks: [2, 3, 4]", "solver: {tolerance: 1e-15, max_sweeps: 2000}");
  const std::vector<Table> u = tables_of(r);
  const Table y = plain::contract({{x, "ijk"}, {u[1], "jq"}, {u[2], "kr"}}, "iqr"),
              w = plain::contract({{y, "iqr"}, {y, "mqr"}}, "im");
  const Table wu = plain::contract({{w, "im"}, {u[0], "mp"}}, "ip"), small = plain::contract({{u[0], "ip"}, {wu, "iq"}}, "pq");
  const Table back = plain::contract({{u[0], "ip"}, {small, "pq"}}, "iq");
  for (std::size_t k = 0; k < back.values.size(); ++k) BOOST_TEST(std::abs(back.values[k] - wu.values[k]) <= 1e-5);
}

BOOST_AUTO_TEST_CASE(the_order_of_modes_does_not_matter) {
  const Table x = of_ranks({5, 6, 7}, {2, 3, 4}, 0.3, 62);
  const std::vector<std::int64_t> rank{2, 3, 4};
  std::vector<std::size_t> order{0, 1, 2};
  std::vector<double> errors;
  do {
    std::string labels;
    for (const std::size_t n : order) labels += modes[n];
    const Table turned = plain::contract({{x, "ijk"}}, labels);
    const std::string list =
        std::to_string(rank[order[0]]) + "," + std::to_string(rank[order[1]]) + "," + std::to_string(rank[order[2]]);
    for (const char* init : {"st-hosvd", "hosvd"})
      errors.push_back(
          checked_tucker(turned, "ranks: [" + list + "]", std::string("solver: {tolerance: 1e-14, init: ") + init + "}")
              .relative_error);
  } while (std::next_permutation(order.begin(), order.end()));
  BOOST_TEST(errors.size() == 12U);
  for (const double e : errors) BOOST_TEST(std::abs(e - errors.front()) <= 1e-10);
}

BOOST_AUTO_TEST_CASE(a_matrix_gives_its_truncated_svd) {
  const Table x = plain::random({9, 6}, 63);
  std::vector<double> copy = x.values, values(6), rest(6);
  BOOST_TEST(LAPACKE_dgesvd(LAPACK_ROW_MAJOR, 'N', 'N', 9, 6, copy.data(), 6, values.data(), nullptr, 1, nullptr, 1, rest.data()) ==
             0);
  for (const int rank : {1, 3, 5}) {
    const double dropped = std::inner_product(values.begin() + rank, values.end(), values.begin() + rank, 0.0);
    const Result r = checked_tucker(x, "ranks: " + std::to_string(rank));
    BOOST_TEST(close(r.relative_error, std::sqrt(dropped) / plain::norm(x.values), 1e-9));
  }
}

BOOST_AUTO_TEST_CASE(orders_and_extents_of_any_size_are_decomposed) {
  checked_tucker(plain::random({4, 5, 3, 6}, 64), "ranks: [2, 3, 2, 3]");
  checked_tucker(plain::random({4, 1, 3}, 65), "ranks: [2, 1, 2]");
  for (const std::vector<std::int64_t>& extents : {std::vector<std::int64_t>{1, 7, 1}, {7}, {1}})
    BOOST_TEST(checked_tucker(plain::random(extents, 66), "ranks: 1").relative_error <= 1e-15);
}

BOOST_AUTO_TEST_CASE(a_zero_tensor_has_no_error_and_orthonormal_bases) {
  const Result r = checked_tucker(plain::filled({3, 4, 5}, 0), "ranks: 2");
  BOOST_TEST(r.relative_error == 0);
  BOOST_TEST(r.sweeps == 1);
}

BOOST_AUTO_TEST_CASE(full_ranks_leave_nothing) {
  BOOST_TEST(checked_tucker(plain::random({4, 5, 6}, 67), "ranks: [4, 5, 6]").relative_error <= 3e-15);
}

BOOST_AUTO_TEST_CASE(a_rank_may_exceed_what_the_others_can_use) {
  checked_tucker(plain::random({9, 3, 3}, 68), "ranks: [7, 2, 2]");
}

BOOST_AUTO_TEST_CASE(what_a_gram_matrix_cannot_see_is_found_and_the_run_says_how) {
  Table core = plain::filled({3, 3, 3}, 0);
  for (std::size_t k = 0; k < 3; ++k) core.values[k * 13] = std::pow(10.0, -4.0 * static_cast<double>(k));  // 1, 1e-4, 1e-8
  const Table a = plain::random({8, 3}, 69), b = plain::random({9, 3}, 70), c = plain::random({7, 3}, 71);
  const Table x = plain::contract({{core, "pqr"}, {a, "ip"}, {b, "jq"}, {c, "kr"}}, "ijk");
  std::string said;
  Session session = tucker(x, "ranks: 3", "solver: {init: random}");
  session.on_message([&](const std::string& text) { said += text + "\n"; });
  BOOST_TEST(checked_tucker(std::move(session), x).relative_error <= 1e-14);
  BOOST_TEST(said.find("QR and SVD take their place") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_tolerance_chooses_the_ranks_and_is_kept) {
  const Table x = of_ranks({8, 9, 7}, {2, 3, 4}, 1e-3, 72);
  const Result r = checked_tucker(x, "tolerance: 0.01");
  BOOST_TEST(r.array("core").extents == (std::vector<std::int64_t>{2, 3, 4}), boost::test_tools::per_element());
  for (const double tolerance : {0.5, 0.2, 1e-4})
    BOOST_TEST(checked_tucker(x, "tolerance: " + std::to_string(tolerance)).relative_error <= tolerance);
}

BOOST_AUTO_TEST_CASE(scaled_data_give_a_core_in_their_own_units) {
  const Table x = of_ranks({6, 5, 4}, {2, 2, 2}, 0.1, 73);
  const Result plain_run = tucker(x, "ranks: 2").run();
  const Table far = times(x, std::ldexp(1.0, 600));
  const Result r = tucker(far, "ranks: 2", "data: {X: {scale: auto}}").run();
  BOOST_TEST(r.relative_error == plain_run.relative_error);
  for (std::size_t k = 0; k < 8; ++k) BOOST_TEST(r.array("core").values[k] == std::ldexp(plain_run.array("core").values[k], 600));
}

BOOST_AUTO_TEST_CASE(single_precision_runs) {
  const Table x = of_ranks({8, 9, 7}, {2, 3, 4}, 0.1, 74);
  const double expected = tucker(x, "ranks: [2, 3, 4]").run().relative_error;
  BOOST_TEST(std::abs(tucker(x, "ranks: [2, 3, 4]", "execution: {precision: f32}").run().relative_error - expected) <= 1e-5);
}

BOOST_AUTO_TEST_CASE(a_basis_may_be_given_and_fixed_and_must_be_orthonormal) {
  const Table x = plain::random({4, 5, 6}, 75);
  const std::string folder = fresh_folder("fixed_basis");
  Table u = plain::filled({5, 2}, 0);
  u.values[0] = u.values[3] = 1;
  const std::string yaml = "unknowns: {U_1: {fixed: true, init: {file: " + written(folder, "u", u) + "}}}";
  const Result r = checked_tucker(x, "ranks: 2", yaml);
  BOOST_TEST(r.array("U_1").values == u.values, boost::test_tools::per_element());
  u.values[3] = 2;
  written(folder, "u", u);
  BOOST_CHECK_EXCEPTION(tucker(x, "ranks: 2", yaml).run(), Error, [](const Error& e) {
    return e.findings().front().what == "the start of U_1 is not orthonormal" &&
           e.findings().front().found == "one that is off by 3";
  });
}

BOOST_AUTO_TEST_CASE(a_sweep_of_order_three_touches_the_data_twice) {
  const std::string plan = tucker(plain::random({20, 21, 22}, 76), "ranks: 4").explain();
  const std::string cycle = plan.substr(0, plan.find("\nonce\n"));
  std::size_t touched = 0;
  for (std::size_t at = cycle.find(" = X("); at != std::string::npos; at = cycle.find(" = X(", at + 1)) ++touched;
  BOOST_TEST(touched == 2U, plan);
  BOOST_TEST(plan.find("U_0: eigenvectors of a 20 x 20 Gram matrix") == std::string::npos);
  BOOST_TEST(plan.find("U_0: QR and SVD of 20 x 16") != std::string::npos, plan);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace tyto::session
