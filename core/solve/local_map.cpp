#include "solve/local_map.hpp"
#include <algorithm>
#include "error/fail.hpp"
#include "solve/factorizations.hpp"

namespace tyto::solve {

namespace {

const Network& network_of(const Setup& setup, std::int32_t id) { return setup.networks[static_cast<std::size_t>(id)]; }

/// Vectors count complex numbers twice.
std::int64_t doubles_in(const Block& b) { return element_count(b.extents) * (b.dtype == Dtype::c128 ? 2 : 1); }

}  // namespace

LocalMap::LocalMap(const Rayleigh& rayleigh, const Setup& setup, Messages& messages, Contractions& contractions, const Block& block,
                   std::int64_t products)
    : block_(block) {
  for (const Rayleigh::Form& form : rayleigh.forms) {
    const Network& network = network_of(setup, form.network);
    const Product product = local_product(network, form, messages, block, products);
    Term term{network.coefficient, contractions.loaded(request_of(product)), product.factors.size() - 1};
    for (std::size_t k = 0; k < term.theta; ++k) term.contraction->bind(k, product.factors[k].values);
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

tensor::Dense local_overlap(const EigenSolve::Overlap& overlap, const Setup& setup, Messages& messages, Contractions& contractions,
                            const Block& block) {
  const Network& network = network_of(setup, overlap.network);
  tensor::Dense v = reshaped(contracted(contractions, overlap_product(network, overlap, messages, block)), block.extents);
  if (v.dtype() != block.dtype) v = tensor::Dense::copy(v.view(), block.dtype);
  const bool is_ket = !network.sites[block.first][overlap.core[block.first]].is_conjugated;
  if (v.dtype() == Dtype::c128 && is_ket)  // the overlap is linear in theta: its coefficients are conj(v)
    for (std::int64_t e = 0; e < v.size(); ++e) {
      auto& entry = v.view().as<std::complex<double>>()[e];
      entry = std::conj(entry);
    }
  return v;
}

std::vector<tensor::Dense> directions(const Rayleigh& rayleigh, const Setup& setup, Messages& messages, Contractions& contractions,
                                      const Block& block, const tensor::Dense& theta, Weight to) {
  std::vector<tensor::Dense> found;
  const std::int64_t rows =
      to == Weight::right ? block.extents[0] * block.extents[1] : block.extents[2] * block.extents[3];  // of the side that is kept
  for (const Rayleigh::Form& form : rayleigh.forms) {
    const Network& network = network_of(setup, form.network);
    Product product = opened_product(network, form, messages, block, to);
    product.factors.back().values = theta.view();
    tensor::Dense open = contracted(contractions, product);
    open = reshaped(std::move(open), {rows, open.size() / std::max<std::int64_t>(1, rows)});
    scale(open, network.coefficient);
    found.push_back(std::move(open));
  }
  return found;
}

}  // namespace tyto::solve
