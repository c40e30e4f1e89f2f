#include "tyto/session.hpp"
#include "core/result/records.hpp"
#include <boost/test/unit_test.hpp>

using namespace tyto;

namespace {

template <class Call>
std::string error_text(Call&& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace

BOOST_AUTO_TEST_SUITE(result_by_name)

BOOST_AUTO_TEST_CASE(unknowns_come_before_observed_values) {
  Result result = result::small_cp().result;
  result.observed = {"energy"};
  result.values["energy"] = {{}, {}, {-1.5}};
  BOOST_TEST((result.names() == std::vector<std::string>{"A", "B", "C", "energy"}));
  BOOST_TEST(result.array("B").extents[0] == 3);
  BOOST_TEST(result.scalar("energy") == -1.5);
}

BOOST_AUTO_TEST_CASE(an_unknown_name_gets_a_suggestion) {
  Result result;
  result.unknowns = {"factor_0", "factor_1"};
  BOOST_TEST(error_text([&] { result.array("facotr_1"); }) ==
             "the result has no array 'facotr_1'\n"
             "  expected  factor_0 or factor_1\n"
             "  found     facotr_1\n"
             "  try       factor_1");
}

BOOST_AUTO_TEST_CASE(an_array_is_not_a_number) {
  const Result result = result::small_cp().result;
  BOOST_TEST(error_text([&] { result.scalar("A"); }) ==
             "'A' of the result is not a number\n"
             "  expected  a number\n"
             "  found     an array of shape 2 × 2\n"
             "  try       array(\"A\")");
}

BOOST_AUTO_TEST_SUITE_END()
