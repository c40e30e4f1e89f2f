#include "optimize/embedding.hpp"
#include <algorithm>
#include <map>
#include "optimize/canonical.hpp"

namespace tyto::optimize {

using einsum::contains;
using einsum::Label;
using einsum::Labels;
using graph::NodeId;

namespace {

constexpr std::int32_t undecided = -2, stranger = -1;

/// Whether a label of the network is needed by what is left out, or in the end.
bool is_open(const Product& network, Label label, const OperandSet& left_out) {
  for (std::size_t m = left_out.find_first(); m != OperandSet::npos; m = left_out.find_next(m))
    if (contains(network.subscripts.inputs[m], label)) return true;
  return contains(network.subscripts.output, label);
}

class Embedding {
 public:
  Embedding(const graph::Store& store, const Product& product, const Product& network) : product_(product), network_(network) {
    for (std::size_t k = 0; k < product.operands.size(); ++k)
      orders_.push_back(exchanged(store, product.operands[k], product.subscripts.inputs[k]));
    for (std::size_t m = 0; m < network.operands.size(); ++m)
      positions_[network.operands[m]].push_back(static_cast<std::int32_t>(m));
  }

  std::optional<Embedded> find() {
    begin();
    if (undecided_ < 2) return std::nullopt;
    steps_left_ = 8 * product_.operands.size() + 1000;
    if (!place_all()) {
      begin();
      place_what_fits();
    }
    return result();
  }

 private:
  void begin() {
    to_network_.assign(static_cast<std::size_t>(einsum::label_count(product_.subscripts)), -1);
    to_product_.assign(static_cast<std::size_t>(einsum::label_count(network_.subscripts)), -1);
    is_taken_.assign(network_.operands.size(), 0);
    places_.assign(product_.operands.size(), stranger);
    undecided_ = 0;
    for (std::size_t k = 0; k < places_.size(); ++k)
      if (positions_.contains(product_.operands[k])) places_[k] = undecided, ++undecided_;
  }

  /// A place in the network, and the labels of the operand in the order in which they stand there.
  struct Candidate {
    std::int32_t place;
    const Labels* labels;
  };
  /// Where an operand fits; of free places with equal operand and labels the first.
  std::vector<Candidate> candidates(std::size_t k) const {
    std::vector<Candidate> fitting;
    for (const std::int32_t m : positions_.at(product_.operands[k])) {
      const Labels& labels = network_.subscripts.inputs[static_cast<std::size_t>(m)];
      const auto is_twin = [&](const Candidate& other) {
        return other.place != m && network_.subscripts.inputs[static_cast<std::size_t>(other.place)] == labels;
      };
      if (is_taken_[static_cast<std::size_t>(m)] != 0 || std::any_of(fitting.begin(), fitting.end(), is_twin)) continue;
      for (const Labels& own : orders_[k])
        if (fits(own, labels)) fitting.push_back({m, &own});
    }
    return fitting;
  }
  bool fits(const Labels& own, const Labels& other) const {
    for (std::size_t axis = 0; axis < own.size(); ++axis) {
      const Label there = to_network_[static_cast<std::size_t>(own[axis])],
                  here = to_product_[static_cast<std::size_t>(other[axis])];
      if (there >= 0 || here >= 0 ? there != other[axis] || here != own[axis] : !alike(own, other, axis)) return false;
    }
    return true;
  }
  /// Whether a label that is new on both sides stood on the same axes before.
  static bool alike(const Labels& own, const Labels& other, std::size_t axis) {
    for (std::size_t before = 0; before < axis; ++before)
      if ((own[before] == own[axis]) != (other[before] == other[axis])) return false;
    return true;
  }

  /// The undecided operand to place next: next to what is placed, and the one with the fewest candidates.
  std::size_t next() const {
    std::size_t best = 0, fewest = 0;
    bool best_touches = false, found = false;
    for (std::size_t k = 0; k < places_.size(); ++k) {
      if (places_[k] != undecided) continue;
      const Labels& labels = product_.subscripts.inputs[k];
      const bool touches =
          std::any_of(labels.begin(), labels.end(), [&](Label label) { return to_network_[static_cast<std::size_t>(label)] >= 0; });
      if (found && best_touches && !touches) continue;
      const std::size_t count = touches ? candidates(k).size() : positions_.at(product_.operands[k]).size();
      if (found && best_touches == touches && count >= fewest) continue;
      best = k, fewest = count, best_touches = touches, found = true;
      if (touches && count <= 1) break;
    }
    return best;
  }

