// Programs: what they compute from the arrays that are bound, whatever their strides and however often they change.
#include <boost/test/unit_test.hpp>
#include "evaluate/error_text.hpp"
#include "evaluate/evaluate.hpp"
#include "graph/text.hpp"
#include "tyto/compile.hpp"
#include "tyto/derivative.hpp"

namespace tyto::session {

namespace {

using test::Numbers;
using test::random_numbers;
using test::Values;
using v1::einsum, v1::tensor;  // not the namespaces

/// The elements in row-major order, read one by one.
Numbers elements(const ConstArray& a) {
  Numbers result(static_cast<std::size_t>(a.size()));
  Extents at(a.extents.size(), 0);
  for (double& value : result) {
    std::int64_t place = 0;
    for (std::size_t k = 0; k < at.size(); ++k) place += at[k] * a.strides[k];
    value = a.as<double>()[place];
    for (std::size_t k = at.size(); k-- > 0 && ++at[k] == a.extents[k];) at[k] = 0;
  }
  return result;
}

/// A matrix times rounding errors of its products: what two right ways to compute may differ by.
double tolerance(const Numbers& expected) { return 1e3 * std::numeric_limits<double>::epsilon() * (1 + test::largest(expected)); }

void check_close(const Numbers& found, const Numbers& expected) {
  BOOST_TEST(test::distance(found, expected) <= tolerance(expected),
             "difference " << test::distance(found, expected) << ", allowed " << tolerance(expected));
}

const Index i("i", 4), j("j", 5), k("k", 3), r("r", 2);

/// A residual, its gradients and a Gram matrix: outputs that share intermediates.
struct Fit {
  Expr x = tensor("X", {i, j, k}), a = tensor("A", {i, r}), b = tensor("B", {j, r}), c = tensor("C", {k, r});
  Expr f = 0.5 * norm2(x - einsum({a, b, c}, {i, j, k}));
  Exprs outputs{f, gradient(f, a), gradient(f, b), einsum({b, b({j, r.prime()})}, {r, r.prime()})};
  Values values;
  Fit() {
    for (const Expr& leaf : {x, a, b, c}) values.randomize(leaf, 11);
  }
  ConstArray array(const Expr& leaf) const {
    Extents extents;
    for (const Index& label : leaf.shape()) extents.push_back(label.extent());
    return {values[leaf].data(), extents};
  }
  void bind(Program& program, Changes changes = Changes::every_run) const {
    for (const Expr& leaf : {x, a, b, c}) program.bind(leaf, array(leaf), changes);
  }
  void check(const Program& program) const {
    for (std::size_t n = 0; n < outputs.size(); ++n) check_close(elements(program.output(n)), test::evaluate(outputs[n], values));
  }
};

/// The same numbers elsewhere: axis order[0] slowest, a gap of `gap` elements after each step along the fastest axis.
struct Elsewhere {
  std::vector<double> memory;
  Extents extents, strides;
  Elsewhere(const Numbers& numbers, Extents e, const std::vector<std::size_t>& order, std::int64_t gap)
      : extents(std::move(e)), strides(extents.size()) {
    std::int64_t stride = 1 + gap;
    for (std::size_t n = order.size(); n-- > 0;) strides[order[n]] = stride, stride *= extents[order[n]];
    memory.assign(static_cast<std::size_t>(stride), -77);
    fill(numbers);
  }
  void fill(const Numbers& numbers) {
    Extents at(extents.size(), 0);
    for (const double number : numbers) {
      std::int64_t place = 0;
      for (std::size_t n = 0; n < at.size(); ++n) place += at[n] * strides[n];
      memory[static_cast<std::size_t>(place)] = number;
      for (std::size_t n = at.size(); n-- > 0 && ++at[n] == extents[n];) at[n] = 0;
    }
  }
  Array array() { return {memory.data(), extents, strides}; }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(programs)

BOOST_AUTO_TEST_CASE(outputs_are_what_the_expressions_say) {
  for (const char* executor : {"auto", "cpu", "reference"}) {
    const Fit fit;
    Program program(fit.outputs, {.executor = executor});
    fit.bind(program);
    program.run();
    fit.check(program);
  }
}

BOOST_AUTO_TEST_CASE(passes_may_be_switched_off) {
  const Fit fit;
  Program program(fit.outputs, {.switched_off = {"distribute", "message_tree", "contraction_path"}});
  fit.bind(program);
  program.run();
  fit.check(program);
}

BOOST_AUTO_TEST_CASE(single_precision_is_an_option) {
  const Expr a = tensor("A", {i, r});
  const std::vector<float> values(8, 1.5F);
  Program program({norm2(a)}, {.precision = Dtype::f32});
  program.bind(a, ConstArray(values.data(), {4, 2}));
  program.run();
  BOOST_TEST(*program.output(0).as<float>() == 18.0F);
}

BOOST_AUTO_TEST_CASE(arrays_may_have_any_strides) {
  for (const std::int64_t gap : {0, 2})
    for (const std::vector<std::size_t>& order : {std::vector<std::size_t>{0, 1, 2}, {2, 1, 0}, {1, 2, 0}}) {
      const Fit fit;
      Elsewhere x(fit.values[fit.x], {4, 5, 3}, order, gap), b(fit.values[fit.b], {5, 2}, {1, 0}, gap);
      Program program(fit.outputs);
      fit.bind(program);
      program.bind(fit.x, x.array());
      program.bind(fit.b, b.array());
      program.run();
      fit.check(program);
    }
}

BOOST_AUTO_TEST_CASE(a_stride_may_be_zero_or_negative) {
  Fit fit;
  const Numbers once = random_numbers(4, 3), backwards(fit.values[fit.b].rbegin(), fit.values[fit.b].rend());
  Program program(fit.outputs);
  fit.bind(program);
  program.bind(fit.a, ConstArray(once.data(), {4, 2}, {1, 0}));
  program.bind(fit.b, ConstArray(backwards.data() + 9, {5, 2}, {-2, -1}));
  fit.values.set(fit.a, {once[0], once[0], once[1], once[1], once[2], once[2], once[3], once[3]});
  program.run();
  fit.check(program);
}

BOOST_AUTO_TEST_CASE(an_array_that_runs_backwards_is_read_again_when_it_changes) {
  const Expr a = tensor("A", {i});
  for (const Changes changes : {Changes::every_run, Changes::rarely}) {
    Numbers values{1, 2, 3, 4};
    Program program({2 * a});
    program.bind(a, ConstArray(values.data() + 3, {4}, {-1}), changes);
    program.run();
    check_close(elements(program.output(0)), {8, 6, 4, 2});
    values[0] = 9;
    if (changes == Changes::rarely) program.touch(a);
    program.run();
    check_close(elements(program.output(0)), {8, 6, 4, 18});
  }
}

BOOST_AUTO_TEST_CASE(arrays_may_be_bound_anew_with_other_strides) {
  Fit fit;
  Program program(fit.outputs);
  fit.bind(program);
  program.run();
  fit.values.randomize(fit.x, 12);
  Elsewhere x(fit.values[fit.x], {4, 5, 3}, {2, 0, 1}, 1);
  program.bind(fit.x, x.array());
  program.run();
  fit.check(program);
  fit.values.randomize(fit.x, 13);
  fit.bind(program);
  program.run();
  fit.check(program);
}

BOOST_AUTO_TEST_CASE(what_is_bound_is_used_in_place) {
  Fit fit;
  Numbers a = fit.values[fit.a];
  Program program(fit.outputs);
  fit.bind(program);
  program.bind(fit.a, ConstArray(a.data(), {4, 2}));
  program.run();
  std::copy_n(random_numbers(8, 5).begin(), 8, a.begin());  // in place
  fit.values.set(fit.a, a);
  program.run();
  fit.check(program);
}

BOOST_AUTO_TEST_CASE(axes_of_outputs_follow_the_labels) {
  const Expr a = tensor("A", {i, j, k});
  const Exprs outputs{permute(a, {k, i, j}), permute(2 * a, {j, k, i}), permute(norm2(a) * a, {k, j, i})};
  Values values;
  values.randomize(a, 4);
  Program program(outputs);
  program.bind(a, ConstArray(values[a].data(), {4, 5, 3}));
  program.run();
  BOOST_TEST((program.output(0).extents == Extents{3, 4, 5}));
  BOOST_TEST(program.output(0).data == values[a].data(), "a permuted leaf is a view");
  for (std::size_t n = 0; n < outputs.size(); ++n) check_close(elements(program.output(n)), test::evaluate(outputs[n], values));
}

BOOST_AUTO_TEST_CASE(outputs_may_be_leaves_constants_and_one_thing_twice) {
  const Expr a = tensor("A", {i}), twice = a + a;
  const Numbers values{1, 2, 3, 4};
  Program program({a, 2.5, twice, twice, Expr(), gradient(sum(a), a), sum(twice)});
  program.bind(a, ConstArray(values.data(), {4}));
  program.run();
  const std::vector<Numbers> expected{values, {2.5}, {2, 4, 6, 8}, {2, 4, 6, 8}, {0}, {1, 1, 1, 1}, {20}};
  for (std::size_t n = 0; n < expected.size(); ++n) BOOST_TEST(elements(program.output(n)) == expected[n]);
}

BOOST_AUTO_TEST_CASE(a_program_may_have_constants_only_or_nothing) {
  Program constants({3, 4});
  constants.run();
  BOOST_TEST(*constants.output(1).as<double>() == 4);
  Program nothing(Exprs{});
  nothing.run();
  BOOST_TEST(nothing.forecast().flops == 0);
}

BOOST_AUTO_TEST_CASE(expressions_from_several_stores_may_be_outputs_of_one_program) {
  const Expr a = tensor("A", {i}), b = tensor("A", {i});
  const Numbers first{1, 2, 3, 4}, second{5, 6, 7, 8};
  Program program({2 * a, 3 * b, a * b});
  program.bind(a, ConstArray(first.data(), {4}));
  program.bind(b, ConstArray(second.data(), {4}));
  program.run();
  BOOST_TEST(elements(program.output(0)) == (Numbers{2, 4, 6, 8}));
  BOOST_TEST(elements(program.output(1)) == (Numbers{15, 18, 21, 24}));
  BOOST_TEST(elements(program.output(2)) == (Numbers{5, 12, 21, 32}));
}

BOOST_AUTO_TEST_CASE(bound_outputs_are_left_in_the_array_with_its_strides) {
  const Fit fit;
  Elsewhere target(Numbers(10, 0), {5, 2}, {1, 0}, 3);
  Program program(fit.outputs);
  fit.bind(program);
  program.bind_output(2, target.array());
  program.run();
  check_close(elements(target.array()), test::evaluate(fit.outputs[2], fit.values));
  BOOST_TEST(std::count(target.memory.begin(), target.memory.end(), -77.0) == static_cast<std::int64_t>(target.memory.size()) - 10);
  fit.check(program);
}

BOOST_AUTO_TEST_CASE(an_output_may_be_bound_to_the_memory_of_an_input) {
  const Expr a = tensor("A", {i}), g = gradient(0.5 * norm2(a), a);
  Numbers values{8, 4, 2, 1};
  Program program({a - 0.5 * g, norm2(a)});
  program.bind(a, ConstArray(values.data(), {4}));
  program.bind_output(0, Array(values.data(), {4}));
  program.run();
  BOOST_TEST(values == (Numbers{4, 2, 1, 0.5}));
  BOOST_TEST(*program.output(1).as<double>() == 85);
  program.run();
  BOOST_TEST(values == (Numbers{2, 1, 0.5, 0.25}));
}

BOOST_AUTO_TEST_CASE(outputs_that_are_inputs_may_change_places_with_them) {
  const Index p("p", 3), q("q", 3);
  const Expr x = tensor("X", {p, q}), a = tensor("A", {i}), b = tensor("B", {i});
  Numbers matrix{1, 2, 3, 4, 5, 6, 7, 8, 9}, first{1, 2, 3, 4}, second{5, 6, 7, 8};
  Program program({permute(x, {q, p}), a, b});
  program.bind(x, ConstArray(matrix.data(), {3, 3}));
  program.bind(a, ConstArray(first.data(), {4}));
  program.bind(b, ConstArray(second.data(), {4}));
  program.bind_output(0, Array(matrix.data(), {3, 3}));
  program.bind_output(1, Array(second.data(), {4}));
  program.bind_output(2, Array(first.data(), {4}));
  program.run();
  BOOST_TEST(matrix == (Numbers{1, 4, 7, 2, 5, 8, 3, 6, 9}));
  BOOST_TEST(first == (Numbers{5, 6, 7, 8}));
  BOOST_TEST(second == (Numbers{1, 2, 3, 4}));
}

BOOST_AUTO_TEST_CASE(one_output_needs_only_its_own_leaves) {
  const Fit fit;
  Program program(fit.outputs);
  program.bind(fit.b, fit.array(fit.b));
  program.run(3);
  check_close(elements(program.output(3)), test::evaluate(fit.outputs[3], fit.values));
  BOOST_TEST((test::code_of([&] { program.output(0); }) == Code::not_bound));
  fit.bind(program);
  program.run();
  fit.check(program);
}

BOOST_AUTO_TEST_CASE(outputs_asked_for_one_by_one_are_right) {
  Fit fit;
  Program program(fit.outputs);
  fit.bind(program);
  for (const std::size_t n : {2U, 0U, 3U, 1U, 0U, 2U}) {
    fit.values.randomize(fit.b, 40 + n);
    fit.bind(program);
    program.run(n);
    check_close(elements(program.output(n)), test::evaluate(fit.outputs[n], fit.values));
  }
}

BOOST_AUTO_TEST_CASE(a_moved_program_goes_on) {
  const Fit fit;
  Program first(fit.outputs);
  fit.bind(first);
  first.run();
  Program second(std::move(first));
  second.run();
  fit.check(second);
  Program third({fit.f});
  third = std::move(second);
  third.run();
  fit.check(third);
}

BOOST_AUTO_TEST_CASE(the_expressions_may_be_gone) {
  const Numbers values{3, 4};
  std::unique_ptr<Program> program;
  {
    const Expr a = tensor("A", {r});
    program = std::make_unique<Program>(Exprs{norm2(a)});
    program->bind(a, ConstArray(values.data(), {2}));
  }
  program->run();
  BOOST_TEST(*program->output(0).as<double>() == 25);
}

BOOST_AUTO_TEST_CASE(passes_are_compared_where_that_is_asked_for) {
  const Fit fit;
  Program program(fit.outputs, {.verify = true});
  fit.bind(program);
  program.run();
  fit.check(program);
}

BOOST_AUTO_TEST_CASE(pairs_that_are_no_sums_of_products) {
  graph::Graph smallest = graph::parse("input X(i=2,j=3) v(j)\nT(i) = min,sum: X(i,j)*v(j)\noutput T = T\n");
  const Index row("i", 2), column("j", 3);
  Expr x, v;
  for (const graph::NodeId id : graph::reachable(smallest)) {
    if (!graph::is<graph::Leaf>((*smallest.store)[id])) continue;
    if ((*smallest.store)[id].shape.size() == 2) x = Expr(smallest.store, id, {row, column});
    else v = Expr(smallest.store, id, {column});
  }
  const Expr t(smallest.store, smallest.outputs[0].node, {row});
  const Numbers x_values{1, 5, 9, 4, 0, 2}, v_values{3, 1, 0};
  Program program({t});
  program.bind(x, ConstArray(x_values.data(), {2, 3}));
  program.bind(v, ConstArray(v_values.data(), {3}));
  program.run();
  BOOST_TEST(elements(program.output(0)) == (Numbers{4, 1}));
}

BOOST_AUTO_TEST_CASE(the_forecast_is_of_one_run_with_everything_changed) {
  const Expr a = tensor("A", {i, j}), b = tensor("B", {j, k}), c = einsum({a, b}, {i, k});
  const Program one({c}), two({c, permute(c, {k, i})});
  BOOST_TEST(one.forecast().flops == 2 * 4 * 5 * 3);
  BOOST_TEST(one.forecast().bytes_moved == 8 * (20 + 15 + 12));
  BOOST_TEST(one.forecast().peak_bytes >= 8 * (20 + 15 + 12));
  BOOST_TEST(two.forecast().flops == one.forecast().flops, "what two outputs share counts once");
}

BOOST_AUTO_TEST_CASE(explain_shows_the_steps) {
  const Fit fit;
  const std::string text = Program(fit.outputs).explain();
  for (const char* part : {"program   cpu", "\none run: ", "\nmemory: bound arrays ", "1. output 0", "dot"})
    BOOST_TEST(text.find(part) != std::string::npos, "no '" << part << "' in\n" << text);
}

BOOST_AUTO_TEST_CASE(explain_says_which_steps_run_slab_by_slab) {
  const Index i("i", 200), j("j", 210), k("k", 220), r("r", 4);
  const Expr x = tensor("X", {i, j, k});
  const Exprs factors = {tensor("A", {i, r}), tensor("B", {j, r}), tensor("C", {k, r})};
  const Exprs gradients = gradient(0.5 * norm2(x - einsum(factors, {i, j, k})), factors);
  const std::string text = Program(gradients).explain();
  for (const char* part :
       {", slabs of ", " i\n", "\n        slabs of 8 i: all of these steps take 8 positions of i, then the next 8"})
    BOOST_TEST(text.find(part) != std::string::npos, "no '" << part << "' in\n" << text);
  const std::string without = Program(gradients, {.switched_off = {"fuse_slabs"}}).explain();
  BOOST_TEST(without.find("slabs") == std::string::npos, without);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace tyto::session
