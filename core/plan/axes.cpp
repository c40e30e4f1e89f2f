#include "plan/axes.hpp"
#include <algorithm>
#include <numeric>

namespace tyto::plan {

Axes counted_axes(std::size_t count) {
  Axes axes(count);
  std::iota(axes.begin(), axes.end(), 0);
  return axes;
}

Axes inverse_of(const Axes& axes) {
  Axes inverse(axes.size());
  for (std::size_t k = 0; k < axes.size(); ++k) inverse[static_cast<std::size_t>(axes[k])] = static_cast<std::int32_t>(k);
  return inverse;
}

bool is_permutation(const graph::Node& node, Axes& axes) {
  const auto* e = graph::as<graph::Einsum>(node);
  if (e == nullptr || node.operands.size() != 1 || !is_ordinary(e->pair)) return false;
  const einsum::Labels &in = e->subscripts.inputs[0], &out = e->subscripts.output;
  if (in.size() != out.size()) return false;
  axes.clear();
  for (const einsum::Label label : out)
    axes.push_back(static_cast<std::int32_t>(std::find(in.begin(), in.end(), label) - in.begin()));
  Axes sorted = axes;
  std::sort(sorted.begin(), sorted.end());
  return sorted == counted_axes(in.size());
}

Base base_of(const graph::Store& store, graph::NodeId id) {
  Base base{id, counted_axes(store[id].shape.size())};
  Axes axes;
  while (is_permutation(store[base.node], axes)) {
    for (std::int32_t& axis : base.axes) axis = axes[static_cast<std::size_t>(axis)];
    base.node = store[base.node].operands[0];
  }
  return base;
}

Extents strides_of(const Extents& extents, const Axes& memory) {
  Extents strides(extents.size(), 1);
  std::int64_t next = 1;
  for (std::size_t k = memory.size(); k-- > 0;) {
    const auto axis = static_cast<std::size_t>(memory[k]);
    strides[axis] = next;
    next *= extents[axis];
  }
  return strides;
}

Axes memory_order(const Extents& strides) {
  Axes memory = counted_axes(strides.size());
  std::stable_sort(memory.begin(), memory.end(), [&](std::int32_t a, std::int32_t b) {
    return strides[static_cast<std::size_t>(a)] > strides[static_cast<std::size_t>(b)];
  });
  return memory;
}

}  // namespace tyto::plan
