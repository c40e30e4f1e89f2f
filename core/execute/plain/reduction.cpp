#include "execute/plain/reduction.hpp"
#include <algorithm>
#include <cmath>
#include <limits>

namespace tyto::execute::plain {
namespace {

const program::Buffer& at(const std::vector<program::Buffer>& buffers, program::BufferId id) {
  return buffers[static_cast<std::size_t>(id)];
}

}  // namespace

Reduction::Reduction(const program::LogSumExp& l, const std::vector<program::Buffer>& buffers) : kind_(Kind::log_sum_exp) {
  const std::size_t batch = at(buffers, l.out).extents.size();
  in_ = places_of(at(buffers, l.input), batch);
  out_ = places_of(at(buffers, l.out), batch);
}

Reduction::Reduction(const program::Softmax& s, const std::vector<program::Buffer>& buffers) : kind_(Kind::softmax) {
  const std::size_t batch = at(buffers, s.out).extents.size() - static_cast<std::size_t>(s.reduced);
  in_ = places_of(at(buffers, s.input), batch);
  out_ = places_of(at(buffers, s.out), batch);
}

Reduction::Reduction(const program::Reciprocal& r, const std::vector<program::Buffer>& buffers) {
  const std::size_t batch = at(buffers, r.input).extents.size() - 1;
  in_ = places_of(at(buffers, r.input), batch);
  out_ = places_of(at(buffers, r.out), batch);
  kind_ = at(buffers, r.out).extents.size() == batch + 1 ? Kind::reciprocal : Kind::differences;
}

template <class T>
void Reduction::run(T* out, const T* in) const {
  kind_ == Kind::log_sum_exp || kind_ == Kind::softmax ? soft(out, in) : reciprocal(out, in);
}

/// Shifted by the largest value, so that nothing overflows.
template <class T>
void Reduction::soft(T* out, const T* in) const {
  for (std::size_t g = 0; g < in_.of_group.size(); ++g) {
    const T* values = in + in_.of_group[g];
    double largest = -std::numeric_limits<double>::infinity();
    for (const std::int64_t offset : in_.of_element) largest = std::max(largest, static_cast<double>(values[offset]));
    const double shift = std::isinf(largest) ? 0.0 : largest;
    double sum = 0;
    for (const std::int64_t offset : in_.of_element) sum += std::exp(static_cast<double>(values[offset]) - shift);
    T* result = out + out_.of_group[g];
    if (kind_ == Kind::log_sum_exp) *result = static_cast<T>(shift + std::log(sum));
    else
      for (std::size_t e = 0; e < in_.of_element.size(); ++e)
        result[out_.of_element[e]] = static_cast<T>(std::exp(static_cast<double>(values[in_.of_element[e]]) - shift) / sum);
  }
}

template <class T>
void Reduction::reciprocal(T* out, const T* in) const {
  const std::size_t n = in_.of_element.size();
  for (std::size_t g = 0; g < in_.of_group.size(); ++g) {
    const auto value = [&](std::size_t e) { return static_cast<double>(in[in_.of_group[g] + in_.of_element[e]]); };
    double largest = 0;
    for (std::size_t e = 0; e < n; ++e) largest = std::max(largest, std::abs(value(e)));
    const double threshold = static_cast<double>(n) * static_cast<double>(std::numeric_limits<T>::epsilon()) * largest;
    const auto inverted = [&](double x) { return std::abs(x) <= threshold ? 0.0 : 1 / x; };
    T* result = out + out_.of_group[g];
    for (std::size_t e = 0; e < out_.of_element.size(); ++e)
      result[out_.of_element[e]] =
          static_cast<T>(kind_ == Kind::reciprocal ? inverted(value(e)) : inverted(value(e % n) - value(e / n)));
  }
}

template void Reduction::run<double>(double*, const double*) const;
template void Reduction::run<float>(float*, const float*) const;

}  // namespace tyto::execute::plain
