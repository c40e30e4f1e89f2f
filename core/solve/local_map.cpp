#include "solve/local_map.hpp"
#include <algorithm>
#include "error/fail.hpp"
#include "solve/factorizations.hpp"

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
  /// Only those that something has, or theta: the others belong to bonds of extent 1 at an end. Where no operator stands between
  /// them, bra and ket have one label for their site.
  einsum::Labels present(const einsum::Labels& wanted, const einsum::Labels& of_theta = {}) const {
    einsum::Labels found;
    for (const einsum::Label label : wanted)
      if (has(labels, label) || has(of_theta, label)) found.push_back(label);
    return found;
  }
  static bool has(const einsum::Labels& all, einsum::Label label) { return std::find(all.begin(), all.end(), label) != all.end(); }
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

void add_message(Around& around, const MessageView& view) {
  if (view.values != nullptr) around.add({view.values->view(), view.labels});
}

/// The operands at sites first..end but those that `leaves_out` says.
template <class LeavesOut>
void add_sites(Around& around, const Network& network, const State& state, std::size_t first, std::size_t end,
               const LeavesOut& leaves_out) {
  for (std::size_t k = first; k < end; ++k)
    for (std::size_t n = 0; n < network.sites[k].size(); ++n)
      if (!leaves_out(k, n))
        around.add({state.array(network.sites[k][n].tensor), network.sites[k][n].labels, network.sites[k][n].is_conjugated});
}

const Network& network_of(const Setup& setup, std::int32_t id) { return setup.networks[static_cast<std::size_t>(id)]; }

/// Vectors count complex numbers twice.
std::int64_t doubles_in(const Block& b) { return element_count(b.extents) * (b.dtype == Dtype::c128 ? 2 : 1); }

}  // namespace

Block block_of(const Train& train, const State& state, std::size_t first, std::size_t count) {
  Block block{first, count, {}, state.array(train.cores[first]).dtype};
  for (std::size_t k = first; k < first + count; ++k) {
    const Extents& extents = state.array(train.cores[k]).extents;
    block.extents.insert(block.extents.end(), extents.begin() + (k == first ? 0 : 1), extents.end() - 1);
  }
  block.extents.push_back(state.array(train.cores[first + count - 1]).extents.back());
  return block;
}

LocalMap::LocalMap(const Rayleigh& rayleigh, const Setup& setup, const State& state, Messages& messages, Contractions& contractions,
                   const Block& block, std::int64_t products)
    : block_(block) {
  const tensor::Dense theta = tensor::Dense::zeros(block.dtype, block.extents);  // for its shape: apply() binds vectors
  for (const Rayleigh::Form& form : rayleigh.forms) {
    const Network& network = network_of(setup, form.network);
    Around around;
    add_message(around, messages.left(form.network, block.first));
    add_sites(around, network, state, block.first, block.end(),
              [&](std::size_t k, std::size_t n) { return n == form.ket[k] || n == form.bra[k]; });
    add_message(around, messages.right(form.network, block.end()));
    const einsum::Labels ket = block_labels(network, form.ket, block.first, block.end());
    const einsum::Labels output = around.present(block_labels(network, form.bra, block.first, block.end()), ket);
    around.add({theta.view(), ket, false, products});
    Term term{network.coefficient, contractions.loaded(request_of(around.factors, output)), around.factors.size() - 1};
    for (std::size_t k = 0; k < term.theta; ++k) term.contraction->bind(k, around.factors[k].values);
    terms_.push_back(std::move(term));
  }
}

std::unique_ptr<algebra::Vector> LocalMap::domain() const { return std::make_unique<algebra::HostVector>(doubles_in(block_)); }

bool LocalMap::times_i(const algebra::Vector& x, algebra::Vector& y) const {
  if (block_.dtype != Dtype::c128) return false;
  const double* const from = x.read().as<double>();
  double* const to = y.write().as<double>();
  for (std::int64_t k = 0; k < x.size(); k += 2) to[k] = -from[k + 1], to[k + 1] = from[k];
  return true;
}

