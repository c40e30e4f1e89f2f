// Where products stand in networks.
#include "optimize/embedding.hpp"
#include <boost/test/unit_test.hpp>
#include "graph/text.hpp"

using namespace tyto;

namespace {

/// Reads a graph with the outputs `network` and `product`, and finds one in the other.
struct Placed {
  explicit Placed(const std::string& text)
      : graph(graph::parse(text)),
        network(of("network")),
        product(of("product")),
        place(optimize::embedded(*graph.store, product, network)) {}

  optimize::Product of(const std::string& output) const {
    for (const graph::Output& o : graph.outputs)
      if (o.name == output) return optimize::as_product(*graph.store, o.node);
    return {};
  }
  /// Names of the operands of the network that the product lacks.
  std::vector<std::string> left_out() const {
    std::vector<std::string> names;
    for (std::size_t k = 0; k < network.operands.size(); ++k)
      if (place->left_out[k]) names.push_back(graph::as<graph::Leaf>((*graph.store)[network.operands[k]])->name);
    return names;
  }

  graph::Graph graph;
  optimize::Product network, product;
  std::optional<optimize::Embedded> place;
};

using Names = std::vector<std::string>;

}  // namespace

BOOST_AUTO_TEST_CASE(a_product_may_lack_operands_of_the_network) {
  const Placed p(
      "data X(i=2,j=3,k=4)\nunknown A(i,r=2) B(j,r) C(k,r)\n"
      "f() = X(i,j,k)*A(i,r)*B(j,r)*C(k,r)\nG(j,r) = C(k,r)*X(i,j,k)*A(i,r)\noutput network = f\noutput product = G\n");
  BOOST_TEST_REQUIRE(p.place.has_value());
  BOOST_TEST(p.left_out() == Names{"B"}, boost::test_tools::per_element());
  BOOST_TEST(p.place->strangers == 0u);
}

BOOST_AUTO_TEST_CASE(equal_operands_are_told_apart_by_their_neighbours) {
  // The ring of one tensor: what is left is an open chain, wherever the search begins.
  const Placed p(
      "dimension(a=2)\nunknown A(a,a') B(a)\n"
      "f() = A(a,a')*A(a',a'')*A(a'',a''')*A(a''',a)\nG(a,a''') = A(a'',a''')*A(a,a')*A(a',a'')\n"
      "output network = f\noutput product = G\n");
  BOOST_TEST_REQUIRE(p.place.has_value());
  BOOST_TEST(p.place->left_out.count() == 1u);
  BOOST_TEST(p.place->strangers == 0u);
}

BOOST_AUTO_TEST_CASE(other_operands_may_stand_in_the_place_of_those_left_out) {
  const Placed p(
      "dimension(a=3)\ndimension(b=3)\ndimension(s=2)\ndata W(s',s)\nunknown A(s,a) B(a,s,b) C(b,s) v(a,s,b)\n"
      "f() = A(s,a)*A(s,a')*B(a,s'',b)*W(s''',s'')*B(a',s''',b')*C(b,s'''')*C(b',s'''')\n"
      "H(a',s''',b') = A(s,a)*A(s,a')*v(a,s'',b)*W(s''',s'')*C(b,s'''')*C(b',s'''')\n"
      "output network = f\noutput product = H\n");
  BOOST_TEST_REQUIRE(p.place.has_value());
  BOOST_TEST(p.left_out() == (Names{"B", "B"}), boost::test_tools::per_element());
  BOOST_TEST(p.place->strangers == 1u);
}

BOOST_AUTO_TEST_CASE(a_label_that_the_network_sums_must_not_be_needed_outside) {
  const Placed p(
      "data X(i=2,j=3)\nunknown A(i,r=2) B(j,r)\n"
      "f() = X(i,j)*A(i,r)*B(j,r)\nG(r) = X(i,j)*A(i,r)*B(j,r)\noutput network = f\noutput product = G\n");
  BOOST_TEST(!p.place.has_value());
}

BOOST_AUTO_TEST_CASE(operands_joined_otherwise_are_strangers_or_make_no_part) {
  const Placed p(
      "dimension(i=3)\ndata X(i,i')\nunknown A(i,r=2) B(i,r)\n"
      "f() = X(i,i')*A(i,r)*B(i',r)\nG(i,r) = X(i,i')*A(i',r)*B(i',r)\noutput network = f\noutput product = G\n");
  BOOST_TEST((!p.place.has_value() || p.place->strangers > 0));
}

BOOST_AUTO_TEST_CASE(axes_of_a_symmetric_operand_stand_in_any_order) {
  for (const std::string fact : {"; symmetric s s'", ""}) {
    const Placed p("dimension(a=3)\ndata L(a,a') W(a,s=2,s',a'" + fact +
                   ") R(a,a')\nunknown A(s) B(s)\nf() = L(a,a')*W(a',s,s',a'')*R(a'',a)*A(s)*B(s')\nG(a,a') = "
                   "W(a,s',s,a')*A(s)*B(s')\noutput network = f\noutput product = G\n");
    BOOST_TEST(p.place.has_value() == !fact.empty());
    if (p.place && !fact.empty()) BOOST_TEST(p.left_out() == (Names{"L", "R"}), boost::test_tools::per_element());
  }
}
