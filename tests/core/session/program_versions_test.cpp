// What changes when: nothing stale is ever used, and what has not changed is not computed again. The latter shows without looking
// inside: whoever changes an array behind a promise not to gets values that were computed before.
#include <map>
#include <random>
#include <boost/test/unit_test.hpp>
#include "evaluate/evaluate.hpp"
#include "tensor/dense.hpp"
#include "tyto/compile.hpp"
#include "tyto/derivative.hpp"

namespace tyto::session {

namespace {

using test::Numbers;
using test::random_numbers;
using test::Values;
using v1::einsum, v1::tensor;  // not the namespaces

Numbers elements(const ConstArray& a) {
  const tensor::Dense copy = tensor::Dense::copy(a);
  return {copy.view().as<double>(), copy.view().as<double>() + copy.size()};
}
double scalar(const Program& program, std::size_t n = 0) { return *program.output(n).as<double>(); }

const Index i("i", 30), j("j", 40), k("k", 3), r("r", 2), s = r.prime();

/// Other numbers in the same memory.
void refill(Numbers& numbers, std::uint64_t seed) {
  const Numbers fresh = random_numbers(static_cast<std::int64_t>(numbers.size()), seed);
  std::copy(fresh.begin(), fresh.end(), numbers.begin());
}

/// |A B^T|^2 as the product of two small Gram matrices: each depends on one of the leaves.
struct Grams {
  Expr a = tensor("A", {i, r}), b = tensor("B", {j, r});
  Expr f = einsum({a, a({i, s}), b, b({j, s})}, {});
  Numbers a_values = random_numbers(60, 1), b_values = random_numbers(80, 2);
  double expected(const Numbers& a_then, const Numbers& b_then) const {
    return test::evaluate(f, Values().set(a, a_then).set(b, b_then))[0];
  }
  void bind(Program& program, Changes of_a, Changes of_b) {
    program.bind(a, ConstArray(a_values.data(), {30, 2}), of_a);
    program.bind(b, ConstArray(b_values.data(), {40, 2}), of_b);
  }
};

void check_close(double found, double expected) {
  BOOST_TEST(std::abs(found - expected) <= 1e3 * std::numeric_limits<double>::epsilon() * std::abs(expected));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(versions)

BOOST_AUTO_TEST_CASE(by_default_every_run_sees_the_contents) {
  Grams g;
  Program program({g.f});
  g.bind(program, Changes::every_run, Changes::every_run);
  for (std::uint64_t run = 0; run < 3; ++run) {
    refill(g.a_values, 10 + run), refill(g.b_values, 20 + run);
    program.run();
    check_close(scalar(program), g.expected(g.a_values, g.b_values));
  }
}

BOOST_AUTO_TEST_CASE(what_never_changes_is_read_once) {
  Grams g;
  const Numbers b_before = g.b_values;
  Program program({g.f});
  g.bind(program, Changes::every_run, Changes::never);
  program.run();
  for (std::uint64_t run = 0; run < 3; ++run) {
    refill(g.a_values, 10 + run), refill(g.b_values, 20 + run);  // B breaks its promise
    program.run();
    check_close(scalar(program), g.expected(g.a_values, b_before));
  }
}

BOOST_AUTO_TEST_CASE(touch_tells_of_a_change) {
  for (const Changes changes : {Changes::never, Changes::rarely}) {
    Grams g;
    Program program({g.f});
    g.bind(program, Changes::every_run, changes);
    program.run();
    refill(g.b_values, 30);
    program.touch(g.b);
    program.run();
    check_close(scalar(program), g.expected(g.a_values, g.b_values));
  }
}

BOOST_AUTO_TEST_CASE(binding_anew_tells_of_a_change) {
  Grams g;
  Program program({g.f});
  g.bind(program, Changes::never, Changes::never);
  program.run();
  refill(g.a_values, 31);
  program.bind(g.a, ConstArray(g.a_values.data(), {30, 2}), Changes::never);
  program.run();
  check_close(scalar(program), g.expected(g.a_values, g.b_values));
}

BOOST_AUTO_TEST_CASE(of_two_that_rarely_change_the_other_is_not_read_again) {
  for (const bool touches_a : {true, false}) {
    Grams g;
    const Numbers a_before = g.a_values, b_before = g.b_values;
    Program program({g.f});
    g.bind(program, Changes::rarely, Changes::rarely);
    program.run();
    refill(g.a_values, 40), refill(g.b_values, 41);
    program.touch(touches_a ? g.a : g.b);
    program.run();
    check_close(scalar(program), touches_a ? g.expected(g.a_values, b_before) : g.expected(a_before, g.b_values));
  }
}

BOOST_AUTO_TEST_CASE(an_unchanged_program_runs_nothing) {
  Grams g;
  Program program({g.f, sum(g.a)});
  g.bind(program, Changes::never, Changes::rarely);
  program.run();
  const double f = scalar(program), sum_of_a = scalar(program, 1);
  g.a_values.assign(60, 0), g.b_values.assign(80, 0);
  program.run(1);
  BOOST_TEST(scalar(program, 1) == sum_of_a);
  program.run();
  BOOST_TEST(scalar(program) == f);
}

BOOST_AUTO_TEST_CASE(other_promises_for_a_bound_leaf_hold_from_then_on) {
  Grams g;
  Program program({g.f});
  g.bind(program, Changes::never, Changes::never);
  program.run();
  program.bind(g.b, ConstArray(g.b_values.data(), {40, 2}), Changes::every_run);
  program.run();
  refill(g.b_values, 50);
  program.run();
  check_close(scalar(program), g.expected(g.a_values, g.b_values));
}

/// Whatever is bound, touched and asked for in whatever order, values are those of the present contents.
BOOST_AUTO_TEST_CASE(nothing_stale_is_ever_used) {
  const Index m("m", 4), n("n", 5);
  const Expr x = tensor("X", {m, n, k}), a = tensor("A", {m, r}), b = tensor("B", {n, r}), c = tensor("C", {k, r});
  const Exprs leaves{x, a, b, c};
  const Expr f = norm2(x - einsum({a, b, c}, {m, n, k}));
  const Exprs outputs{f, gradient(f, a), gradient(f, b), gradient(f, c), einsum({a, a({m, s}), b, b({n, s})}, {r, s})};
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    std::mt19937_64 engine(seed);
    const auto drawn = [&](std::uint64_t below) { return static_cast<std::size_t>(engine() % below); };
    const auto drawn_changes = [&] { return static_cast<Changes>(drawn(3)); };
    std::vector<Numbers> memory;
    Program program(outputs);
    std::vector<Changes> changes(leaves.size());
    const auto bind = [&](std::size_t l) {
      Extents extents;
      for (const Index& label : leaves[l].shape()) extents.push_back(label.extent());
      program.bind(leaves[l], ConstArray(memory[l].data(), extents), changes[l] = drawn_changes());
    };
    for (std::size_t l = 0; l < leaves.size(); ++l)
      memory.push_back(random_numbers(test::count(leaves[l].shape()), seed + l)), bind(l);
    for (int event = 0; event < 25; ++event) {
      const std::size_t l = drawn(leaves.size());
      if (drawn(8) == 0) bind(l);
      refill(memory[l], engine());
      if (changes[l] != Changes::every_run) program.touch(leaves[l]);
      Values values;
      for (std::size_t other = 0; other < leaves.size(); ++other) values.set(leaves[other], memory[other]);
      const std::size_t asked = drawn(2 * outputs.size());
      if (asked < outputs.size()) program.run(asked);
      else program.run();
      for (std::size_t o = 0; o < outputs.size(); ++o) {
        if (asked < outputs.size() && o != asked) continue;
        const Numbers expected = test::evaluate(outputs[o], values);
        BOOST_TEST(test::distance(elements(program.output(o)), expected) <= 1e-12 * (1 + test::largest(expected)),
                   "seed " << seed << ", event " << event << ", output " << o);
      }
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace tyto::session
