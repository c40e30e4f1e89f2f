#include "hamiltonian/mpo.hpp"
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include "error/fail.hpp"
#include "tensor/rows.hpp"

namespace tyto::hamiltonian {

namespace {

/// Sixteen digits of text leave this much, and so does the rounding of a hundred sites.
constexpr double largest_non_hermitian_part = 1e-12;

/// What can be said of the extents alone.
class FormCheck {
 public:
  FormCheck(const std::vector<Extents>& extents, const Where& where) : extents_(extents), where_(where) {}

  std::vector<Finding> run() {
    if (sites() < 2) report(Code::out_of_range, "too few sites", "at least 2 tensors", fmt::format("{}", sites()));
    for (std::int64_t site = 1; site <= sites(); ++site) check_site(site);
    if (findings_.empty()) check_bonds();
    return std::move(findings_);
  }

 private:
  std::int64_t sites() const { return static_cast<std::int64_t>(extents_.size()); }
  const Extents& at(std::int64_t site) const { return extents_[static_cast<std::size_t>(site - 1)]; }
  void report(Code code, std::string what, std::string expected, std::string found, std::string hint = {}) {
    findings_.push_back({.code = code,
                         .where = where_,
                         .what = std::move(what),
                         .expected = std::move(expected),
                         .found = std::move(found),
                         .hint = std::move(hint)});
  }

  void check_site(std::int64_t site) {
    const Extents& extents = at(site);
    const bool is_empty = std::find(extents.begin(), extents.end(), 0) != extents.end();
    if (extents.size() != 4 || is_empty)
      report(Code::shape, fmt::format("the tensor of site {} has another shape", site), "[left][right][out][in], none of them 0",
             tensor::text_of(extents), hint_of(site));
    else if (extents[2] != extents[3])
      report(Code::shape, fmt::format("the operators of site {} are not square", site), "[left][right][out][in] with out = in",
             tensor::text_of(extents));
  }

  /// Without the bond at its end a tensor could be meant in several orders.
  std::string hint_of(std::int64_t site) const {
    if (at(site).size() != 3 || (site != 1 && site != sites())) return {};
    return site == 1 ? "a left bond of extent 1: in numpy, W[None]" : "a right bond of extent 1: in numpy, W[:, None]";
  }

  void check_bonds() {
    if (at(1)[0] != 1) report(Code::shape, "the first site has a bond on its left", "left extent 1", fmt::format("{}", at(1)[0]));
    for (std::int64_t site = 1; site < sites(); ++site) {
      const std::int64_t right = at(site)[1], left = at(site + 1)[0];
      if (right != left)
        report(Code::shape, fmt::format("the bond between sites {} and {} has two extents", site, site + 1), "one extent",
               fmt::format("right extent {} of site {}, left extent {} of site {}", right, site, left, site + 1));
    }
    const std::int64_t last = at(sites())[1];
    if (last != 1) report(Code::shape, "the last site has a bond on its right", "right extent 1", fmt::format("{}", last));
  }

  const std::vector<Extents>& extents_;
  const Where& where_;
  std::vector<Finding> findings_;
};

/// What takes the values.
class ValueCheck {
 public:
  ValueCheck(const Mpo& mpo, const Where& where) : mpo_(mpo), where_(where) {}

  std::vector<Finding> types() {
    for (std::int64_t site = 1; site <= mpo_.sites(); ++site) check_type(site);
    return std::move(findings_);
  }
  std::vector<Finding> numbers() {
    for (std::int64_t site = 1; site <= mpo_.sites(); ++site) check_finite(site);
    return std::move(findings_);
  }

 private:
  const tensor::Dense& at(std::int64_t site) const { return mpo_.tensors[static_cast<std::size_t>(site - 1)]; }
  void report(Code code, std::string what, std::string expected, std::string found) {
    findings_.push_back(
        {.code = code, .where = where_, .what = std::move(what), .expected = std::move(expected), .found = std::move(found)});
  }

  void check_type(std::int64_t site) {
    const tensor::Dense& w = at(site);
    if (w.dtype() != Dtype::f64 && w.dtype() != Dtype::c128)
      report(Code::element_type, fmt::format("the tensor of site {} has another type", site), "f64 or c128", name_of(w.dtype()));
    else if (w.dtype() != mpo_.dtype())
      report(Code::element_type, fmt::format("the tensor of site {} has another type than that of site 1", site),
             name_of(mpo_.dtype()), name_of(w.dtype()));
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

std::vector<Finding> faults_of_form(const std::vector<Extents>& tensors, const Where& where) {
  return FormCheck(tensors, where).run();
}

void require_hermitian(const Mpo& mpo, const Where& where) {
  const double part = non_hermitian_part(mpo);
  if (part <= largest_non_hermitian_part) return;
  fail({.code = Code::contradiction,
        .where = where,
        .what = "the MPO is not Hermitian",
        .expected = fmt::format("|H - H^+| <= {} |H| in the Frobenius norm", largest_non_hermitian_part),
        .found = fmt::format("{:.3g} |H|", part),
        .hint = "tensors as [left][right][out][in]"});
}

void require_hamiltonian(const Mpo& mpo, const Where& where) {
  std::vector<Extents> extents;
  for (const tensor::Dense& w : mpo.tensors) extents.push_back(w.extents());
  ValueCheck values(mpo, where);
  std::vector<Finding> findings = faults_of_form(extents, where);
  for (Finding& finding : values.types()) findings.push_back(std::move(finding));
  if (findings.empty()) findings = values.numbers();
  if (!findings.empty()) throw Error(std::move(findings));
  require_hermitian(mpo, where);
}

}  // namespace tyto::hamiltonian
