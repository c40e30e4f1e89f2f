#include "optimize/inferred_networks.hpp"
#include <algorithm>
#include <map>
#include <optional>
#include <fmt/format.h>
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

/// The labels of a product in those of the network that another product begins.
class Renaming {
 public:
  Renaming(const Embedded& shared, Label first_free) : first_free_(first_free) {
    for (std::size_t label = 0; label < shared.labels.size(); ++label)
      if (shared.labels[label] >= 0) known_[shared.labels[label]] = static_cast<Label>(label);
  }
  Label operator()(Label label) {
    const auto [at, is_new] = known_.try_emplace(label, first_free_);
    if (is_new) ++first_free_;
    return at->second;
  }
  Labels operator()(Labels labels) {
    for (Label& label : labels) label = (*this)(label);
    return labels;
  }

 private:
  std::map<Label, Label> known_;
  Label first_free_;
};

bool is_message(const Store& store, const Product& product, const Product& network) {
  const std::optional<Embedded> place = embedded(store, product, network);
  return place && is_message(product, *place, network);
}

/// The network that is q and an operand of p, if p and q are messages of it.
std::optional<Product> network_of_two(const Store& store, const Product& p, std::size_t operand, const Product& q) {
  const std::optional<Embedded> shared = embedded(store, without(p, operand), q);
  if (!shared || shared->strangers > 0) return std::nullopt;
  Product network = q;
  Renaming renamed(*shared, einsum::label_count(q.subscripts));
  const Labels &lacking_in_p = q.subscripts.inputs[shared->left_out.find_first()],
               lacking_in_q = renamed(p.subscripts.inputs[operand]);
  network.operands.push_back(p.operands[operand]);
  network.subscripts.inputs.push_back(lacking_in_q);
  std::erase_if(network.subscripts.output, [&](Label label) { return contains(lacking_in_q, label); });
  for (const Label label : renamed(p.subscripts.output))
    if (!contains(lacking_in_p, label) && !contains(network.subscripts.output, label)) network.subscripts.output.push_back(label);
  std::sort(network.subscripts.output.begin(), network.subscripts.output.end());
  if (!is_message(store, p, network) || !is_message(store, q, network)) return std::nullopt;
  return network;
}

class Inference {
 public:
  Inference(const Store& store, const std::vector<Product>& products) : store_(store), products_(products) {
    for (std::size_t p = 0; p < products.size(); ++p) {
      sorted_.push_back(products[p].operands);
      std::sort(sorted_[p].begin(), sorted_[p].end());
      sums_.push_back(0);
      for (const NodeId operand : sorted_[p]) sums_[p] += store[operand].hash;
      is_served_.push_back(products[p].operands.size() < fewest_operands ? 1 : 0);
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
      if (std::optional<Product> network = network_of(p)) {
        serve(*network);
        networks_.push_back(std::move(*network));
      }
    }
    return std::move(networks_);
  }

 private:
  /// Equal for two products that are alike but for one operand each; others seldom look so.
  std::uint64_t rest(std::size_t p, NodeId operand) const { return sums_[p] - store_[operand].hash; }

  /// The first that a product has in common with a later one.
  std::optional<Product> network_of(std::size_t p) {
    for (std::size_t k = 0; k < products_[p].operands.size(); ++k)
      for (const std::size_t q : with_rest_.at(rest(p, products_[p].operands[k]))) {
        if (q <= p || is_served_[q] != 0) continue;
        if (comparisons_left_ == 0) return std::nullopt;
        --comparisons_left_;
        if (std::optional<Product> network = network_of_two(store_, products_[p], k, products_[q])) return network;
      }
    return std::nullopt;
  }
  void serve(const Product& network) {
    std::vector<NodeId> operands = network.operands;
    std::sort(operands.begin(), operands.end());
    for (std::size_t p = 0; p < products_.size(); ++p)
      if (is_served_[p] == 0 && std::includes(operands.begin(), operands.end(), sorted_[p].begin(), sorted_[p].end()) &&
          is_message(store_, products_[p], network))
        is_served_[p] = 1;
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
