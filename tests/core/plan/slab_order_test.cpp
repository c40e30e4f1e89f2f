#include "plan/slab_order.hpp"
#include <boost/test/unit_test.hpp>
#include "core/optimize/graph_values.hpp"

using namespace tyto;
using program::StepId;

namespace {

/// Chains of steps that each read one before: step k reads the value of reads[k], a leaf if that is negative.
program::Program chain(const std::vector<int>& reads) {
  program::Program p;
  p.buffers.push_back({.name = "X", .storage = program::Storage::leaf, .leaf = 0});
  for (std::size_t k = 0; k < reads.size(); ++k) {
    p.buffers.push_back({.name = "T"});
    p.steps.push_back(
        {.operation = program::Power{2, static_cast<program::BufferId>(reads[k] + 1), static_cast<program::BufferId>(k + 1)}});
  }
  return p;
}

using Order = std::vector<StepId>;

}  // namespace

BOOST_AUTO_TEST_CASE(without_groups_nothing_moves) {
  BOOST_CHECK((plan::order_with(chain({-1, 0, -1, 2}), {}).value() == Order{0, 1, 2, 3}));
}

BOOST_AUTO_TEST_CASE(a_group_comes_where_all_that_it_reads_is_there) {
  BOOST_CHECK((plan::order_with(chain({-1, -1, 1, 0}), {{0, 2}}).value() == Order{1, 0, 2, 3}));
}

BOOST_AUTO_TEST_CASE(a_step_between_two_of_a_group_forbids_it) {
  BOOST_TEST(!plan::order_with(chain({-1, 0, 1}), {{0, 2}}).has_value());
  BOOST_TEST(!plan::order_with(chain({-1, -1, 0, 1}), {{0, 3}, {1, 2}}).has_value());  // each waits for the other
}

BOOST_AUTO_TEST_CASE(kernels_and_constants_follow_their_steps) {
  program::Program p = chain({-1, -1, 1, 0});
  p.kernels = {{"k", {0, 3}, 4}, {"l", {1, 2}, 3}};
  p.constants = {1};
  plan::reorder(p, {1, 0, 2, 3});
  BOOST_CHECK((p.kernels[0].steps == Order{1, 3}));
  BOOST_CHECK((p.kernels[1].steps == Order{0, 2}));
  BOOST_CHECK((p.constants == Order{0}));
  BOOST_TEST(program::output_of(p.steps[0].operation) == 2);
}
