#include "optimize/inferred_networks.hpp"
#include <algorithm>
#include <map>
#include <optional>
#include <fmt/format.h>
#include "optimize/canonical.hpp"
#include "optimize/embedding.hpp"

namespace tyto::optimize {

using einsum::contains;
using einsum::Label;
using einsum::Labels;
using graph::NodeId;
using graph::Store;

namespace {

/// A product of two operands has nothing to share, and its network would be the product of any two that have one of them.
constexpr std::size_t fewest_operands = 3;

/// The product without an operand; its labels are kept, as the operand needs them.
Product without(Product p, std::size_t operand) {
  const auto at = static_cast<std::ptrdiff_t>(operand);
  const Labels labels = p.subscripts.inputs[operand];
  p.operands.erase(p.operands.begin() + at);
  p.subscripts.inputs.erase(p.subscripts.inputs.begin() + at);
  const auto is_on_others = [&](Label label) {
    return std::any_of(p.subscripts.inputs.begin(), p.subscripts.inputs.end(), [&](const Labels& l) { return contains(l, label); });
  };
  std::erase_if(p.subscripts.output, [&](Label label) { return !is_on_others(label); });
  for (const Label label : labels)
    if (is_on_others(label) && !contains(p.subscripts.output, label)) p.subscripts.output.push_back(label);
  return p;
}

/// Where an operand has a label, and the dimension there.
struct Axis {
  Label label;
  graph::DimensionId dimension;
};
/// Of an operand of a product: those that the product keeps and no other operand has.
std::vector<Axis> own_axes(const Store& store, const Product& p, std::size_t operand) {
  const Labels shared = without(p, operand).subscripts.output;
  std::vector<Axis> axes;
  for (std::size_t axis = 0; axis < p.subscripts.inputs[operand].size(); ++axis) {
    const Label label = p.subscripts.inputs[operand][axis];
    if (contains(p.subscripts.output, label) && !contains(shared, label))
      axes.push_back({label, store[p.operands[operand]].shape[axis]});
  }
  return axes;
}

/// The labels of p as those of q and the operand that it lacks.
class Renaming {
 public:
  Renaming(const Embedded& shared, const Product& q) : next_(einsum::label_count(q.subscripts)) {
    for (std::size_t label = 0; label < shared.labels.size(); ++label)
      if (shared.labels[label] >= 0) known_[shared.labels[label]] = static_cast<Label>(label);
  }
  Label operator()(Label label) {
    const auto [at, is_new] = known_.try_emplace(label, next_);
    if (is_new) ++next_;
    return at->second;
  }
  Labels operator()(Labels labels) {
    for (Label& label : labels) label = (*this)(label);
    return labels;
  }
  /// Labels of p that only its own operand has become those that only q's own operand has, in order, where dimensions fit. Returns
  /// whether any did.
  bool join(const Store& store, const std::vector<Axis>& of_p, std::vector<Axis> of_q) {
    const std::size_t before = of_q.size();
    for (const Axis& own : of_p) {
      const auto other =
          std::find_if(of_q.begin(), of_q.end(), [&](const Axis& a) { return store.fits(own.dimension, a.dimension); });
      if (other == of_q.end()) continue;
      known_[own.label] = other->label;
      of_q.erase(other);
    }
    return of_q.size() < before;
  }

