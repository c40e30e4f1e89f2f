// The node store: equal mathematics is one node, leaves are themselves, shapes are checked where nodes are made.
#include "graph/store.hpp"
#include <boost/test/unit_test.hpp>
#include "evaluate/error_text.hpp"
#include "graph/build.hpp"
#include "tyto/expr.hpp"

using namespace tyto::v1;
using namespace tyto::test;
namespace graph = tyto::graph;
using graph::NodeId;
using graph::Store;

namespace {

struct Fixture {
  std::shared_ptr<Store> store = std::make_shared<Store>();
  Index i{"i", 2}, j{"j", 3}, r{"r", 2};
  graph::DimensionId di = store->dimension(i.dimension()), dj = store->dimension(j.dimension()),
                     dr = store->dimension(r.dimension());
  NodeId leaf(const std::string& name, const graph::Shape& shape) {
    return store->insert_source(graph::Leaf{name, graph::Role::input, std::make_shared<const char>('\0')}, shape);
  }
  using Labels = std::vector<std::int32_t>;
  NodeId product(std::vector<Labels> inputs, Labels output, std::vector<NodeId> operands) {
    return store->insert(graph::Einsum{{std::move(inputs), std::move(output)}, {}}, std::move(operands));
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(store, Fixture)

BOOST_AUTO_TEST_CASE(einsums_that_differ_in_the_numbers_of_their_labels_are_one_node) {
  const NodeId a = leaf("A", {di, dr}), b = leaf("B", {dj, dr});
  const NodeId first = product({{0, 2}, {1, 2}}, {0, 1}, {a, b});
  BOOST_TEST(product({{7, 3}, {9, 3}}, {7, 9}, {a, b}) == first);
  BOOST_TEST(product({{0, 2}, {1, 2}}, {1, 0}, {a, b}) != first);
  graph::Einsum shortest = *graph::as<graph::Einsum>((*store)[first]);
  shortest.pair.reduce = decltype(shortest.pair.reduce)::min;
  BOOST_TEST(store->insert(shortest, {a, b}) != first);
}

BOOST_AUTO_TEST_CASE(equal_operations_on_equal_operands_are_one_node_and_different_ones_are_not) {
  const NodeId a = leaf("A", {di, di});
  BOOST_TEST(store->insert(graph::Power{2}, {a}) == store->insert(graph::Power{2}, {a}));
  BOOST_TEST(store->insert(graph::Power{2}, {a}) != store->insert(graph::Power{3}, {a}));
  BOOST_TEST(store->insert(graph::Combination{{2}}, {a}) == store->insert(graph::Combination{{2}}, {a}));
  BOOST_TEST(store->insert(graph::Combination{{2}}, {a}) != store->insert(graph::Combination{{-2}}, {a}));
  BOOST_TEST(store->insert(graph::Inverse{0, 1}, {a}) == store->insert(graph::Inverse{0, 1}, {a}));
  BOOST_TEST(store->insert(graph::Solve{0, 1, tyto::operation::System::general}, {a, a}) !=
             store->insert(graph::Solve{0, 1, tyto::operation::System::semidefinite}, {a, a}));
  BOOST_TEST(graph::fill(*store, 1, {di}) == graph::fill(*store, 1, {di}));
  BOOST_TEST(graph::fill(*store, 1, {di}) != graph::fill(*store, 2, {di}));
  BOOST_TEST(graph::fill(*store, 1, {di}) != graph::fill(*store, 1, {dj}));
  BOOST_TEST(graph::identity(*store, di, di) == graph::identity(*store, di, di));
}

BOOST_AUTO_TEST_CASE(operands_have_smaller_ids_than_their_users) {
  const NodeId a = leaf("A", {di}), squared = store->insert(graph::Power{2}, {a});
  BOOST_TEST(a < squared);
  BOOST_TEST((*store)[squared].operands[0] == a);
}

BOOST_AUTO_TEST_CASE(leaves_of_one_name_stay_different_and_a_copied_leaf_stays_itself) {
  const NodeId first = leaf("A", {di}), second = leaf("A", {di});
  BOOST_TEST(first != second);
  Store other;
  const NodeId there = other.import(*store, first);
  BOOST_TEST(other.import(*store, first) == there);
  BOOST_TEST(other.import(*store, second) != there);
  BOOST_TEST(store->import(other, there) == first);
}

BOOST_AUTO_TEST_CASE(import_brings_what_a_node_needs_and_nothing_else) {
  const NodeId a = leaf("A", {di}), unused = leaf("B", {di}),
               sum = graph::combination(*store, {{1, a}, {2, graph::power(*store, a, 2)}}, {di});
  graph::power(*store, unused, 3);
  Store other;
  const NodeId there = other.import(*store, sum);
  BOOST_TEST(other.size() == 3);
  BOOST_TEST(other[there].hash == (*store)[sum].hash);
  BOOST_TEST(other.extents(there) == tyto::Extents{2}, boost::test_tools::per_element());
  BOOST_TEST(store->import(*store, sum) == sum);
}

BOOST_AUTO_TEST_CASE(dimensions_fit_themselves_and_fixed_ones_of_one_extent) {
  const Index varying("s", 2, 4), other("t", 2, 4);
  const graph::DimensionId dv = store->dimension(varying.dimension()), dw = store->dimension(other.dimension());
  BOOST_TEST(store->fits(di, dr));
  BOOST_TEST(!store->fits(di, dj));
  BOOST_TEST(store->fits(dv, dv));
  BOOST_TEST(!store->fits(dv, dw));
  BOOST_TEST(!store->fits(dv, di));
  BOOST_TEST(store->fits(graph::Shape{di, dj}, graph::Shape{dr, dj}));
  BOOST_TEST(!store->fits(graph::Shape{di}, graph::Shape{di, dj}));
}

BOOST_AUTO_TEST_CASE(references_to_nodes_outlive_growth) {
  const NodeId a = leaf("A", {di});
  const graph::Node& node = (*store)[a];
  for (int k = 0; k < 1000; ++k) leaf("B", {di});
  BOOST_TEST(&node == &(*store)[a]);
  BOOST_TEST(graph::as<graph::Leaf>(node)->name == "A");
}

BOOST_AUTO_TEST_CASE(operands_that_do_not_fit_are_refused) {
  const NodeId a = leaf("A", {di, dj}), v = leaf("v", {di});
  BOOST_TEST(error_of([&] {
               product({{0, 1}, {1}}, {0}, {a, v});
             }) == "a label joins axes of different extents\n  expected  j=3\n  found     i=2");
  BOOST_TEST(error_of([&] { product({{0, 1}}, {0}, {a, v}); }) == "an einsum has one list of labels per operand");
  BOOST_TEST(error_of([&] { product({{0}}, {0}, {a}); }) == "an einsum labels every axis of every operand");
  BOOST_TEST(error_of([&] { product({{0, 1}}, {2}, {a}); }) == "an output label of an einsum is on no operand");
  BOOST_TEST(error_of([&] { product({{0, 1}}, {0, 0}, {a}); }) == "an output label of an einsum is given twice");
  BOOST_TEST(error_of([&] {
               store->insert(graph::Combination{{1, 1}}, {a, v});
             }) == "the operands of a combination have one shape");
  BOOST_TEST(error_of([&] { store->insert(graph::Combination{{1}}, {a, a}); }) == "a combination has one coefficient per operand");
  BOOST_TEST(error_of([&] { store->insert(graph::Power{2}, {}); }) == "an operand is missing");
  BOOST_TEST(error_of([&] {
               store->insert(graph::Inverse{0, 1}, {a});
             }) == "the matrix to invert is not square\n  expected  2 columns\n  found     3 columns");
  BOOST_TEST(error_of([&] { store->insert(graph::Inverse{1, 2}, {a}); }) == "a matrix has batch, row and column axes");
  BOOST_TEST(error_of([&] {
               store->insert(graph::Solve{0, 1}, {product({{0}, {1}}, {0, 1}, {v, v}), graph::fill(*store, 1, {dj})});
             }) == "the right side of a solve begins with the batch and row axes of its matrix");
  BOOST_TEST(error_of([&] { graph::identity(*store, di, dj); }) ==
             "an identity joins axes of different extents\n  expected  i=2\n  found     j=3");
}

BOOST_AUTO_TEST_SUITE_END()