void LocalMap::apply(const algebra::Vector& x, algebra::Vector& y) const {
  const ConstArray in = x.read();
  const ConstArray theta{in.data, block_.dtype, block_.extents, row_major(block_.extents)};
  const Array out = y.write();
  std::vector<double> sum(terms_.size() > 1 ? static_cast<std::size_t>(y.size()) : 0);
  for (std::size_t k = 0; k < terms_.size(); ++k) {
    const Term& term = terms_[k];
    term.contraction->bind(term.theta, theta);
    const ConstArray result = term.contraction->run();
    double* const to = out.as<double>();
    tensor::copy_to(result, Array{to, block_.dtype, result.extents, row_major(result.extents)});
    for (std::int64_t e = 0; term.coefficient != 1 && e < y.size(); ++e) to[e] *= term.coefficient;
    for (std::size_t e = 0; e < sum.size(); ++e) sum[e] += to[e];
  }
  if (!sum.empty()) std::copy(sum.begin(), sum.end(), out.as<double>());
}

tensor::Dense local_overlap(const EigenSolve::Overlap& overlap, const Setup& setup, const State& state, Messages& messages,
                            Contractions& contractions, const Block& block) {
  const Network& network = network_of(setup, overlap.network);
  Around around;
  add_message(around, messages.left(overlap.network, block.first));
  add_sites(around, network, state, block.first, block.end(), [&](std::size_t k, std::size_t n) { return n == overlap.core[k]; });
  add_message(around, messages.right(overlap.network, block.end()));
  const einsum::Labels output = around.present(block_labels(network, overlap.core, block.first, block.end()));
  tensor::Dense v = reshaped(contracted(contractions, around.factors, output), block.extents);
  if (v.dtype() != block.dtype) v = tensor::Dense::copy(v.view(), block.dtype);
  const bool is_ket = !network.sites[block.first][overlap.core[block.first]].is_conjugated;
  if (v.dtype() == Dtype::c128 && is_ket)  // the overlap is linear in theta: its coefficients are conj(v)
    for (std::int64_t e = 0; e < v.size(); ++e) {
      auto& entry = v.view().as<std::complex<double>>()[e];
      entry = std::conj(entry);
    }
  return v;
}

std::vector<tensor::Dense> directions(const Rayleigh& rayleigh, const Setup& setup, const State& state, Messages& messages,
                                      Contractions& contractions, const Block& block, const tensor::Dense& theta, Weight to) {
  std::vector<tensor::Dense> found;
  const bool keeps_left = to == Weight::right;  // the side whose basis is chosen
  const std::size_t site = keeps_left ? block.first : block.end() - 1;
  const std::int64_t rows = keeps_left ? block.extents[0] * block.extents[1] : block.extents[2] * block.extents[3];
  for (const Rayleigh::Form& form : rayleigh.forms) {
    const Network& network = network_of(setup, form.network);
    Around around;
    add_message(around, keeps_left ? messages.left(form.network, block.first) : messages.right(form.network, block.end()));
    add_sites(around, network, state, site, site + 1,
              [&](std::size_t k, std::size_t n) { return n == form.ket[k] || n == form.bra[k]; });
    einsum::Labels kept = network.sites[site][form.bra[site]].labels;
    keeps_left ? kept.pop_back() : void(kept.erase(kept.begin()));
    const einsum::Labels ket = block_labels(network, form.ket, block.first, block.end());
    kept = around.present(kept, ket);
    // Open are the kept labels, and whatever is on one factor only: the ket on the other side, bonds of operators.
    einsum::Labels output = kept;
    einsum::Labels all = around.labels;
    all.insert(all.end(), ket.begin(), ket.end());
    for (const einsum::Label label : all)
      if (std::count(all.begin(), all.end(), label) == 1 && std::find(output.begin(), output.end(), label) == output.end())
        output.push_back(label);
    around.add({theta.view(), ket});
    tensor::Dense open = contracted(contractions, around.factors, output);
    open = reshaped(std::move(open), {rows, open.size() / std::max<std::int64_t>(1, rows)});
    scale(open, network.coefficient);
    found.push_back(std::move(open));
  }
  return found;
}

}  // namespace tyto::solve
