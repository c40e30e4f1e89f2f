#include "optimize/sum_of_products.hpp"
#include <algorithm>
#include <numeric>
#include <tuple>

namespace tyto::optimize {

using einsum::Labels;
using graph::NodeId;
using graph::Store;

namespace {

/// Same node and axes, so the operands may stand in any order: the canonical one has the smallest labels.
constexpr std::size_t most_orders = 720;

auto order_key(const Store& store, NodeId id) {
  const graph::Node& node = store[id];
  const bool leaf = graph::is<graph::Leaf>(node);
  return std::make_tuple(leaf ? 0 : 1, leaf ? id : NodeId{0}, leaf ? std::uint64_t{0} : node.hash, id);
}

Product in_order(const Product& p, const std::vector<std::size_t>& order) {
  Product result{p.coefficient, {}, {{}, p.subscripts.output}};
  for (const std::size_t k : order)
    result.operands.push_back(p.operands[k]), result.subscripts.inputs.push_back(p.subscripts.inputs[k]);
  result.subscripts = einsum::renumbered(result.subscripts);
  return result;
}

/// Labels numbered by first appearance, output first, as they are met.
class Numbering {
 public:
  explicit Numbering(const einsum::Subscripts& s) : numbers_(static_cast<std::size_t>(einsum::label_count(s)), -1) {}
  void restart(const Labels& output) {
    std::fill(numbers_.begin(), numbers_.end(), -1);
    next_ = 0;
    for (const einsum::Label label : output) (*this)(label);
  }
  einsum::Label operator()(einsum::Label label) {
    einsum::Label& known = numbers_[static_cast<std::size_t>(label)];
    if (known < 0) known = next_++;
    return known;
  }

 private:
  Labels numbers_;
  einsum::Label next_ = 0;
};

/// Compares the labels of in_order before and after an exchange of equal operands. Ends at the first difference and makes no
/// product: long ones ask for it very often.
class Exchange {
 public:
  explicit Exchange(const Product& p) : p_(p), before_(p.subscripts), after_(p.subscripts) {}
  bool makes_smaller(const std::vector<std::size_t>& order, std::size_t a, std::size_t b) {
    before_.restart(p_.subscripts.output), after_.restart(p_.subscripts.output);
    for (std::size_t k = 0; k < order.size(); ++k) {
      const Labels &old = p_.subscripts.inputs[order[k]], &now = p_.subscripts.inputs[order[k == a ? b : k == b ? a : k]];
      for (std::size_t axis = 0; axis < old.size(); ++axis) {
        const einsum::Label was = before_(old[axis]), is = after_(now[axis]);
        if (was != is) return is < was;
      }
    }
    return false;
  }

 private:
  const Product& p_;
  Numbering before_, after_;
};

}  // namespace

Product canonical(const Store& store, const Product& p) {
  std::vector<std::size_t> order(p.operands.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return order_key(store, p.operands[a]) < order_key(store, p.operands[b]); });
  // Among equal operands the order is free. One pair at a time is exchanged while that makes the labels smaller; few operands
  // are equal, and where this ends in a local minimum two equal products are merely not merged.
  std::size_t tried = 0;
  Exchange exchange(p);
  for (bool again = true; again && tried < most_orders;) {
    again = false;
    for (std::size_t a = 0; a < order.size(); ++a)
      for (std::size_t b = a + 1; b < order.size() && p.operands[order[a]] == p.operands[order[b]] && tried < most_orders;
           ++b, ++tried) {
        if (p.subscripts.inputs[order[a]] == p.subscripts.inputs[order[b]] || !exchange.makes_smaller(order, a, b)) continue;
        std::swap(order[a], order[b]);
        again = true;
      }
  }
  return in_order(p, order);
}

namespace {

class Expansion {
 public:
  explicit Expansion(Store& store) : store_(store) {}

  bool expand(NodeId id, double coefficient, std::vector<Product>& terms) {
    const graph::Node& node = store_[id];
    if (const auto* sum = graph::as<graph::Combination>(node)) {
      for (std::size_t k = 0; k < node.operands.size(); ++k)
        if (!expand(node.operands[k], coefficient * sum->coefficients[k], terms)) return false;
      return true;
    }
    Product p = as_product(store_, id);
    p.coefficient *= coefficient;
    return multiply_out(p, terms);
  }

 private:
  bool multiply_out(const Product& product, std::vector<Product>& terms) {
    const Product p = without_factors(store_, without_identities(store_, fused(store_, product)));
    if (p.coefficient == 0) return true;
    seen_ += p.operands.size();
    if (seen_ > most_seen) return false;
    for (std::size_t k = 0; k < p.operands.size(); ++k) {
      const graph::Node node = store_[p.operands[k]];
      const auto* sum = graph::as<graph::Combination>(node);
      if (sum == nullptr) continue;
      for (std::size_t t = 0; t < node.operands.size(); ++t) {
        Product term = p;
        term.coefficient *= sum->coefficients[t];
        term.operands[k] = node.operands[t];
        if (!multiply_out(term, terms)) return false;
      }
      return true;
    }
    if (++multiplied_ > most_multiplied) return false;
    const Product final = canonical(store_, p);
    const auto same = std::find_if(terms.begin(), terms.end(), [&](const Product& t) {
      return t.operands == final.operands && t.subscripts == final.subscripts;
    });
    if (same != terms.end()) same->coefficient += final.coefficient;
    else terms.push_back(final);
    return terms.size() <= most_terms;
  }

  /// Products before like ones are merged: (a + b)^20 has 21 terms and a million products.
  static constexpr std::size_t most_multiplied = 16 * most_terms;

  /// Operands of all products on the way: squares of squares of sums have few terms of very many factors.
  static constexpr std::size_t most_seen = 256 * most_terms;

  Store& store_;
  std::size_t multiplied_ = 0, seen_ = 0;
};

}  // namespace

std::optional<std::vector<Product>> sum_of_products(Store& store, NodeId id) {
  std::vector<Product> terms;
  if (!Expansion(store).expand(id, 1, terms)) return std::nullopt;
  std::erase_if(terms, [](const Product& p) { return p.coefficient == 0; });
  return terms;
}

}  // namespace tyto::optimize
