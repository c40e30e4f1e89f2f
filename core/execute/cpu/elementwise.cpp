// Rows are worked off in blocks that stay in registers and the first-level cache, so each operand is read once.
#include "execute/cpu/elementwise.hpp"
#include <algorithm>
#include <array>
#include <cmath>
#include "arithmetic/combination.hpp"
#include "arithmetic/copy.hpp"
#include "error/fail.hpp"
#include "operation/function_value.hpp"

namespace tyto::execute::cpu {
namespace {

using Axis = ElementwisePlan::Axis;

constexpr std::int64_t block = 256;
constexpr std::size_t most_axes = 64;  // of extent 2 or more: that many make more elements than an address can tell

bool chains(const Axis& outer, const Axis& inner) {
  for (std::size_t k = 0; k < outer.stride.size(); ++k)
    if (outer.stride[k] != inner.stride[k] * inner.extent) return false;
  return true;
}

void prepare(ElementwisePlan& plan, const std::vector<const program::Buffer*>& operands) {
  std::vector<Axis> axes;
  for (std::size_t a = 0; a < operands[0]->extents.size(); ++a) {
    Axis axis{.extent = operands[0]->extents[a], .stride = {}};
    for (const program::Buffer* operand : operands) {
      TYTO_ASSERT(operand->extents == operands[0]->extents);
      axis.stride.push_back(operand->strides[a]);
    }
    plan.elements *= axis.extent;
    if (axis.extent != 1) axes.push_back(std::move(axis));
  }
  std::stable_sort(axes.begin(), axes.end(), [](const Axis& a, const Axis& b) { return a.stride[0] > b.stride[0]; });
  for (std::size_t a = 0; a + 1 < axes.size();) {
    if (chains(axes[a], axes[a + 1])) {
      axes[a + 1].extent *= axes[a].extent;
      axes.erase(axes.begin() + static_cast<std::ptrdiff_t>(a));
      a = 0;
    } else {
      ++a;
    }
  }
  if (axes.empty()) axes.push_back({.extent = 1, .stride = std::vector<std::int64_t>(operands.size(), 1)});
  plan.row = std::move(axes.back());
  axes.pop_back();
  plan.outer = std::move(axes);
  TYTO_ASSERT(plan.outer.size() < most_axes);
}

constexpr std::int64_t piece = 1 << 17;        // elements of a row worked off by one thread
constexpr std::int64_t task = 1 << 16;         // elements of several rows, likewise
constexpr std::int64_t shared_from = 1 << 16;  // elements that are worth a second thread

/// Where one piece of a row begins.
class Position {
 public:
  Position(const ElementwisePlan& plan, const std::array<std::int64_t, most_axes>& index, std::int64_t first)
      : plan_(plan), index_(index), first_(first) {}
  /// Of the output (0) or input k - 1, in elements.
  std::int64_t offset(std::size_t k) const {
    std::int64_t offset = first_ * plan_.row.stride[k];
    for (std::size_t d = 0; d < plan_.outer.size(); ++d) offset += index_[d] * plan_.outer[d].stride[k];
    return offset;
  }

