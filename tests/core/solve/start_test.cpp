// Starting values.
#include "solve/start.hpp"
#include <boost/test/unit_test.hpp>
#include <cmath>
#include "tensor/random.hpp"

namespace tyto::solve {

namespace {

Tensor unknown(const std::string& name, const Extents& extents, const std::string& word) {
  Tensor t{.name = name, .kind = Kind::unknown, .extents = extents};
  t.start.word = word;
  return t;
}

std::vector<double> filled(const std::vector<Tensor>& tensors, std::int32_t which, std::uint64_t seed,
                           Dtype precision = Dtype::f64) {
  State state(tensors, precision);
  fill_start(tensors, state, seed, nullptr);
  std::vector<double> values;
  for (std::int64_t k = 0; k < element_count(tensors[static_cast<std::size_t>(which)].extents); ++k)
    values.push_back(state.get(which, k));
  return values;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(start)

BOOST_AUTO_TEST_CASE(random_depends_on_seed_name_and_element_only) {
  const Tensor a = unknown("A", {3, 2}, "random"), b = unknown("B", {3, 2}, "random"),
               normal = unknown("A", {3, 2}, "random-normal");
  const std::vector<double> alone = filled({a}, 0, 7);
  BOOST_TEST(filled({b, a}, 1, 7) == alone);
  BOOST_TEST(filled({a, b}, 1, 7) != alone);
  BOOST_TEST(filled({a}, 0, 8) != alone);
  for (std::size_t k = 0; k < 6; ++k) {
    BOOST_TEST(alone[k] == tensor::Random(7, "A").uniform(static_cast<std::int64_t>(k)));
    BOOST_TEST(filled({normal}, 0, 7)[k] == tensor::Random(7, "A").normal(static_cast<std::int64_t>(k)));
    BOOST_TEST(filled({a}, 0, 7, Dtype::f32)[k] == static_cast<double>(static_cast<float>(alone[k])));
  }
}

BOOST_AUTO_TEST_CASE(constants_states_and_parameters) {
  Tensor parameter{.name = "p", .kind = Kind::parameter, .initial = 2.5}, given = unknown("G", {2}, "random");
  const double values[] = {3, 4};
  given.start.given = tensor::Dense::copy(ConstArray(values, {2}), Dtype::f64);
  const std::vector<Tensor> all{
      unknown("A", {2}, "ones"), unknown("B", {2}, "zeros"), {.name = "s", .kind = Kind::state, .extents = {2}}, parameter, given};
  BOOST_TEST(filled(all, 0, 1) == (std::vector<double>{1, 1}));
  BOOST_TEST(filled(all, 1, 1) == (std::vector<double>{0, 0}));
  BOOST_TEST(filled(all, 2, 1) == (std::vector<double>{0, 0}));
  BOOST_TEST(filled(all, 3, 1) == std::vector<double>{2.5});
  BOOST_TEST(filled(all, 4, 1) == (std::vector<double>{3, 4}));
}

BOOST_AUTO_TEST_CASE(leading_vectors_of_a_diagonal_along_each_axis) {
  double x[2 * 3 * 2] = {};  // 5 at (0,2,0), 3 at (1,0,1)
  x[4] = 5, x[6 + 1] = -3;
  const ConstArray data(x, {2, 3, 2});
  const auto near = [](const std::vector<double>& a, const std::vector<double>& b) {
    BOOST_REQUIRE(a.size() == b.size());
    for (std::size_t k = 0; k < a.size(); ++k) BOOST_TEST(std::abs(a[k] - b[k]) <= 1e-14);
  };
  near(leading_vectors(data, 0, 2), {1, 0, 0, 1});
  near(leading_vectors(data, 1, 2), {0, 1, 0, 0, 1, 0});
  near(leading_vectors(data, 2, 1), {1, 0});
}

BOOST_AUTO_TEST_CASE(orthonormal_unknowns_start_orthonormal) {
  double x[3 * 4];
  for (std::int64_t k = 0; k < 12; ++k) x[k] = tensor::Random(9, "X").normal(k);
  Tensor data{.name = "X", .kind = Kind::data, .extents = {3, 4}};
  data.values = ConstArray(x, {3, 4});
  for (const char* word : {"random", "random-normal", "hosvd", "st-hosvd"}) {
    Tensor u = unknown("U", {3, 2}, word), v = unknown("V", {3, 1}, word), w = unknown("W", {2, 4}, "random");
    u.orthonormal = v.orthonormal = 1, w.orthonormal = 0;
    for (Tensor* t : {&u, &v}) t->start.data = 0, t->start.axis = 0;
    const std::vector<Tensor> all{data, u, v, w};
    const std::vector<double> a = filled(all, 1, 4), b = filled(all, 2, 4), c = filled(all, 3, 4);
    BOOST_TEST(std::abs(a[0] * a[1] + a[2] * a[3] + a[4] * a[5]) <= 1e-15);
    BOOST_TEST(std::abs(a[0] * a[0] + a[2] * a[2] + a[4] * a[4] - 1) <= 1e-15);
    BOOST_TEST(std::abs(a[1] * a[1] + a[3] * a[3] + a[5] * a[5] - 1) <= 1e-15);
    BOOST_TEST(std::abs(b[0] * b[0] + b[1] * b[1] + b[2] * b[2] - 1) <= 1e-15);
    BOOST_TEST(std::abs(c[0] * c[4] + c[1] * c[5] + c[2] * c[6] + c[3] * c[7]) <= 1e-15);
    if (std::string(word).ends_with("hosvd"))
      for (std::size_t k = 0; k < 3; ++k) BOOST_TEST(std::abs(b[k] - a[2 * k]) <= 1e-14);  // the smaller is part of the larger
  }
}

BOOST_AUTO_TEST_CASE(hosvd_fills_the_columns_that_are_left_at_random_and_says_so) {
  const double x[] = {2, 0, 0, 1};
  Tensor data{.name = "X", .kind = Kind::data, .extents = {2, 2}}, a = unknown("A", {2, 5}, "hosvd");
  data.values = ConstArray(x, {2, 2});
  a.start.data = 0, a.start.axis = 0;
  const std::vector<Tensor> all{data, a};
  State state(all, Dtype::f64);
  std::vector<std::string> said;
  fill_start(all, state, 3, [&](const std::string& text) { said.push_back(text); });
  BOOST_TEST(said == std::vector<std::string>{"hosvd: 3 of 5 columns of A are filled at random"});
  BOOST_TEST(std::abs(state.get(1, 0)) == 1);
  BOOST_TEST(std::abs(state.get(1, 6)) == 1);
  for (std::int64_t k : {2, 3, 4, 7, 8, 9}) BOOST_TEST(state.get(1, k) == tensor::Random(3, "A").uniform(k));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace tyto::solve
