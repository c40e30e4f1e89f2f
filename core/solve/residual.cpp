#include "solve/residual.hpp"
#include <algorithm>
#include <cmath>
#include "error/fail.hpp"

namespace tyto::solve {

namespace {

double unit_of(Dtype precision) { return precision == Dtype::f32 ? 1.1920928955078125e-7 : 2.220446049250313e-16; }

}  // namespace

double rounding_of_sum(double size, Dtype precision) {
  constexpr double roundings = 8;
  return roundings * unit_of(precision) * size;
}

double rounding_of_residual(double fit, double fit_at_zero, Dtype precision) {
  // Its entries are wrong by some units of the data's: |e + d|^2 - |e|^2 = 2 e.d + |d|^2.
  const double square = rounding_of_sum(1, precision) * rounding_of_sum(1, precision) * fit_at_zero;
  return 2 * std::sqrt(std::max(0.0, fit) * square) + square;
}

bool expanded_cancels(double fit, double fit_at_zero, double tolerance, Dtype precision) {
  constexpr double smallest_error = 1e-4, wanted_digits = 2e-6;  // of the fit, twice that of its root
  const double noise = rounding_of_sum(fit_at_zero, precision);
  return fit <= smallest_error * smallest_error * fit_at_zero ||
         noise > (tolerance > 0 ? std::min(tolerance, wanted_digits) : wanted_digits) * fit;
}

Residual::Residual(const std::vector<ResidualTerm>& terms, const Setup& setup) {
  const auto loaded = [&](const std::shared_ptr<const program::Program>& p) {
    Program result;
    if (!p) return result;
    result.evaluation = std::make_unique<execute::Evaluation>(p, setup.executor->load(p, setup.options));
    for (const program::Leaf& leaf : p->leaves) result.leaves.emplace_back(nullptr, leaf.dtype, leaf.extents, leaf.strides);
    return result;
  };
  for (const ResidualTerm& term : terms) terms_.push_back({term, loaded(term.tile), loaded(term.rest)});
}

double Residual::of_tile(const Term& term, Program& program, const State& state, std::int64_t first) {
  for (std::size_t leaf = 0; leaf < term.info.leaves.size(); ++leaf) {
    const ResidualTerm::Leaf& from = term.info.leaves[leaf];
    const Array& whole = state.array(from.tensor);
    const std::int64_t offset = from.axis < 0 ? 0 : first * whole.strides[static_cast<std::size_t>(from.axis)];
    program.leaves[leaf].data = static_cast<std::byte*>(whole.address()) + offset * size_of(whole.dtype);
    program.evaluation->bind(static_cast<program::LeafId>(leaf), program.leaves[leaf]);
  }
  const ConstArray& scalar = program.evaluation->run(0);
  return scalar.dtype == Dtype::f32 ? static_cast<double>(*scalar.as<float>()) : *scalar.as<double>();
}

double Residual::value(const State& state) {
  double total = 0;
  for (Term& term : terms_) {
    double sum = 0;
    const std::int64_t whole_tiles = term.info.extent / term.info.tile_extent;
    for (std::int64_t k = 0; k < whole_tiles; ++k) sum += of_tile(term, term.tile, state, k * term.info.tile_extent);
    if (term.rest.evaluation) sum += of_tile(term, term.rest, state, whole_tiles * term.info.tile_extent);
    total += term.info.coefficient * sum;
  }
  return total;
}

}  // namespace tyto::solve
