// What a map that only knows apply() does, and the defaults of the other interfaces.
#include "algebra/linear_map.hpp"

#include <boost/test/unit_test.hpp>
#include "algebra/solvers.hpp"
#include "core/algebra/dense_map.hpp"

namespace tyto::algebra {

using Values = std::vector<double>;

BOOST_AUTO_TEST_SUITE(linear_map)

static bool says(const Error& error, const std::string& text) {
  BOOST_TEST(error.what() == text);
  return error.what() == text;
}

BOOST_AUTO_TEST_CASE(residual_is_computed_from_the_map) {
  const DenseMap a(2, 3, {1, 2, 3, 0, 1, 0});
  BOOST_TEST(residual_norm(a, HostVector(Values{3, 5}), HostVector(Values{0, 1, 1})) == std::sqrt(4.0 + 16.0));
}

BOOST_AUTO_TEST_CASE(missing_transpose_is_refused_by_name) {
  class OneWay final : public LinearMap {
   public:
    std::unique_ptr<Vector> domain() const override { return std::make_unique<HostVector>(1); }
    std::unique_ptr<Vector> range() const override { return std::make_unique<HostVector>(1); }
    void apply(const Vector& x, Vector& y) const override { y.copy(x); }
  };
  HostVector x(1), y(1);
  BOOST_CHECK_EXCEPTION(OneWay().apply_transposed(y, x), Error, [](const Error& error) {
    return says(error, "the transpose of this linear map is not part of this version");
  });
  BOOST_TEST(!OneWay().is_symmetric());
  BOOST_TEST(!OneWay().diagonal(x));
}

BOOST_AUTO_TEST_CASE(missing_hessian_is_refused_by_name) {
  class Line final : public SmoothFunction {
   public:
    double value(const Vector&) override { return 0; }
    void gradient(const Vector&, Vector& result) override { result.fill(0); }
  };
  HostVector x(1), y(1);
  BOOST_CHECK_EXCEPTION(Line().hessian_product(x, x, y), Error, [](const Error& error) {
    return says(error,
                "the Hessian product of this function is not part of this version\n"
                "  try       a minimizer that needs gradients only");
  });
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace tyto::algebra
