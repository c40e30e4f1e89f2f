#include "optimize/factor.hpp"
#include <algorithm>
#include <map>
#include <fmt/format.h>
#include "optimize/canonical.hpp"
#include "optimize/sum_of_products.hpp"
#include "optimize/work.hpp"

namespace tyto::optimize {

using einsum::contains;
using einsum::Label;
using einsum::Labels;
using graph::NodeId;
using graph::Store;

namespace {

/// A term of a sum without one of its operands.
struct Quotient {
  std::size_t term = 0;
  Product rest;  ///< with the term's coefficient; its output is what the factor or the result needs of it
};

/// A factor as the terms that may share it see it: its labels, those of the result first (0, 1, ... by axis), then the factor's
/// own; and which of these the rest of the term has.
struct Factor {
  NodeId node = -1;
  Labels labels, open;
  friend auto operator<=>(const Factor&, const Factor&) = default;
};

using Quotients = std::map<Factor, std::vector<Quotient>>;

/// What distributes over a minimum or maximum of two, as (sum, product) does over a sum: a + min(b, c) = min(a + b, a + c).
std::optional<einsum::Pair> extreme_distributed_over(const graph::Node& node) {
  const auto* map = graph::as<graph::Map>(node);
  if (map == nullptr) return std::nullopt;
  if (map->function == operation::Function::minimum) return einsum::Pair{einsum::Reduce::min, einsum::Combine::sum};
  if (map->function == operation::Function::maximum) return einsum::Pair{einsum::Reduce::max, einsum::Combine::sum};
  return std::nullopt;
}

class Factoring {
 public:
  Factoring(Store& store, const Context& context, Log& log) : store_(store), work_(store, context), log_(log) {
    for (const NodeId objective : context.objectives)
      if (const auto terms = sum_of_products(store, objective))
        for (const Product& term : *terms) networks_.push_back(sorted(term.operands));
  }

  /// The minimum or maximum of two contractions that share a factor, as one contraction; -1 if they do not.
  NodeId factored_extreme(const graph::Node& node, einsum::Pair pair) {
    std::vector<Product> products;
    for (const NodeId operand : node.operands) {
      const auto* e = graph::as<graph::Einsum>(store_[operand]);
      if (e == nullptr || e->pair != pair || store_[operand].operands.size() < 2) return -1;
      products.push_back({1, store_[operand].operands, einsum::renumbered(e->subscripts)});
      if (products.back().subscripts.output != graph::counted(node.shape.size())) return -1;
    }
    for (const auto& [factor, quotients] : quotients_of(products)) {
      if (quotients.size() < 2) continue;
      std::vector<NodeId> rests;
      for (const Quotient& quotient : quotients)
        rests.push_back(graph::einsum(store_, quotient.rest.operands, quotient.rest.subscripts, pair));
      const NodeId rest = graph::map(store_, graph::as<graph::Map>(node)->function, rests);
      log_.rewrote("two contractions share a factor");
      return graph::einsum(store_, {factor.node, rest}, {{factor.labels, factor.open}, graph::counted(node.shape.size())}, pair);
    }
    return -1;
  }

  /// The sum with common factors taken out, as often as that helps.
  NodeId factored(const graph::Node& node) {
    const auto* sum = graph::as<graph::Combination>(node);
    std::vector<graph::Term> others;  // that stay
    std::vector<Product> products;
    for (std::size_t k = 0; k < node.operands.size(); ++k) {
      Product p = without_factors(store_, fused_where_cheaper(store_, as_product(store_, node.operands[k])));
      p.coefficient *= sum->coefficients[k];
      p = canonical(store_, p);
      const auto same = std::find_if(products.begin(), products.end(), [&](const Product& other) {
        return other.operands == p.operands && other.subscripts == p.subscripts;
      });
      const bool is_open = p.operands.size() > 1 && p.subscripts.output == graph::counted(node.shape.size()) && !is_kernel(p);
      if (!is_open) others.push_back({sum->coefficients[k], node.operands[k]});
      else if (same == products.end()) products.push_back(std::move(p));
      else same->coefficient += p.coefficient;
    }
    bool is_changed = products.size() + others.size() < node.operands.size();
    std::erase_if(products, [](const Product& p) { return p.coefficient == 0; });
    while (const std::optional<graph::Term> term = take_out(products, node.shape)) others.push_back(*term), is_changed = true;
    if (!is_changed) return kept(store_, node);
    for (const Product& p : products) others.push_back({1, to_node(store_, p, node.shape)});
    return graph::combination(store_, others, node.shape);
  }

 private:
  static std::vector<NodeId> sorted(std::vector<NodeId> nodes) {
    std::sort(nodes.begin(), nodes.end());
    return nodes;
  }
  bool is_kernel(const Product& p) const {
    const std::vector<NodeId> own = sorted(p.operands);
    return std::any_of(networks_.begin(), networks_.end(), [&](const std::vector<NodeId>& network) {
      return std::includes(network.begin(), network.end(), own.begin(), own.end());
    });
  }