  /// Places operand k; returns the labels that are new by it.
  Labels place(std::size_t k, const Candidate& candidate) {
    Labels fresh;
    const std::int32_t m = candidate.place;
    const Labels &own = *candidate.labels, &other = network_.subscripts.inputs[static_cast<std::size_t>(m)];
    for (std::size_t axis = 0; axis < own.size(); ++axis) {
      if (to_network_[static_cast<std::size_t>(own[axis])] >= 0) continue;
      to_network_[static_cast<std::size_t>(own[axis])] = other[axis];
      to_product_[static_cast<std::size_t>(other[axis])] = own[axis];
      fresh.push_back(own[axis]);
    }
    places_[k] = m, is_taken_[static_cast<std::size_t>(m)] = 1, --undecided_;
    return fresh;
  }
  void take_back(std::size_t k, const Labels& fresh) {
    for (const Label label : fresh) {
      Label& there = to_network_[static_cast<std::size_t>(label)];
      to_product_[static_cast<std::size_t>(there)] = -1, there = -1;
    }
    is_taken_[static_cast<std::size_t>(places_[k])] = 0, places_[k] = undecided, ++undecided_;
  }

  bool place_all() {
    if (undecided_ == 0) return true;
    if (steps_left_ == 0) return false;
    --steps_left_;
    const std::size_t k = next();
    for (const Candidate& candidate : candidates(k)) {
      const Labels fresh = place(k, candidate);
      if (place_all()) return true;
      take_back(k, fresh);
    }
    return false;
  }
  void place_what_fits() {
    while (undecided_ > 0) {
      const std::size_t k = next();
      const std::vector<Candidate> fitting = candidates(k);
      if (fitting.empty()) places_[k] = stranger, --undecided_;
      else place(k, fitting.front());
    }
  }

  std::optional<Embedded> result() const {
    Embedded found{places_, OperandSet(network_.operands.size()), to_product_, 0};
    found.left_out.set();
    Labels needed = product_.subscripts.output;  // by more than placed operands
    for (std::size_t k = 0; k < places_.size(); ++k) {
      if (places_[k] >= 0) found.left_out.reset(static_cast<std::size_t>(places_[k]));
      else
        ++found.strangers, needed.insert(needed.end(), product_.subscripts.inputs[k].begin(), product_.subscripts.inputs[k].end());
    }
    if (found.strangers + 2 > places_.size()) return std::nullopt;
    for (const Label label : needed) {
      const Label there = to_network_[static_cast<std::size_t>(label)];
      if (there >= 0 && !is_open(network_, there, found.left_out)) return std::nullopt;
    }
    return found;
  }
  const Product &product_, &network_;
  std::vector<std::vector<Labels>> orders_;  // of the labels of each operand of the product, as its symmetry allows
  std::map<NodeId, std::vector<std::int32_t>> positions_;
  std::vector<std::int32_t> places_;
  std::vector<char> is_taken_;
  std::size_t undecided_ = 0, steps_left_ = 0;
  Labels to_network_, to_product_;
};

}  // namespace

std::optional<Embedded> embedded(const graph::Store& store, const Product& product, const Product& network) {
  return Embedding(store, product, network).find();
}

bool is_message(const Product& product, const Embedded& place, const Product& network) {
  if (place.strangers > 0) return false;
  std::size_t needed = 0;
  for (std::size_t label = 0; label < place.labels.size(); ++label) {
    if (place.labels[label] < 0 || !is_open(network, static_cast<Label>(label), place.left_out)) continue;
    if (!contains(product.subscripts.output, place.labels[label])) return false;
    ++needed;
  }
  return needed == product.subscripts.output.size();
}

}  // namespace tyto::optimize
