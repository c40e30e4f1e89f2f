#include "plan/operations.hpp"
#include <algorithm>
#include <fmt/format.h>
#include "error/fail.hpp"

namespace tyto::plan {
namespace {

using program::BufferId;
using Inputs = std::vector<BufferId>;
using Buffers = std::vector<program::Buffer>;

/// One overload for each operation that is a step.
struct Maker {
  const graph::Node& node;
  const Inputs& in;
  BufferId out;
  const Buffers& buffers;

  program::Operation operator()(const graph::Fill& f) const { return program::Fill{f.value, out}; }
  program::Operation operator()(const graph::Identity&) const { return program::Identity{out}; }
  program::Operation operator()(const graph::ImaginaryUnit&) const { return program::Fill{1, out, true}; }
  program::Operation operator()(const graph::Triangle& t) const { return program::Triangle{t.diagonal, out}; }
  program::Operation operator()(const graph::Combination& c) const { return program::Combination{c.coefficients, in, out}; }
  program::Operation operator()(const graph::Power& p) const { return program::Power{p.exponent, in[0], out}; }
  program::Operation operator()(const graph::Map& m) const {
    if (m.function != operation::Function::complex) return program::Map{m.function, in, out};
    if (program::is_complex(buffers[static_cast<std::size_t>(in[0])].dtype)) return program::Combination{{1}, in, out};
    return program::Convert{in[0], out};
  }
  program::Operation operator()(const graph::LogSumExp& l) const { return program::LogSumExp{in[0], out, l.reduced}; }
  program::Operation operator()(const graph::Softmax& s) const { return program::Softmax{in[0], out, s.reduced}; }
  program::Operation operator()(const graph::Reshape&) const { return program::Reshape{in[0], out}; }
  program::Operation operator()(const graph::Slice& s) const { return program::Slice{in[0], out, s.axis, s.first, s.step}; }
  program::Operation operator()(const graph::Pad& p) const { return program::Assemble{in, out, p.axis, {p.first}, p.step}; }
  program::Operation operator()(const graph::Concatenate& c) const {
    std::vector<std::int64_t> first;
    std::int64_t next = 0;
    for (const BufferId input : in) {
      first.push_back(next);
      next += buffers[static_cast<std::size_t>(input)].extents[static_cast<std::size_t>(c.axis)];
    }
    return program::Assemble{in, out, c.axis, first, 1};
  }
  program::Operation operator()(const graph::Reciprocal&) const { return program::Reciprocal{in[0], out}; }
  program::Operation operator()(const graph::Inverse& i) const { return program::Inverse{in[0], out, i.batch, i.rows}; }
  program::Operation operator()(const graph::Solve& s) const {
    return program::Solve{in[0], in[1], out, s.batch, s.rows, s.system};
  }
  template <class Other>
  program::Operation operator()(const Other&) const {
    TYTO_ASSERT(false);  // leaves, einsums and factorizations have no operation of their own
    return program::Fill{};
  }
};

}  // namespace

program::Operation operation_of(const graph::Node& node, const Inputs& inputs, BufferId out, const Buffers& buffers) {
  return std::visit(Maker{node, inputs, out, buffers}, node.operation);
}

bool numbers_axes(const graph::Node& node) {
  const bool goes_by_element = graph::is<graph::Combination>(node) || graph::is<graph::Power>(node) ||
                               graph::is<graph::Map>(node) || graph::is<graph::Fill>(node) || graph::is<graph::Identity>(node) ||
                               graph::is<graph::ImaginaryUnit>(node);
  return !goes_by_element;
}

std::vector<char> repetitions(const graph::Store& store, const graph::Node& node) {
  const auto& e = *graph::as<graph::Einsum>(node);
  std::vector<char> skipped(node.operands.size(), 0);
  for (std::size_t k = 0; k < node.operands.size(); ++k) {
    const auto* fill = graph::as<graph::Fill>(store[node.operands[k]]);
    if (fill == nullptr || fill->value != 1 || !is_ordinary(e.pair)) continue;
    const auto is_kept = [&](einsum::Label label) {
      if (einsum::contains(e.subscripts.output, label)) return true;
      for (std::size_t other = 0; other < node.operands.size(); ++other)
        if (other != k && skipped[other] == 0 && einsum::contains(e.subscripts.inputs[other], label)) return true;
      return false;
    };
    const einsum::Labels& own = e.subscripts.inputs[k];
    skipped[k] = std::all_of(own.begin(), own.end(), is_kept) ? 1 : 0;
  }
  return skipped;
}

std::vector<program::Contraction> split_product(const program::Contraction& whole, Buffers& buffers) {
  std::vector<program::Contraction> parts;
  program::Operand left = whole.inputs[0];
  const program::Buffer out = buffers[static_cast<std::size_t>(whole.out.buffer)];
  for (std::size_t k = 1; k + 1 < whole.inputs.size(); ++k) {
    program::Buffer partial{.name = fmt::format("{}.{}", out.name, k), .dtype = out.dtype};
    einsum::Labels kept;
    const auto is_needed = [&](einsum::Label label) {  // sums of pairs other than the ordinary do not distribute
      bool needed = einsum::contains(whole.out.labels, label) || !is_ordinary(whole.pair);
      for (std::size_t later = k + 1; later < whole.inputs.size(); ++later)
        needed = needed || einsum::contains(whole.inputs[later].labels, label);
      return needed;
    };
    for (const program::Operand& side : {left, whole.inputs[k]}) {
      const program::Buffer& of_side = buffers[static_cast<std::size_t>(side.buffer)];
      for (std::size_t axis = 0; axis < side.labels.size(); ++axis) {
        if (!is_needed(side.labels[axis]) || einsum::contains(kept, side.labels[axis])) continue;
        kept.push_back(side.labels[axis]);
        partial.extents.push_back(of_side.extents[axis]);
        partial.labels.push_back(of_side.labels[axis]);
      }
    }
    partial.strides = row_major(partial.extents);
    buffers.push_back(std::move(partial));
    const program::Operand product{static_cast<BufferId>(buffers.size()) - 1, kept};
    parts.push_back({{left, whole.inputs[k]}, product, whole.pair});
    left = product;
  }
  parts.push_back({{left, whole.inputs.back()}, whole.out, whole.pair});
  return parts;
}

}  // namespace tyto::plan