  /// Takes the terms that gain most from a common factor out of `products`; gives what they become.
  std::optional<graph::Term> take_out(std::vector<Product>& products, const graph::Shape& shape) {
    double most = 0;
    std::optional<std::pair<Factor, std::vector<Quotient>>> best;
    for (const auto& [factor, quotients] : quotients_of(products)) {
      if (quotients.size() < 2) continue;
      const double gain = saved(products, factor, quotients);
      if (gain > most) most = gain, best.emplace(factor, quotients);
    }
    if (!best) return std::nullopt;
    const auto& [factor, quotients] = *best;
    log_.rewrote(fmt::format("{} terms share a factor: {:.3g} flop less", quotients.size(), most));
    std::vector<graph::Term> sum;
    const graph::Shape open = shape_of(factor, quotients[0], shape);
    for (const Quotient& quotient : quotients) sum.push_back({1, to_node(store_, quotient.rest, open)});
    const NodeId inner = graph::combination(store_, sum, open);
    const NodeId rest = graph::is<graph::Combination>(store_[inner]) ? factored(graph::Node(store_[inner])) : inner;
    const NodeId product = graph::einsum(store_, {factor.node, rest}, {{factor.labels, factor.open}, graph::counted(shape.size())});
    for (auto quotient = quotients.rbegin(); quotient != quotients.rend(); ++quotient)
      products.erase(products.begin() + static_cast<std::ptrdiff_t>(quotient->term));
    return graph::Term{1, product};
  }

  /// Every operand of every term as a factor, with the terms that have it.
  Quotients quotients_of(const std::vector<Product>& products) const {
    Quotients all;
    for (std::size_t t = 0; t < products.size(); ++t)
      for (std::size_t k = 0; k < products[t].operands.size(); ++k) {
        const auto [factor, quotient] = divided(products[t], t, k);
        std::vector<Quotient>& known = all[factor];
        if (known.empty() || known.back().term != t) known.push_back(quotient);
      }
    return all;
  }
  static std::pair<Factor, Quotient> divided(const Product& p, std::size_t term, std::size_t k) {
    const auto axes = static_cast<Label>(p.subscripts.output.size());
    Labels renamed(static_cast<std::size_t>(einsum::label_count(p.subscripts)), -1);
    for (Label axis = 0; axis < axes; ++axis) renamed[static_cast<std::size_t>(axis)] = axis;
    Label next = axes;
    const auto rename = [&](Labels labels) {
      for (Label& label : labels) {
        Label& known = renamed[static_cast<std::size_t>(label)];
        if (known < 0) known = next++;
        label = known;
      }
      return labels;
    };
    Factor factor{p.operands[k], rename(p.subscripts.inputs[k]), {}};
    Quotient quotient{term, {p.coefficient, {}, {}}};
    const Label open = next;  // labels below are the result's or the factor's
    for (std::size_t other = 0; other < p.operands.size(); ++other) {
      if (other == k) continue;
      quotient.rest.operands.push_back(p.operands[other]);
      quotient.rest.subscripts.inputs.push_back(rename(p.subscripts.inputs[other]));
      for (const Label label : quotient.rest.subscripts.inputs.back())
        if (label < open && !contains(factor.open, label)) factor.open.push_back(label);
    }
    std::sort(factor.open.begin(), factor.open.end());
    quotient.rest.subscripts.output = factor.open;
    return {std::move(factor), std::move(quotient)};
  }

  /// Flops of the terms as they are, less those of the factor times their sum.
  double saved(const std::vector<Product>& products, const Factor& factor, const std::vector<Quotient>& quotients) {
    double apart = 0, together = 0, elements = 1;
    for (const Quotient& quotient : quotients)
      apart += work_.flops(products[quotient.term]), together += work_.flops(quotient.rest);
    const Product& first = quotients[0].rest;
    cost::Network network = network_of(store_, first);
    for (const Label label : factor.open) elements *= static_cast<double>(network.extents[static_cast<std::size_t>(label)]);
    network.extents.resize(std::max(network.extents.size(), static_cast<std::size_t>(einsum::label_count({{factor.labels}, {}}))),
                           1);
    for (std::size_t axis = 0; axis < factor.labels.size(); ++axis)
      network.extents[static_cast<std::size_t>(factor.labels[axis])] = store_.extent(store_[factor.node].shape[axis]);
    network.subscripts = {{factor.labels, factor.open}, products[quotients[0].term].subscripts.output};
    const double count = static_cast<double>(quotients.size());
    together += count * elements + cost::best_path(network, cost::quick_search).total.flops;
    return apart + (count - 1) * result_elements(products[quotients[0].term]) - together;
  }
  /// Of the sum itself, which has fewer terms then.
  double result_elements(const Product& p) const {
    const cost::Network network = network_of(store_, p);
    double elements = 1;
    for (const Label label : p.subscripts.output) elements *= static_cast<double>(network.extents[static_cast<std::size_t>(label)]);
    return elements;
  }
  graph::Shape shape_of(const Factor& factor, const Quotient& quotient, const graph::Shape& shape) const {
    graph::Shape open;
    for (const Label label : factor.open) {
      if (static_cast<std::size_t>(label) < shape.size()) {
        open.push_back(shape[static_cast<std::size_t>(label)]);
        continue;
      }
      for (std::size_t k = 0; k < quotient.rest.operands.size(); ++k) {
        const Labels& labels = quotient.rest.subscripts.inputs[k];
        const auto at = std::find(labels.begin(), labels.end(), label);
        if (at == labels.end()) continue;
        open.push_back(store_[quotient.rest.operands[k]].shape[static_cast<std::size_t>(at - labels.begin())]);
        break;
      }
    }
    return open;
  }

  Store& store_;
  Work work_;
  Log& log_;
  std::vector<std::vector<NodeId>> networks_;  // operands of the products of objectives, sorted
};

}  // namespace

graph::Graph factor(const graph::Graph& graph, const Context& context, Log& log) {
  Factoring factoring(*graph.store, context, log);
  return rewritten(graph, [&](Store& store, const graph::Node& node, NodeId) {
    if (graph::is<graph::Combination>(node) && node.operands.size() > 1) return factoring.factored(node);
    const std::optional<einsum::Pair> pair = extreme_distributed_over(node);
    const NodeId factored = pair ? factoring.factored_extreme(node, *pair) : -1;
    return factored >= 0 ? factored : kept(store, node);
  });
}

}  // namespace tyto::optimize
