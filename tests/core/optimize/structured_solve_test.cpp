// Systems that fall apart into small ones, compared in numbers with the system as a whole.
#include "core/optimize/passed.hpp"
#include "tyto/expr.hpp"

using namespace tyto;

namespace {

/// Orders of the systems that are solved, largest first.
std::vector<std::int64_t> orders(const graph::Graph& graph) {
  std::vector<std::int64_t> result;
  for (const graph::NodeId id : reachable(graph)) {
    const graph::Node& node = (*graph.store)[id];
    const auto* solve = graph::as<graph::Solve>(node);
    if (solve == nullptr) continue;
    std::int64_t order = 1;
    for (std::int32_t m = 0; m < solve->rows; ++m)
      order *= graph.store->extent((*graph.store)[node.operands[0]].shape[static_cast<std::size_t>(solve->batch + m)]);
    result.push_back(order);
  }
  std::sort(result.rbegin(), result.rend());
  return result;
}

/// SPD matrices named G, H, K over r, s, t: B'B + 2 I.
std::string spd(const std::string& name, const std::string& axis) {
  return fmt::format(
      "P{0}({1},{1}') = F{0}(w,{1})*F{0}(w,{1}')\nE{0}({1},{1}') = I({1},{1}')\n{0}({1},{1}') = P{0}({1},{1}') + "
      "2*E{0}({1},{1}')\n",
      name, axis);
}
const std::string leaves =
    "dimension(w=4)\nunknown FG(w,r=3) FH(w,s=4) FK(w,t=2)\nweights p1(i=5) p2(r) p3(i,j=2) p4()\ndata M(i,r) N(i,r,s) O(r,s,t) "
    "Q(r,s,i) Y(i,j) Z(r,s)\n";
std::string with_matrices(const std::string& text) { return leaves + spd("G", "r") + spd("H", "s") + spd("K", "t") + text; }

void check_orders(const std::string& text, const std::vector<std::int64_t>& wanted,
                  const std::vector<std::string>& kinds = {"solve", "solve+"}) {
  for (const std::string& kind : kinds) {
    std::string with_kind = text;
    with_kind.replace(with_kind.find("SOLVE"), 5, kind);
    const Passed p = passed("structured_solve", with_matrices(with_kind));
    BOOST_TEST(orders(p.after) == wanted, boost::test_tools::per_element());
    BOOST_TEST(p.log.rewrites().size() == 1U);
    check_values(p);
  }
}

Passed structured(const Expr& e) {
  Passed p{{e.store(), {{"x", e.id()}}}, {}, {}};
  for (const optimize::Pass& pass : optimize::pipeline())
    if (pass.name == "structured_solve") p.after = pass.run(p.before, {}, p.log);
  return p;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_tied_axis_leaves_one_small_system) {
  check_orders("S(i,r,i',r') = I(i,i')*G(r,r')\nx(i',r') = SOLVE[i,r](S(i,r,i',r'), M(i,r))\noutput x = x\n", {3});
}

BOOST_AUTO_TEST_CASE(tied_axes_leave_independent_nonnegative_systems) {
  const std::vector<std::string> kind{"solve_nonnegative"};
  check_orders("S(i,r,i',r') = I(i,i')*G(r,r')\nx(i',r') = SOLVE[i,r](S(i,r,i',r'), M(i,r))\noutput x = x\n", {3}, kind);
  check_orders("S(i,r,i',r') = I(i,i')*p1(i)*G(r,r')\nx(i',r') = SOLVE[i,r](S(i,r,i',r'), M(i,r))\noutput x = x\n", {3}, kind);
  check_orders("S(i,j,i',j') = I(i,i')*I(j,j')*p3(i,j)\nx(i',j') = SOLVE[i,j](S(i,j,i',j'), Y(i,j))\noutput x = x\n", {1}, kind);
}

BOOST_AUTO_TEST_CASE(nonnegative_systems_keep_the_sign_of_their_right_side) {
  const std::vector<std::string> kind{"solve_nonnegative"};
  check_orders(
      "E(i,j,i',j') = I(i,i')*I(j,j')\nS(i,j,i',j') = 2*E(i,j,i',j')\nx(i',j') = SOLVE[i,j](S(i,j,i',j'), Y(i,j))\noutput x = x\n",
      {1}, kind);
}

/// A bound on x is none on a product of x with a matrix, so neither the parts of a Kronecker product nor eigenvectors may be used.
BOOST_AUTO_TEST_CASE(nonnegative_systems_of_kronecker_form_stay_whole) {
  for (const std::string matrix : {"S(r,s,r',s') = G(r,r')*H(s,s')\n",
                                   "U(r,s,r',s') = G(r,r')*I(s,s')\nV(r,s,r',s') = I(r,r')*H(s,s')\nS(r,s,r',s') = U(r,s,r',s') + "
                                   "V(r,s,r',s')\n"}) {
    const Passed p = passed("structured_solve", with_matrices(matrix + "x(r',s') = solve_nonnegative[r,s](S(r,s,r',s'), Z(r,s))\n"
                                                                       "output x = x\n"));
    BOOST_TEST(orders(p.after) == std::vector<std::int64_t>{12}, boost::test_tools::per_element());
    check_values(p);
  }
}
BOOST_AUTO_TEST_CASE(a_tied_axis_that_the_matrix_depends_on_leaves_one_system_per_entry) {
  check_orders("S(i,r,i',r') = I(i',i)*p1(i)*G(r,r')\nx(i',r') = SOLVE[i,r](S(i,r,i',r'), M(i,r))\noutput x = x\n", {3});
  check_orders("S(i,r,i',r') = I(i,i')*p1(i')*p4()*G(r',r)\nx(i',r') = SOLVE[i,r](S(i,r,i',r'), M(i,r))\noutput x = x\n", {3});
}
BOOST_AUTO_TEST_CASE(a_masked_gram_is_one_system_per_entry) {
  check_orders(
      "S0(i,r,i',r') = I(i,i')*p1(i)*FG(w,r)*FG(w,r')\nS1(i,r,i',r') = I(i,i')*I(r,r')\nS(i,r,i',r') = S0(i,r,i',r') + "
      "S1(i,r,i',r')\n"
      "x(i',r') = SOLVE[i,r](S(i,r,i',r'), M(i,r))\noutput x = x\n",
      {3});
}
BOOST_AUTO_TEST_CASE(two_parts_of_unequal_size_are_solved_one_after_the_other) {
  check_orders("S(r,s,r',s') = G(r,r')*H(s,s')\nx(r',s') = SOLVE[r,s](S(r,s,r',s'), Z(r,s))\noutput x = x\n", {4, 3});
  check_orders(
      "T(r,s,r',s') = H(s,s')*G(r',r)\nS(r,s,r',s') = 0.5*T(r,s,r',s')\nx(r',s',i) = SOLVE[r,s](S(r,s,r',s'), Q(r,s,i))\noutput x "
      "= "
      "x\n",
      {4, 3});
}
BOOST_AUTO_TEST_CASE(three_parts_are_three_systems) {
  check_orders(
      "S(r,s,t,r',s',t') = K(t,t')*G(r,r')*H(s,s')\nx(r',s',t') = SOLVE[r,s,t](S(r,s,t,r',s',t'), O(r,s,t))\noutput x = x\n",
      {4, 3, 2});
}
BOOST_AUTO_TEST_CASE(a_tie_beside_two_parts_leaves_both) {
  check_orders(
      "S(i,r,s,i',r',s') = I(i,i')*G(r,r')*H(s,s')*p1(i)\nx(i',r',s') = SOLVE[i,r,s](S(i,r,s,i',r',s'), N(i,r,s))\noutput x = x\n",
      {4, 3});
}
BOOST_AUTO_TEST_CASE(terms_with_a_common_identity_are_one_small_system) {
  check_orders(
      "S0(i,r,i',r') = I(i,i')*G(r,r')\nS1(i,r,i',r') = I(i,i')*FG(w,r)*FG(w,r')*p1(i)\nS(i,r,i',r') = S0(i,r,i',r') + "
      "3*S1(i,r,i',r')\n"
      "x(i',r') = SOLVE[i,r](S(i,r,i',r'), M(i,r))\noutput x = x\n",
      {3});
}
BOOST_AUTO_TEST_CASE(a_ridge_adds_to_the_small_system) {
  check_orders(
      "S0(i,r,i',r') = I(i,i')*G(r,r')\nS1(i,r,i',r') = I(r,r')*I(i',i)\nS(i,r,i',r') = S0(i,r,i',r') + 0.25*S1(i,r,i',r')\n"
      "x(i',r') = SOLVE[i,r](S(i,r,i',r'), M(i,r))\noutput x = x\n",
      {3});
}
BOOST_AUTO_TEST_CASE(where_all_axes_are_tied_nothing_but_a_division_is_left) {
  check_orders("S(i,r,i',r') = I(i,i')*I(r,r')*p1(i)*p2(r)\nx(i',r') = SOLVE[i,r](S(i,r,i',r'), M(i,r))\noutput x = x\n", {1});
  check_orders("S(i,r,i',r') = I(i,i')*I(r,r')*p4()\nx(i',r') = SOLVE[i,r](S(i,r,i',r'), M(i,r))\noutput x = x\n", {1});
}
BOOST_AUTO_TEST_CASE(a_scalar_network_is_a_factor_of_one_part) {
  check_orders("S(r,s,r',s') = G(r,r')*H(s,s')*p3(i,j)*p1(i)\nx(r',s') = SOLVE[r,s](S(r,s,r',s'), Z(r,s))\noutput x = x\n", {4, 3});
  check_orders("S(i,r,i',r') = I(i,i')*G(r,r')*FH(w,s)*FH(w,s)\nx(i',r') = SOLVE[i,r](S(i,r,i',r'), M(i,r))\noutput x = x\n", {3});
}
BOOST_AUTO_TEST_CASE(batch_axes_stay_batch_axes) {
  check_orders("S(i,r,s,r',s') = p1(i)*G(r,r')*H(s,s')\nx(i,r',s') = SOLVE[r,s](S(i,r,s,r',s'), N(i,r,s))\noutput x = x\n", {4, 3});
}

BOOST_AUTO_TEST_CASE(a_system_without_structure_is_left_alone) {
  for (const std::string text : {"S(r,r') = G(r,r')\nx(r',s) = solve+[r](S(r,r'), Z(r,s))\noutput x = x\n",
                                 "S0(r,s,r',s') = G(r,r')*H(s,s')\nS1(r,s,r',s') = I(r,r')*I(s,s')\nS(r,s,r',s') = S0(r,s,r',s') + "
                                 "S1(r,s,r',s')\nx(r',s') = solve+[r,s](S(r,s,r',s'), Z(r,s))\noutput x = x\n"}) {
    const Passed p = passed("structured_solve", with_matrices(text));
    BOOST_TEST(p.is_unchanged());
    BOOST_TEST(p.log.near_misses().size() == 1U);
    check_values(p);
  }
}
BOOST_AUTO_TEST_CASE(a_product_with_its_columns_in_another_order_is_taken_apart) {
  check_orders("S(r,s,s',r') = G(r,r')*H(s,s')\nx(s',r',i) = SOLVE[r,s](S(r,s,s',r'), Q(r,s,i))\noutput x = x\n", {4, 3},
               {"solve"});
  const Passed p =
      passed("structured_solve",
             "unknown A(a=3,b=3) B(a,b)\ndata M(a,b)\nS(a,b,a',b') = A(a,b')*B(b,a')\nx(a',b') = "
             "solve[a,b](S(a,b,a',b'), M(a,b))\nV(a,b,a',b') = inverse[a,b](S(a,b,a',b'))\noutput x = x\noutput v = V\n");
  BOOST_TEST(orders(p.after) == std::vector<std::int64_t>({3, 3}), boost::test_tools::per_element());
  check_values(p);
}
BOOST_AUTO_TEST_CASE(the_symmetric_part_of_a_product_of_symmetric_factors_is_the_product) {
  const Index a("a", 3), b("b", 4), k("k", 2);
  const Expr first = v1::tensor("A", {a, a.prime()}, Field::real, {.symmetric = {{a, a.prime()}}}),
             second = v1::tensor("B", {b, b.prime()}, Field::real, {.symmetric = {{b, b.prime()}}}),
             right = v1::tensor("y", {a, b, k});
  const Passed p = structured(v1::solve(first * second, right, {a, b}, Matrix::symmetric));
  BOOST_TEST(orders(p.after) == std::vector<std::int64_t>({4, 3}), p.text());
  check_values(p);
}
BOOST_AUTO_TEST_CASE(a_semidefinite_product_of_negative_matrices_is_left_whole) {
  // Both factors are negative: as semidefinite systems of their own they would have no solution.
  const std::string factors =
      "dimension(i=2)\ndimension(j=3)\nweights p(i) q(j)\ndata B(i,j)\nEI(i,i') = I(i,i')\nEJ(j,j') = I(j,j')\nR(i,i') = "
      "p(i)*p(i')\nU(j,j') = q(j)*q(j')\n";
  for (const bool is_negative : {true, false}) {
    const std::string sign = is_negative ? " - 20*" : " + 20*";
    const Passed p =
        passed("structured_solve", factors + "P(i,i') = R(i,i')" + sign + "EI(i,i')\nQ(j,j') = U(j,j')" + sign +
                                       "EJ(j,j')\nS(i,j,i',j') = P(i,i')*Q(j,j')\nx(i',j') = solve+[i,j](S(i,j,i',j'), "
                                       "B(i,j))\noutput x = x\n");
    BOOST_TEST(orders(p.after) == (is_negative ? std::vector<std::int64_t>{6} : std::vector<std::int64_t>{3, 2}),
               boost::test_tools::per_element());
    check_values(p);
  }
}
BOOST_AUTO_TEST_CASE(a_factor_of_the_matrix_divides_the_solution) {
  for (const std::string kind : {"solve", "solve_symmetric", "solve+"}) {
    const Passed p =
        passed("structured_solve", with_matrices("S(r,r') = -0.5*G(r,r')\nT(r,r') = 2*G(r,r')\nx(r',s) = " +
                                                 (kind == "solve+" ? "solve" : kind) + "[r](S(r,r'), Z(r,s))\ny(r',s) = " + kind +
                                                 "[r](T(r,r'), Z(r,s))\nv(r,r') = inverse[r](T(r,r'))\noutput x = x\noutput "
                                                 "y = y\noutput v = v\n"));
    for (const graph::NodeId id : reachable(p.after)) {
      const graph::Node& node = (*p.after.store)[id];
      if (graph::is<graph::Solve>(node) || graph::is<graph::Inverse>(node))
        BOOST_TEST(graph::without_factor(*p.after.store, node.operands[0]).coefficient == 1, p.text());
    }
    check_values(p);
  }
}
BOOST_AUTO_TEST_CASE(the_inverse_of_an_inverse_is_the_matrix) {
  const Passed p =
      passed("structured_solve", "unknown A(i=3,i')\nV(i,i') = inverse[i](A(i,i'))\nW(i,i') = inverse[i](V(i,i'))\noutput w = W\n");
  BOOST_TEST(graph::is<graph::Leaf>((*p.after.store)[p.after.outputs[0].node]), p.text());
  check_values(p);
}

namespace {

struct Blocks {
  Index a{"a", 2}, b{"b", 3}, c{"c", 4}, row{"row", 9}, column{"column", 9}, k{"k", 2};
  Expr matrix_a = v1::tensor("A", {a, a.prime()}), matrix_b = v1::tensor("B", {b, b.prime()}),
       matrix_c = v1::tensor("C", {c, c.prime()}), right = v1::tensor("y", {row, k});

