#include <algorithm>
#include <cmath>
#include "cost/path.hpp"
#include "cost/value.hpp"
#include "error/fail.hpp"

namespace tyto::cost {

using einsum::Label;
using einsum::Labels;

namespace {

bool has(const Value& value, Label label) {
  const auto at = std::lower_bound(value.legs.begin(), value.legs.end(), label,
                                   [](const Leg& leg, Label wanted) { return leg.label < wanted; });
  return at != value.legs.end() && at->label == label;
}

Labels labels_of(const Value& value) {
  Labels labels;
  for (const Leg& leg : value.legs) labels.push_back(leg.label);
  return labels;
}

/// axis_breaks, in time that grows little faster than the number of labels.
double breaks(const Labels& axes, const Value& out) {
  double switches = 0;
  for (std::size_t k = 1; k < axes.size(); ++k)
    if (has(out, axes[k]) != has(out, axes[k - 1])) ++switches;
  return std::max(0.0, switches - 1);
}

/// Follows a path.
class Measure {
 public:
  explicit Measure(const Network& network) : network_(network), joins_(network), values_(joins_.operands()) {
    is_used_.assign(values_.size(), 0);
  }

  Path run(Pairs pairs) {
    TYTO_ASSERT(pairs.size() + 1 == std::max<std::size_t>(values_.size(), 1));
    for (const auto& [left, right] : pairs) take(left, right);
    path_.pairs = std::move(pairs);
    return std::move(path_);
  }

 private:
  void take(std::int32_t left, std::int32_t right) {
    use(left), use(right);
    Value &a = values_[static_cast<std::size_t>(left)], &b = values_[static_cast<std::size_t>(right)];
    Value out;
    const Step step = joins_.join(a, b, out);
    const double made = elements(out);
    path_.total += joins_.runs(a, b) * Cost{(step.sums ? 2 : 1) * points(a, b, step), elements(a) + elements(b) + made,
                                            breaks(axes(left), out) + breaks(axes(right), out)};
    path_.largest = std::max(path_.largest, made);
    path_.peak = std::max(path_.peak, alive_ + made);
    alive_ += made - held(left) - held(right);
    a = {}, b = {};
    values_.push_back(std::move(out));
    is_used_.push_back(0);
  }

  void use(std::int32_t k) {
    TYTO_ASSERT(k >= 0 && static_cast<std::size_t>(k) < values_.size() && is_used_[static_cast<std::size_t>(k)] == 0);
    is_used_[static_cast<std::size_t>(k)] = 1;
  }
  bool is_operand(std::int32_t k) const { return static_cast<std::size_t>(k) < joins_.operands().size(); }
  double held(std::int32_t k) const { return is_operand(k) ? 0 : elements(values_[static_cast<std::size_t>(k)]); }
  Labels axes(std::int32_t k) const {
    return is_operand(k) ? network_.subscripts.inputs[static_cast<std::size_t>(k)]
                         : labels_of(values_[static_cast<std::size_t>(k)]);
  }
  double elements(const Value& value) const {
    if (!joins_.is_dense()) return std::exp2(value.elements);
    double count = 1;
    for (const Leg& leg : value.legs) count *= joins_.extent(leg.label);
    return count;
  }
  double points(const Value& a, const Value& b, const Step& step) const {
    if (!joins_.is_dense()) return std::exp2(step.points);
    double count = elements(a);
    for (const Leg& leg : b.legs)
      if (!has(a, leg.label)) count *= joins_.extent(leg.label);
    return count;
  }

  const Network& network_;
  Joins joins_;
  std::vector<Value> values_;
  std::vector<char> is_used_;
  double alive_ = 0;  ///< elements of results not used yet
  Path path_;
};

}  // namespace

Path measured(const Network& network, Pairs pairs) { return Measure(network).run(std::move(pairs)); }

bool is_cheaper(const Path& a, const Path& b, Minimize minimize) {
  const Cost &x = a.total, &y = b.total;
  switch (minimize) {
    case Minimize::flops: return x < y;
    case Minimize::elements: return Cost{x.elements, x.flops, x.breaks} < Cost{y.elements, y.flops, y.breaks};
    case Minimize::peak: break;
  }
  return Cost{a.peak, x.flops, x.elements} < Cost{b.peak, y.flops, y.elements};
}

}  // namespace tyto::cost
