// What is refused, where no run file is needed to see it; the messages that a run gives are in tests/errors/cases/objective_*.
#include <boost/test/unit_test.hpp>
#include <random>
#include "core/language/written.hpp"

namespace tyto::language {

static std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }
static std::string refusal(const std::string& text, const std::vector<std::string>& unknowns = {"A"}) {
  return first_line(Written(text, unknowns, extents_in(text)).refusal());
}

BOOST_AUTO_TEST_SUITE(refused)

BOOST_AUTO_TEST_CASE(what_has_two_readings) {
  const std::string norm = "f: it is not clear which labels norm2 is taken over: every label of this is repeated";
  BOOST_TEST(refusal("norm2(A[i,r] * A[i,r])") == norm);
  BOOST_TEST(refusal("norm2(exp(A[i,r] * A[i,r]))") == norm);
  BOOST_TEST(refusal("norm2(Z[i,i]) + norm2(A[i,r])") == norm);
  BOOST_TEST(refusal("norm2(v[i] * v[i] - 1) + norm2(A[i,r])") == norm);
  BOOST_TEST(refusal("sum(exp(A[i,r] * A[i,r]))") ==
             "f: it is not clear which labels sum is taken over: every label of this is repeated");
  BOOST_TEST(refusal("sum(2 * exp(A[i,r] * A[i,r]))") ==
             "f: it is not clear which labels sum is taken over: every label of this is repeated");
  BOOST_TEST(refusal("sum(A[i,r] * A[i,r] + 1)") ==
             "f: it is not clear which labels sum is taken over: every label of this is repeated");
  BOOST_TEST(refusal("mean(A[i,r] * A[i,r])") ==
             "f: it is not clear which labels mean is taken over: every label of this is repeated");
  const std::string within = "f: it is not clear whether label r is summed within this factor: another factor has it, too";
  BOOST_TEST(refusal("sum(A[i,r] * exp(A[i,r] * A[j,r]))") == within);
  BOOST_TEST(refusal("norm2(Z[p,q] - exp(A[p,r] * A[q,r]) * exp(A[p,r] * A[q,r]))") == within);
}

BOOST_AUTO_TEST_CASE(quotients_with_a_label_in_common) {
  BOOST_TEST(Written("norm2(1 - W[i,j] / v[i])").refusal() ==
             "f: it is not clear whether label i of this quotient is summed\n"
             "  in        norm2(1 - W[i,j] / v[i])\n"
             "                      ^^^^^^^^^^^^^\n"
             "  expected  (W[i,j] / v[i])[j,i] if it is kept, sum[i]((W[i,j] / v[i])[j,i]) if it is summed\n"
             "  found     W[i,j] / v[i]");
  BOOST_TEST(refusal("norm2(exp(A[i,r] / v[i]))") == "f: it is not clear whether label i of this quotient is summed");
}

BOOST_AUTO_TEST_CASE(a_label_that_is_summed_in_one_place_and_stands_in_another) {
  const std::string message = "f: label r is summed within this factor and stands in another one, too";
  BOOST_TEST(refusal("norm2(A[i,r] * (v[q] - A[q,r] * A[q,r]))") == message);
  BOOST_TEST(refusal("norm2(A[i,r] * exp(v[q] - A[q,r] * A[q,r]))") == message);
}

BOOST_AUTO_TEST_CASE(sides_that_differ) {
  BOOST_TEST(Written("norm2(W[i,j] - A[i,r])", {"A"}, {{"r", 2}}).refusal() ==
             "f: what is added or compared has the same labels\n"
             "  in        norm2(W[i,j] - A[i,r])\n"
             "                  ^^^^^^\n"
             "  expected  labels i,j,r\n"
             "  found     labels i,j\n"
             "  try       '* ones[r]' to repeat its values along r\n"
             "f: what is added or compared has the same labels\n"
             "  in        norm2(W[i,j] - A[i,r])\n"
             "                           ^^^^^^\n"
             "  expected  labels i,j,r\n"
             "  found     labels i,r\n"
             "  try       '* ones[j]' to repeat its values along j");
  BOOST_TEST(refusal("sum(maximum(A[i,r], v[i]))") == "f: what is added or compared has the same labels");
}