 private:
  const ElementwisePlan& plan_;
  const std::array<std::int64_t, most_axes>& index_;
  std::int64_t first_;
};

/// body(position, count) for pieces [first, last) of all rows, counted row by row.
template <class Body>
void for_pieces(const ElementwisePlan& plan, std::int64_t first, std::int64_t last, const Body& body) {
  const std::int64_t in_row = (plan.row.extent + piece - 1) / piece;
  std::array<std::int64_t, most_axes> index;
  std::int64_t rest = first / in_row, at = first % in_row;
  for (std::size_t d = plan.outer.size(); d-- > 0;) {
    index[d] = rest % plan.outer[d].extent;
    rest /= plan.outer[d].extent;
  }
  for (std::int64_t p = first; p < last; ++p) {
    body(Position(plan, index, at * piece), std::min(piece, plan.row.extent - at * piece));
    if (++at < in_row) continue;
    at = 0;
    for (std::size_t d = plan.outer.size(); d-- > 0 && ++index[d] == plan.outer[d].extent;) index[d] = 0;
  }
}

/// body(position, count) for all of the elements, by as many threads as there are.
template <class Body>
void for_each_piece(const ElementwisePlan& plan, Workers& workers, const Body& body) {
  if (plan.elements == 0) return;
  const std::int64_t pieces = plan.elements / plan.row.extent * ((plan.row.extent + piece - 1) / piece);
  if (plan.elements < shared_from) return for_pieces(plan, 0, pieces, body);
  const std::int64_t in_task = std::max<std::int64_t>(1, task / std::min(piece, plan.row.extent));
  workers.pool().run((pieces + in_task - 1) / in_task,
                     [&](std::int64_t t, int) { for_pieces(plan, t * in_task, std::min(pieces, (t + 1) * in_task), body); });
}

template <class T>
void add_scaled(T* __restrict sum, const T* __restrict in, std::int64_t stride, std::int64_t count, T c) {
  if (stride == 1) {
    for (std::int64_t e = 0; e < count; ++e) sum[e] += c * in[e];
  } else {
    for (std::int64_t e = 0; e < count; ++e) sum[e] += c * in[e * stride];
  }
}

template <class T>
void set_scaled(T* __restrict sum, const T* __restrict in, std::int64_t stride, std::int64_t count, T c) {
  if (stride == 1) {
    for (std::int64_t e = 0; e < count; ++e) sum[e] = c * in[e];
  } else {
    for (std::int64_t e = 0; e < count; ++e) sum[e] = c * in[e * stride];
  }
}

template <class T>
void store(T* __restrict out, std::int64_t stride, const T* __restrict sum, std::int64_t count) {
  for (std::int64_t e = 0; e < count; ++e) out[e * stride] = sum[e];
}

/// out(e) = map(in(e)) over a row.
template <class T, class Map>
void map_row(T* out, std::int64_t out_stride, const T* in, std::int64_t in_stride, std::int64_t n, Map map) {
  if (out_stride == 1 && in_stride == 1) {
    for (std::int64_t e = 0; e < n; ++e) out[e] = map(in[e]);
  } else {
    for (std::int64_t e = 0; e < n; ++e) out[e * out_stride] = map(in[e * in_stride]);
  }
}

template <class T, class Map>
void map_all(const ElementwisePlan& plan, T* out, const T* in, Workers& workers, Map map) {
  for_each_piece(plan, workers, [&](const Position& at, std::int64_t count) {
    map_row(out + at.offset(0), plan.row.stride[0], in + at.offset(1), plan.row.stride[1], count, map);
  });
}

}  // namespace

ElementwisePlan plan_of(const program::Combination& combination, const std::vector<program::Buffer>& buffers) {
  TYTO_ASSERT(combination.coefficients.size() == combination.inputs.size());
  ElementwisePlan plan;
  std::vector<const program::Buffer*> operands = {&buffers[static_cast<std::size_t>(combination.out)]};
  for (const program::BufferId input : combination.inputs) operands.push_back(&buffers[static_cast<std::size_t>(input)]);
  prepare(plan, operands);
  plan.coefficients = combination.coefficients;
  plan.flops = std::max<std::int64_t>(static_cast<std::int64_t>(combination.inputs.size()) - 1, 0);
  for (const double c : combination.coefficients) plan.flops += c != 1 ? 1 : 0;
  return plan;
}

ElementwisePlan plan_of(const program::Power& power, const std::vector<program::Buffer>& buffers) {
  ElementwisePlan plan;
  prepare(plan, {&buffers[static_cast<std::size_t>(power.out)], &buffers[static_cast<std::size_t>(power.input)]});
  plan.exponent = power.exponent;
  plan.flops = 1;
  return plan;
}

ElementwisePlan plan_of(const program::Map& map, const std::vector<program::Buffer>& buffers) {
  ElementwisePlan plan;
  std::vector<const program::Buffer*> operands = {&buffers[static_cast<std::size_t>(map.out)]};
  for (const program::BufferId input : map.inputs) operands.push_back(&buffers[static_cast<std::size_t>(input)]);
  prepare(plan, operands);
  plan.flops = 1;
  return plan;
}

namespace {

/// One piece of a combination, block by block, for any strides and number of terms.
template <class T>
void combine(const ElementwisePlan& plan, const Position& at, std::int64_t count, T* out, const void* const* inputs) {
  std::array<T, block> sum;
  T* target = out + at.offset(0);
  for (std::int64_t first = 0; first < count; first += block) {
    const std::int64_t n = std::min(block, count - first);
    if (plan.coefficients.empty()) std::fill(sum.begin(), sum.end(), T{0});
    for (std::size_t k = 0; k < plan.coefficients.size(); ++k) {
      const std::int64_t stride = plan.row.stride[k + 1];
      const T* in = static_cast<const T*>(inputs[k]) + at.offset(k + 1) + first * stride;
      const T c = static_cast<T>(plan.coefficients[k]);
      k == 0 ? set_scaled(sum.data(), in, stride, n, c) : add_scaled(sum.data(), in, stride, n, c);
    }
    store(target + first * plan.row.stride[0], plan.row.stride[0], sum.data(), n);
  }
}

/// Rows that lie one after another in all operands.
bool is_contiguous(const ElementwisePlan& plan) {
  return std::all_of(plan.row.stride.begin(), plan.row.stride.end(), [](std::int64_t stride) { return stride == 1; });
}

/// The operands of a combination of contiguous rows; where they begin is left to each piece.
template <class T>
arithmetic::CombinedRow<T> combined_row(const ElementwisePlan& plan, const Workers& workers) {
  arithmetic::CombinedRow<T> row;
  row.terms = static_cast<int>(plan.coefficients.size());
  for (std::size_t k = 0; k < plan.coefficients.size(); ++k) row.coefficients[k] = static_cast<T>(plan.coefficients[k]);
  row.streams = plan.elements * static_cast<std::int64_t>(sizeof(T)) >= workers.caches().last;
  return row;
}

}  // namespace

template <class T>
std::int64_t run_combination(const ElementwisePlan& plan, T* out, const void* const* inputs, Workers& workers) {
  const std::size_t terms = plan.coefficients.size();
  if (terms == 0 || terms > arithmetic::most_terms || !is_contiguous(plan)) {
    for_each_piece(plan, workers, [&](const Position& at, std::int64_t count) { combine(plan, at, count, out, inputs); });
    return plan.elements * plan.flops;
  }
  const arithmetic::CombineFunction<T> function = arithmetic::combine_function<T>(workers.isa());
  const arithmetic::CombinedRow<T> operands = combined_row<T>(plan, workers);
  for_each_piece(plan, workers, [&](const Position& at, std::int64_t count) {
    arithmetic::CombinedRow<T> row = operands;
    row.count = count;
    row.out = out + at.offset(0);
    for (std::size_t k = 0; k < terms; ++k) row.inputs[k] = static_cast<const T*>(inputs[k]) + at.offset(k + 1);
    function(row);
    if (row.streams) arithmetic::finish_streams();
  });
  return plan.elements * plan.flops;
}

template <class T>
std::int64_t run_power(const ElementwisePlan& plan, T* out, const T* in, Workers& workers) {
  if (plan.exponent == 2) {
    map_all(plan, out, in, workers, [](T x) { return x * x; });
  } else if (plan.exponent == 1) {
    map_all(plan, out, in, workers, [](T x) { return x; });
  } else if (plan.exponent == 0.5) {
    map_all(plan, out, in, workers, [](T x) { return std::sqrt(x); });
  } else if (plan.exponent == -1) {
    map_all(plan, out, in, workers, [](T x) { return T{1} / x; });
  } else {
    const double exponent = plan.exponent;
    map_all(plan, out, in, workers, [exponent](T x) { return static_cast<T>(std::pow(static_cast<double>(x), exponent)); });
  }
  return plan.elements * plan.flops;
}

template <class T>
std::int64_t run_map(const ElementwisePlan& plan, T* out, const T* a, const T* b, operation::Function f, Workers& workers) {
  const std::size_t last = plan.row.stride.size() - 1;
  operation::with_function(f, [&]<operation::Function known>() {
    for_each_piece(plan, workers, [&](const Position& at, std::int64_t count) {
      T* to = out + at.offset(0);
      const T *from_a = a + at.offset(1), *from_b = b + at.offset(last);
      const std::int64_t step = plan.row.stride[0], step_a = plan.row.stride[1], step_b = plan.row.stride[last];
      for (std::int64_t i = 0; i < count; ++i) to[i * step] = operation::value_at<known>(from_a[i * step_a], from_b[i * step_b]);
    });
  });
  return plan.elements * plan.flops;
}

template std::int64_t run_map(const ElementwisePlan&, double*, const double*, const double*, operation::Function, Workers&);
template std::int64_t run_map(const ElementwisePlan&, float*, const float*, const float*, operation::Function, Workers&);
template std::int64_t run_combination(const ElementwisePlan&, double*, const void* const*, Workers&);
template std::int64_t run_combination(const ElementwisePlan&, float*, const void* const*, Workers&);
template std::int64_t run_power(const ElementwisePlan&, double*, const double*, Workers&);
template std::int64_t run_power(const ElementwisePlan&, float*, const float*, Workers&);

}  // namespace tyto::execute::cpu
