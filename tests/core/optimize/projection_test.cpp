// Objectives that are minus the squared norm of what orthonormal bases keep.
#include "optimize/projection.hpp"
#include <boost/test/unit_test.hpp>
#include "graph/handle.hpp"

namespace tyto::optimize {

namespace {

using v1::einsum, v1::norm2, v1::tensor;  // not the namespaces

struct Fixture {
  std::shared_ptr<graph::Store> store = std::make_shared<graph::Store>();
  Index i{"i", 5}, j{"j", 6}, k{"k", 4}, r{"r", 2}, s{"s", 3};
  Expr x = leaf("X", graph::Role::data, {i, j, k}, {});
  Expr u = leaf("U", graph::Role::unknown, {i, r}, {r}), v = leaf("V", graph::Role::unknown, {j, s}, {s});
  Expr a = leaf("A", graph::Role::unknown, {i, r}, {});

  Expr leaf(const std::string& name, graph::Role role, const Indices& labels, const Indices& orthonormal) {
    return graph::make_leaf(store, name, role, labels, Field::real, {.orthonormal = orthonormal});
  }
  std::optional<Projection> found(const Expr& f) { return projection(*f.store(), f.id()); }
  std::int32_t carried(const Expr& e, const Expr& of, std::int32_t axis) { return carried_axis(*e.store(), e.id(), of.id(), axis); }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(projections, Fixture)

BOOST_AUTO_TEST_CASE(bases_in_some_modes_or_all_make_a_projection) {
  const auto both = found(-3 * norm2(einsum({x, u, v}, {r, s, k})));
  BOOST_REQUIRE(both.has_value());
  BOOST_TEST(both->coefficient == 3);
  BOOST_TEST(both->data == x.id());
  BOOST_TEST(both->bases == (std::vector<graph::NodeId>{u.id(), v.id()}), boost::test_tools::per_element());
  BOOST_TEST(found(-norm2(einsum({u, x}, {k, r, j}))).has_value());
}

BOOST_AUTO_TEST_CASE(the_extents_of_core_and_rest_are_those_of_the_data) {
  const auto p = found(-norm2(einsum({x, u, v}, {s, k, r})));
  BOOST_REQUIRE(p.has_value());
  BOOST_TEST(store->extents(p->core) == (Extents{3, 4, 2}), boost::test_tools::per_element());
  const Expr core = leaf("G", graph::Role::input, {s, k, r}, {});
  const graph::NodeId rest = left_out(*store, *p, core.id());
  BOOST_TEST((*store)[rest].shape.empty());
  BOOST_TEST(graph::depends_on(*store, rest, core.id()));
  BOOST_TEST(graph::depends_on(*store, rest, v.id()));
}

BOOST_AUTO_TEST_CASE(other_objectives_are_none) {
  BOOST_TEST(!found(norm2(einsum({x, u, v}, {r, s, k}))));                                 // the sign
  BOOST_TEST(!found(-norm2(einsum({x, a, v}, {r, s, k}))));                                // a matrix that is not orthonormal
  BOOST_TEST(!found(-norm2(einsum({x, u, v}, {i, r, s, k}))));                             // i is not summed
  BOOST_TEST(!found(-norm2(einsum({x, u, v}, {s, k}))));                                   // r is
  BOOST_TEST(!found(-norm2(einsum({x, u, u({i, r.prime()}), v}, {r, r.prime(), s, k}))));  // both at one mode
  BOOST_TEST(!found(-norm2(einsum({x, x, u, v}, {r, s, k}))));                             // the data squared
  BOOST_TEST(!found(norm2(x) - norm2(einsum({x, u, v}, {r, s, k}))));                      // two squares
  BOOST_TEST(!found(-norm2(x)));                                                           // no basis
}

BOOST_AUTO_TEST_CASE(a_label_is_carried_through_products_and_sums) {
  const Expr g = einsum({x, u, v}, {s, k, r});
  BOOST_TEST(carried(g, u, 1) == 2);
  BOOST_TEST(carried(g, v, 1) == 0);
  BOOST_TEST(carried(g, u, 0) == -1);  // summed
  const Expr y = leaf("Y", graph::Role::data, {i, j, k}, {});
  BOOST_TEST(carried(g + einsum({y, u, v}, {s, k, r}), u, 1) == 2);
  BOOST_TEST(carried(g + einsum({y, v, leaf("B", graph::Role::data, {i, r}, {})}, {s, k, r}), u, 1) == -1);  // a part without it
  BOOST_TEST(carried(einsum({x, u, leaf("w", graph::Role::data, {r}, {})}, {j, k, r}), u, 1) == -1);         // weighed by column
  BOOST_TEST(carried(square(u), u, 1) == -1);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace tyto::optimize
