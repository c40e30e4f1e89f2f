#include "solve/local_products.hpp"
#include <algorithm>

namespace tyto::solve {

namespace {

/// What stands around a block in a network: messages, and what else is at its sites.
struct Around {
  std::vector<Factor> factors;
  einsum::Labels labels;  ///< of all of them
  void add(Factor f) {
    labels.insert(labels.end(), f.labels.begin(), f.labels.end());
    factors.push_back(std::move(f));
  }
  void add(std::optional<Factor> message) {
    if (message) add(*std::move(message));
  }
  /// Only those that something has, or theta: the others belong to bonds of extent 1 at an end. Where no operator stands between
  /// them, bra and ket have one label for their site.
  einsum::Labels present(const einsum::Labels& wanted, const einsum::Labels& of_theta = {}) const {
    einsum::Labels found;
    for (const einsum::Label label : wanted)
      if (einsum::contains(labels, label) || einsum::contains(of_theta, label)) found.push_back(label);
    return found;
  }
};

/// Labels of merged cores, the bonds between them left out; `core` says which operand of a site they are.
einsum::Labels block_labels(const Network& network, const std::vector<std::size_t>& core, std::size_t first, std::size_t end) {
  einsum::Labels labels;
  for (std::size_t k = first; k < end; ++k) {
    const einsum::Labels& own = network.sites[k][core[k]].labels;
    if (k == first) labels.push_back(own.front());
    labels.insert(labels.end(), own.begin() + 1, own.end() - 1);
    if (k + 1 == end) labels.push_back(own.back());
  }
  return labels;
}

/// The operands at sites first..end but those that `leaves_out` says.
template <class LeavesOut>
void add_sites(Around& around, const Network& network, const Surroundings& from, std::size_t first, std::size_t end,
               const LeavesOut& leaves_out) {
  for (std::size_t k = first; k < end; ++k)
    for (std::size_t n = 0; n < network.sites[k].size(); ++n) {
      const Network::Operand& o = network.sites[k][n];
      if (!leaves_out(k, n))
        around.add(
            Factor{.values = from.array(o.tensor), .labels = o.labels, .is_conjugated = o.is_conjugated, .tensor = o.tensor});
    }
}

Factor theta(const Block& block, einsum::Labels labels, std::int64_t changes) {
  return {.values = block.shape(), .labels = std::move(labels), .changes = changes, .origin = Factor::Origin::block};
}

}  // namespace

Block block_of(const Train& train, const Surroundings& from, std::size_t first, std::size_t count) {
  Block block{first, count, {}, from.array(train.cores[first]).dtype};
  for (std::size_t k = first; k < first + count; ++k) {
    const Extents extents = from.array(train.cores[k]).extents;
    block.extents.insert(block.extents.end(), extents.begin() + (k == first ? 0 : 1), extents.end() - 1);
  }
  block.extents.push_back(from.array(train.cores[first + count - 1]).extents.back());
  return block;
}

Product local_product(const Network& network, const Rayleigh::Form& form, Surroundings& from, const Block& block,
                      std::int64_t products) {
  Around around;
  around.add(from.left(form.network, block.first));
  add_sites(around, network, from, block.first, block.end(),
            [&](std::size_t k, std::size_t n) { return n == form.ket[k] || n == form.bra[k]; });
  around.add(from.right(form.network, block.end()));
  const einsum::Labels ket = block_labels(network, form.ket, block.first, block.end());
  einsum::Labels output = around.present(block_labels(network, form.bra, block.first, block.end()), ket);
  around.add(theta(block, ket, products));
  return {std::move(around.factors), std::move(output)};
}

Product overlap_product(const Network& network, const EigenSolve::Overlap& overlap, Surroundings& from, const Block& block) {
  Around around;
  around.add(from.left(overlap.network, block.first));
  add_sites(around, network, from, block.first, block.end(), [&](std::size_t k, std::size_t n) { return n == overlap.core[k]; });
  around.add(from.right(overlap.network, block.end()));
  einsum::Labels output = around.present(block_labels(network, overlap.core, block.first, block.end()));
  return {std::move(around.factors), std::move(output)};
}

Product opened_product(const Network& network, const Rayleigh::Form& form, Surroundings& from, const Block& block, Weight to) {
  const bool keeps_left = to == Weight::right;  // the side whose basis is chosen
  const std::size_t site = keeps_left ? block.first : block.end() - 1;
  Around around;
  around.add(keeps_left ? from.left(form.network, block.first) : from.right(form.network, block.end()));
  add_sites(around, network, from, site, site + 1,
            [&](std::size_t k, std::size_t n) { return n == form.ket[k] || n == form.bra[k]; });
  einsum::Labels kept = network.sites[site][form.bra[site]].labels;
  keeps_left ? kept.pop_back() : void(kept.erase(kept.begin()));
  const einsum::Labels ket = block_labels(network, form.ket, block.first, block.end());
  // Open are the kept labels, and whatever is on one factor only: the ket on the other side, bonds of operators.
  einsum::Labels output = around.present(kept, ket);
  einsum::Labels all = around.labels;
  all.insert(all.end(), ket.begin(), ket.end());
  for (const einsum::Label label : all)
    if (std::count(all.begin(), all.end(), label) == 1 && !einsum::contains(output, label)) output.push_back(label);
  around.add(theta(block, ket, 1));
  return {std::move(around.factors), std::move(output)};
}

}  // namespace tyto::solve
