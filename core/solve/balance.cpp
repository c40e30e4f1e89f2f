#include "solve/balance.hpp"
#include <algorithm>
#include <cmath>
#include <limits>

namespace tyto::solve {

namespace {

/// Visits the elements of slice r along an axis.
template <class Visit>
void for_slice(const Extents& extents, std::int32_t axis, std::int64_t r, const Visit& visit) {
  std::int64_t outer = 1, inner = 1;
  for (std::size_t k = 0; k < extents.size(); ++k) {
    if (static_cast<std::int32_t>(k) < axis) outer *= extents[k];
    if (static_cast<std::int32_t>(k) > axis) inner *= extents[k];
  }
  const std::int64_t extent = extents[static_cast<std::size_t>(axis)];
  for (std::int64_t o = 0; o < outer; ++o)
    for (std::int64_t i = 0; i < inner; ++i) visit((o * extent + r) * inner + i);
}

/// Binary exponent of the norm of a slice; of 0 none.
bool norm_exponent(const Tensor& t, std::int32_t id, const State& state, std::int32_t axis, std::int64_t r, int& exponent) {
  double largest = 0;
  for_slice(t.extents, axis, r, [&](std::int64_t e) { largest = std::max(largest, std::abs(state.get(id, e))); });
  if (largest == 0 || !std::isfinite(largest)) return false;
  std::frexp(largest, &exponent);
  return true;
}

}  // namespace

bool even_out(const Balance& balance, const std::vector<Tensor>& tensors, State& state,
              const std::function<void(std::int32_t)>& changed) {
  bool any = false;
  const Balance::Member& first = balance.members.front();
  const std::int64_t slices = tensors[static_cast<std::size_t>(first.tensor)].extents[static_cast<std::size_t>(first.axis)];
  const auto n = static_cast<int>(balance.members.size());
  for (std::int64_t r = 0; r < slices; ++r) {
    int low = std::numeric_limits<int>::max(), high = std::numeric_limits<int>::min(), total = 0, found = 0;
    for (const Balance::Member& m : balance.members) {
      int exponent = 0;
      if (norm_exponent(tensors[static_cast<std::size_t>(m.tensor)], m.tensor, state, m.axis, r, exponent)) ++found;
      low = std::min(low, exponent), high = std::max(high, exponent), total += exponent;
    }
    if (found < n) continue;  // a zero slice stays as it is
    if (std::ldexp(1.0, high - low) < largest_imbalance) continue;
    for (int k = 0; k < n; ++k) {  // exponents become total/n, the remainder spread over the first ones
      const int wanted = static_cast<int>(std::floor(static_cast<double>(total) / n)) + (k < ((total % n) + n) % n ? 1 : 0);
      const Balance::Member& m = balance.members[static_cast<std::size_t>(k)];
      int exponent = 0;
      norm_exponent(tensors[static_cast<std::size_t>(m.tensor)], m.tensor, state, m.axis, r, exponent);
      const int shift = wanted - exponent;
      if (shift == 0) continue;
      for_slice(tensors[static_cast<std::size_t>(m.tensor)].extents, m.axis, r,
                [&](std::int64_t e) { state.set(m.tensor, e, std::ldexp(state.get(m.tensor, e), shift)); });
      changed(m.tensor);
      any = true;
    }
  }
  return any;
}

}  // namespace tyto::solve
