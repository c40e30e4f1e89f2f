/// Derivatives of tensors by tensors, from expressions to numbers, compared with complex steps.
///
/// For analytic f, Im f(x + i h d) / h is the derivative along d without cancellation (Squire and Trapp, SIAM Review 40, 1998).
/// Derivatives of order n are compared with complex steps of those of order n - 1, up to order 6. Exit status 1 if one differs by more
/// than 1e-12. With tyto installed, this CMakeLists.txt builds it:
///
///     cmake_minimum_required(VERSION 3.25)
///     project(derivatives LANGUAGES CXX)
///     find_package(tyto REQUIRED)
///     add_executable(derivatives derivatives.cpp)
///     target_link_libraries(derivatives PRIVATE tyto::core)
#include <algorithm>
#include <chrono>
#include <cmath>
#include <complex>
#include <cstdio>
#include <random>
#include <string>
#include <vector>
#include <tyto/compile.hpp>
#include <tyto/derivative.hpp>

using namespace tyto;
using Complex = std::complex<double>;

namespace {

constexpr int highest_order = 6;
constexpr double step = 1e-150, largest_difference = 1e-12;

Extents extents_of(const Expr& e) {
  Extents extents;
  for (const Index& label : e.shape()) extents.push_back(label.extent());
  return extents;
}

/// The elements of an output in row-major order; outputs may lie in memory with any strides, and those that do not depend on a
/// complex tensor are real.
template <class T>
std::vector<T> elements(const ConstArray& array) {
  std::vector<T> values(static_cast<std::size_t>(array.size()));
  Extents index(array.extents.size(), 0);
  for (T& value : values) {
    std::int64_t offset = 0;
    for (std::size_t axis = 0; axis < index.size(); ++axis) offset += index[axis] * array.strides[axis];
    value = array.dtype == Dtype::f64 ? T(array.as<double>()[offset]) : array.as<T>()[offset];
    for (std::size_t axis = index.size(); axis-- > 0; index[axis] = 0)
      if (++index[axis] < array.extents[axis]) break;
  }
  return values;
}

/// p = a*a + b - 1,  q = 2p + 6 + a + b*b - sum(b),  z = log(w*w) + ((w.c)^2 + v).2^w - sum(w) + 3 sum(v) - 4 and
/// loss = sum(q) + sum(a) - sum(z) + sum(2^w), where the dot is the matrix product and everything else is elementwise; with their
/// derivatives along one direction for each of a, b, w and v.
struct Problem {
  Index i{"i", 2}, j{"j", 3}, k{"k", 4}, r{"r", 3}, s{"s", 5};
  Expr a, b, c, w, v;
  Exprs variables, directions;
  struct Derivative {
    std::string name;
    std::size_t variable = 0;
    Expr value;
  };
  std::vector<Derivative> derivatives;  ///< of orders 0 ... highest_order for each function and variable

  explicit Problem(Field field)
      : a(tensor("a", {i, j, k}, field)),
        b(tensor("b", {i, j, k}, field)),
        c(tensor("c", {s, r}, field)),
        w(tensor("w", {r, s}, field)),
        v(tensor("v", {r, r.prime()}, field)),
        variables{a, b, w, v} {
    for (const Expr& x : variables) directions.push_back(tensor("direction of " + x.name(), x.shape()));
    const Expr p = a * a + b - 1;
    const Expr q = 2 * p + 6 + a + b * b - expand(sum(b), a.shape());
    const Expr z = log(w * w) + matmul(pow(matmul(w, c), 2) + v, pow(2.0, w)) + expand(3 * sum(v) - sum(w) - 4, w.shape());
    const Expr loss = sum(q) + sum(a) - sum(z) + sum(pow(2.0, w));
    for (std::size_t m = 0; m < variables.size(); ++m) {
      add("loss", loss, m);
      add("q", q, m);
      add("z", z, m);
    }
  }

 private:
  void add(const std::string& function, const Expr& y, std::size_t m) {
    Expr value = y;
    for (int order = 0; order <= highest_order; ++order) {
      derivatives.push_back({"order " + std::to_string(order) + " of " + function + " by " + variables[m].name(), m, value});
      value = jvp(value, {variables[m]}, {directions[m]});
    }
  }
};

struct Numbers {
  std::vector<std::vector<double>> variables, directions;
  std::vector<double> c;

