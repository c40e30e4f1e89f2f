#include "optimize/sum_of_products.hpp"
#include <algorithm>
#include "optimize/canonical.hpp"

namespace tyto::optimize {

using graph::NodeId;
using graph::Store;

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
