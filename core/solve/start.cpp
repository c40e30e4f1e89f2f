#include "solve/start.hpp"
#include <algorithm>
#include <fmt/format.h>
#include "solve/sequential_hosvd.hpp"
#include "tensor/random.hpp"

namespace tyto::solve {

namespace {

/// A matrix with one orthonormal label becomes an orthonormal basis of what its columns span.
void orthonormalize(const Tensor& t, std::int32_t id, State& state) {
  const tensor::Dense copy = tensor::Dense::copy(state.array(id), Dtype::f64);
  const std::int32_t rows = 1 - t.orthonormal;
  const std::int64_t extent = t.extents[static_cast<std::size_t>(rows)], count = t.extents[static_cast<std::size_t>(t.orthonormal)];
  const Basis basis = leading_basis(Unfolding(copy.view(), rows), count, Route::orthogonal);
  const ConstArray by_rows(basis.vectors.data(), {extent, count});
  tensor::copy_to(rows == 0 ? by_rows : permuted(by_rows, {1, 0}), state.array(id));
}

void fill_random(const Tensor& t, std::int32_t id, State& state, std::uint64_t seed, bool normal) {
  const tensor::Random random(seed, t.name);
  const std::int64_t n = element_count(t.extents);
  for (std::int64_t k = 0; k < n; ++k) state.set(id, k, normal ? random.normal(k) : random.uniform(k));
  if (t.orthonormal >= 0) orthonormalize(t, id, state);
}

void fill_given(const Tensor& t, std::int32_t id, State& state) {
  if (t.varies) state.replace(id, tensor::Dense::copy(t.start.given->view()));
  else tensor::copy_to(t.start.given->view(), state.array(id));
}

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

/// All unknowns that start by ST-HOSVD of one tensor, at the first of them: each basis depends on those before.
void fill_sequential(const std::vector<Tensor>& tensors, std::size_t first, State& state,
                     const std::function<void(const std::string&)>& message) {
  const std::int32_t data = tensors[first].start.data;
  const auto is_one = [&](const Tensor& t) { return t.kind == Kind::unknown && is_sequential(t.start) && t.start.data == data; };
  if (static_cast<std::size_t>(std::find_if(tensors.begin(), tensors.end(), is_one) - tensors.begin()) != first) return;
  Extents ranks(state.array(data).extents.size(), -1);
  for (const Tensor& t : tensors)  // of two bases of one axis the smaller one is part of the other
    if (is_one(t))
      ranks[static_cast<std::size_t>(t.start.axis)] = std::max(ranks[static_cast<std::size_t>(t.start.axis)], t.extents[1]);
  const SequentialHosvd found = sequential_hosvd(state.array(data), ranks, message);
  for (std::size_t k = 0; k < tensors.size(); ++k) {
    if (!is_one(tensors[k])) continue;
    const auto axis = static_cast<std::size_t>(tensors[k].start.axis);
    const Extents& extents = tensors[k].extents;
    const ConstArray leading{found.bases[axis].data(), Dtype::f64, extents, {ranks[axis], 1}};
    tensor::copy_to(leading, state.array(static_cast<std::int32_t>(k)));
  }
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
  const Unfolding y(data, axis);
  return leading_basis(y, count, first_route(y.rows(), y.columns())).vectors;
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
    } else if (is_sequential(t.start)) {
      fill_sequential(tensors, k, state, message);
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
