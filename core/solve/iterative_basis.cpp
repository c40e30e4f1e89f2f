#include "solve/iterative_basis.hpp"
#include <algorithm>
#include <cblas.h>
#include <cmath>
#include <fmt/format.h>
#include "solve/narrowed.hpp"

namespace tyto::solve {

namespace {

/// Of singular vectors, relative to the largest value: what is captured is off by its square.
constexpr double tolerance = 1e-10;

class MatrixMap final : public algebra::LinearMap {
 public:
  explicit MatrixMap(const Unfolding& y) : rows_(y.rows()), columns_(y.columns()), matrix_(y.by_rows()) {}
  std::unique_ptr<algebra::Vector> domain() const override { return std::make_unique<algebra::HostVector>(columns_); }
  std::unique_ptr<algebra::Vector> range() const override { return std::make_unique<algebra::HostVector>(rows_); }
  void apply(const algebra::Vector& x, algebra::Vector& y) const override { multiply(CblasNoTrans, x, y); }
  void apply_transposed(const algebra::Vector& y, algebra::Vector& x) const override { multiply(CblasTrans, y, x); }

 private:
  void multiply(CBLAS_TRANSPOSE transpose, const algebra::Vector& from, algebra::Vector& to) const {
    cblas_dgemv(CblasRowMajor, transpose, narrowed(rows_), narrowed(columns_), 1, matrix_.data(), narrowed(columns_),
                from.read().as<double>(), 1, 0, to.write().as<double>(), 1);
  }
  std::int64_t rows_, columns_;
  std::vector<double> matrix_;
};

}  // namespace

bool iterates(std::int64_t rows, std::int64_t columns, std::int64_t count) { return 5 * (count + 1) < std::min(rows, columns); }

std::optional<Basis> iterative_basis(const Unfolding& y, std::int64_t count, const algebra::SvdSolver& solver,
                                     const algebra::Library& library, const std::function<void(const std::string&)>& message) {
  const algebra::SvdOutcome found = solver.solve(MatrixMap(y), {.count = count, .tolerance = tolerance, .library = library});
  if (found.outcome.stop == Stop::failed) return Basis{.is_finite = false};
  if (static_cast<std::int64_t>(found.left.size()) < count) {
    if (message) message(fmt::format("{}: {}; LAPACK takes its place", solver.name(), found.outcome.reason));
    return std::nullopt;
  }
  Basis basis;
  basis.vectors.resize(static_cast<std::size_t>(y.rows() * count));
  for (std::int64_t r = 0; r < count; ++r) {
    const ConstArray column = found.left[static_cast<std::size_t>(r)]->read();
    for (std::int64_t i = 0; i < y.rows(); ++i) basis.vectors[static_cast<std::size_t>(i * count + r)] = column.as<double>()[i];
    basis.squares.push_back(std::pow(found.values[static_cast<std::size_t>(r)], 2));
  }
  fix_signs(basis.vectors, y.rows(), count);
  return basis;
}

}  // namespace tyto::solve
