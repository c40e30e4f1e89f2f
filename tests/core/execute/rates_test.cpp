// Rates, traffic through the caches, plans of one class, and trials.
#include <boost/test/unit_test.hpp>
#include <set>
#include "arithmetic/peak.hpp"
#include "execute/cpu/product_cost.hpp"
#include "execute/cpu/traffic.hpp"
#include "execute/cpu/trial.hpp"

namespace tyto::execute::cpu {
namespace {

constexpr std::array all_isas = {arithmetic::Isa::portable, arithmetic::Isa::avx2, arithmetic::Isa::avx512};

/// out(m,n) = sum_k left(m,k) right(k,n), one element a line apart from the next.
LoopOrder product(std::int64_t m, std::int64_t n, std::int64_t k) {
  return {.loops = {{m, {n, k, 0}, Role::left}, {n, {1, 0, 1}, Role::right}, {k, {0, 1, n}, Role::contracted}}, .block = 1};
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_rate_is_built_in_and_has_a_name_of_its_own) {
  std::set<std::string_view> names;
  for (const NamedRate& one : named_rates()) {
    BOOST_TEST(names.insert(one.name).second, one.name);
    for (const arithmetic::Isa isa : all_isas) BOOST_TEST(one.of(built_in_rates(isa)) > 0, one.name);
  }
}

BOOST_AUTO_TEST_CASE(nothing_exceeds_the_peak) {
  for (const arithmetic::Isa isa : {arithmetic::Isa::avx2, arithmetic::Isa::avx512}) {
    const Rates rates = built_in_rates(isa);
    for (const NamedRate& one : named_rates())
      if (one.unit == NamedRate::Unit::flops_per_second) BOOST_TEST(one.of(rates) <= rates.peak, one.name);
  }
}

BOOST_AUTO_TEST_CASE(streams_are_slower_the_more_they_touch) {
  const Rates rates = built_in_rates(arithmetic::Isa::avx2);
  BOOST_TEST(stream_speed(rates, 100e3) == rates.second_level.speed);
  BOOST_TEST(stream_speed(rates, 5e6) == rates.last_level.speed);
  BOOST_TEST(stream_speed(rates, 1e9) == rates.memory.speed);
}

BOOST_AUTO_TEST_CASE(operands_that_fit_are_fetched_once) {
  // 8 bytes of 16 x 16, 16 x 16 and 16 x 16, the output twice
  const Traffic traffic = traffic_into(product(16, 16, 16), 8, 1e6);
  BOOST_TEST(traffic.bytes == 4 * 16 * 16 * 8);
  BOOST_TEST(traffic.runs == 4);
}

BOOST_AUTO_TEST_CASE(an_operand_that_does_not_fit_is_fetched_for_every_row) {
  const std::int64_t n = 1000, k = 500;
  const Traffic traffic = traffic_into(product(10, n, k), 8, 100e3);  // `right` has 4 MB
  const double lines = 8 + 64 - 8;                                    // of an element of a column of `right`
  const double inner = static_cast<double>(k) * lines;
  BOOST_TEST(traffic.bytes >= 10 * static_cast<double>(n) * inner);
  BOOST_TEST(traffic.bytes <= 1.1 * 10 * static_cast<double>(n) * inner);
}

BOOST_AUTO_TEST_CASE(traffic_adds_to_the_time_only_where_it_is_far) {
  const Rates rates = built_in_rates(arithmetic::Isa::avx2);
  BOOST_TEST(seconds_with_traffic(1e-6, product(8, 8, 8), 8, rates) == 1e-6);
  BOOST_TEST(seconds_with_traffic(1e-6, product(4000, 4000, 4000), 8, rates) > 1);
}

BOOST_AUTO_TEST_CASE(the_plan_is_the_best_of_the_classes) {
  const Rates rates = built_in_rates(arithmetic::Isa::avx2);
  for (const std::int64_t n : {3, 20, 100}) {
    const Sample sample = sample_contraction("acb", "kab", "ck", {{'a', n}, {'b', 7}, {'c', 11}, {'k', 30}});
    const auto& contraction = std::get<program::Contraction>(sample.operation);
    const double chosen = seconds_of(plan_of(contraction, sample.buffers, rates), rates);
    double best = 1;
    for (const ContractionClass one : contraction_classes)
      if (const auto plan = plan_of(contraction, sample.buffers, rates, one)) best = std::min(best, seconds_of(*plan, rates));
    BOOST_TEST(chosen == best);
  }
}

BOOST_AUTO_TEST_CASE(a_class_that_does_not_apply_has_no_plan) {
  const Rates rates = built_in_rates(arithmetic::Isa::avx2);
  const Sample outer = sample_contraction("ab", "a", "b", {{'a', 5}, {'b', 6}});
  const auto& contraction = std::get<program::Contraction>(outer.operation);
  BOOST_TEST(plan_of(contraction, outer.buffers, rates, ContractionClass::nest).has_value());
  BOOST_TEST(!plan_of(contraction, outer.buffers, rates, ContractionClass::product).has_value());
}

namespace {

/// With the second input as the right operand, packed.
ProductCost packed_cost(const Sample& sample) {
  const Rates rates = built_in_rates(arithmetic::Isa::avx2);
  for (const ProductChoice& choice : product_choices(std::get<program::Contraction>(sample.operation), sample.buffers, rates))
    if (choice.right == 1 && choice.plan.right == arithmetic::Walk::packed) return cost_of(choice, Dtype::f64, rates);
  BOOST_FAIL("there is no such product");
  return {};
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_parts_of_a_product_are_its_seconds) {
  const Rates rates = built_in_rates(arithmetic::Isa::avx2);
  const Sample sample = sample_contraction("ab", "ak", "kb", {{'a', 100}, {'b', 90}, {'k', 80}});
  const auto& contraction = std::get<program::Contraction>(sample.operation);
  for (const ProductChoice& choice : product_choices(contraction, sample.buffers, rates)) {
    const ProductCost cost = cost_of(choice, Dtype::f64, rates);
    BOOST_TEST(seconds_of(choice, Dtype::f64, rates) == cost.seconds());
    BOOST_TEST(cost.tiles >= 2.0 * 100 * 90 * 80 / rates.peak);
    BOOST_TEST(cost.calls > 0);
  }
}

BOOST_AUTO_TEST_CASE(an_output_that_no_vector_fits_is_written_one_by_one) {
  const std::vector<std::pair<char, std::int64_t>> extents = {{'a', 48}, {'b', 36}, {'k', 50}, {'t', 6}};
  BOOST_TEST(packed_cost(sample_contraction("tba", "tak", "tkb", extents)).writing == 0);
  BOOST_TEST(packed_cost(sample_contraction("bat", "akt", "kbt", extents)).writing > 0);
}

BOOST_AUTO_TEST_CASE(a_tile_that_is_not_full_costs_as_much) {
  const auto tiles = [](std::int64_t columns) {
    return packed_cost(sample_contraction("ba", "ak", "kb", {{'a', 12}, {'b', columns}, {'k', 64}})).tiles;
  };
  BOOST_TEST(tiles(8) > 1.9 * tiles(4));
  BOOST_TEST(tiles(1) > 0.3 * tiles(4));
}

BOOST_AUTO_TEST_CASE(short_runs_are_packed_more_slowly_than_long_ones) {
  // The rows of the left operand are adjacent; cut in two labels, of which the outer moves elsewhere, they are so in pieces of 6.
  const auto packing = [](const std::string& left) {
    return packed_cost(sample_contraction("cab", left, "kb", {{'a', 6}, {'b', 40}, {'c', 20}, {'k', 64}})).packing;
  };
  BOOST_TEST(packing("cka") > 1.5 * packing("kca"));
}

BOOST_AUTO_TEST_CASE(lines_that_are_gone_before_they_are_full_are_fetched_again) {
  // Rows of the left operand lie apart either way: the next ones on the same lines, or 512 rows later, when the lines are gone.
  const auto packing = [](const std::string& left) {
    return packed_cost(sample_contraction("aeb", left, "kb", {{'a', 128}, {'b', 16}, {'e', 512}, {'k', 64}})).packing;
  };
  BOOST_TEST(packing("kea") > 1.5 * packing("kae"));
}

BOOST_AUTO_TEST_CASE(trials_run_and_are_timed) {
  const Rates rates = built_in_rates(arithmetic::Isa::avx2);
  const Sample sample = sample_contraction("ab", "ak", "kb", {{'a', 30}, {'b', 20}, {'k', 25}});
  for (const ContractionClass one : contraction_classes) {
    std::optional<Trial> trial = Trial::of_class(sample, rates, one);
    BOOST_REQUIRE(trial.has_value());
    BOOST_TEST(trial->flops() == 2 * 30 * 20 * 25);
    BOOST_TEST(trial->measured(1e-4) > 0);
    BOOST_TEST(trial->predicted(rates) > 0);
  }
}

BOOST_AUTO_TEST_CASE(multiply_adds_count_their_flops) {
  double seed = 1;
  BOOST_TEST(arithmetic::run_multiply_adds(arithmetic::Isa::portable, 10, seed) == 10 * 12 * 2 * 2);
  for (const arithmetic::Isa isa : arithmetic::available_isas()) {
    BOOST_TEST(arithmetic::run_multiply_adds(isa, 10, seed) == 10 * 12 * 2 * (vector_bytes(isa) / 8));
    BOOST_TEST(seed > 0);
    BOOST_TEST(seed <= 1);
  }
}

}  // namespace tyto::execute::cpu
