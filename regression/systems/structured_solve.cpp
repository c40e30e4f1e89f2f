// Times systems with structure through the library: seconds of processor time, flops and memory as forecast, and the residual.
//     structured_solve [REPEATS]
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <vector>
#include <lapacke.h>
#include <tyto/compile.hpp>

using namespace tyto;

namespace {

constexpr std::int64_t most_memory = 1'000'000'000;  // bytes: a system that is not taken apart is an error, not a full machine

/// Symmetric with a dominant diagonal; the same numbers on every run.
std::vector<double> definite(std::int64_t n) {
  std::vector<double> m(static_cast<std::size_t>(n * n));
  for (std::int64_t row = 0; row < n; ++row)
    for (std::int64_t column = 0; column < n; ++column)
      m[static_cast<std::size_t>(row * n + column)] = (row == column ? static_cast<double>(n) : 0) + std::cos(0.37 * static_cast<double>(row + column));
  return m;
}
std::vector<double> right_side(std::int64_t n) {
  std::vector<double> b(static_cast<std::size_t>(n));
  for (std::size_t k = 0; k < b.size(); ++k) b[k] = std::sin(0.7 * static_cast<double>(k) + 0.1);
  return b;
}

/// Element k in row-major order; outputs may have any strides.
double element(const ConstArray& array, std::int64_t k) {
  std::int64_t offset = 0;
  for (std::size_t axis = array.extents.size(); axis-- > 0; k /= array.extents[axis])
    offset += k % array.extents[axis] * array.strides[axis];
  return array.as<double>()[offset];
}

struct Part {
  Expr leaf;
  std::vector<double> numbers;
};

void measure(const char* name, const Expr& matrix, const Expr& right, const Indices& rows, std::vector<Part>& parts, Matrix structure,
             int repeats) {
  const Expr x = solve(matrix, right, rows, structure);
  const CompileOptions options{.memory_limit = most_memory};
  Program program({x}, options), product({einsum({matrix, x}, right.shape())}, options);
  double bound = 0;
  for (Part& part : parts) {
    Extents extents;
    for (const Index& label : part.leaf.shape()) extents.push_back(label.extent());
    program.bind(part.leaf, ConstArray(part.numbers.data(), extents));
    product.bind(part.leaf, ConstArray(part.numbers.data(), extents));
    bound += 8 * static_cast<double>(part.numbers.size());
  }
  program.run();
  double best = 1e300;
  for (int n = 0; n < repeats; ++n) {
    const std::clock_t start = std::clock();
    for (int inner = 0; inner < 10; ++inner) program.run();
    best = std::min(best, static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC / 10);
  }
  product.run();
  double difference = 0, norm = 0;  // of the matrix times the solution, and of the right side, which is bound last
  const ConstArray found = product.output(0);
  for (std::size_t k = 0; k < parts.back().numbers.size(); ++k) {
    const double b = parts.back().numbers[k], d = element(found, static_cast<std::int64_t>(k)) - b;
    difference += d * d, norm += b * b;
  }
  const Forecast f = program.forecast();
  std::printf("%-28s %9.3f ms %9.2f Mflop %9.2f MB workspace   residual %.1e\n", name, 1e3 * best, 1e-6 * static_cast<double>(f.flops),
              1e-6 * (static_cast<double>(f.peak_bytes) - bound), std::sqrt(difference / norm));
}

/// Declared symmetric: the symmetric part of a product of other matrices is no product.
Part factor(const std::string& name, const Index& row) {
  return {tensor(name, {row, row.prime()}, Field::real, {.symmetric = {{row, row.prime()}}}), definite(row.extent())};
}

/// What no one beats by much: Cholesky and triangular solves by the linear algebra library alone, on copies of the numbers.
void library_alone(std::int64_t s, std::int64_t rank, int repeats) {
  const std::vector<double> matrix = definite(rank), right = right_side(s * rank);
  std::vector<double> g, b;
  double best = 1e300;
  const auto n = static_cast<lapack_int>(rank), columns = static_cast<lapack_int>(s);
  for (int k = 0; k < repeats; ++k) {
    const std::clock_t start = std::clock();
    for (int inner = 0; inner < 10; ++inner) {
      g = matrix, b = right;
      LAPACKE_dpotrf(LAPACK_COL_MAJOR, 'L', n, g.data(), n);
      LAPACKE_dpotrs(LAPACK_COL_MAJOR, 'L', n, columns, g.data(), n, b.data(), n);
    }
    best = std::min(best, static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC / 10);
  }
  std::printf("%-28s %9.3f ms\n", "  LAPACK alone", 1e3 * best);
}

void cp_hessian(std::int64_t s, std::int64_t rank, int repeats) {
  const Index i("i", s), r("r", rank);
  std::vector<Part> parts{factor("G", r), {tensor("M", {i, r}), right_side(s * rank)}};
  measure(("I x G, " + std::to_string(s) + " x " + std::to_string(rank)).c_str(), identity(i, i.prime()) * parts[0].leaf,
          parts[1].leaf, {i, r}, parts, Matrix::positive_definite, repeats);
  library_alone(s, rank, repeats);
}

void kronecker(std::int64_t m, std::int64_t n, std::int64_t k, int repeats) {
  const Index a("a", m), b("b", n), c("c", k);
  std::vector<Part> parts{factor("A", a), factor("B", b), factor("C", c), {tensor("M", {a, b, c}), right_side(m * n * k)}};
  measure(("A x B x C, " + std::to_string(m) + " x " + std::to_string(n) + " x " + std::to_string(k)).c_str(),
          parts[0].leaf * parts[1].leaf * parts[2].leaf, parts[3].leaf, {a, b, c}, parts, Matrix::general, repeats);
}

}  // namespace

int main(int count, char** arguments) {
  const int repeats = count > 1 ? std::atoi(arguments[1]) : 20;
  for (const std::int64_t n : {40, 80, 160, 320}) cp_hessian(n, n, repeats);
  kronecker(20, 30, 40, repeats);
  kronecker(40, 60, 80, repeats);
  return 0;
}
