// A core with a matrix for each mode.
#include "tensor/tucker.hpp"
#include <boost/test/unit_test.hpp>
#include "objectives/plain.hpp"
#include "tyto/error.hpp"

namespace tyto::tensor {

namespace {

Dense dense(const plain::Table& t) { return Dense::copy(ConstArray(t.values.data(), t.extents)); }

}  // namespace

BOOST_AUTO_TEST_SUITE(tucker)

BOOST_AUTO_TEST_CASE(the_dense_tensor_is_the_product_over_all_modes) {
  const plain::Table g = plain::random({2, 3, 4}, 1), a = plain::random({5, 2}, 2), b = plain::random({3, 3}, 3),
                     c = plain::random({6, 4}, 4);
  const plain::Table expected = plain::contract({{g, "pqr"}, {a, "ip"}, {b, "jq"}, {c, "kr"}}, "ijk");
  const Dense found = Tucker{dense(g), {dense(a), dense(b), dense(c)}}.to_dense();
  BOOST_TEST(found.extents() == expected.extents, boost::test_tools::per_element());
  for (std::size_t k = 0; k < expected.values.size(); ++k)
    BOOST_TEST(std::abs(found.view().as<double>()[k] - expected.values[k]) <= 1e-14);
}

BOOST_AUTO_TEST_CASE(a_vector_and_extents_of_one_are_fine) {
  const plain::Table g = plain::filled({1}, 2), a = plain::random({4, 1}, 5);
  const Dense found = Tucker{dense(g), {dense(a)}}.to_dense();
  for (std::size_t k = 0; k < 4; ++k) BOOST_TEST(found.view().as<double>()[k] == 2 * a.values[k]);
}

BOOST_AUTO_TEST_CASE(parts_that_do_not_belong_together_are_refused) {
  const Tucker wrong{dense(plain::filled({2, 3}, 1)), {dense(plain::filled({4, 2}, 1)), dense(plain::filled({4, 2}, 1))}};
  BOOST_CHECK_EXCEPTION(wrong.to_dense(), Error, [](const Error& e) { return e.findings().front().code == Code::shape; });
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace tyto::tensor
