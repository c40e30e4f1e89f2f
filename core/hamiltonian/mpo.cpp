#include "hamiltonian/mpo.hpp"
#include <cmath>
#include <fmt/format.h>
#include "error/fail.hpp"
#include "tensor/rows.hpp"

namespace tyto::hamiltonian {

namespace {

/// Sixteen digits of text leave this much, and so does the rounding of a hundred sites.
constexpr double largest_non_hermitian_part = 1e-12;

class Check {
 public:
  Check(const Mpo& mpo, const Where& where) : mpo_(mpo), where_(where) {}

  std::vector<Finding> run() {
    if (mpo_.sites() < 2) report(Code::out_of_range, "too few sites", "at least 2 tensors", fmt::format("{}", mpo_.sites()));
    for (std::int64_t site = 1; site <= mpo_.sites(); ++site) check_site(site);
    if (!findings_.empty()) return std::move(findings_);
    check_bonds();
    for (std::int64_t site = 1; site <= mpo_.sites(); ++site) check_finite(site);
    if (!findings_.empty()) return std::move(findings_);
    if (const double part = non_hermitian_part(mpo_); part > largest_non_hermitian_part)
      report(Code::contradiction, "the MPO is not Hermitian",
             fmt::format("|H - H^+| <= {} |H| in the Frobenius norm", largest_non_hermitian_part), fmt::format("{:.3g} |H|", part),
             "tensors as [left][right][out][in]");
    return std::move(findings_);
  }

 private:
  const tensor::Dense& at(std::int64_t site) const { return mpo_.tensors[static_cast<std::size_t>(site - 1)]; }
  void report(Code code, std::string what, std::string expected, std::string found, std::string hint = {}) {
    findings_.push_back({.code = code,
                         .where = where_,
                         .what = std::move(what),
                         .expected = std::move(expected),
                         .found = std::move(found),
                         .hint = std::move(hint)});
  }

  void check_site(std::int64_t site) {
    const tensor::Dense& w = at(site);
    const Extents& extents = w.extents();
    if (w.dtype() != Dtype::f64 && w.dtype() != Dtype::c128)
      report(Code::element_type, fmt::format("the tensor of site {} has another type", site), "f64 or c128", name_of(w.dtype()));
    else if (w.dtype() != mpo_.dtype())
      report(Code::element_type, fmt::format("the tensor of site {} has another type than that of site 1", site),
             name_of(mpo_.dtype()), name_of(w.dtype()));
    if (extents.size() != 4 || w.size() == 0)
      report(Code::shape, fmt::format("the tensor of site {} has another shape", site), "[left][right][out][in], none of them 0",
             tensor::text_of(extents));
    else if (extents[2] != extents[3])
      report(Code::shape, fmt::format("the operators of site {} are not square", site), "[left][right][out][in] with out = in",
             tensor::text_of(extents));
  }

  void check_bonds() {
    if (at(1).extents()[0] != 1)
      report(Code::shape, "the first site has a bond on its left", "left extent 1", fmt::format("{}", at(1).extents()[0]));
    for (std::int64_t site = 1; site < mpo_.sites(); ++site) {
      const std::int64_t right = at(site).extents()[1], left = at(site + 1).extents()[0];
      if (right != left)
        report(Code::shape, fmt::format("the bond between sites {} and {} has two extents", site, site + 1), "one extent",
               fmt::format("right extent {} of site {}, left extent {} of site {}", right, site, left, site + 1));
    }
    const std::int64_t last = at(mpo_.sites()).extents()[1];
    if (last != 1) report(Code::shape, "the last site has a bond on its right", "right extent 1", fmt::format("{}", last));
  }

  void check_finite(std::int64_t site) {
    const tensor::Dense& w = at(site);
    const double* const parts =
        w.dtype() == Dtype::f64 ? w.view().as<double>() : reinterpret_cast<const double*>(w.view().as<Complex>());
    const std::int64_t parts_of_one = w.dtype() == Dtype::f64 ? 1 : 2;
    for (std::int64_t k = 0; k < w.size() * parts_of_one; ++k) {
      if (std::isfinite(parts[k])) continue;
      report(Code::not_finite, fmt::format("the tensor of site {} is not finite", site), "numbers",
             fmt::format("{} at [{}]", parts[k], fmt::join(tensor::multi_index(k / parts_of_one, w.extents()), ",")));
      return;
    }
  }

  const Mpo& mpo_;
  const Where& where_;
  std::vector<Finding> findings_;
};

}  // namespace

std::vector<std::int64_t> Mpo::bonds() const {
  std::vector<std::int64_t> extents;
  for (std::size_t k = 0; k + 1 < tensors.size(); ++k) extents.push_back(tensors[k].extents()[1]);
  return extents;
}

void require_hamiltonian(const Mpo& mpo, const Where& where) {
  std::vector<Finding> findings = Check(mpo, where).run();
  if (!findings.empty()) throw Error(std::move(findings));
}

}  // namespace tyto::hamiltonian
