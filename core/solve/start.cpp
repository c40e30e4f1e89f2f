#include "solve/start.hpp"
#include <algorithm>
#include <cblas.h>
#include <fmt/format.h>
#include <lapacke.h>
#include "error/fail.hpp"
#include "tensor/random.hpp"

namespace tyto::solve {

namespace {

int narrowed(std::int64_t n) {
  TYTO_ASSERT(n >= 0 && n <= std::numeric_limits<int>::max());
  return static_cast<int>(n);
}

void fill_random(const Tensor& t, std::int32_t id, State& state, std::uint64_t seed, bool normal) {
  const tensor::Random random(seed, t.name);
  const std::int64_t n = element_count(t.extents);
  for (std::int64_t k = 0; k < n; ++k) state.set(id, k, normal ? random.normal(k) : random.uniform(k));
}

void fill_given(const Tensor& t, std::int32_t id, State& state) { tensor::copy_to(t.start.given->view(), state.array(id)); }

/// Singular vectors for the columns that exist, random ones for the rest.
void fill_hosvd(const Tensor& t, std::int32_t id, State& state, std::uint64_t seed,
                const std::function<void(const std::string&)>& message) {
  const std::int64_t rows = t.extents[0], columns = element_count(t.extents) / std::max<std::int64_t>(1, rows);
  const std::int64_t found = std::min(rows, columns);
  fill_random(t, id, state, seed, false);
  const std::vector<double> vectors = leading_vectors(state.array(t.start.data), t.start.axis, found);
  for (std::int64_t i = 0; i < rows; ++i)
    for (std::int64_t r = 0; r < found; ++r) state.set(id, i * columns + r, vectors[static_cast<std::size_t>(i * found + r)]);
  if (columns > found && message)
    message(fmt::format("hosvd: {} of {} columns of {} are filled at random", columns - found, columns, t.name));
}

/// A start that was given lies within them; others are brought there, see fill_start().
void keep_bounds(const Tensor& t, std::int32_t id, State& state) {
  const std::int64_t n = element_count(t.extents);
  for (std::int64_t e = 0; e < n; ++e) {
    const double value = state.get(id, e);
    state.set(id, e, std::clamp(t.lower >= 0 ? std::abs(value) : value, t.lower, t.upper));
  }
}

}  // namespace

std::vector<double> leading_vectors(const ConstArray& data, std::int32_t axis, std::int64_t count) {
  const tensor::Dense copy = tensor::Dense::copy(data, Dtype::f64);
  const auto mode = static_cast<std::size_t>(axis);
  const std::int64_t n = copy.extents()[mode];
  std::int64_t outer = 1, inner = 1;
  for (std::size_t k = 0; k < mode; ++k) outer *= copy.extents()[k];
  for (std::size_t k = mode + 1; k < copy.extents().size(); ++k) inner *= copy.extents()[k];
  std::vector<double> gram(static_cast<std::size_t>(n * n), 0), values(static_cast<std::size_t>(n));
  for (std::int64_t o = 0; o < outer; ++o)  // G += Y Y^T for each n x inner slab Y
    cblas_dsyrk(CblasRowMajor, CblasUpper, CblasNoTrans, narrowed(n), narrowed(inner), 1, copy.view().as<double>() + o * n * inner,
                narrowed(std::max<std::int64_t>(1, inner)), 1, gram.data(), narrowed(std::max<std::int64_t>(1, n)));
  if (n > 0 && LAPACKE_dsyevd(LAPACK_ROW_MAJOR, 'V', 'U', narrowed(n), gram.data(), narrowed(n), values.data()) != 0)
    fail(Code::third_party, "the eigenvectors for an hosvd start were not found", {}, {}, "solver.init: random");
  std::vector<double> vectors(static_cast<std::size_t>(n * count));
  for (std::int64_t r = 0; r < count; ++r) {  // eigenvalues ascend; the sign is fixed by the entry of largest magnitude
    double largest = 0;
    for (std::int64_t i = 0; i < n; ++i) {
      const double v = gram[static_cast<std::size_t>(i * n + n - 1 - r)];
      if (std::abs(v) > std::abs(largest)) largest = v;
    }
    for (std::int64_t i = 0; i < n; ++i)
      vectors[static_cast<std::size_t>(i * count + r)] = (largest < 0 ? -1 : 1) * gram[static_cast<std::size_t>(i * n + n - 1 - r)];
  }
  return vectors;
}

void fill_start(const std::vector<Tensor>& tensors, State& state, std::uint64_t seed,
                const std::function<void(const std::string&)>& message) {
  for (std::size_t k = 0; k < tensors.size(); ++k) {
    const Tensor& t = tensors[k];
    const auto id = static_cast<std::int32_t>(k);
    const std::int64_t n = element_count(t.extents);
    if (t.kind == Kind::data || t.kind == Kind::direction) continue;
    if (t.kind == Kind::state || t.kind == Kind::parameter) {
      for (std::int64_t e = 0; e < n; ++e) state.set(id, e, t.kind == Kind::parameter ? t.initial : 0);
    } else if (t.start.given) {
      fill_given(t, id, state);
    } else if (t.start.word == "hosvd") {
      fill_hosvd(t, id, state, seed, message);
    } else if (t.start.word == "ones" || t.start.word == "zeros") {
      for (std::int64_t e = 0; e < n; ++e) state.set(id, e, t.start.word == "ones" ? 1 : 0);
    } else {
      fill_random(t, id, state, seed, t.start.word == "random-normal");
    }
    if (t.kind == Kind::unknown && !t.start.given && has_bounds(t)) keep_bounds(t, id, state);
  }
}

}  // namespace tyto::solve
