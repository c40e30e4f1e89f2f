// Expressions as one line of text, for people and errors.
#include <boost/test/unit_test.hpp>
#include "tyto/expr.hpp"

using namespace tyto::v1;

namespace {

struct Fixture {
  Index i{"i", 2}, j{"j", 3}, r{"r", 2};
  Expr x = tensor("X", {i, j}), a = tensor("A", {i, r}), b = tensor("B", {j, r}), g = tensor("G", {r, r.prime()}),
       s = tensor("s", {});
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(text, Fixture)

BOOST_AUTO_TEST_CASE(leaves_and_numbers) {
  BOOST_TEST(x.text() == "X(i,j)");
  BOOST_TEST(s.text() == "s");
  BOOST_TEST(x({i.prime(), j.as("q")}).text() == "X(i',q)");
  BOOST_TEST(Expr(0.5).text() == "0.5");
  BOOST_TEST(Expr().text() == "0");
}

BOOST_AUTO_TEST_CASE(products_and_sums) {
  BOOST_TEST((a * b).text() == "A(i,r)*B(j,r)");
  BOOST_TEST(einsum({a, b}, {i, j}).text() == "sum[r] A(i,r)*B(j,r)");
  BOOST_TEST((x - einsum({a, b}, {i, j})).text() == "X(i,j) - sum[r] A(i,r)*B(j,r)");
  BOOST_TEST((-2 * x + 1.5 * x).text() == "-0.5*X(i,j)");
  BOOST_TEST((0.5 * norm2(x - einsum({a, b}, {i, j}))).text() == "0.5*sum[i,j] (X(i,j) - sum[r] A(i,r)*B(j,r))^2");
  BOOST_TEST((x + 1).text() == "X(i,j) + 1");
}

BOOST_AUTO_TEST_CASE(summed_labels_get_names_that_nothing_around_has) {
  BOOST_TEST(einsum({a({i, r}), a({i.prime(), r})}, {i, i.prime()}).text() == "sum[r] A(i,r)*A(i',r)");
  BOOST_TEST((einsum({a, b}, {i, j})({r, j})).text() == "sum[r'] A(r,r')*B(j,r')");
}

BOOST_AUTO_TEST_CASE(other_operations) {
  BOOST_TEST(pow(x, 2).text() == "(X(i,j))^2");
  BOOST_TEST(norm(s).text() == "(s^2)^0.5");
  BOOST_TEST((s / 4).text() == "0.25*s");
  BOOST_TEST(identity(i, i.prime()).text() == "I(i,i')");
  BOOST_TEST(inverse(g, {r}).text() == "inverse(G(r,r'))");
  BOOST_TEST(solve(g, b, {r}).text() == "solve(G(r,r'), B(j,r))");
}

BOOST_AUTO_TEST_CASE(parentheses_stand_where_a_reader_would_go_wrong) {
  BOOST_TEST(square(a * b).text() == "(A(i,r)*B(j,r))^2");
  BOOST_TEST(square(sum(a)).text() == "(sum[i,r] A(i,r))^2");
  BOOST_TEST(square(pow(a, 3)).text() == "((A(i,r))^3)^2");
  BOOST_TEST((sum(a) * s).text() == "(sum[i,r] A(i,r))*s");
  BOOST_TEST((s * sum(a)).text() == "s*sum[i,r] A(i,r)");
  BOOST_TEST((s * s * s).text() == "s^2*s");
}

BOOST_AUTO_TEST_CASE(long_texts_are_cut) {
  Expr e = a;
  for (int k = 0; k < 40; ++k) e = e * e + 1;
  BOOST_TEST(e.text().size() < 2000);
  BOOST_TEST(e.text().find("...") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
