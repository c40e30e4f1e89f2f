// Complex expressions: values, gradients by the convention of tyto/derivative.hpp against differences in real and imaginary parts,
// and Jacobians of holomorphic expressions.
#include <boost/test/unit_test.hpp>
#include <random>
#include "evaluate/error_text.hpp"
#include "tyto/compile.hpp"
#include "tyto/derivative.hpp"

using namespace tyto::v1;
using tyto::test::code_of;
using Complex = std::complex<double>;
using Values = std::vector<Complex>;

namespace {

Extents extents_of(const Expr& e) {
  Extents extents;
  for (const Index& label : e.shape()) extents.push_back(label.extent());
  return extents;
}

Values elements(const ConstArray& array) {
  Values values(static_cast<std::size_t>(array.size()));
  Extents index(array.extents.size(), 0);
  for (Complex& value : values) {
    std::int64_t offset = 0;
    for (std::size_t axis = 0; axis < index.size(); ++axis) offset += index[axis] * array.strides[axis];
    value = array.dtype == Dtype::c128 ? array.as<Complex>()[offset] : Complex(array.as<double>()[offset]);
    for (std::size_t axis = index.size(); axis-- > 0; index[axis] = 0)
      if (++index[axis] < array.extents[axis]) break;
  }
  return values;
}

/// Leaves with values; real ones take the real parts.
struct Point {
  std::vector<std::pair<Expr, Values>> leaves;
  Values& operator[](const Expr& leaf) {
    for (auto& [known, values] : leaves)
      if (known.id() == leaf.id() && known.store() == leaf.store()) return values;
    throw std::logic_error("no such leaf");
  }
  void add(const Expr& leaf, std::uint64_t seed) {
    std::mt19937_64 engine(seed);
    std::normal_distribution<double> normal;
    Values values(static_cast<std::size_t>(element_count(extents_of(leaf))));
    for (Complex& x : values) {
      const double re = normal(engine), im = normal(engine);
      x = leaf.field() == Field::complex ? Complex(re, im) : Complex(re);
    }
    leaves.emplace_back(leaf, values);
  }
  Values of(const Expr& e, const std::string& executor = "auto") const;
};

/// An expression compiled once, to be evaluated at many points.
class Function {
 public:
  explicit Function(const Expr& e, const std::string& executor = "auto") : program_({e}, options_for(executor)) {}
  Values operator()(const Point& point) {
    std::vector<std::vector<double>> reals;
    reals.reserve(point.leaves.size());
    for (const auto& [leaf, values] : point.leaves) {
      try {
        if (leaf.field() == Field::complex) {
          program_.bind(leaf, ConstArray(values.data(), extents_of(leaf)));
        } else {
          reals.emplace_back();
          for (const Complex& x : values) reals.back().push_back(x.real());
          program_.bind(leaf, ConstArray(reals.back().data(), extents_of(leaf)));
        }
      } catch (const Error& error) {  // a derivative may lack a leaf of its expression
        if (error.findings().front().code != Code::label) throw;
      }
    }
    program_.run();
    return elements(program_.output(0));
  }

