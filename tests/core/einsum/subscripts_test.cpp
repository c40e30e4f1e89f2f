// Subscripts: parsing, printing, roles and loop counts.
#include "einsum/subscripts.hpp"

#include <boost/test/unit_test.hpp>
#include <limits>
#include <random>

using namespace tyto;
using namespace tyto::einsum;

namespace {

Finding finding_of(const std::string& text) {
  try {
    parse(text);
  } catch (const Error& error) {
    return error.findings().at(0);
  }
  BOOST_FAIL("\"" + text + "\" was accepted");
  return {};
}

void check_rejected(const std::string& text, int column, const std::string& expected, const std::string& found) {
  const Finding finding = finding_of(text);
  BOOST_TEST((finding.code == Code::syntax));
  BOOST_TEST(finding.where.line == 1);
  BOOST_TEST(finding.where.column == column);
  BOOST_TEST(finding.where.quote == text);
  BOOST_TEST(finding.what == "subscripts cannot be read");
  BOOST_TEST(finding.expected == expected);
  BOOST_TEST(finding.found == found);
  BOOST_TEST(finding.hint == "writing subscripts as in \"ij,jk->ik\"");
}

}  // namespace

BOOST_AUTO_TEST_CASE(letters_are_numbered_in_order_of_appearance) {
  const Subscripts s = parse("kj,jb->kb");
  BOOST_TEST((s == Subscripts{{{0, 1}, {1, 2}}, {0, 2}}));
  BOOST_TEST(print(s) == "ab,bc->ac");
  BOOST_TEST((parse(" k j , j b -> k b ") == s));
}

BOOST_AUTO_TEST_CASE(upper_and_lower_case_are_different_labels) { BOOST_TEST((parse("iI->I") == Subscripts{{{0, 1}}, {1}})); }

BOOST_AUTO_TEST_CASE(a_missing_arrow_keeps_labels_seen_once_in_the_order_of_letters) {
  BOOST_TEST((parse("kj,ji") == parse("kj,ji->ik")));
  BOOST_TEST((parse("ii") == parse("ii->")));
  BOOST_TEST((parse("aB") == parse("aB->Ba")));
}

BOOST_AUTO_TEST_CASE(scalars_have_no_labels) {
  BOOST_TEST((parse("") == Subscripts{{{}}, {}}));
  BOOST_TEST((parse(",i->i") == Subscripts{{{}, {0}}, {0}}));
  BOOST_TEST(print(parse(",->")) == ",->");
}

BOOST_AUTO_TEST_CASE(the_output_may_name_a_new_label_or_a_diagonal) {
  BOOST_TEST((parse("i->ij") == Subscripts{{{0}}, {0, 1}}));
  BOOST_TEST((parse("i->ii") == Subscripts{{{0}}, {0, 0}}));
}

BOOST_AUTO_TEST_CASE(labels_beyond_the_letters_are_numbers_in_braces) {
  BOOST_TEST(print(Subscripts{{{0, 25, 26, 51, 52}, {700}}, {52}}) == "azAZ{52},{700}->{52}");
  BOOST_TEST((parse("a{52}{7},{52}->{7}") == Subscripts{{{0, 1, 2}, {1}}, {2}}));
  BOOST_TEST((parse("{12},{3}") == Subscripts{{{0}, {1}}, {1, 0}}));
}

BOOST_AUTO_TEST_CASE(text_that_does_not_fit_is_refused_with_its_column) {
  const std::string any = "a letter, a number in braces, ',' or '->'";
  check_rejected("ij,j1->i", 5, any, "'1'");
  check_rejected("i...->i", 2, any, "'.'");
  check_rejected("ij-k", 3, any, "'-'");
  check_rejected("ij->i,j", 6, "a letter or a number in braces", "','");
  check_rejected("ij->i->j", 6, "a letter or a number in braces", "'-'");
  check_rejected("i{}", 3, "a number", "'}'");
  check_rejected("i{5", 4, "'}'", "the end of the text");
  check_rejected("i{x}", 3, "a number", "'x'");
  check_rejected("{2147483647}", 1, "a number below 2147483647 in braces", "'{'");
  check_rejected("{99999999999999999999999999}", 1, "a number below 2147483647 in braces", "'{'");
}

