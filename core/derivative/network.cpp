#include "derivative/network.hpp"
#include <algorithm>
#include <limits>
#include <map>

namespace tyto::derivative {

using graph::NodeId;
using graph::Store;

namespace {

/// Opens nodes; labels are numbered through all terms until close() renumbers those of each.
class Opening {
 public:
  explicit Opening(const Store& store) : store_(store) {}

  std::optional<std::vector<Network>> open(NodeId id, const einsum::Labels& labels, bool is_conjugated) {
    const graph::Node& node = store_[id];
    if (graph::is<graph::Leaf>(node))
      return std::vector<Network>{{1, {{id, is_conjugated && node.field == Field::complex, labels}}, {}}};
    if (const auto* map = graph::as<graph::Map>(node)) {
      using operation::Function;
      if (map->function == Function::conj) return open(node.operands[0], labels, !is_conjugated);
      if (map->function == Function::complex || (map->function == Function::real && labels.empty()))
        return open(node.operands[0], labels, is_conjugated);
      return std::nullopt;
    }
    if (graph::is<graph::Combination>(node)) return open_sum(node, labels, is_conjugated);
    if (graph::is<graph::Einsum>(node)) return open_product(node, labels, is_conjugated);
    return std::nullopt;
  }

  /// Labels by first appearance, with their dimensions.
  Network closed(Network term) const {
    std::map<einsum::Label, einsum::Label> number;
    for (NetworkOperand& operand : term.operands)
      for (std::size_t axis = 0; axis < operand.labels.size(); ++axis) {
        const auto [at, is_new] = number.try_emplace(operand.labels[axis], static_cast<einsum::Label>(number.size()));
        if (is_new) term.dimensions.push_back(store_[operand.leaf].shape[axis]);
        operand.labels[axis] = at->second;
      }
    return term;
  }

 private:
  using Terms = std::optional<std::vector<Network>>;

  Terms open_sum(const graph::Node& node, const einsum::Labels& labels, bool is_conjugated) {
    const auto& sum = *graph::as<graph::Combination>(node);
    std::vector<Network> terms;
    for (std::size_t k = 0; k < node.operands.size(); ++k) {
      Terms part = open(node.operands[k], labels, is_conjugated);
      if (!part) return std::nullopt;
      for (Network& term : *part) term.coefficient *= sum.coefficients[k], terms.push_back(std::move(term));
    }
    return terms;
  }

  Terms open_product(const graph::Node& node, const einsum::Labels& labels, bool is_conjugated) {
    const auto& product = *graph::as<graph::Einsum>(node);
    if (!einsum::is_ordinary(product.pair)) return std::nullopt;
    std::map<einsum::Label, einsum::Label> names;
    for (std::size_t axis = 0; axis < labels.size(); ++axis)
      if (!names.try_emplace(product.subscripts.output[axis], labels[axis]).second) return std::nullopt;  // a diagonal
    std::vector<Network> terms{{}};
    for (std::size_t k = 0; k < node.operands.size(); ++k) {
      einsum::Labels own;
      for (const einsum::Label label : product.subscripts.inputs[k]) {
        const auto [at, is_new] = names.try_emplace(label, next_);
        if (is_new) ++next_;
        own.push_back(at->second);
      }
      Terms factors = open(node.operands[k], own, is_conjugated);
      if (!factors) return std::nullopt;
      terms = multiplied(std::move(terms), *factors);
    }
    return terms;
  }

  static std::vector<Network> multiplied(std::vector<Network> left, const std::vector<Network>& right) {
    if (left.size() == 1 && right.size() == 1) {  // of a chain there are many
      left[0].coefficient *= right[0].coefficient;
      left[0].operands.insert(left[0].operands.end(), right[0].operands.begin(), right[0].operands.end());
      return left;
    }
    std::vector<Network> products;
    for (const Network& a : left)
      for (const Network& b : right) {
        products.push_back(a);
        products.back().coefficient *= b.coefficient;
        products.back().operands.insert(products.back().operands.end(), b.operands.begin(), b.operands.end());
      }
    return products;
  }

  const Store& store_;
  einsum::Label next_ = 0;
};

}  // namespace

std::optional<std::vector<Network>> networks(const Store& store, NodeId scalar) {
  Opening opening(store);
  std::optional<std::vector<Network>> terms = opening.open(scalar, {}, false);
  if (!terms) return std::nullopt;
  for (Network& term : *terms) term = opening.closed(std::move(term));
  return terms;
}

std::optional<Quotient> quotient(const Store& store, NodeId scalar) {
  const graph::Node& node = store[scalar];
  const auto* product = graph::as<graph::Einsum>(node);
  if (product == nullptr || node.operands.size() != 2) return std::nullopt;
  for (std::size_t k = 0; k < 2; ++k) {
    const graph::Node& divisor = store[node.operands[k]];
    const auto* power = graph::as<graph::Power>(divisor);
    if (power == nullptr || power->exponent != -1) continue;
    const auto above = networks(store, node.operands[1 - k]);
    auto below = networks(store, divisor.operands[0]);
    if (!above || !below || below->size() != 1 || below->front().coefficient != 1) return std::nullopt;
    return Quotient{*above, std::move(below->front())};
  }
  return std::nullopt;
}

std::vector<std::vector<NetworkOperand>> sites(const Network& network, const std::vector<std::vector<NodeId>>& trains) {
  constexpr std::size_t nowhere = std::numeric_limits<std::size_t>::max();
  std::vector<std::size_t> site_of(network.operands.size(), nowhere);
  std::vector<std::size_t> first_site(network.dimensions.size(), nowhere);  // by label: that of the cores that have it
  std::size_t count = 0;
  for (const std::vector<NodeId>& cores : trains) count = std::max(count, cores.size());
  const auto settle = [&](std::size_t k, std::size_t site, bool bonds_too) {
    site_of[k] = site;
    const einsum::Labels& labels = network.operands[k].labels;
    for (std::size_t axis = 0; axis < labels.size(); ++axis) {
      if (!bonds_too && (axis == 0 || axis + 1 == labels.size())) continue;
      std::size_t& at = first_site[static_cast<std::size_t>(labels[axis])];
      at = std::min(at, site);
    }
  };
  for (std::size_t k = 0; k < network.operands.size(); ++k)
    for (const std::vector<NodeId>& cores : trains) {
      const auto at = std::find(cores.begin(), cores.end(), network.operands[k].leaf);
      if (at != cores.end()) settle(k, static_cast<std::size_t>(at - cores.begin()), false);
    }
  const auto linked = [&](std::size_t k) {
    std::size_t site = nowhere;
    for (const einsum::Label label : network.operands[k].labels) site = std::min(site, first_site[static_cast<std::size_t>(label)]);
    return site;
  };
  // First what is linked with cores, then what is linked with that, and so on; what is linked with nothing stands at the first
  // site.
  for (bool has_moved = true; has_moved;) {
    has_moved = false;
    std::vector<std::pair<std::size_t, std::size_t>> found;
    for (std::size_t k = 0; k < network.operands.size(); ++k)
      if (site_of[k] == nowhere && linked(k) != nowhere) found.emplace_back(k, linked(k));
    for (const auto& [k, site] : found) settle(k, site, true), has_moved = true;
  }
  std::vector<std::vector<NetworkOperand>> cut(count);
  for (std::size_t k = 0; k < network.operands.size(); ++k)
    cut[site_of[k] == nowhere ? 0 : site_of[k]].push_back(network.operands[k]);
  return cut;
}

}  // namespace tyto::derivative
