// out = reduce over summed labels of combine over operands, point by point.
#include "execute/plain/contraction.hpp"
#include <algorithm>
#include <limits>
#include <complex>
#include <type_traits>
#include "error/fail.hpp"
#include "execute/plain/places.hpp"

namespace tyto::execute::plain {
namespace {

/// What a sum is collected in: rounding and overflow of the element type come once, at the end.
template <class T>
using Sum = std::conditional_t<std::is_integral_v<T>, std::int64_t, Wide<T>>;
template <class T>
constexpr bool is_ordered = std::is_arithmetic_v<T>;

/// The result of reducing no values: the largest or smallest that T holds, for minimum and maximum.
template <class T>
Sum<T> nothing_reduced(einsum::Reduce reduce) {
  if constexpr (!is_ordered<T>) return 0;
  using Limits = std::numeric_limits<T>;
  switch (reduce) {
    case einsum::Reduce::sum: return 0;
    case einsum::Reduce::min: return Limits::has_infinity ? Limits::infinity() : Limits::max();
    case einsum::Reduce::max: return Limits::has_infinity ? -Limits::infinity() : Limits::lowest();
  }
  return 0;
}

template <class W>
W reduced(einsum::Reduce reduce, W so_far, W value) {
  if constexpr (!is_ordered<W>) return so_far + value;
  else switch (reduce) {
      case einsum::Reduce::sum: return so_far + value;
      case einsum::Reduce::min: return value < so_far || value != value ? value : so_far;
      case einsum::Reduce::max: return value > so_far || value != value ? value : so_far;
    }
  return so_far;
}

}  // namespace

LoopNest::LoopNest(const program::Contraction& contraction, const std::vector<program::Buffer>& buffers)
    : operands_(contraction.inputs.size()),
      pair_(contraction.pair),
      scale_(contraction.scale),
      addend_scale_(contraction.addend_scale),
      has_addend_(contraction.addend >= 0) {
  if (contraction.factors > 0) {
    form_factors(contraction, buffers);
    return;
  }
  std::vector<einsum::Label> labels;
  const auto note = [&](const program::Operand& operand, std::size_t place) {
    const program::Buffer& buffer = buffers[static_cast<std::size_t>(operand.buffer)];
    TYTO_ASSERT(operand.labels.size() == buffer.extents.size());
    for (std::size_t axis = 0; axis < operand.labels.size(); ++axis) {
      const auto at = static_cast<std::size_t>(std::find(labels.begin(), labels.end(), operand.labels[axis]) - labels.begin());
      if (at == labels.size()) {
        labels.push_back(operand.labels[axis]);
        loops_.push_back({buffer.extents[axis], std::vector<std::int64_t>(operands_ + 2, 0)});
      }
      TYTO_ASSERT(loops_[at].extent == buffer.extents[axis]);
      loops_[at].stride[place] += buffer.strides[axis];
    }
  };
  note(contraction.out, operands_);
  kept_ = loops_.size();
  diagonal_output_ = kept_ < contraction.out.labels.size();
  if (has_addend_) note({contraction.addend, contraction.out.labels}, operands_ + 1);
  for (std::size_t k = 0; k < operands_; ++k) note(contraction.inputs[k], k);
  const program::Buffer& out = buffers[static_cast<std::size_t>(contraction.out.buffer)];
  for (std::size_t axis = 0; axis < out.extents.size(); ++axis)
    whole_.push_back({out.extents[axis], out.strides[axis],
                      has_addend_ ? buffers[static_cast<std::size_t>(contraction.addend)].strides[axis] : 0});
  index_.assign(std::max(loops_.size(), whole_.size()), 0);
  offset_.assign(operands_ + 2, 0);
}

/// Becomes the nest over the other operands and the product of the factors, which lies row-major in memory of its own.
void LoopNest::form_factors(const program::Contraction& contraction, const std::vector<program::Buffer>& buffers) {
  const auto first_factor = contraction.inputs.end() - contraction.factors;
  program::Contraction product{{first_factor, contraction.inputs.end()}, {}}, outer = contraction;
  const program::Space space = program::space_of(product.inputs, {}, buffers);
  std::vector<program::Buffer> with_product = buffers;
  with_product.push_back({.name = "factors",
                          .dtype = buffers[static_cast<std::size_t>(product.inputs[0].buffer)].dtype,
                          .extents = space.extents,
                          .strides = row_major(space.extents)});
  product.out = {static_cast<program::BufferId>(buffers.size()), space.labels};
  outer.inputs.resize(contraction.inputs.size() - product.inputs.size());
  outer.inputs.push_back(product.out);
  outer.factors = 0;
  const LoopNest multiplied(product, with_product);
  *this = LoopNest(outer, with_product);
  factors_ = {multiplied};
  formed_.resize(static_cast<std::size_t>(space.points() * size_of(with_product.back().dtype)));
  operands_given_.resize(outer.inputs.size());
}

/// To the next point of loops [first, last), the last fastest. False, and back at the first point, when there is none.
bool LoopNest::advance(std::size_t first, std::size_t last) {
  for (std::size_t d = last; d > first; --d) {
    const Loop& loop = loops_[d - 1];
    for (std::size_t k = 0; k < offset_.size(); ++k) offset_[k] += loop.stride[k];
    if (++index_[d - 1] < loop.extent) return true;
    for (std::size_t k = 0; k < offset_.size(); ++k) offset_[k] -= loop.extent * loop.stride[k];
    index_[d - 1] = 0;
  }
  return false;
}

template <class T, class Value>
void LoopNest::fill_whole(T* out, const Value& value) {
  std::fill(index_.begin(), index_.end(), 0);
  std::int64_t to = 0, from = 0;
  for (const WholeAxis& axis : whole_)
    if (axis.extent == 0) return;
  for (;;) {
    out[to] = value(from);
    std::size_t d = whole_.size();
    for (; d > 0; --d) {
      const WholeAxis& axis = whole_[d - 1];
      to += axis.out, from += axis.addend;
      if (++index_[d - 1] < axis.extent) break;
      to -= axis.extent * axis.out, from -= axis.extent * axis.addend;
      index_[d - 1] = 0;
    }
    if (d == 0) return;
  }
}

template <class T>
std::int64_t LoopNest::run(T* out, const void* const* inputs) {
  if (factors_.empty()) return run_nest<T>(out, inputs, has_addend_ ? static_cast<const T*>(inputs[operands_]) : nullptr);
  const std::size_t outer = operands_ - 1, factors = factors_[0].operands_;
  const std::int64_t flops = factors_[0].run<T>(reinterpret_cast<T*>(formed_.data()), inputs + outer);
  std::copy(inputs, inputs + outer, operands_given_.begin());
  operands_given_.back() = formed_.data();
  return flops + run_nest<T>(out, operands_given_.data(), has_addend_ ? static_cast<const T*>(inputs[outer + factors]) : nullptr);
}

template <class T>
std::int64_t LoopNest::run_nest(T* out, const void* const* inputs, const T* addend) {
  using W = Sum<T>;
  using Coefficient = std::conditional_t<std::is_integral_v<T>, std::int64_t, double>;
  const auto scaled = [](double coefficient, W value) {
    return coefficient == 1 ? value : static_cast<Coefficient>(coefficient) * value;
  };
  constexpr std::int64_t weight = is_ordered<T> ? 1 : 4;
  std::int64_t flops = 0;
  double addend_scale = addend_scale_;
  std::size_t addend_place = operands_ + 1;
  if (diagonal_output_ && has_addend_) {  // it is where the loops do not come, too; they go on with what is there
    fill_whole(out, [&](std::int64_t from) {
      if (addend_scale != 1) ++flops;
      return static_cast<T>(scaled(addend_scale, static_cast<W>(addend[from])));
    });
    addend = out, addend_scale = 1, addend_place = operands_;
  } else if (diagonal_output_) {
    fill_whole(out, [](std::int64_t) { return T{0}; });
  }
  std::fill(index_.begin(), index_.end(), 0);
  std::fill(offset_.begin(), offset_.end(), 0);
  const auto is_empty = [](const Loop& loop) { return loop.extent == 0; };
  const auto summed = loops_.begin() + static_cast<std::ptrdiff_t>(kept_);
  if (std::any_of(loops_.begin(), summed, is_empty)) return weight * flops;
  const bool sums = kept_ < loops_.size(), sums_nothing = std::any_of(summed, loops_.end(), is_empty);
  const bool adds = pair_.combine == einsum::Combine::sum;
  do {
    W result = nothing_reduced<T>(pair_.reduce);
    if (!sums_nothing) {
      do {
        W value = adds ? W{0} : W{1};
        for (std::size_t k = 0; k < operands_; ++k) {
          const W factor = static_cast<W>(static_cast<const T*>(inputs[k])[offset_[k]]);
          value = k == 0 ? factor : adds ? value + factor : value * factor;
          if (k > 0) ++flops;
        }
        result = sums ? reduced(pair_.reduce, result, value) : value;
        if (sums) ++flops;
      } while (advance(kept_, loops_.size()));
    }
    if (scale_ != 1) result = scaled(scale_, result), ++flops;
    if (has_addend_) {
      result += scaled(addend_scale, static_cast<W>(addend[offset_[addend_place]]));
      flops += addend_scale != 1 ? 2 : 1;
    }
    out[offset_[operands_]] = static_cast<T>(result);
  } while (advance(0, kept_));
  return weight * flops;
}

template std::int64_t LoopNest::run<double>(double*, const void* const*);
template std::int64_t LoopNest::run<float>(float*, const void* const*);
template std::int64_t LoopNest::run<std::complex<double>>(std::complex<double>*, const void* const*);
template std::int64_t LoopNest::run<std::complex<float>>(std::complex<float>*, const void* const*);
template std::int64_t LoopNest::run<std::int16_t>(std::int16_t*, const void* const*);
template std::int64_t LoopNest::run<std::int32_t>(std::int32_t*, const void* const*);
template std::int64_t LoopNest::run<std::int64_t>(std::int64_t*, const void* const*);

}  // namespace tyto::execute::plain