BOOST_AUTO_TEST_CASE(labels_that_are_not_there) {
  BOOST_TEST(refusal("sum[q](A[i,r])") == "f: the argument of sum has no label q");
  BOOST_TEST(refusal("norm2((A[i,r])[i,q])") == "f: this has no label q");
  BOOST_TEST(refusal("sum((A[i,r])[i,i])") == "f: label i is given twice");
  BOOST_TEST(refusal("A[i,r]") == "f: an objective is a scalar");
  BOOST_TEST(refusal("norm2(A[i,r,q])") == "f: the extent of label q is not known");
}

BOOST_AUTO_TEST_CASE(functions_used_otherwise) {
  BOOST_TEST(refusal("sum(softmax(A[i,r]))") == "f: the labels of softmax are missing");
  BOOST_TEST(refusal("sum(exp[i](A[i,r]))") == "f: exp takes no labels");
  BOOST_TEST(refusal("sum(log(A[i,r], A[i,r]))") == "f: argument 2 of log is a number");
  BOOST_TEST(refusal("sum(A[i,r] ^ A[i,r])") == "f: an exponent is a number");
  BOOST_TEST(refusal("sum((-2) ^ A[i,r])") == "f: a base is not allowed");
  BOOST_TEST(refusal("norm2(ones) + norm2(A[i,r])") == "f: the labels of ones are missing");
  BOOST_TEST(refusal("norm2(identity[i,i]) + norm2(A[i,r])") == "f: label i is given twice");
}

BOOST_AUTO_TEST_CASE(names_that_mean_two_things) {
  BOOST_TEST(first_line(Written("norm2(ones[i,r])", {"ones"}, {{"r", 2}}).refusal()) ==
             "run.yaml:9:5: 'ones' is a word of the expression language");
  BOOST_TEST(first_line(Written("norm2(v[i])", {"v"}).refusal()) == "run.yaml:9:5: v is both data and unknown");
  BOOST_TEST(first_line(Written("norm2(A[i,r])", {"A"}, {{"r", 2}, {"i", 2}}, {{"A[i]", "1"}}).refusal()) ==
             "name: the name A is taken");
}

BOOST_AUTO_TEST_CASE(nothing_that_can_be_typed_brings_it_down) {
  const std::vector<std::string> words{"X[i,j,k]",    "A[i,r]",
                                       "A[j,r]",      "v[i]",
                                       "norm2(",      "sum(",
                                       "sum[i](",     "exp(",
                                       "log(",        "max[r](",
                                       "softmax[i](", "inner(",
                                       "(",           ")",
                                       ")[i]",        ")[]",
                                       ",",           "+",
                                       "-",           "*",
                                       "/",           "^",
                                       "2",           "0.5",
                                       "model[i,r]",  "W.weights[i,j]",
                                       "ones[q]",     "identity[i,r]",
                                       "[",           "]",
                                       "i",           "A",
                                       "1e-3",        " "};
  std::mt19937 generator(7);
  int accepted = 0;
  for (int round = 0; round < 20000; ++round) {
    std::string text = round % 2 == 0 ? "norm2(" : "";
    for (auto count = generator() % 12; count > 0; --count) text += words[generator() % words.size()];
    if (round % 2 == 0) text += ")";
    Written written(text, {}, {}, {{"model[i,r]", "A[i,r] * 2"}});
    written.statement.unknowns = {{"A", {}}};
    for (const auto& [label, extent] : extents_in(text + " [i,r]")) written.statement.extents.push_back({label, extent, {}});
    try {
      (void)written.expression();
      ++accepted;
    } catch (const Error& error) {
      for (const Finding& finding : error.findings())
        BOOST_TEST((fault_of(finding.code) == Fault::input), text << ": " << error.what());
    }
  }
  BOOST_TEST(accepted > 10);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace tyto::language
