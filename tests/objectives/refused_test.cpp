// An unknown that stands twice in a model has no block solve: the reason says where.
#include "objectives/watched.hpp"

namespace tyto::objectives {

BOOST_AUTO_TEST_SUITE(refused)

BOOST_AUTO_TEST_CASE(one_factor_in_two_modes) {
  const plain::Tables inputs{{"X", plain::random({3, 3, 4}, 31)}};
  for (const bool runs : {true, false}) try {
      Session session = session_of("cp-symmetric", inputs, "settings: {rank: 2}");
      runs ? void(session.run()) : session.check();
      BOOST_ERROR("no error");
    } catch (const Error& error) {
      BOOST_TEST((error.findings().at(0).code == Code::not_quadratic));
      BOOST_TEST(error.what() ==
                 std::string("block_solve(A): the objective is not quadratic in A\n"
                             "  expected  A at most once in what is squared\n"
                             "  found     it appears twice in sum[r] A(0,r)*A(0',r)*C(2,r)\n"
                             "  try       an unknown of its own for each place, or a block solve of another unknown\n"
                             "  while     deriving the block solve of A"));
    }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace tyto::objectives
