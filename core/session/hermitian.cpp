#include "session/hermitian.hpp"
#include <algorithm>
#include <complex>
#include <optional>
#include <set>
#include "hamiltonian/mpo.hpp"

namespace tyto::session {

namespace {

using Operand = solve::Network::Operand;

/// The axes of an operator of one site, by what they are for; -1: it has none.
struct Axes {
  std::ptrdiff_t left = -1, right = -1, out = -1, in = -1;
};

class OperatorOf {
 public:
  OperatorOf(const solve::Setup& setup, const solve::Rayleigh::Form& form)
      : setup_(setup), form_(form), network_(setup.networks[static_cast<std::size_t>(form.network)]) {}

  /// The operands between the states, one a site; empty where there are more or none.
  std::vector<const Operand*> operands() const {
    std::vector<const Operand*> found;
    for (std::size_t k = 0; k < network_.sites.size(); ++k) {
      const std::vector<Operand>& site = network_.sites[k];
      if (site.size() != 3) return {};
      found.push_back(&site[3 - form_.ket[k] - form_.bra[k]]);
    }
    return found;
  }

  /// The operator as tensors [left][right][out][in]; nothing where labels are used otherwise.
  std::optional<hamiltonian::Mpo> mpo() const {
    const std::vector<const Operand*> all = operands();
    hamiltonian::Mpo mpo;
    for (std::size_t k = 0; k < all.size(); ++k) {
      const std::optional<Axes> axes = axes_of(all, k);
      if (!axes) return std::nullopt;
      mpo.tensors.push_back(values(*all[k], *axes));
    }
    return mpo;
  }

 private:
  std::optional<Axes> axes_of(const std::vector<const Operand*>& all, std::size_t k) const {
    const einsum::Labels& labels = all[k]->labels;
    const auto site_label = [&](std::size_t core) { return network_.sites[k][core].labels[1]; };
    const auto is_in = [](const einsum::Labels& some, const auto& label) {
      return std::find(some.begin(), some.end(), label) != some.end();
    };
    Axes axes;
    for (std::size_t n = 0; n < labels.size(); ++n) {
      const bool comes_in = k > 0 && is_in(all[k - 1]->labels, labels[n]);
      const bool goes_on = k + 1 < all.size() && is_in(all[k + 1]->labels, labels[n]);
      std::ptrdiff_t& axis = labels[n] == site_label(form_.bra[k])   ? axes.out
                             : labels[n] == site_label(form_.ket[k]) ? axes.in
                             : comes_in                              ? axes.left
                             : goes_on                               ? axes.right
                             : k == 0                                ? axes.left
                                                                     : axes.right;
      if (axis >= 0) return std::nullopt;
      axis = static_cast<std::ptrdiff_t>(n);
    }
    if (axes.out < 0 || axes.in < 0) return std::nullopt;
    return axes;
  }

  tensor::Dense values(const Operand& operand, const Axes& axes) const {
    const solve::Tensor& tensor = setup_.tensors[static_cast<std::size_t>(operand.tensor)];
    const ConstArray all = tensor.kind == solve::Kind::data ? tensor.values : ConstArray(tensor.start.given->view());
    ConstArray ordered(all.data, all.dtype, {}, {});
    for (const std::ptrdiff_t axis : {axes.left, axes.right, axes.out, axes.in}) {
      ordered.extents.push_back(axis < 0 ? 1 : all.extents[static_cast<std::size_t>(axis)]);
      ordered.strides.push_back(axis < 0 ? 1 : all.strides[static_cast<std::size_t>(axis)]);
    }
    tensor::Dense result = tensor::Dense::copy(ordered, Dtype::c128);
    if (operand.is_conjugated)
      for (std::int64_t n = 0; n < result.size(); ++n)
        result.view().as<std::complex<double>>()[n] = std::conj(result.view().as<std::complex<double>>()[n]);
    return result;
  }

  const solve::Setup& setup_;
  const solve::Rayleigh::Form& form_;
  const solve::Network& network_;
};

/// The input that one of the operators comes from; null where all are constants.
const Loaded* input_among(const std::vector<const Operand*>& operands, const solve::Setup& setup,
                          const std::vector<Loaded>& inputs) {
  for (const Operand* o : operands) {
    const solve::Tensor& tensor = setup.tensors[static_cast<std::size_t>(o->tensor)];
    if (tensor.kind != solve::Kind::data) continue;
    for (const Loaded& in : inputs)
      if (in.name == tensor.name) return &in;
  }
  return nullptr;
}

}  // namespace

void check_hermitian(const Declared& d, const std::vector<Loaded>& inputs) {
  std::set<std::vector<std::int32_t>> checked;  // other states have the same operators
  for (const solve::Objective& f : d.setup.objectives) {
    if (!f.rayleigh) continue;
    for (const solve::Rayleigh::Form& form : f.rayleigh->forms) {
      const OperatorOf between(d.setup, form);
      const std::vector<const Operand*> operands = between.operands();
      std::vector<std::int32_t> tensors;
      for (const Operand* o : operands) tensors.push_back(o->tensor);
      const Loaded* const input = input_among(operands, d.setup, inputs);
      if (input == nullptr || !checked.insert(tensors).second) continue;
      if (const auto mpo = between.mpo()) hamiltonian::require_hermitian(*mpo, input->where);
    }
  }
}

}  // namespace tyto::session
