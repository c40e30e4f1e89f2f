// Tensor networks other than CP: each block update is the least-squares solution of minimum norm.
#include "objectives/check_updates.hpp"

namespace tyto::objectives {

using plain::Table;
using plain::Tables;

BOOST_AUTO_TEST_SUITE(networks)

BOOST_AUTO_TEST_CASE(tensor_train_of_order_four) {
  for (const auto& [shape, bonds] :
       {std::pair{std::vector<std::int64_t>{3, 4, 2, 5}, "[2, 3, 2]"},
        {{2, 3, 4, 2}, "2"},
        {{4, 1, 3, 2}, "[1, 1, 2]"},
        {{2, 2, 3, 2}, "[3, 4, 3]"}}) {  // bonds that are larger than any matrix of the tensor can fill
    const Table x = plain::random(shape, 21);
    check_updates(
        {"tensor-train", {{"X", x}}, std::string("settings: {bonds: ") + bonds + "}"},
        [&](const Tables& t) {
          return plain::minus(plain::contract(
                                  {{t.at("G_0"), "ia"}, {t.at("G_1"), "ajb"}, {t.at("G_2"), "bkc"}, {t.at("G_3"), "cl"}}, "ijkl"),
                              x)
              .values;
        },
        4);
  }
}

BOOST_AUTO_TEST_CASE(core_and_factors) {
  for (const auto& [shape, ranks] :
       {std::pair{std::vector<std::int64_t>{4, 5, 3}, "[2, 3, 2]"}, {{2, 6, 3}, "[3, 1, 2]"}, {{3, 1, 4}, "2"}}) {
    const Table x = plain::random(shape, 22);
    check_updates(
        {"core-and-factors", {{"X", x}}, std::string("settings: {ranks: ") + ranks + "}"},
        [&](const Tables& t) {
          return plain::minus(
                     plain::contract({{t.at("G"), "pqr"}, {t.at("U_0"), "ip"}, {t.at("U_1"), "jq"}, {t.at("U_2"), "kr"}}, "ijk"), x)
              .values;
        },
        4);
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace tyto::objectives
