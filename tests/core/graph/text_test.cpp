// The text form: what is printed parses to the same graph, for every operation.
#include "graph/text.hpp"
#include <boost/test/unit_test.hpp>
#include "evaluate/evaluate.hpp"
#include "graph/build.hpp"
#include "graph/handle.hpp"

using namespace tyto;
using graph::Graph;

namespace {

void check_round_trip(const std::string& text) {
  const Graph graph = graph::parse(text);
  verify(graph);
  BOOST_TEST(print(graph) == text);
}

}  // namespace

BOOST_AUTO_TEST_CASE(einsums_and_combinations_come_back) {
  check_round_trip(R"(data X(i=2,j=3)
unknown A(i,r=2)
unknown B(j,r)
T1(i,j) = A(i,r)*B(j,r)
T2(i,j) = X(i,j) - 2.5*T1(i,j)
T3(i,j) = -0.5*X(i,j) + 1e-07*T2(i,j)
T4() = T3(i,j)*T3(i,j)
T5() = 3*T4()
T6(j,i) = X(i,j)
output f = T5
output g = T6
)");
}

BOOST_AUTO_TEST_CASE(diagonals_traces_and_outer_products_come_back) {
  check_round_trip(R"(input M(i=3,i')
input v(j=2)
input s()
T1() = M(i,i)
T2(i) = M(i,i)
T3(i,j,j') = T2(i)*v(j)*v(j')*s()
T4(i,i',i'') = M(i,i')*M(i,i'')
output a = T1
output b = T3
output c = T4
)");
}

BOOST_AUTO_TEST_CASE(powers_identities_and_fills_come_back) {
  check_round_trip(R"(state A(i=2,r=2)
parameter t()
dimension (k=4)
T1(i,i',r) = I(i,i')*A(i',r)
T2(k,k') = I(k,k')
T3(i,r) = fill(-1.5; i,r)
T4(i,r) = A(i,r)^-0.5
T5(i,r) = T4(i,r) + fill(-1.5; i,r) - fill(2; i,r)
T6(k) = fill(3; k)
T7() = fill(2.5)
T8() = t()*t()
output a = T1
output b = T2
output c = T3
output d = T5
output e = T6
output f = T7
output g = T8
)");
}

BOOST_AUTO_TEST_CASE(solves_and_inverses_come_back_with_batch_and_several_rows) {
  check_round_trip(R"(input G(r=2,r')
input M(r,i=3)
input H(b=2,p=2,q=3,s=6)
input R(b,p,q,i)
input d(b)
T1(r,i) = solve[r'](G(r',r), M(r',i))
T2(r,i) = solve+[r'](G(r',r), M(r',i))
T3(r,r') = inverse[r](G(r,r'))
T4(b,s,i) = solve[p,q](H(b,p,q,s), R(b,p,q,i))
T5(b,p,q,s) = inverse[p,q](H(b,p,q,s))
T6(b) = solve[](d(b), d(b))
T7(r,i) = solve_nonnegative[r'](G(r',r), M(r',i))
output a = T1
output b = T2
output c = T3
output d_2 = T4
output e = T5
output f = T6
output g = T7
)");
}

BOOST_AUTO_TEST_CASE(scalar_inverses_and_solves_come_back) {
  check_round_trip(R"(input s()
input t()
T1() = inverse[](s())
T2() = solve[](s(), t())
output a = T1
output b = T2
)");
}

BOOST_AUTO_TEST_CASE(other_pairs_of_operations_come_back) {
  check_round_trip(R"(input X(i=2,j=3)
input v(j)
T1(i) = min,sum: X(i,j)*v(j)
T2(i) = max,product: X(i,j)*v(j)
T3() = max,sum: X(i,j)
T4(i) = sum,sum: X(i,j)*v(j)
output a = T1
output b = T2
output c = T3
output d = T4
)");
}

BOOST_AUTO_TEST_CASE(varying_dimensions_and_every_role_come_back) {
  check_round_trip(R"(data X(i=2)
weights X.weights(i)
unknown A(i,s=2..8)
state S(s)
parameter p()
constant C(i)
input v(i)
T1(s) = X(i)*X.weights(i)*A(i,s)*S(s)*p()*C(i)*v(i)
output a = T1
)");
}

BOOST_AUTO_TEST_CASE(names_that_are_no_words_or_are_keywords_are_quoted) {
  check_round_trip(R"(input `X of 3`(i=2)
input `I`(i,i')
input `fill`(i)
input `solve`(i)
input `2nd`(i)
T1(i) = `X of 3`(i) + `fill`(i) - `solve`(i) + 2*`2nd`(i)
T2(i) = `I`(i,i')*T1(i')
output `fit of f` = T2
)");
}

BOOST_AUTO_TEST_CASE(a_leaf_called_like_a_node_or_a_namesake_keeps_nodes_apart) {
  const auto store = std::make_shared<graph::Store>();
  const Index i("i", 2), other("i", 3);
  const Expr t1 = make_leaf(store, "T1", graph::Role::input, {i}), same = make_leaf(store, "T1", graph::Role::input, {other});
  const Expr first = sum(t1), second = sum(same), product = first * second;
  const std::string text = graph::print({store, {{"f", product.id()}}});
  BOOST_TEST(text == R"(input T1(i=2)
input T1_2(i_2=3)
T1_3() = T1(i)
T2() = T1_2(i_2)
T3() = T1_3()*T2()
output f = T3
)");
  check_round_trip(text);
}

BOOST_AUTO_TEST_CASE(comments_blank_lines_and_spaces_mean_nothing) {
  const Graph graph = graph::parse(
      "# first\n\n  input   X( i=2 , i' )\n\nT( i , i' ) = 2 * X( i , i' )  # last\nE(i,i') = I(i,i')  # identity\noutput "
      "f=T\noutput e=E");
  BOOST_TEST(print(graph) == "input X(i=2,i')\nT1(i,i') = 2*X(i,i')\nT2(i,i') = I(i,i')\noutput f = T1\noutput e = T2\n");
}

BOOST_AUTO_TEST_CASE(several_leaves_stand_on_one_line) {
  BOOST_TEST(print(graph::parse("unknown A(i=2,r=3) B(r) C()\nT(i) = A(i,r)*B(r)*C()\noutput f = T\n")) ==
             "unknown A(i=2,r=3)\nunknown B(r)\nunknown C()\nT1(i) = A(i,r)*B(r)*C()\noutput f = T1\n");
}

BOOST_AUTO_TEST_CASE(text_means_what_it_says) {
  const Graph graph = graph::parse(R"(
input G(r=2,r')
input M(r,i=2)
x(r,i) = solve[r'](G(r',r), M(r',i))
y(r) = min,sum: M(r,i)*fill(1; i)
s(r,i) = M(r,i)^2
z(r,i) = 2*M(r,i) - s(r,i)
output x = x
output y = y
output z = z
)");
  const std::vector<test::Numbers> values = test::evaluate(graph, test::Values().set("G", {2, 1, 0, 4}).set("M", {5, 8, 4, 16}));
  BOOST_TEST(test::distance(values[0], {2, 2, 1, 4}) < 1e-14);
  BOOST_TEST(values[1] == (test::Numbers{6, 5}), boost::test_tools::per_element());
  BOOST_TEST(values[2] == (test::Numbers{-15, -48, -8, -224}), boost::test_tools::per_element());
}
