// out = scale * sum over summed labels of the last value.
#include "execute/plain/chain.hpp"
#include <algorithm>
#include <cmath>
#include <type_traits>
#include "error/fail.hpp"
#include "execute/plain/places.hpp"
#include "operation/function_value.hpp"

namespace tyto::execute::plain {
namespace {

/// What values are computed in: rounding and overflow of the element type come once, at the end.
template <class T>
using Value = std::conditional_t<std::is_integral_v<T>, std::int64_t, Wide<T>>;

template <class W>
W scaled(double coefficient, W value) {
  using Coefficient = std::conditional_t<std::is_integral_v<W>, std::int64_t, double>;
  return coefficient == 1 ? value : static_cast<Coefficient>(coefficient) * value;
}

}  // namespace

Chain::Chain(const program::Elementwise& elementwise, const std::vector<program::Buffer>& buffers)
    : kept_(elementwise.out.labels.size()),
      inputs_(elementwise.inputs.size()),
      instructions_(elementwise.instructions),
      scale_(elementwise.scale) {
  const program::Space space = program::space_of(elementwise.inputs, elementwise.out, buffers);
  for (const std::int64_t extent : space.extents) loops_.push_back({extent, std::vector<std::int64_t>(inputs_ + 1, 0)});
  const auto note = [&](const program::Operand& operand, std::size_t place) {
    const program::Buffer& buffer = buffers[static_cast<std::size_t>(operand.buffer)];
    for (std::size_t axis = 0; axis < operand.labels.size(); ++axis) {
      const auto at = std::find(space.labels.begin(), space.labels.end(), operand.labels[axis]) - space.labels.begin();
      Loop& loop = loops_[static_cast<std::size_t>(at)];
      TYTO_ASSERT(loop.extent == buffer.extents[axis]);
      loop.stride[place] += buffer.strides[axis];
    }
  };
  for (std::size_t k = 0; k < inputs_; ++k) note(elementwise.inputs[k], k);
  note(elementwise.out, inputs_);
  index_.assign(loops_.size(), 0);
  offset_.assign(inputs_ + 1, 0);
  values_.resize((inputs_ + instructions_.size()) * sizeof(std::complex<double>));
}

/// To the next point of loops [first, last), the last fastest. False, and back at the first point, when there is none.
bool Chain::advance(std::size_t first, std::size_t last) {
  for (std::size_t d = last; d > first; --d) {
    const Loop& loop = loops_[d - 1];
    for (std::size_t k = 0; k < offset_.size(); ++k) offset_[k] += loop.stride[k];
    if (++index_[d - 1] < loop.extent) return true;
    for (std::size_t k = 0; k < offset_.size(); ++k) offset_[k] -= loop.extent * loop.stride[k];
    index_[d - 1] = 0;
  }
  return false;
}

template <class T, class W>
W Chain::value_of(const Instruction& instruction, const W* values, std::int64_t& flops) {
  const auto argument = [&](std::size_t k) { return values[instruction.arguments[k]]; };
  const std::size_t count = instruction.arguments.size();
  W result = 0;
  switch (instruction.kind) {
    case program::Elementwise::Kind::combination:
      result = static_cast<W>(instruction.constant);
      for (std::size_t k = 0; k < count; ++k) {
        result += scaled(instruction.coefficients[k], argument(k));
        flops += (k > 0 || instruction.constant != 0 ? 1 : 0) + (instruction.coefficients[k] != 1 ? 1 : 0);
      }
      break;
    case program::Elementwise::Kind::product:
      result = argument(0);
      for (std::size_t k = 1; k < count; ++k) result *= argument(k), ++flops;
      break;
    case program::Elementwise::Kind::power:
      if constexpr (!std::is_integral_v<T>) result = std::pow(argument(0), instruction.exponent);
      ++flops;
      break;
    case program::Elementwise::Kind::function:
      if constexpr (!std::is_integral_v<T>)
        operation::with_function(instruction.function, [&]<operation::Function known>() {
          result = operation::value_at<known>(argument(0), argument(count - 1));
        });
      ++flops;
      break;
  }
  return result;
}

template <class T>
std::int64_t Chain::run(T* out, const void* const* inputs) {
  using W = Value<T>;
  static_assert(sizeof(W) <= sizeof(std::complex<double>));
  W* values = reinterpret_cast<W*>(values_.data());
  std::fill(index_.begin(), index_.end(), 0);
  std::fill(offset_.begin(), offset_.end(), 0);
  const auto is_empty = [](const Loop& loop) { return loop.extent == 0; };
  const auto summed = loops_.begin() + static_cast<std::ptrdiff_t>(kept_);
  if (std::any_of(loops_.begin(), summed, is_empty)) return 0;
  const bool sums = kept_ < loops_.size(), sums_nothing = std::any_of(summed, loops_.end(), is_empty);
  std::int64_t flops = 0;
  do {
    W result = 0;
    if (!sums_nothing) {
      do {
        for (std::size_t k = 0; k < inputs_; ++k) values[k] = static_cast<W>(static_cast<const T*>(inputs[k])[offset_[k]]);
        for (std::size_t k = 0; k < instructions_.size(); ++k)
          values[inputs_ + k] = value_of<T>(instructions_[k], static_cast<const W*>(values), flops);
        result += values[inputs_ + instructions_.size() - 1];
        if (sums) ++flops;
      } while (advance(kept_, loops_.size()));
    }
    if (scale_ != 1) result = scaled(scale_, result), ++flops;
    out[offset_[inputs_]] = static_cast<T>(result);
  } while (advance(0, kept_));
  return (std::is_arithmetic_v<T> ? 1 : 4) * flops;
}

template std::int64_t Chain::run<double>(double*, const void* const*);
template std::int64_t Chain::run<float>(float*, const void* const*);
template std::int64_t Chain::run<std::complex<double>>(std::complex<double>*, const void* const*);
template std::int64_t Chain::run<std::complex<float>>(std::complex<float>*, const void* const*);
template std::int64_t Chain::run<std::int16_t>(std::int16_t*, const void* const*);
template std::int64_t Chain::run<std::int32_t>(std::int32_t*, const void* const*);
template std::int64_t Chain::run<std::int64_t>(std::int64_t*, const void* const*);

}  // namespace tyto::execute::plain