  explicit Numbers(const Problem& p) {
    std::mt19937_64 engine(3);
    const auto draw = [&](const Expr& e, double low, double high) {
      std::vector<double> values(static_cast<std::size_t>(element_count(extents_of(e))));
      for (double& x : values) x = low + (high - low) * static_cast<double>(engine() >> 11) * 0x1p-53;
      return values;
    };
    for (const Expr& x : p.variables) variables.push_back(draw(x, 0.5, 1.5)), directions.push_back(draw(x, -1, 1));
    c = draw(p.c, -1, 1);
  }
};

/// The functions and their derivatives, by the derived expressions.
std::vector<std::vector<double>> symbolic(const Problem& p, const Numbers& numbers) {
  Exprs outputs;
  for (const Problem::Derivative& d : p.derivatives) outputs.push_back(d.value);
  Program program(outputs);
  for (std::size_t m = 0; m < p.variables.size(); ++m) {
    program.bind(p.variables[m], ConstArray(numbers.variables[m].data(), extents_of(p.variables[m])));
    program.bind(p.directions[m], ConstArray(numbers.directions[m].data(), extents_of(p.directions[m])));
  }
  program.bind(p.c, ConstArray(numbers.c.data(), extents_of(p.c)));
  program.run();
  std::vector<std::vector<double>> values;
  for (std::size_t n = 0; n < outputs.size(); ++n) values.push_back(elements<double>(program.output(n)));
  return values;
}

/// The next order of each derivative, by a complex step in its variable.
std::vector<std::vector<double>> by_complex_steps(const Numbers& numbers) {
  const Problem p(Field::complex);
  Exprs outputs;
  for (const Problem::Derivative& d : p.derivatives) outputs.push_back(d.value);
  Program program(outputs);
  std::vector<std::vector<Complex>> point;
  for (const std::vector<double>& x : numbers.variables) point.emplace_back(x.begin(), x.end());
  const std::vector<Complex> c(numbers.c.begin(), numbers.c.end());
  for (std::size_t m = 0; m < p.variables.size(); ++m) {
    program.bind(p.variables[m], ConstArray(point[m].data(), extents_of(p.variables[m])));
    program.bind(p.directions[m], ConstArray(numbers.directions[m].data(), extents_of(p.directions[m])));
  }
  program.bind(p.c, ConstArray(c.data(), extents_of(p.c)));
  std::vector<std::vector<double>> values(outputs.size());
  for (std::size_t m = 0; m < p.variables.size(); ++m) {
    for (std::size_t e = 0; e < point[m].size(); ++e) point[m][e] += Complex(0, step * numbers.directions[m][e]);
    for (std::size_t n = 0; n < outputs.size(); ++n) {
      if (p.derivatives[n].variable != m) continue;
      program.run(n);
      for (const Complex& x : elements<Complex>(program.output(n))) values[n].push_back(x.imag() / step);
    }
    for (Complex& x : point[m]) x = x.real();
  }
  return values;
}

/// Whether all agree; prints the worst of each function and variable.
bool compare(const Problem& p, const std::vector<std::vector<double>>& found, const std::vector<std::vector<double>>& expected) {
  double worst = 0;
  for (std::size_t n = 0; n + 1 < p.derivatives.size(); ++n) {
    if (n % (highest_order + 1) == highest_order) continue;  // the next one begins another function
    double difference = 0, size = 1;
    for (std::size_t e = 0; e < expected[n].size(); ++e) {
      const double here = std::abs(found[n + 1][e] - expected[n][e]);
      difference = here <= difference ? difference : here;  // not a number is a difference
      size = std::max(size, std::abs(expected[n][e]));
    }
    worst = difference / size <= worst ? worst : difference / size;
    if (!(difference / size <= largest_difference))
      std::printf("%s differs by %.1e\n", p.derivatives[n + 1].name.c_str(), difference / size);
  }
  std::printf("%zu derivatives up to order %d against complex steps: largest difference %.1e\n",
              p.derivatives.size() - p.derivatives.size() / (highest_order + 1), highest_order, worst);
  return worst <= largest_difference;
}

/// Explicit derivatives are tensors with labels; the passes give them their closed form.
void print_forms() {
  const Index i("i", 4), j("j", 5), k("k", 6);
  const Expr a = tensor("A", {i, j}), b = tensor("B", {j, k}), h = tensor("H", {i, i.prime()}), x = tensor("x", {i});
  std::printf("d(AB)/dA = %s\n", optimized(jacobian(einsum("ij,jk->ik", {a, b}), a)).text().c_str());
  std::printf("d2(x'Hx)/dx2 = %s\n", optimized(hessian(einsum({x, h, x({i.prime()})}, {}), x)).text().c_str());
}

/// Logistic regression by gradient descent: the gradient is an expression, the loop is yours.
void train() {
  const Index n("n", 200), d("d", 3), classes("class", 2);
  const Expr x = tensor("x", {n, d}), y = tensor("y", {n, classes}), weights = tensor("w", {d, classes});
  const Expr scores = einsum({x, weights}, {n, classes});
  const Expr loss = mean(logsumexp(scores, {classes}) - sum(y * scores, {classes}));  // softmax cross-entropy
  std::mt19937_64 engine(1);
  std::normal_distribution<double> normal;
  std::vector<double> points, labels, w(6, 0.0);
  for (std::int64_t sample = 0; sample < n.extent(); ++sample) {
    const double a = normal(engine), b = normal(engine), is_second = a - 2 * b + 0.5 > 0 ? 1 : 0;
    points.insert(points.end(), {1.0, a, b});
    labels.insert(labels.end(), {1 - is_second, is_second});
  }
  Program program({loss, gradient(loss, weights)});
  program.bind(x, ConstArray(points.data(), {n.extent(), 3}), Changes::never);
  program.bind(y, ConstArray(labels.data(), {n.extent(), 2}), Changes::never);
  program.bind(weights, ConstArray(w.data(), {3, 2}));
  double first = 0, last = 0;
  for (int iteration = 0; iteration <= 200; ++iteration) {
    program.run();
    last = *program.output(0).as<double>();
    if (iteration == 0) first = last;
    const std::vector<double> slope = elements<double>(program.output(1));
    for (std::size_t e = 0; e < w.size(); ++e) w[e] -= 2 * slope[e];
  }
  std::printf("training: the loss falls from %.4f to %.4f\n", first, last);
}

}  // namespace

int main() {
  const auto start = std::chrono::steady_clock::now();
  const Problem problem(Field::real);
  const Numbers numbers(problem);
  const std::vector<std::vector<double>> found = symbolic(problem, numbers);
  const std::chrono::duration<double, std::milli> taken = std::chrono::steady_clock::now() - start;
  std::printf("built, derived, compiled and run in %.0f ms\n", taken.count());
  const bool agrees = compare(problem, found, by_complex_steps(numbers));
  print_forms();
  train();
  return agrees ? 0 : 1;
}
