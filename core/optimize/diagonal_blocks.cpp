#include "optimize/diagonal_blocks.hpp"
#include <algorithm>

namespace tyto::optimize {

using graph::DimensionId;
using graph::NodeId;
using graph::Store;

namespace {

DimensionId dimension(Store& store, std::int64_t extent) {
  return store.dimension(std::make_shared<const Dimension>(Dimension{"n", extent, extent, false}));
}

std::int64_t extent_along(const Store& store, NodeId node, std::int32_t axis) {
  return store.extent(store[node].shape[static_cast<std::size_t>(axis)]);
}

/// The slice of a node that was padded along the axis: the part of the inner node that falls into it, padded again.
NodeId restricted_pad(Store& store, const graph::Pad& pad, NodeId inner, std::int64_t first, DimensionId part) {
  const std::int64_t count = store.extent(part), begin = std::max(first, pad.first),
                     end = std::min(first + count, pad.first + extent_along(store, inner, pad.axis));
  if (begin >= end) {
    graph::Shape shape = store[inner].shape;
    shape[static_cast<std::size_t>(pad.axis)] = part;
    return graph::fill(store, 0, shape);
  }
  const bool is_all = begin == first && end == first + count;
  const DimensionId inside = is_all ? part : dimension(store, end - begin);
  const NodeId piece = restricted(store, inner, pad.axis, begin - pad.first, inside);
  return is_all ? piece : graph::pad(store, piece, {pad.axis, begin - first, 1, part});
}

/// Pieces one behind the other; a fill where all are zero.
NodeId concatenated(Store& store, const std::vector<NodeId>& pieces, const graph::Concatenate& along) {
  if (!std::all_of(pieces.begin(), pieces.end(), [&](NodeId p) { return graph::is_zero(store, p); }))
    return graph::concatenate(store, pieces, along);
  graph::Shape shape = store[pieces[0]].shape;
  shape[static_cast<std::size_t>(along.axis)] = along.whole;
  return graph::fill(store, 0, shape);
}

NodeId restricted_concatenation(Store& store, const graph::Node& node, std::int32_t axis, std::int64_t first, DimensionId part) {
  std::vector<NodeId> pieces;
  std::int64_t begin = 0;
  for (const NodeId operand : node.operands) {
    const std::int64_t count = extent_along(store, operand, axis), from = std::max(first, begin),
                       to = std::min(first + store.extent(part), begin + count);
    if (from < to) {
      const bool is_part = from == first && to == first + store.extent(part);
      const DimensionId whole = store[operand].shape[static_cast<std::size_t>(axis)];
      const DimensionId inside = is_part ? part : to - from == count ? whole : dimension(store, to - from);
      pieces.push_back(restricted(store, operand, axis, from - begin, inside));
    }
    begin += count;
  }
  return concatenated(store, pieces, {axis, part});
}

/// Where something begins or ends along the axis.
void collect_cuts(const Store& store, NodeId id, std::int32_t axis, std::vector<std::int64_t>& cuts) {
  const graph::Node& node = store[id];
  if (const auto* pad = graph::as<graph::Pad>(node); pad != nullptr && pad->axis == axis && pad->step == 1) {
    cuts.push_back(pad->first), cuts.push_back(pad->first + extent_along(store, node.operands[0], axis));
  } else if (const auto* pieces = graph::as<graph::Concatenate>(node); pieces != nullptr && pieces->axis == axis) {
    std::int64_t at = 0;
    for (const NodeId operand : node.operands) cuts.push_back(at += extent_along(store, operand, axis));
  } else if (graph::is<graph::Combination>(node) || graph::is<graph::Pad>(node) || graph::is<graph::Concatenate>(node)) {
    for (const NodeId operand : node.operands) collect_cuts(store, operand, axis, cuts);
  }
}

NodeId block(Store& store, NodeId matrix, std::int32_t batch, std::int64_t row, DimensionId rows, std::int64_t column,
             DimensionId columns) {
  return restricted(store, restricted(store, matrix, batch, row, rows), batch + 1, column, columns);
}

}  // namespace

NodeId restricted(Store& store, NodeId id, std::int32_t axis, std::int64_t first, DimensionId part) {
  const graph::Node node = store[id];
  graph::Shape shape = node.shape;
  if (first == 0 && store.fits(shape[static_cast<std::size_t>(axis)], part)) return id;
  shape[static_cast<std::size_t>(axis)] = part;
  if (const auto* value = graph::as<graph::Fill>(node)) return graph::fill(store, value->value, shape);
  if (const auto* sum = graph::as<graph::Combination>(node)) {
    std::vector<graph::Term> terms;
    for (std::size_t k = 0; k < node.operands.size(); ++k)
      terms.push_back({sum->coefficients[k], restricted(store, node.operands[k], axis, first, part)});
    return graph::combination(store, terms, shape);
  }
  if (const auto* pad = graph::as<graph::Pad>(node)) {
    if (pad->axis == axis && pad->step == 1) return restricted_pad(store, *pad, node.operands[0], first, part);
    if (pad->axis != axis) return graph::pad(store, restricted(store, node.operands[0], axis, first, part), *pad);
  }
  if (const auto* pieces = graph::as<graph::Concatenate>(node)) {
    if (pieces->axis == axis) return restricted_concatenation(store, node, axis, first, part);
    std::vector<NodeId> parts;
    for (const NodeId operand : node.operands) parts.push_back(restricted(store, operand, axis, first, part));
    return concatenated(store, parts, *pieces);
  }
  return graph::slice(store, id, {axis, first, 1, part});
}

std::vector<DiagonalBlock> diagonal_blocks(Store& store, NodeId matrix, std::int32_t batch) {
  const graph::Shape shape = store[matrix].shape;
  if (shape.size() != static_cast<std::size_t>(batch) + 2) return {};
  const std::int64_t n = store.extent(shape[static_cast<std::size_t>(batch)]);
  std::vector<std::int64_t> cuts{0, n};
  collect_cuts(store, matrix, batch, cuts);
  std::sort(cuts.begin(), cuts.end());
  cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
  std::vector<DiagonalBlock> blocks;
  std::int64_t first = 0;
  for (const std::int64_t cut : cuts) {
    if (cut == 0) continue;
    // Rows first...cut against the columns behind the cut, and the other way round; what stands before `first` is zero already.
    const DimensionId rows = dimension(store, cut - first), behind = dimension(store, n - cut);
    if (cut < n && (!graph::is_zero(store, block(store, matrix, batch, first, rows, cut, behind)) ||
                    !graph::is_zero(store, block(store, matrix, batch, cut, behind, first, rows))))
      continue;
    blocks.push_back({first, block(store, matrix, batch, first, rows, first, rows)});
    first = cut;
  }
  return blocks;
}

}  // namespace tyto::optimize