  /// A block row with `block` at its place among zeros.
  Expr block_row(const Expr& block, const Index& own, std::size_t place) const {
    Exprs parts;
    Indices along;
    for (const Index& other : {a.prime(), b.prime(), c.prime()})
      parts.push_back(parts.size() == place ? block : zeros({own, other})), along.push_back(other);
    return concatenate(parts, along, column);
  }
  Expr concatenated() const {
    return concatenate({block_row(matrix_a, a, 0), block_row(matrix_b, b, 1), block_row(matrix_c, c, 2)}, {a, b, c}, row);
  }
  Expr padded() const {
    const auto at = [&](const Expr& block, const Index& own, std::int64_t first) {
      return pad(pad(block, own, first, row), own.prime(), first, column);
    };
    return at(matrix_a, a, 0) + at(matrix_b, b, 2) - 2 * at(matrix_c, c, 5);
  }
};

}  // namespace

BOOST_AUTO_TEST_CASE(a_block_diagonal_system_is_one_for_each_block) {
  const Blocks blocks;
  for (const Expr& matrix : {blocks.concatenated(), blocks.padded()}) {
    const Passed x = structured(v1::solve(matrix, blocks.right, {blocks.row})), v = structured(inverse(matrix, {blocks.row}));
    BOOST_TEST(orders(x.after) == std::vector<std::int64_t>({4, 3, 2}), boost::test_tools::per_element());
    BOOST_TEST(x.log.rewrites() == std::vector<std::string>{"a block diagonal system becomes 3 systems"},
               boost::test_tools::per_element());
    BOOST_TEST(v.log.rewrites() == std::vector<std::string>{"the inverse of a block diagonal matrix is that of its 3 blocks"},
               boost::test_tools::per_element());
    check_values(x), check_values(v);
  }
}
BOOST_AUTO_TEST_CASE(blocks_beside_the_diagonal_keep_a_system_whole) {
  const Blocks blocks;
  const Expr beside = pad(pad(v1::tensor("D", {blocks.a, blocks.b}), blocks.a, 0, blocks.row), blocks.b, 2, blocks.column);
  const Passed x = structured(v1::solve(blocks.padded() + beside, blocks.right, {blocks.row}));  // couples A and B, leaves C
  BOOST_TEST(orders(x.after) == std::vector<std::int64_t>({5, 4}), boost::test_tools::per_element());
  check_values(x);
}
BOOST_AUTO_TEST_CASE(parts_that_are_not_square_are_left_alone) {
  const Passed p = passed("structured_solve",
                          "unknown A(a=2,b=3) B(c=3,d=2)\ndata M(a,c)\nS(a,c,b,d) = A(a,b)*B(c,d)\nx(b,d) = solve[a,c](S(a,c,b,d), "
                          "M(a,c))\noutput x = x\n");
  BOOST_TEST(p.is_unchanged());
  BOOST_TEST(p.log.near_misses() == std::vector<std::string>{"a system of order 6 has no structure"},
             boost::test_tools::per_element());
}
