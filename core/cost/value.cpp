#include "cost/value.hpp"
#include <algorithm>
#include <cmath>

namespace tyto::cost {

using einsum::Label;
using einsum::Labels;

namespace {

double log2_of(double count) { return std::log2(std::max(count, 1.0)); }

/// Calls visit(label, count, distinct, max of both or 0 where one side lacks the label) for each label of two values.
template <class Visit>
void for_each_leg(const Value& left, const Value& right, const Visit& visit) {
  auto a = left.legs.begin(), b = right.legs.begin();
  const auto end_a = left.legs.end(), end_b = right.legs.end();
  while (a != end_a || b != end_b) {
    if (b == end_b || (a != end_a && a->label < b->label)) {
      visit(*a, 0.0);
      ++a;
    } else if (a == end_a || b->label < a->label) {
      visit(*b, 0.0);
      ++b;
    } else {
      visit(Leg{a->label, a->count + b->count, std::min(a->distinct, b->distinct)}, std::max(a->distinct, b->distinct));
      ++a, ++b;
    }
  }
}

Value operand_value(const Network& network, std::size_t k) {
  const Labels& labels = network.subscripts.inputs[k];
  Value value;
  for (std::size_t axis = 0; axis < labels.size(); ++axis) {
    double distinct = static_cast<double>(network.extents[static_cast<std::size_t>(labels[axis])]);
    if (!network.statistics.empty()) distinct = std::min(distinct, network.statistics[k].distinct[axis]);
    value.legs.push_back({labels[axis], 1, log2_of(distinct)});
  }
  std::sort(value.legs.begin(), value.legs.end(), [](const Leg& a, const Leg& b) { return a.label < b.label; });
  std::vector<Leg> legs;
  for (const Leg& leg : value.legs) {
    if (legs.empty() || legs.back().label != leg.label) legs.push_back(leg);
    else ++legs.back().count, legs.back().distinct = std::min(legs.back().distinct, leg.distinct);  // a diagonal
  }
  value.legs = std::move(legs);
  for (const Leg& leg : value.legs) value.elements += leg.distinct;
  if (!network.statistics.empty()) value.elements = std::min(value.elements, log2_of(network.statistics[k].nonzeros));
  value.joined = value.elements;
  if (!network.changes.operands.empty()) value.occasions = network.changes.operands[k];
  return value;
}

}  // namespace

Joins::Joins(const Network& network)
    : is_dense_(network.statistics.empty()),
      needed_(static_cast<std::size_t>(einsum::label_count(network.subscripts)), 0),
      extents_(network.extents.begin(), network.extents.end()),
      changes_(network.changes) {
  for (std::size_t k = 0; k < network.subscripts.inputs.size(); ++k) {
    operands_.push_back(operand_value(network, k));
    for (const Label label : network.subscripts.inputs[k]) ++needed_[static_cast<std::size_t>(label)];
  }
  for (const Label label : network.subscripts.output) ++needed_[static_cast<std::size_t>(label)];
  for (Value& operand : operands_)
    for (const Leg& leg : operand.legs)
      if (leg.count == needed(leg.label)) operand.private_size += leg.distinct, operand.has_private_legs = true;
}

Step Joins::step(const Value& left, const Value& right) const {
  const Value &few = left.legs.size() < right.legs.size() ? left : right, &many = &few == &left ? right : left;
  double shared = 0, summed = left.private_size + right.private_size;
  bool sums = left.has_private_legs || right.has_private_legs;
  auto at = many.legs.begin();
  for (const Leg& leg : few.legs) {
    // A value of hundreds of labels has as many neighbours, most of them small: looking up their labels is what makes it quick.
    const auto before = [](const Leg& a, Label label) { return a.label < label; };
    if (many.legs.size() > 8 * few.legs.size()) at = std::lower_bound(at, many.legs.end(), leg.label, before);
    else
      while (at != many.legs.end() && at->label < leg.label) ++at;
    if (at == many.legs.end()) break;
    if (at->label != leg.label) continue;
    shared += std::max(leg.distinct, at->distinct);
    if (leg.count + at->count < needed(leg.label)) continue;
    summed += std::min(leg.distinct, at->distinct);
    sums = true;
  }
  const double points = left.elements + right.elements - shared;
  if (is_dense_) return {points, points - summed, sums, log_runs(left, right)};
  Value out;
  return join(left, right, out);
}

Step Joins::join(const Value& left, const Value& right, Value& out) const {
  double shared = 0, kept = 0;
  bool sums = false;
  out.legs.clear();
  out.private_size = 0, out.has_private_legs = false;
  for_each_leg(left, right, [&](const Leg& leg, double most) {
    shared += most;
    if (leg.count < needed(leg.label)) out.legs.push_back(leg), kept += leg.distinct;
    else sums = true;
  });
  out.joined = left.joined + right.joined - shared;
  out.elements = is_dense_ ? kept : std::min(kept, out.joined);
  out.occasions = left.occasions | right.occasions;
  return {left.elements + right.elements - shared, out.elements, sums, log_runs(left, right)};
}

}  // namespace tyto::cost