 private:
  static CompileOptions options_for(const std::string& executor) {
    CompileOptions options;
    options.executor = executor;
    return options;
  }
  Program program_;
};

Values Point::of(const Expr& e, const std::string& executor) const { return Function(e, executor)(*this); }

struct Fixture {
  Index i{"i", 3}, j{"j", 2}, k{"k", 2};
  Expr z = tensor("z", {i, j}, Field::complex), w = tensor("w", {j, k}, Field::complex), r = tensor("r", {i, j});
  Expr m = tensor("m", {i, i.prime()}, Field::complex);
  Point point;
  Fixture() {
    point.add(z, 1), point.add(w, 2), point.add(r, 3), point.add(m, 4);
    for (std::size_t d = 0; d < 3; ++d) point[m][4 * d] += 4.0;
  }
  /// gradient(f, x) = df/dRe x + i df/dIm x
  void check_gradient(const Expr& f, const Expr& x) {
    const Values found = point.of(gradient(f, x));
    Function value(f);
    for (std::size_t e = 0; e < found.size(); ++e) {
      const auto slope = [&](Complex direction) {
        constexpr double h = 1e-5;
        Point above = point, below = point;
        above[x][e] += h * direction, below[x][e] -= h * direction;
        return (value(above)[0] - value(below)[0]).real() / (2 * h);
      };
      const Complex expected(slope(1), x.field() == Field::complex ? slope(Complex(0, 1)) : 0);
      BOOST_CHECK_MESSAGE(std::abs(found[e] - expected) < 1e-7 * std::max(1.0, std::abs(expected)),
                          "gradient of " << f.text() << ", element " << e << ": " << found[e] << " instead of " << expected);
    }
  }
  /// Holomorphic y: its Jacobian times a complex direction is its change.
  void check_jacobian(const Expr& y, const Expr& x) {
    const Values found = point.of(jacobian(y, x));
    Function value(y);
    const std::size_t columns = point[x].size();
    for (std::size_t c = 0; c < columns; ++c) {
      constexpr double h = 1e-5;
      Point above = point, below = point;
      above[x][c] += Complex(0, h), below[x][c] -= Complex(0, h);
      const Values a = value(above), b = value(below);
      for (std::size_t e = 0; e < a.size(); ++e)
        BOOST_TEST(std::abs((a[e] - b[e]) / Complex(0, 2 * h) - found[e * columns + c]) <
                   1e-7 * std::max(1.0, std::abs(found[e * columns + c])));
    }
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(complex_expressions, Fixture)

BOOST_AUTO_TEST_CASE(values) {
  const Values product = point.of(matmul(z, w) * Complex(0, 1));
  const Values &a = point[z], &b = point[w];
  for (std::size_t row = 0; row < 3; ++row)
    for (std::size_t column = 0; column < 2; ++column) {
      const Complex expected = Complex(0, 1) * (a[row * 2] * b[column] + a[row * 2 + 1] * b[2 + column]);
      BOOST_TEST(std::abs(product[row * 2 + column] - expected) < 1e-14);
    }
  BOOST_TEST((norm2(z).field() == Field::real));
  double norm = 0;
  for (const Complex& x : a) norm += std::norm(x);
  BOOST_TEST(std::abs(point.of(norm2(z))[0] - norm) < 1e-13);
  const Values mixed = point.of(real(z) + Complex(0, 1) * imag(z) - conj(conj(z)) + 0.5 * r * abs(z));
  for (std::size_t e = 0; e < 6; ++e) BOOST_TEST(std::abs(mixed[e] - 0.5 * point[r][e] * std::abs(a[e])) < 1e-14);
}

BOOST_AUTO_TEST_CASE(executors_agree) {
  const Expr y = solve(m, exp(z) * r, {i});
  const Values plain = point.of(y, "reference"), fast = point.of(y, "cpu");
  for (std::size_t e = 0; e < plain.size(); ++e) BOOST_TEST(std::abs(plain[e] - fast[e]) < 1e-13);
}

BOOST_AUTO_TEST_CASE(gradients_of_real_values) {
  check_gradient(norm2(z - r), z);
  check_gradient(norm2(matmul(z, w)), z);
  check_gradient(norm2(matmul(z, w)), w);
  check_gradient(norm2(matmul(r, w)), r);
  check_gradient(real(sum(exp(z) * z)), z);
  check_gradient(imag(sum(sin(z) / (z + 3))), z);
  check_gradient(sum(abs(z) * r), z);
  check_gradient(real(inner(z, r * Complex(1, 2))), z);
  check_gradient(sum(real(z) * imag(z)), z);
  check_gradient(norm2(solve(m, z, {i})), m);
  check_gradient(norm2(inverse(m, {i})), m);
}

BOOST_AUTO_TEST_CASE(gradients_through_factorizations) {
  const Index bond("bond", 2), full("full", 3);
  const Svd of = svd(z, {i}, bond);
  check_gradient(sum(of.s * of.s * of.s), z);
  const Expr u = of.u, v = of.v;
  const Expr weight = tensor("weight", {bond});
  point.add(weight, 9);
  check_gradient(norm2(einsum({u, weight, conj(v)}, {i, j}) - r), z);  // does not depend on the phases that u and v share
  check_gradient(norm2(einsum({u, weight, conj(u)({i.prime(), bond})}, {i, i.prime()}) - m), z);
  const Eigen eigen = symmetric_eigen(m, {i}, full);
  check_gradient(sum(exp(0.3 * eigen.values)), m);
  const Qr of_qr = qr(z, {i}, bond);
  check_gradient(norm2(of_qr.q - r({i, bond})) + norm2(of_qr.r), z);
  const Expr definite = einsum({conj(m)({full, i}), m({full, i.prime()})}, {i, i.prime()});
  check_gradient(norm2(cholesky(definite, {i})), m);
}

BOOST_AUTO_TEST_CASE(jacobians_of_holomorphic_expressions) {
  check_jacobian(matmul(z, w), z);
  check_jacobian(exp(z) * z + pow(z, 3), z);
  check_jacobian(solve(m, z, {i}), m);
  check_jacobian(r * w({j, k}), w);
  BOOST_TEST((code_of([&] { jacobian(conj(z), z); }) == Code::not_holomorphic));
  BOOST_TEST((code_of([&] { jacobian(norm2(z), z); }) == Code::not_holomorphic));
  BOOST_TEST((code_of([&] { gradient(sum(z), z); }) == Code::not_holomorphic));
}

BOOST_AUTO_TEST_CASE(jacobians_by_real_tensors) {
  const Values found = point.of(jacobian(conj(r * z), r));
  for (std::size_t e = 0; e < 6; ++e) BOOST_TEST(std::abs(found[e * 7] - std::conj(point[z][e])) < 1e-15);
}

BOOST_AUTO_TEST_CASE(products_with_directions) {
  const Expr f = norm2(matmul(z, w) - r({i, j})({i, k})), direction = tensor("d", {i, j}, Field::complex);
  point.add(direction, 8);
  // H d is the change of the gradient along d.
  const Values found = point.of(hvp(f, {z}, {direction})[0]);
  constexpr double h = 1e-5;
  Point above = point, below = point;
  for (std::size_t e = 0; e < 6; ++e) above[z][e] += h * point[direction][e], below[z][e] -= h * point[direction][e];
  const Values a = above.of(gradient(f, z)), b = below.of(gradient(f, z));
  for (std::size_t e = 0; e < 6; ++e) BOOST_TEST(std::abs((a[e] - b[e]) / (2 * h) - found[e]) < 1e-7);
  const Values forward = point.of(jvp(matmul(z, w), {z}, {direction})),
               back = point.of(jvp_by_reverse(matmul(z, w), {z}, {direction}));
  for (std::size_t e = 0; e < forward.size(); ++e) BOOST_TEST(std::abs(forward[e] - back[e]) < 1e-14);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_CASE(blocks_of_a_complex_hessian_are_adjoint_to_each_other) {
  // f = Re x^H Z y: the gradients are Z y and Z^H x.
  const Index i("i", 2), j("j", 3);
  const Expr x = tensor("x", {i}, Field::complex), y = tensor("y", {j}, Field::complex), z = tensor("Z", {i, j}, Field::complex);
  const Expr f = real(einsum({conj(x), z, y}, {}));
  Point point;
  point.add(x, 1), point.add(y, 2), point.add(z, 3);
  const std::vector<Exprs> blocks = hessians(f, {x, y});
  const Values z_values = point[z], upper = point.of(blocks[0][1]), lower = point.of(blocks[1][0]);
  for (std::size_t a = 0; a < 2; ++a)
    for (std::size_t b = 0; b < 3; ++b) {
      BOOST_TEST(std::abs(upper[a * 3 + b] - z_values[a * 3 + b]) < 1e-14);
      BOOST_TEST(std::abs(lower[b * 2 + a] - std::conj(z_values[a * 3 + b])) < 1e-14);
    }
}
BOOST_AUTO_TEST_CASE(a_block_by_a_complex_variable_of_a_real_slope_is_refused) {
  const Index i("i", 2);
  const Expr x = tensor("x", {i}, Field::complex), t = tensor("t", {i});
  BOOST_TEST((code_of([&] { hessians(norm2(x * t), {x, t}); }) == Code::not_holomorphic));
}
