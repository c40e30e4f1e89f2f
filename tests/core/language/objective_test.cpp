// Written objectives have the values of the same objectives built in C++: the rule of summation, functions, definitions, extents.
#include "language/objective.hpp"
#include <boost/test/unit_test.hpp>
#include "core/language/written.hpp"
#include "evaluate/evaluate.hpp"
#include "language/functions.hpp"
#include "operation/function.hpp"

namespace tyto::language {

namespace as_in_cpp {
using v1::einsum;

struct Leaves {
  Index i{"i", 2}, j{"j", 3}, k{"k", 4}, l{"l", 5}, r{"r", 2};
  Expr x = tensor("X", {i, j, k}), y = tensor("Y", {i, l}), z = tensor("Z", {i, i.prime()}), v = tensor("v", {i});
  Expr w = tensor("W", {i, j}), weights = tensor("W.weights", {i, j});
  Expr a = tensor("A", {i, r}), b = tensor("B", {j, r}), c = tensor("C", {k, r});
  Expr model = einsum({a, b, c}, {i, j, k});

  /// Positive numbers for every name, so that logarithms and roots are real.
  static test::Values values() {
    const Leaves of;
    test::Values values;
    std::uint64_t seed = 1;
    for (const Expr& leaf : {of.x, of.y, of.z, of.v, of.w, of.weights, of.a, of.b, of.c}) {
      std::int64_t count = 1;
      for (const Index& label : leaf.shape()) count *= label.extent();
      values.set(leaf.name(), test::random_numbers(count, seed++, 0.2, 1.2));
    }
    return values;
  }
};

/// Unknowns among A, B, C that the text has.
static Written written(const std::string& text, const std::vector<std::pair<std::string, std::string>>& define = {}) {
  std::string all = text;
  for (const auto& [name, value] : define) all += " " + name + " " + value;
  std::vector<std::string> unknowns;
  for (const char* name : {"A", "B", "C"})
    if (all.find(name + std::string("[")) != std::string::npos) unknowns.emplace_back(name);
  return Written(text, unknowns, extents_in(all), define);
}

static void check(const std::string& text, const Expr& expected,
                  const std::vector<std::pair<std::string, std::string>>& define = {}) {
  const test::Values values = Leaves::values();
  double found = 0;
  try {
    found = test::evaluate(written(text, define).expression(), values).at(0);
  } catch (const Error& error) {
    BOOST_ERROR(text + " is refused: " + error.what());
    return;
  }
  BOOST_TEST(std::abs(found - test::evaluate(expected, values).at(0)) <= 1e-13 * std::abs(found) + 1e-15, text);
}

BOOST_FIXTURE_TEST_SUITE(objectives, Leaves)

BOOST_AUTO_TEST_CASE(a_label_in_two_factors_is_summed_and_one_in_one_factor_stays) {
  check("norm2(A[i,r] * B[j,r])", norm2(einsum({a, b}, {i, j})));
  check("norm2(A[i,r] * B[j,r] * C[k,r])", norm2(model));
  check("norm2(v[i] * A[i,r])", norm2(einsum({v, a}, {r})));
  check("norm2(v[i] * Y[p,l])", norm2(v * y({i.prime(), l})));  // an outer product
  check("A[i,r] * A[i,r]", norm2(a));
  check("norm2(A[i,r] * (B[j,r] - 2 * B[j,r]))", norm2(einsum({a, b}, {i, j})));
}

BOOST_AUTO_TEST_CASE(a_label_that_the_other_side_has_is_kept) {
  check("0.5 * norm2(X[i,j,k] - A[i,r] * B[j,r] * C[k,r])", 0.5 * norm2(x - model));
  check("norm2(A[i,r] * B[j,r] * C[k,r] - X[i,j,k])", norm2(x - model));
  check("norm2(W[i,j] - v[i] * W[i,j])", norm2(w - v * w));
  check("sum(W[i,j] - W[i,j] * log(W[i,j]))", sum(w - w * log(w)));
  check("norm2(W[i,j] - v[i] * A[i,r] * B[j,r])", norm2(w - v * einsum({a, b}, {i, j})));
  check("norm2(W[i,j] - (v[i] * A[i,r]) * B[j,r])", norm2(w - v * einsum({a, b}, {i, j})));
  check("sum(maximum(W[i,j], W[i,j] * W[i,j]))", sum(maximum(w, w * w)));
  check("inner(W[i,j], v[i] * W[i,j])", inner(w, v * w));
  check("norm2(W[i,j] - exp(A[i,r] * B[j,r]))", norm2(w - exp(einsum({a, b}, {i, j}))));
}

BOOST_AUTO_TEST_CASE(brackets_behind_parentheses_state_the_result) {
  check("norm2((A[i,r] * A[i,r])[i,r])", norm2(a * a));
  check("norm2((A[i,r] * A[i,r])[i])", norm2(einsum({a, a}, {i})));
  check("norm2((A[i,r] * A[i,r])[r])", norm2(einsum({a, a}, {r})));
  check("((A[i,r] * A[i,r])[])^2", norm2(a) * norm2(a));
  check("norm2((X[i,j,k])[j])", norm2(sum(x, {i, k})));
  check("norm2((v[i] * A[i,r])[i,r])", norm2(v * a));
  check("norm2((square(W[i,j]))[j])", norm2(sum(w * w, {i})));
  check("norm2((log(W[i,j] * W[i,j]))[i])", norm2(sum(log(sum(w * w, {j})), {})));
}

BOOST_AUTO_TEST_CASE(scalars_go_with_everything) {
  check("norm2(W[i,j] - 1)", norm2(w - 1.0));
  check("norm2(W[i,j] - mean(W[i,j]))", norm2(w - expand(mean(w), {i, j})));
  check("norm2(2 - W[i,j] / sum(W[i,j]))", norm2(2.0 - w / sum(w)));
  check("norm2(W[i,j] - exp(W[i,j]) / sum[j](exp(W[i,j])))", norm2(w - softmax(w, {j})));
  check("sum(maximum(0.5, W[i,j]))", sum(maximum(0.5, w)));
  check("sum(log(1 + exp(W[i,j])) - W[i,j])", sum(log(1.0 + exp(w)) - w));
}

BOOST_AUTO_TEST_CASE(reductions_take_all_labels_or_those_in_brackets) {
  check("norm2(sum[j](W[i,j]))", norm2(sum(w, {j})));
  check("sum(max[j](W[i,j]))", sum(max(w, {j})));
  check("sum(min[i,j](W[i,j]))", min(w, {i, j}));
  check("max(W[i,j])", max(w, {i, j}));
  check("sum(logsumexp[j](W[i,j]))", sum(logsumexp(w, {j})));
  check("norm2(softmax[j](W[i,j]))", norm2(softmax(w, {j})));
  check("sum(norm2[j](W[i,j])^2)", sum(square(sum(square(w), {j}))));
  check("sum(norm[j](W[i,j]))", sum(norm(w, {j})));
  check("norm(W[i,j])", norm(w));
  check("sum(mean[i](W[i,j]))", sum(mean(w, {i})));
  check("sum(sum[r](v[i] * A[i,r]))", sum(einsum({v, a}, {})));
}

BOOST_AUTO_TEST_CASE(sums_of_products_are_sums_however_they_are_read) {
  check("sum(A[i,r] * A[i,r])", norm2(a));
  check("sum(W[i,j] * W[i,j] - 2 * W[i,j] * W[i,j])", -norm2(w));
  check("sum(W.weights[i,j] * square(W[i,j] - A[i,r] * B[j,r]))", sum(weights * square(w - einsum({a, b}, {i, j}))));
}

BOOST_AUTO_TEST_CASE(signs_and_powers_are_those_of_arithmetic) {
  check("-norm2(v[i]) - -2 * 3 ^ 2 / 6", -norm2(v) + 3.0);
  check("sum(v[i] ^ 2)", norm2(v));
  check("sum(v[i] ^ 0.5 - v[i] ^ -1)", sum(sqrt(v) - 1.0 / v));
  check("sum(2 ^ v[i])", sum(pow(2.0, v)));
  check("sum(1 / (v[i] + 1) / 2)", sum(0.5 / (v + 1.0)));
  check("sum(log(v[i], 2))", sum(log(v, 2.0)));
  check("norm2((v[i] / (W[i,j] + 1))[i,j])", norm2(v / (w + 1.0)));
  check("sum(v[i] / (W[i,j] + 1))", sum(v / (w + 1.0)));
}

BOOST_AUTO_TEST_CASE(a_label_twice_on_one_tensor_is_a_diagonal_or_a_trace) {
  check("Z[i,i]", sum(z({i, i})));
  check("norm2(v[i] - Z[i,i])", norm2(v - z({i, i})));
  check("norm2(Z[i,p] * Z[p,q])", norm2(matmul(z, z)));
  check("v[i] * Z[i,i]", sum(v * z({i, i})));
}

BOOST_AUTO_TEST_CASE(ones_and_identities_are_tensors) {
  check("norm2(W[i,j] - v[i] * ones[j])", norm2(w - expand(v, {j})));
  check("norm2(A[i,r] * A[i,s] - identity[r,s])", norm2(einsum({a, a({i, r.prime()})}, {r, r.prime()}) - identity(r, r.prime())));
  check("sum(ones[i,r]) + norm2(A[i,r])", 4.0 + norm2(a));
}

BOOST_AUTO_TEST_CASE(definitions_are_opaque_and_take_other_labels) {
  check("norm2(X[i,j,k] - model[i,j,k])", norm2(x - model), {{"model[i,j,k]", "A[i,r] * B[j,r] * C[k,r]"}});
  check("sum(model[i,j] - W[i,j] * log(model[i,j]))", sum(einsum({a, b}, {i, j}) - w * log(einsum({a, b}, {i, j}))),
        {{"model[i,j]", "A[i,r] * B[j,r]"}});
  check("norm2(gram[p,q] - gram[q,p]) + norm2(gram[p,q])", norm2(einsum({a, a({i, r.prime()})}, {r, r.prime()})),
        {{"gram[r,s]", "A[i,r] * A[i,s]"}});
  check("weight * penalty", 0.25 * norm2(a), {{"weight", "0.5 / 2"}, {"penalty", "norm2(A[i,r])"}});
  check("norm2(total[r])", norm2(sum(a, {i})), {{"total[r]", "A[i,r]"}});
  check("norm2(W[i,j] - transposed[j,i])", norm2(w - w), {{"transposed[j,i]", "W[i,j]"}});
  check("sum(v[i] ^ exponent)", norm2(v), {{"exponent", "2"}});
}

BOOST_AUTO_TEST_CASE(every_elementwise_function_of_the_core_has_its_name) {
  for (const operation::Function f : operation::functions()) {
    if (f == operation::Function::complex) continue;  // makes complex values of real ones, which formulas have no need of
    const Function* function = function_named(operation::name_of(f));
    BOOST_TEST_REQUIRE(function != nullptr, operation::name_of(f));
    BOOST_TEST(function->arguments == operation::argument_count(f));
    BOOST_TEST((function->effect == Effect::elementwise));
  }
  check("sum(square(v[i]) + sqrt(v[i]) + sin(v[i]) + cos(v[i]) + tanh(v[i]) + sigmoid(v[i]) + relu(v[i]))",
        sum(square(v) + sqrt(v) + sin(v) + cos(v) + tanh(v) + sigmoid(v) + relu(v)));
  check("sum(abs(v[i]) + sign(v[i]) + conj(v[i]) + real(v[i]) + imag(v[i]))", sum(abs(v) + sign(v) + v + v));
  check("sum(minimum(v[i], 0.5) + greater(v[i], 0.5) + greater_equal(v[i], 0.5) + equal(v[i], v[i]))",
        sum(minimum(v, 0.5) + greater(v, 0.5) + greater_equal(v, 0.5) + equal(v, v)));
}

BOOST_AUTO_TEST_CASE(extents_come_from_data_from_extents_and_along_axes) {
  const Objective o = checked(
      parsed(Written("norm2(W[i,j] - A[i,r] * B[j,r]) + norm2(A[i,r] * A[i,s] - identity[r,s])", {"A", "B"}, {{"r", 3}}).statement),
      {{"W", {2, 3}, false, {}}});
  BOOST_TEST(o.extents.at("i").extent == 2);
  BOOST_TEST(o.extents.at("s").extent == 3);
  BOOST_TEST(o.extents.at("s").first == "r");
  BOOST_TEST((o.axes.at("B") == Names{"j", "r"}));
}

BOOST_AUTO_TEST_CASE(unknowns_are_declared_in_the_order_given) {
  const Written text = Written("norm2(W[i,j] - A[i,r] * B[j,r])", {"B", "A"}, {{"r", 2}});
  const Objective objective = checked(parsed(text.statement), {{"W", {2, 3}, false, {}}});
  const std::vector<problem::Input> inputs{{.name = "W", .extents = {2, 3}, .modes = {"0", "1"}}};
  std::map<std::string, problem::UserTraits> traits{{"A", {}}};
  traits["C"].fixed = true;
  problem::Recorder recorder(
      inputs, [&](const std::string& name) { return traits[name]; }, [&](Declaration& d) { return built(objective, d); });
  const tyto::Objective f = recorder.declared_objective();
  BOOST_TEST(f.id == recorder.declared_objective().id);  // stated once
  const Exprs unknowns = recorder.unknowns(f);
  BOOST_TEST_REQUIRE(unknowns.size() == 2U);
  BOOST_TEST(unknowns[0].name() == "B");
  BOOST_TEST(unknowns[1].name() == "A");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace as_in_cpp
}  // namespace tyto::language
