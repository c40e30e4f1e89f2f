// Sums of rank-one terms.
#include "tensor/ktensor.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include "core/tensor/files.hpp"
#include "tensor/random.hpp"
#include "tensor/read.hpp"
#include "tensor/text.hpp"

using namespace tyto;
using namespace tyto::tensor;

namespace {

Dense matrix(std::int64_t rows, std::int64_t columns, const char* name) {
  Dense result = Dense::zeros(Dtype::f64, {rows, columns});
  const Random random(5, name);
  for (std::int64_t k = 0; k < result.size(); ++k) result.view().as<double>()[k] = random.normal(k);
  return result;
}

}  // namespace

BOOST_AUTO_TEST_CASE(expanding_gives_the_sum_of_products) {
  const Ktensor terms{{0.5, -2}, {matrix(3, 2, "a"), matrix(1, 2, "b"), matrix(4, 2, "c"), matrix(2, 2, "d")}};
  const Dense dense = terms.to_dense();
  BOOST_TEST(dense.extents() == (Extents{3, 1, 4, 2}));
  const auto at = [&](std::size_t n, std::int64_t row, std::int64_t r) {
    return terms.factors[n].view().as<double>()[row * 2 + r];
  };
  for (std::int64_t i = 0; i < 3; ++i)
    for (std::int64_t k = 0; k < 4; ++k)
      for (std::int64_t l = 0; l < 2; ++l) {
        double sum = 0;
        for (std::int64_t r = 0; r < 2; ++r)
          sum += terms.weights[static_cast<std::size_t>(r)] * at(0, i, r) * at(1, 0, r) * at(2, k, r) * at(3, l, r);
        BOOST_TEST(std::abs(dense.view().as<double>()[(i * 4 + k) * 2 + l] - sum) < 1e-14);
      }
}

BOOST_AUTO_TEST_CASE(text_gives_the_same_numbers_when_read) {
  const TemporaryFolder folder;
  const Ktensor terms{{1.0 / 3, -1e-300}, {matrix(3, 2, "a"), matrix(2, 2, "b")}};
  write_ktensor(folder.path() / "k.txt", terms.weights, {terms.factors[0].view(), terms.factors[1].view()});
  const TextTensor again = read_text(bytes_of(folder.path() / "k.txt"), "k.txt", {}, {});
  const Ktensor& read = std::get<Ktensor>(again.value);
  BOOST_TEST(read.weights == terms.weights);
  for (std::size_t n = 0; n < 2; ++n)
    BOOST_TEST(std::equal(read.factors[n].view().as<double>(), read.factors[n].view().as<double>() + read.factors[n].size(),
                          terms.factors[n].view().as<double>()));
}

BOOST_AUTO_TEST_CASE(text_is_that_of_the_tensor_toolbox) {
  const std::vector<float> a{1, 2, 3};
  const std::vector<double> b{4, 5};
  BOOST_TEST(ktensor_text({0.5}, {ConstArray(a.data(), {3, 1}), ConstArray(b.data(), {2, 1})}) ==
             "ktensor\n2\n3 2\n1\n5.0000000000000000e-01\n"
             "matrix\n2\n3 1\n1.0000000000000000e+00\n2.0000000000000000e+00\n3.0000000000000000e+00\n"
             "matrix\n2\n2 1\n4.0000000000000000e+00\n5.0000000000000000e+00\n");
  BOOST_TEST(error_of([&] {
               ktensor_text({0.5, 1}, {ConstArray(a.data(), {3, 1})});
             }) ==
             "factor 0 does not belong to 2 weights\n"
             "  expected  extents n x 2\n"
             "  found     3 x 1");
}
