// Scalars that are tensor networks, opened down to their leaves and cut into sites.
#include "derivative/network.hpp"
#include <boost/test/unit_test.hpp>

using namespace tyto::v1;
using namespace tyto::derivative;
using tyto::graph::NodeId;

namespace {

const Index a("a", 1), b("b", 3), c("c", 1), i("i", 2), j("j", 4), w("w", 5), left("left", 1), right("right", 1);

/// Two cores, the operators between them, and the state that they stand for.
struct Chain {
  Expr first, second, psi, h1 = tensor("H1", {left, w, i.prime(), i}), h2 = tensor("H2", {w, right, j.prime(), j});
  explicit Chain(Field field)
      : first(tensor("A", {a, i, b}, field)), second(tensor("B", {b, j, c}, field)), psi(einsum({first, second}, {i, j})) {}
  Expr form() const { return real(einsum({h1, h2, conj(psi({i.prime(), j.prime()})), psi}, {})); }
};

std::string name_of_leaf(const Expr& e, NodeId leaf) { return tyto::graph::as<tyto::graph::Leaf>((*e.store())[leaf])->name; }

/// "H1 H2 A* B* A B"
std::string text(const Expr& e, const Network& n) {
  std::string all;
  for (const NetworkOperand& o : n.operands)
    all += (all.empty() ? "" : " ") + name_of_leaf(e, o.leaf) + (o.is_conjugated ? "*" : "");
  return all;
}

std::size_t count_of(const Network& n, std::int32_t label) {
  std::size_t count = 0;
  for (const NetworkOperand& o : n.operands) count += static_cast<std::size_t>(std::count(o.labels.begin(), o.labels.end(), label));
  return count;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(network)

BOOST_AUTO_TEST_CASE(products_of_products_are_opened) {
  const Chain chain(Field::complex);
  const Expr f = chain.form();
  const auto found = networks(*f.store(), f.id());
  BOOST_REQUIRE(found);
  BOOST_REQUIRE(found->size() == 1U);
  const Network& n = found->front();
  BOOST_TEST(text(f, n) == "H1 H2 A* B* A B");
  BOOST_TEST(n.dimensions.size() == 13U);  // two bonds and two sites of each state, ends of three chains, one bond of operators
  for (std::size_t label = 0; label < n.dimensions.size(); ++label) {
    const std::int64_t extent = f.store()->extent(n.dimensions[label]);
    BOOST_TEST(count_of(n, static_cast<std::int32_t>(label)) == (extent == 1 ? 1U : 2U));
  }
}

BOOST_AUTO_TEST_CASE(real_cores_are_not_conjugated) {
  const Chain chain(Field::real);
  const Expr f = chain.form();
  BOOST_TEST(text(f, networks(*f.store(), f.id())->front()) == "H1 H2 A B A B");
}

BOOST_AUTO_TEST_CASE(sums_are_terms_with_coefficients) {
  const Chain chain(Field::real);
  const Expr f = 3 * chain.form() - 0.5 * norm2(chain.psi);
  const auto found = networks(*f.store(), f.id());
  BOOST_REQUIRE(found);
  BOOST_REQUIRE(found->size() == 2U);
  BOOST_TEST(found->front().coefficient + found->back().coefficient == 2.5);
}

BOOST_AUTO_TEST_CASE(what_is_no_product_is_no_network) {
  const Chain chain(Field::real);
  for (const Expr& f : {exp(chain.form()), sum(tanh(chain.psi)), pow(chain.form(), 2)}) BOOST_TEST(!networks(*f.store(), f.id()));
}

BOOST_AUTO_TEST_CASE(a_quotient_has_a_denominator_that_is_one_network) {
  const Chain chain(Field::complex);
  const Expr f = chain.form() / norm2(chain.psi);
  const auto found = quotient(*f.store(), f.id());
  BOOST_REQUIRE(found);
  BOOST_TEST(text(f, found->numerator.at(0)) == "H1 H2 A* B* A B");
  BOOST_TEST(text(f, found->denominator) == "A* B* A B");
  const Expr form = chain.form(), twice = chain.form() / (2 * norm2(chain.psi));
  BOOST_TEST(!quotient(*form.store(), form.id()));
  BOOST_TEST(!quotient(*twice.store(), twice.id()));
}

BOOST_AUTO_TEST_CASE(operands_stand_at_the_sites_that_they_are_linked_with) {
  const Chain chain(Field::real);
  const Expr end = tensor("E", {left});
  const Expr f = einsum({chain.h1, end, chain.h2, chain.psi({i.prime(), j.prime()}), chain.psi}, {});
  const Network n = networks(*f.store(), f.id())->front();
  std::vector<NodeId> cores;
  for (const std::string name : {"A", "B"})
    for (const NetworkOperand& o : n.operands)
      if (name_of_leaf(f, o.leaf) == name) {
        cores.push_back(o.leaf);
        break;
      }
  const auto cut = sites(n, {cores});
  BOOST_REQUIRE(cut.size() == 2U);
  const auto names = [&](const std::vector<NetworkOperand>& site) {
    std::string all;
    for (const NetworkOperand& o : site) all += name_of_leaf(f, o.leaf) + " ";
    return all;
  };
  BOOST_TEST(names(cut[0]) == "H1 E A A ");
  BOOST_TEST(names(cut[1]) == "H2 B B ");
}

BOOST_AUTO_TEST_SUITE_END()
