// An objective in the run file gives what the plugin of the same objective gives, sweep by sweep.
#include "objectives/check_updates.hpp"

namespace tyto::objectives {

using plain::Table;
using plain::Tables;

namespace {

const char* const limits = "\nsolver: {max_sweeps: 12, tolerance: 0}\n";

/// `yaml` is what a run file has besides `method`.
Session by_formula(const Tables& inputs, const std::string& yaml) {
  Session session = Session::from_text("method: alternating\n" + yaml);
  for (const auto& [name, table] : inputs) session.input(name, ConstArray(table.values.data(), table.extents));
  return session;
}

/// Histories and unknowns agree to rounding. With a ridge in the formula the relative error is another number: it counts every
/// square.
void check_same(const std::string& plugin, const Tables& inputs, const std::string& settings, const std::string& formula,
                bool has_ridge = false) {
  const Result expected = session_of(plugin, inputs, settings + limits).run(), found = by_formula(inputs, formula + limits).run();
  BOOST_TEST_CONTEXT(plugin) {
    BOOST_TEST_REQUIRE(found.history.size() == expected.history.size());
    for (std::size_t k = 0; k < found.history.size(); ++k) {
      BOOST_TEST(std::abs(found.history[k].objective - expected.history[k].objective) <= 1e-12 * expected.history[0].objective);
      if (!has_ridge) BOOST_TEST(std::abs(found.history[k].relative_error - expected.history[k].relative_error) <= 1e-12);
    }
    BOOST_TEST(found.unknowns == expected.unknowns, boost::test_tools::per_element());
    for (const std::string& name : expected.unknowns) {
      const Table a{found.array(name).extents, found.array(name).values},
          b{expected.array(name).extents, expected.array(name).values};
      BOOST_TEST(plain::norm(plain::minus(a, b).values) <= 1e-9 * plain::norm(b.values), name);
    }
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(written_objectives)

BOOST_AUTO_TEST_CASE(cp) {
  check_same(
      "cp-als", {{"X", plain::random({5, 4, 6}, 1)}}, "settings: {rank: 3}",
      "minimize: 0.5 * norm2(X[i,j,k] - A_0[i,r] * A_1[j,r] * A_2[k,r])\nextents: {r: 3}\nunknowns: {A_0: {}, A_1: {}, A_2: {}}");
}

BOOST_AUTO_TEST_CASE(cp_with_a_named_model_and_a_ridge_in_the_formula) {
  check_same("cp-als", {{"X", plain::random({5, 4, 6}, 1)}}, "settings: {rank: 2}\nunknowns: {\"*\": {ridge: 0.3}}",
             "minimize: 0.5 * norm2(X[i,j,k] - model[i,j,k]) + 0.15 * norm2(A_0[i,r]) + 0.15 * norm2(A_1[j,r])\n"
             "define:\n  model[i,j,k]: A_0[i,r] * A_1[j,r] * A_2[k,r]\nextents: {r: 2}\n"
             "unknowns: {A_0: {}, A_1: {}, A_2: {ridge: 0.3}}",
             true);
}

BOOST_AUTO_TEST_CASE(two_data_with_a_factor_in_common) {
  check_same("coupled", {{"X", plain::random({5, 4, 6}, 1)}, {"Y", plain::random({5, 3}, 2)}}, "settings: {rank: 2, share: 0.7}",
             "minimize: 0.5 * norm2(X[i,j,k] - A[i,r] * B[j,r] * C[k,r]) + 0.5 * share * norm2(Y[i,m] - A[i,r] * V[m,r])\n"
             "define: {share: 0.7}\nextents: {r: 2}\nunknowns: {A: {}, B: {}, C: {}, V: {}}");
}

BOOST_AUTO_TEST_CASE(a_core_and_factors) {
  check_same("core-and-factors", {{"X", plain::random({5, 4, 6}, 1)}}, "settings: {ranks: [2, 3, 2]}",
             "minimize: 0.5 * norm2(X[i,j,k] - U_0[i,p] * U_1[j,q] * U_2[k,r] * G[p,q,r])\nextents: {p: 2, q: 3, r: 2}\n"
             "unknowns: {U_0: {}, U_1: {}, U_2: {}, G: {}}");
}

BOOST_AUTO_TEST_CASE(a_train) {
  check_same("tensor-train", {{"X", plain::random({3, 4, 2, 5}, 1)}}, "settings: {bonds: [2, 3, 2]}",
             "minimize: 0.5 * norm2(X[i,j,k,l] - G_0[i,a] * G_1[a,j,b] * G_2[b,k,c] * G_3[c,l])\nextents: {a: 2, b: 3, c: 2}\n"
             "unknowns: {G_0: {}, G_1: {}, G_2: {}, G_3: {}}");
}

BOOST_AUTO_TEST_CASE(a_mask_counts_where_the_formula_says_so) {
  const Table x = plain::random({5, 4, 6}, 1);
  Table mask = plain::filled(x.extents, 1);
  for (std::size_t k = 0; k < mask.values.size(); k += 5) mask.values[k] = 0;
  const std::string data = "data: {X: {mask: {file: " + written(fresh_folder("written_mask"), "mask", mask) + "}}}\n";
  check_same("cp-als", {{"X", x}}, data + "settings: {rank: 2}",
             data +
                 "minimize: 0.5 * sum(X.weights[i,j,k] * square(X[i,j,k] - A_0[i,r] * A_1[j,r] * A_2[k,r]))\nextents: {r: 2}\n"
                 "unknowns: {A_0: {}, A_1: {}, A_2: {}}");
}

BOOST_AUTO_TEST_CASE(weights_that_nobody_gives_are_1) {
  check_same("cp-als", {{"X", plain::random({5, 4, 6}, 1)}}, "settings: {rank: 2}",
             "minimize: 0.5 * sum(X.weights[i,j,k] * square(X[i,j,k] - A_0[i,r] * A_1[j,r] * A_2[k,r]))\nextents: {r: 2}\n"
             "unknowns: {A_0: {}, A_1: {}, A_2: {}}");
}

BOOST_AUTO_TEST_CASE(fixed_unknowns_stay) {
  const Table x = plain::random({5, 4}, 1), a = plain::random({5, 2}, 2);
  const std::string file = written(fresh_folder("written_fixed"), "A", a);
  const Result r = by_formula({{"X", x}},
                              "minimize: norm2(X[i,j] - A[i,r] * B[j,r])\nextents: {r: 2}\nunknowns: {A: {fixed: true, init: "
                              "{file: " +
                                  file + "}}, B: {}}")
                       .run();
  BOOST_TEST(r.array("A").values == a.values, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_ring) {
  const Table a = plain::random({2, 3, 2}, 1), b = plain::random({2, 4, 2}, 2), c = plain::random({2, 5, 2}, 3);
  const Table x = plain::contract({{a, "aib"}, {b, "bjc"}, {c, "cka"}}, "ijk");
  const Result r = by_formula({{"X", x}},
                              "minimize: 0.5 * norm2(X[i,j,k] - A[a,i,b] * B[b,j,c] * C[c,k,a])\n"
                              "extents: {a: 2, b: 2, c: 2}\nunknowns: {A: {}, B: {}, C: {}}\nsolver: {max_sweeps: 500}\n")
                       .run();
  const auto table = [&](const char* name) { return Table{r.array(name).extents, r.array(name).values}; };
  const Table fa = table("A"), fb = table("B"), fc = table("C");
  const Table model = plain::contract({{fa, "aib"}, {fb, "bjc"}, {fc, "cka"}}, "ijk");
  const double error = plain::norm(plain::minus(x, model).values) / plain::norm(x.values);
  BOOST_TEST(std::abs(r.relative_error - error) <= 1e-9);
  BOOST_TEST(error < 1e-2, error);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace tyto::objectives