 private:
  std::map<Label, Label> known_;
  Label next_;
};

bool is_message(const Store& store, const Product& product, const Product& network) {
  const std::optional<Embedded> place = embedded(store, product, network);
  return place && is_message(product, *place, network);
}

/// q and an operand of p that it lacks; p lacks the operand of q that is given.
Product network_of(const Product& p, std::size_t operand, const Product& q, std::size_t lacking, Renaming renamed) {
  Product network = q;
  const Labels &lacking_in_p = q.subscripts.inputs[lacking], lacking_in_q = renamed(p.subscripts.inputs[operand]);
  network.operands.push_back(p.operands[operand]);
  network.subscripts.inputs.push_back(lacking_in_q);
  Labels& output = network.subscripts.output;
  std::erase_if(output, [&](Label label) { return contains(lacking_in_q, label); });
  for (const Label label : renamed(p.subscripts.output))
    if (!contains(lacking_in_p, label) && !contains(output, label)) output.push_back(label);
  std::sort(output.begin(), output.end());
  return network;
}

/// The networks of which p without an operand, and q without another, are messages. What only the two operands have may be one
/// label or two, as neighbours in a chain have one: both are possible, until a third product says which.
std::vector<Product> networks_of_two(const Store& store, const Product& p, std::size_t operand, const Product& q) {
  const std::optional<Embedded> shared = embedded(store, without(p, operand), q);
  if (!shared || shared->strangers > 0) return {};
  const std::size_t lacking = shared->left_out.find_first();
  Renaming renamed(*shared, q);
  std::vector<Product> networks{network_of(p, operand, q, lacking, renamed)};
  if (renamed.join(store, own_axes(store, p, operand), own_axes(store, q, lacking)))
    networks.push_back(network_of(p, operand, q, lacking, renamed));
  std::erase_if(networks, [&](const Product& network) { return !is_message(store, p, network) || !is_message(store, q, network); });
  return networks;
}

class Inference {
 public:
  Inference(const Store& store, const std::vector<Product>& products) : store_(store), products_(products) {
    for (std::size_t p = 0; p < products.size(); ++p) {
      sorted_.push_back(products[p].operands);
      std::sort(sorted_[p].begin(), sorted_[p].end());
      sums_.push_back(0);
      for (const NodeId operand : sorted_[p]) sums_[p] += store[operand].hash;
      const std::size_t operands = products[p].operands.size();
      is_served_.push_back(operands < fewest_operands || operands >= most_network_operands ? 1 : 0);
      if (is_served_[p] != 0) continue;
      std::vector<NodeId> different = sorted_[p];
      different.erase(std::unique(different.begin(), different.end()), different.end());
      for (const NodeId operand : different) with_rest_[rest(p, operand)].push_back(p);
    }
  }

  std::vector<Product> run(Log& log) {
    for (std::size_t p = 0; p < products_.size(); ++p) {
      if (is_served_[p] != 0) continue;
      if (networks_.size() == most_inferred_networks || comparisons_left_ == 0) {
        log.near_miss(fmt::format("among {} of {} products no networks were looked for", products_.size() - p, products_.size()));
        break;
      }
      if (const std::optional<Network> network = network_of(p)) {
        for (const std::size_t served : network->served) is_served_[served] = 1;
        networks_.push_back(numbered_by_operands(canonical(store_, network->product)));
      }
    }
    return std::move(networks_);
  }

 private:
  /// Equal for two products that are alike but for one operand each; others seldom look so.
  std::uint64_t rest(std::size_t p, NodeId operand) const { return sums_[p] - store_[operand].hash; }

  struct Network {
    Product product;
    std::vector<std::size_t> served;
  };
  /// That of a product and the first later one with which it has any; where there are two, the one that serves more.
  std::optional<Network> network_of(std::size_t p) {
    for (std::size_t k = 0; k < products_[p].operands.size(); ++k)
      for (const std::size_t q : with_rest_.at(rest(p, products_[p].operands[k]))) {
        if (q <= p || is_served_[q] != 0) continue;
        if (comparisons_left_ == 0) return std::nullopt;
        --comparisons_left_;
        std::optional<Network> best;
        for (Product& network : networks_of_two(store_, products_[p], k, products_[q])) {
          std::vector<std::size_t> served = served_by(network);
          if (!best || served.size() > best->served.size()) best = {std::move(network), std::move(served)};
        }
        if (best) return best;
      }
    return std::nullopt;
  }
  std::vector<std::size_t> served_by(const Product& network) const {
    std::vector<NodeId> operands = network.operands;
    std::sort(operands.begin(), operands.end());
    std::vector<std::size_t> served;
    for (std::size_t p = 0; p < products_.size(); ++p)
      if (is_served_[p] == 0 && std::includes(operands.begin(), operands.end(), sorted_[p].begin(), sorted_[p].end()) &&
          is_message(store_, products_[p], network))
        served.push_back(p);
    return served;
  }

  const Store& store_;
  const std::vector<Product>& products_;
  std::vector<std::vector<NodeId>> sorted_;                      // operands of each product
  std::vector<std::uint64_t> sums_;                              // of their hashes
  std::map<std::uint64_t, std::vector<std::size_t>> with_rest_;  // products in order
  std::vector<char> is_served_;
  std::vector<Product> networks_;
  std::size_t comparisons_left_ = most_comparisons;
};

}  // namespace

std::vector<Product> inferred_networks(const Store& store, const std::vector<Product>& products, Log& log) {
  return Inference(store, products).run(log);
}

}  // namespace tyto::optimize
