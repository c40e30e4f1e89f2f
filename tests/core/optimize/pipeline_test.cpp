// The list of passes: its order, switching off, and a product with more labels than there are letters.
#include "core/optimize/passed.hpp"
#include "error/fail.hpp"

using namespace tyto;

namespace {

std::string error_of(const std::vector<std::string>& switched_off) {
  try {
    optimize::optimize(graph::parse("unknown A(i=3)\noutput a = A\n"), {}, switched_off);
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing was thrown";
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_pass_comes_after_those_that_it_requires) {
  std::vector<std::string> before;
  for (const optimize::Pass& pass : optimize::pipeline()) {
    for (const std::string& needed : pass.requires_passes)
      BOOST_TEST((std::find(before.begin(), before.end(), needed) != before.end()), pass.name << " requires " << needed);
    BOOST_TEST((std::find(before.begin(), before.end(), pass.name) == before.end()));
    BOOST_TEST(!pass.summary.empty());
    before.push_back(pass.name);
  }
  BOOST_TEST(before == (std::vector<std::string>{"algebra", "distribute", "fuse", "prune_identities", "prune_orthonormal",
                                                 "structured_solve", "prune_inverses", "factor", "common_subexpressions",
                                                 "message_tree", "contraction_path"}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(an_unknown_pass_is_named_with_a_suggestion) {
  BOOST_TEST(
      error_of({"fuze"}) ==
      "there is no pass 'fuze'\n"
      "  expected  algebra, distribute, fuse, prune_identities, prune_orthonormal, structured_solve, prune_inverses, factor, "
      "common_subexpressions, message_tree or contraction_path\n"
      "  found     fuze\n"
      "  try       fuse");
  BOOST_TEST(error_of({"fuse"}) == "nothing was thrown");
}

BOOST_AUTO_TEST_CASE(a_report_says_which_passes_ran_and_what_they_changed) {
  const graph::Graph graph =
      graph::parse("unknown A(i=3,r=2) B(j=4,r)\nM(i,j) = A(i,r)*B(j,r)\nf(i) = M(i,j)*B(j,r)\noutput f = f\n");
  const optimize::Optimized all = optimize::optimize(graph), some = optimize::optimize(graph, {}, {"fuse", "algebra"});
  BOOST_TEST(all.reports.size() == 11U);
  BOOST_TEST(some.reports.size() == 9U);
  for (const optimize::Report& report : all.reports)
    BOOST_TEST(report.changed == (report.pass == "fuse" || report.pass == "contraction_path"), report.pass);
  BOOST_TEST(optimize::simplify(graph).reports.size() == 9U);
}

BOOST_AUTO_TEST_CASE(sixty_one_matrices_have_more_labels_than_letters) {
  std::string product, shape;
  for (int k = 0; k < 61; ++k)
    product += fmt::format("{}A(i{},i{})", k == 0 ? "" : "*", std::string(static_cast<std::size_t>(k), '\''),
                           std::string(static_cast<std::size_t>(k) + 1, '\''));
  const std::string last(61, '\'');
  const graph::Graph graph =
      graph::parse(fmt::format("unknown A(i=2,i)\nP(i,i{0}) = {1}\nt() = {2}\noutput p = P\noutput t = t\n", last, product, [&] {
        std::string closed = product;
        closed.replace(closed.rfind("i" + last), 1 + last.size(), "i");
        return closed;
      }()));
  for (const execute::Executor* executor : {&reference_executor(), &cpu_executor()}) {
    const graph::Graph result = optimize::optimize(graph).graph;
    LeafNumbers leaves(graph, 1);
    for (const graph::NodeId id : reachable(graph))
      if (graph::is<graph::Leaf>((*graph.store)[id])) leaves.of(id) = {1, 1, 0, 1};
    const std::vector<Numbers> values = values_of(result, leaves, *executor);
    BOOST_TEST(values[0] == (Numbers{1, 61, 0, 1}), boost::test_tools::per_element());
    BOOST_TEST(values[1] == Numbers{2}, boost::test_tools::per_element());
  }
}
