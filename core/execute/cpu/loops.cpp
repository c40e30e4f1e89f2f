// Labels to loops: strides summed along diagonals, roles from where a label occurs, chains of axes merged.
#include "execute/cpu/loops.hpp"
#include <algorithm>
#include "error/fail.hpp"

namespace tyto::execute::cpu {
namespace {

struct LabelledLoop {
  einsum::Label label = -1;
  Loop loop;
  std::array<bool, 3> present = {false, false, false};
};

Role role_of(const std::array<bool, 3>& present) {
  if (present[Place::out]) {
    if (present[Place::left] && present[Place::right]) return Role::batch;
    if (present[Place::left]) return Role::left;
    return present[Place::right] ? Role::right : Role::repeated;
  }
  if (present[Place::left] && present[Place::right]) return Role::contracted;
  return present[Place::left] ? Role::left_summed : Role::right_summed;
}

/// Returns whether a label occurs twice in the operand.
bool add(std::vector<LabelledLoop>& loops, Place place, const program::Operand& operand, const program::Buffer& buffer) {
  TYTO_ASSERT(operand.labels.size() == buffer.extents.size());
  bool repeats = false;
  for (std::size_t axis = 0; axis < operand.labels.size(); ++axis) {
    const einsum::Label label = operand.labels[axis];
    auto known = std::find_if(loops.begin(), loops.end(), [&](const LabelledLoop& entry) { return entry.label == label; });
    if (known == loops.end()) {
      loops.push_back({.label = label, .loop = {.extent = buffer.extents[axis]}});
      known = loops.end() - 1;
    }
    TYTO_ASSERT(known->loop.extent == buffer.extents[axis]);
    repeats = repeats || known->present[place];
    known->present[place] = true;
    known->loop.stride[place] += buffer.strides[axis];
  }
  return repeats;
}

bool chains(const Loop& outer, const Loop& inner) {
  if (outer.role != inner.role) return false;
  for (std::size_t place = 0; place < 3; ++place)
    if (outer.stride[place] != inner.stride[place] * inner.extent) return false;
  return true;
}

}  // namespace

Nest nest_of(const program::Contraction& contraction, const std::vector<program::Buffer>& buffers) {
  TYTO_ASSERT(contraction.inputs.size() == 1 || contraction.inputs.size() == 2);
  const auto buffer_of = [&](const program::Operand& operand) { return buffers[static_cast<std::size_t>(operand.buffer)]; };
  std::vector<LabelledLoop> labelled;
  Nest nest;
  nest.clears_output = add(labelled, Place::out, contraction.out, buffer_of(contraction.out));
  add(labelled, Place::left, contraction.inputs[0], buffer_of(contraction.inputs[0]));
  if (contraction.inputs.size() == 2) add(labelled, Place::right, contraction.inputs[1], buffer_of(contraction.inputs[1]));
  bool sums = false;
  for (LabelledLoop& entry : labelled) {
    entry.loop.role = role_of(entry.present);
    sums = sums || is_reduction(entry.loop.role);
    nest.is_empty = nest.is_empty || entry.loop.extent == 0;
    if (entry.loop.extent != 1) nest.loops.push_back(entry.loop);
  }
  nest.flops_per_point = static_cast<std::int64_t>(contraction.inputs.size()) - 1 + (sums ? 1 : 0);
  if (nest.is_empty) nest.clears_output = true;
  nest.loops = nest.is_empty ? std::vector<Loop>{} : fused(std::move(nest.loops));
  return nest;
}

namespace {

bool chains(const OperandLoop& outer, const OperandLoop& inner) {
  if (outer.present != inner.present) return false;
  for (std::size_t k = 0; k < outer.stride.size(); ++k)
    if (outer.stride[k] != inner.stride[k] * inner.extent) return false;
  return true;
}

/// Merges loops until none chain.
template <class AnyLoop>
std::vector<AnyLoop> merged(std::vector<AnyLoop> loops) {
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t a = 0; a < loops.size() && !changed; ++a) {
      for (std::size_t b = 0; b < loops.size() && !changed; ++b) {
        if (a == b || !chains(loops[a], loops[b])) continue;
        loops[b].extent *= loops[a].extent;
        loops.erase(loops.begin() + static_cast<std::ptrdiff_t>(a));
        changed = true;
      }
    }
  }
  return loops;
}

}  // namespace

std::vector<OperandLoop> operand_loops(const program::Contraction& contraction, const std::vector<program::Buffer>& buffers) {
  const std::size_t tensors = 1 + contraction.inputs.size();
  einsum::Labels labels;
  std::vector<OperandLoop> loops;
  for (std::size_t k = 0; k < tensors; ++k) {
    const program::Operand& operand = k == 0 ? contraction.out : contraction.inputs[k - 1];
    const program::Buffer& buffer = buffers[static_cast<std::size_t>(operand.buffer)];
    for (std::size_t axis = 0; axis < operand.labels.size(); ++axis) {
      const auto known = std::find(labels.begin(), labels.end(), operand.labels[axis]);
      const auto at = static_cast<std::size_t>(known - labels.begin());
      if (known == labels.end()) {
        labels.push_back(operand.labels[axis]);
        loops.push_back({buffer.extents[axis], std::vector<std::int64_t>(tensors, 0), std::vector<bool>(tensors, false)});
      }
      loops[at].stride[k] += buffer.strides[axis];
      loops[at].present[k] = true;
    }
  }
  std::erase_if(loops, [](const OperandLoop& loop) { return loop.extent == 1; });
  return merged(std::move(loops));
}

std::vector<Loop> fused(std::vector<Loop> loops) { return merged(std::move(loops)); }

std::int64_t movement(const Loop& loop) { return loop.stride[0] + loop.stride[1] + loop.stride[2]; }

void order_outer(std::vector<Loop>& outer) {
  std::stable_sort(outer.begin(), outer.end(), [](const Loop& a, const Loop& b) {
    if (is_reduction(a.role) != is_reduction(b.role)) return is_reduction(b.role);
    return movement(a) > movement(b);
  });
}

}  // namespace tyto::execute::cpu
