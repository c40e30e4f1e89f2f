// Rows are worked off in blocks that stay in registers and the first-level cache, so each operand is read once.
#include "execute/cpu/elementwise.hpp"
#include <algorithm>
#include <array>
#include <cmath>
#include "error/fail.hpp"
#include "operation/function_value.hpp"

namespace tyto::execute::cpu {
namespace {

using Axis = ElementwisePlan::Axis;

constexpr std::int64_t block = 256;

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
  plan.index.assign(plan.outer.size(), 0);
  plan.offset.assign(operands.size(), 0);
}

/// Calls body() for each row; plan.offset says where it begins in each operand.
template <class Body>
void for_each_row(ElementwisePlan& plan, Body&& body) {
  if (plan.elements == 0) return;
  std::fill(plan.index.begin(), plan.index.end(), 0);
  std::fill(plan.offset.begin(), plan.offset.end(), 0);
  for (;;) {
    body();
    std::size_t d = plan.outer.size();
    for (; d > 0; --d) {
      const Axis& axis = plan.outer[d - 1];
      for (std::size_t k = 0; k < plan.offset.size(); ++k) plan.offset[k] += axis.stride[k];
      if (++plan.index[d - 1] < axis.extent) break;
      for (std::size_t k = 0; k < plan.offset.size(); ++k) plan.offset[k] -= axis.extent * axis.stride[k];
      plan.index[d - 1] = 0;
    }
    if (d == 0) return;
  }
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
void map_rows(ElementwisePlan& plan, T* out, const T* in, Map map) {
  for_each_row(plan, [&] {
    map_row(out + plan.offset[0], plan.row.stride[0], in + plan.offset[1], plan.row.stride[1], plan.row.extent, map);
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

template <class T>
std::int64_t run_combination(ElementwisePlan& plan, T* out, const void* const* inputs) {
  std::int64_t done = 0;
  for_each_row(plan, [&] {
    std::array<T, block> sum;
    for (std::int64_t first = 0; first < plan.row.extent; first += block) {
      const std::int64_t count = std::min(block, plan.row.extent - first);
      if (plan.coefficients.empty()) std::fill(sum.begin(), sum.end(), T{0});
      for (std::size_t k = 0; k < plan.coefficients.size(); ++k) {
        const std::int64_t stride = plan.row.stride[k + 1];
        const T* in = static_cast<const T*>(inputs[k]) + plan.offset[k + 1] + first * stride;
        const T c = static_cast<T>(plan.coefficients[k]);
        k == 0 ? set_scaled(sum.data(), in, stride, count, c) : add_scaled(sum.data(), in, stride, count, c);
      }
      store(out + plan.offset[0] + first * plan.row.stride[0], plan.row.stride[0], sum.data(), count);
      done += count;
    }
  });
  return done * plan.flops;
}

template <class T>
std::int64_t run_power(ElementwisePlan& plan, T* out, const T* in) {
  if (plan.exponent == 2) {
    map_rows(plan, out, in, [](T x) { return x * x; });
  } else if (plan.exponent == 1) {
    map_rows(plan, out, in, [](T x) { return x; });
  } else if (plan.exponent == 0.5) {
    map_rows(plan, out, in, [](T x) { return std::sqrt(x); });
  } else if (plan.exponent == -1) {
    map_rows(plan, out, in, [](T x) { return T{1} / x; });
  } else {
    const double exponent = plan.exponent;
    map_rows(plan, out, in, [exponent](T x) { return static_cast<T>(std::pow(static_cast<double>(x), exponent)); });
  }
  return plan.elements * plan.flops;
}

template <class T>
std::int64_t run_map(ElementwisePlan& plan, T* out, const T* a, const T* b, operation::Function f) {
  const std::size_t last = plan.row.stride.size() - 1;
  operation::with_function(f, [&]<operation::Function known>() {
    for_each_row(plan, [&] {
      T* to = out + plan.offset[0];
      const T *from_a = a + plan.offset[1], *from_b = b + plan.offset[last];
      const std::int64_t step = plan.row.stride[0], step_a = plan.row.stride[1], step_b = plan.row.stride[last];
      for (std::int64_t i = 0; i < plan.row.extent; ++i)
        to[i * step] = operation::value_at<known>(from_a[i * step_a], from_b[i * step_b]);
    });
  });
  return plan.elements * plan.flops;
}

template std::int64_t run_map<double>(ElementwisePlan&, double*, const double*, const double*, operation::Function);
template std::int64_t run_map<float>(ElementwisePlan&, float*, const float*, const float*, operation::Function);
template std::int64_t run_combination<double>(ElementwisePlan&, double*, const void* const*);
template std::int64_t run_combination<float>(ElementwisePlan&, float*, const void* const*);
template std::int64_t run_power<double>(ElementwisePlan&, double*, const double*);
template std::int64_t run_power<float>(ElementwisePlan&, float*, const float*);

}  // namespace tyto::execute::cpu
