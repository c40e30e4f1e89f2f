// The cheapest choices against all choices, on trees, cycles, and where tables are not allowed to grow.
#include "plan/elimination.hpp"
#include <algorithm>
#include <random>
#include <boost/test/unit_test.hpp>

using namespace tyto::plan;

namespace {

using Choices = std::vector<std::int32_t>;

struct Sum {
  Choices domains;
  std::vector<Term> terms;
};

/// Variables of 1 to 4 choices, terms of up to 3 of them with small costs, so that many sums are equal.
Sum random_sum(std::mt19937_64& engine, std::int32_t variables, int terms) {
  const auto below = [&](std::int32_t n) { return std::uniform_int_distribution<std::int32_t>(0, n - 1)(engine); };
  Sum sum;
  for (std::int32_t v = 0; v < variables; ++v) sum.domains.push_back(1 + below(4));
  for (int t = 0; t < terms; ++t) {
    Term term;
    std::size_t size = 1;
    for (int k = below(4); k > 0; --k) {
      const std::int32_t v = below(variables);
      if (std::find(term.variables.begin(), term.variables.end(), v) != term.variables.end()) continue;
      term.variables.push_back(v);
      size *= static_cast<std::size_t>(sum.domains[static_cast<std::size_t>(v)]);
    }
    for (std::size_t k = 0; k < size; ++k) term.table.push_back({below(10), below(3)});
    sum.terms.push_back(std::move(term));
  }
  return sum;
}

Cost least_of_all(const Sum& sum) {
  Choices choices(sum.domains.size(), 0);
  Cost least = cost_of(sum.domains, sum.terms, choices);
  for (;;) {
    std::size_t v = 0;
    while (v < choices.size() && ++choices[v] == sum.domains[v]) choices[v++] = 0;
    if (v == choices.size()) return least;
    least = std::min(least, cost_of(sum.domains, sum.terms, choices));
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(no_choices_are_cheaper) {
  std::mt19937_64 engine(1);
  for (int repetition = 0; repetition < 300; ++repetition) {
    const Sum sum = random_sum(engine, 1 + repetition % 7, repetition % 10);
    const Choices found = cheapest(sum.domains, sum.terms, 1 << 20);
    BOOST_TEST_REQUIRE((cost_of(sum.domains, sum.terms, found) == least_of_all(sum)));
  }
}

BOOST_AUTO_TEST_CASE(with_small_tables_no_single_change_is_cheaper) {
  std::mt19937_64 engine(2);
  int worse = 0;
  for (int repetition = 0; repetition < 100; ++repetition) {
    const Sum sum = random_sum(engine, 7, 12);
    const Choices found = cheapest(sum.domains, sum.terms, 16);
    const Cost cost = cost_of(sum.domains, sum.terms, found);
    worse += cost != least_of_all(sum) ? 1 : 0;
    for (std::size_t v = 0; v < found.size(); ++v)
      for (std::int32_t other = 0; other < sum.domains[v]; ++other) {
        Choices changed = found;
        changed[v] = other;
        BOOST_TEST_REQUIRE((cost_of(sum.domains, sum.terms, changed) >= cost));
      }
  }
  BOOST_TEST(worse < 50);  // fixing few variables and improving them mostly finds the best
}

BOOST_AUTO_TEST_CASE(equal_times_are_decided_by_the_number_of_changes) {
  const std::vector<Term> terms = {{{0}, {{5, 0}, {5, 1}}}, {{0, 1}, {{1, 0}, {1, 0}, {1, 0}, {0, 0}}}, {{1}, {{0, 0}, {0, 1}}}};
  BOOST_TEST((cheapest({2, 2}, terms, 100) == Choices{1, 1}));
  const std::vector<Term> ties = {{{0}, {{5, 0}, {5, 1}}}, {{0, 1}, {{1, 0}, {1, 0}, {1, 0}, {1, 0}}}, {{1}, {{0, 0}, {0, 1}}}};
  BOOST_TEST((cheapest({2, 2}, ties, 100) == Choices{0, 0}));
}

BOOST_AUTO_TEST_CASE(a_long_chain_is_exact_with_small_tables) {
  std::vector<Term> terms;
  const Choices domains(1000, 2);
  for (std::int32_t v = 0; v + 1 < 1000; ++v) terms.push_back({{v, v + 1}, {{0, 0}, {1, 0}, {1, 0}, {0, 0}}});
  terms.push_back({{999}, {{1, 0}, {0, 0}}});
  BOOST_TEST((cheapest(domains, terms, 4) == Choices(1000, 1)));
}