BOOST_AUTO_TEST_CASE(printing_and_parsing_agree_for_random_subscripts) {
  std::mt19937 generator(7);
  std::uniform_int_distribution<int> operands(1, 4), axes(0, 5), label(0, 60);
  for (int n = 0; n < 200; ++n) {
    Subscripts s;
    const auto draw = [&] {
      Labels labels;
      for (int k = axes(generator); k > 0; --k) labels.push_back(label(generator));
      return labels;
    };
    for (int k = operands(generator); k > 0; --k) s.inputs.push_back(draw());
    s.output = draw();
    const Subscripts again = parse(print(s));
    BOOST_TEST((renumbered(again) == renumbered(s)), print(s));
    BOOST_TEST((parse(print(again)) == again), print(s));
  }
}

BOOST_AUTO_TEST_CASE(renumbering_starts_with_the_output) {
  BOOST_TEST((renumbered({{{9, 4}, {4, 70}}, {70, 9}}) == Subscripts{{{1, 2}, {2, 0}}, {0, 1}}));
  BOOST_TEST(label_count({{{9, 4}, {4, 70}}, {70, 9}}) == 71);
  BOOST_TEST(label_count({{{}}, {}}) == 0);
}

BOOST_AUTO_TEST_CASE(roles_say_what_each_label_does) {
  const Roles r = roles(parse("bikmm,bkjn->jbi"));  // b 0, i 1, k 2, m 3, j 4, n 5
  BOOST_TEST((r.batch == Labels{0}));
  BOOST_TEST((r.left == Labels{1}));
  BOOST_TEST((r.right == Labels{4}));
  BOOST_TEST((r.contracted == Labels{2}));
  BOOST_TEST((r.left_summed == Labels{3}));
  BOOST_TEST((r.right_summed == Labels{5}));
}

BOOST_AUTO_TEST_CASE(roles_keep_the_order_of_the_output_and_of_the_operands) {
  const Roles r = roles({{{5, 4, 3, 2, 1}, {3, 5, 4, 6}}, {4, 2, 5, 1}});
  BOOST_TEST((r.batch == Labels{4, 5}));
  BOOST_TEST((r.left == Labels{2, 1}));
  BOOST_TEST((r.contracted == Labels{3}));
  BOOST_TEST((r.right_summed == Labels{6}));
}

BOOST_AUTO_TEST_CASE(roles_of_other_than_two_operands_are_a_defect) { BOOST_CHECK_THROW(roles(parse("ij->i")), Error); }

BOOST_AUTO_TEST_CASE(flops_count_one_loop_nest_over_all_labels) {
  BOOST_TEST(loop_flops(parse("ij,jk->ik"), {3, 4, 5}) == 2 * 60);
  BOOST_TEST(loop_flops(parse("ij,ij->ij"), {3, 4}) == 12);
  BOOST_TEST(loop_flops(parse("ijk,jr,kr->ir"), {5, 6, 7, 2}) == 3 * 420);
  BOOST_TEST(loop_flops(parse("ij->ji"), {3, 4}) == 0);
  BOOST_TEST(loop_flops(parse("ij->i"), {3, 4}) == 12);
  BOOST_TEST(loop_flops(parse("ii->"), {3}) == 3);
  BOOST_TEST(loop_flops(parse("ii->i"), {3}) == 0);
  BOOST_TEST(loop_flops(parse(",->"), {}) == 1);
}

BOOST_AUTO_TEST_CASE(flops_of_an_empty_or_an_endless_loop_nest_are_defined) {
  const std::int64_t large = std::int64_t{1} << 40;
  BOOST_TEST(loop_flops(parse("ij,jk->ik"), {large, 0, large}) == 0);
  BOOST_TEST(loop_flops(parse("ij,jk->ik"), {large, large, large}) == std::numeric_limits<std::int64_t>::max());
}
