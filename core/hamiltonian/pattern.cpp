#include "hamiltonian/pattern.hpp"
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numbers>
#include <utility>
#include "error/fail.hpp"

namespace tyto::hamiltonian {

namespace {

double distance(std::int64_t i, std::int64_t j, std::int64_t sites, Distance along) {
  const std::int64_t direct = j - i, shorter = std::min(direct, sites - direct);
  const auto n = static_cast<double>(sites);
  if (along == Distance::line) return static_cast<double>(direct);
  if (along == Distance::ring) return static_cast<double>(shorter);
  return n / std::numbers::pi * std::sin(std::numbers::pi * static_cast<double>(shorter) / n);
}

double decayed(const Decay& decay, double r) {
  if (const auto* power = std::get_if<Power>(&decay)) return std::pow(r, -power->exponent);
  return std::pow(std::get<Exponential>(decay).base, r);
}

class Expansion {
 public:
  Expansion(const TermPattern& pattern, const std::vector<LocalSpace>& spaces)
      : pattern_(pattern), spaces_(spaces), sites_(static_cast<std::int64_t>(spaces.size())) {
    if (pattern.range) range_ = *pattern.range;
    if (range_.last == 0) range_.last = sites_;
  }

  std::vector<Term> run() {
    check_keys();
    check_range();
    if (!pattern_.sites.empty()) add(pattern_.sites, 1);
    else if (pattern_.decay) add_pairs();
    else add_places();
    return std::move(terms_);
  }

 private:
  [[noreturn]] void refuse(Code code, std::string what, std::string expected, std::string found, std::string hint = {}) const {
    Where where = pattern_.where;
    if (where.quote.empty())
      where.quote = text_of(Term{.coefficient = pattern_.coefficient, .operators = pattern_.operators, .sites = pattern_.sites});
    fail({.code = code,
          .where = where,
          .what = std::move(what),
          .expected = std::move(expected),
          .found = std::move(found),
          .hint = std::move(hint)});
  }

  void check_keys() const {
    std::vector<std::string> given;
    if (!pattern_.sites.empty()) given.emplace_back("sites");
    if (!pattern_.offsets.empty()) given.emplace_back("offsets");
    if (pattern_.decay) given.emplace_back("decay");
    const std::string found = fmt::format("{}", fmt::join(given, " and "));
    if (given.size() > 1) refuse(Code::contradiction, "a term is placed in more than one way", "sites, offsets or decay", found);
    const std::size_t count = pattern_.operators.size();
    if (given.empty() && count != 1)
      refuse(Code::missing_key, "the places of the operators are missing", "sites, offsets or decay, unless there is one operator",
             fmt::format("{} operators", count), "offsets: [0, 1] for neighbours");
    if (pattern_.decay && count != 2) refuse(Code::contradiction, "decay is about pairs", "2 operators", fmt::format("{}", count));
    if (!pattern_.offsets.empty() && pattern_.offsets.size() != count)
      refuse(Code::contradiction, "there is one offset for each operator", fmt::format("{} offsets", count),
             fmt::format("{}", pattern_.offsets.size()));
    if (!pattern_.sites.empty() && pattern_.range)
      refuse(Code::contradiction, "a range has no meaning where sites are given", "offsets or decay", "sites and range");
    if (pattern_.is_periodic && (pattern_.decay || !pattern_.sites.empty()))
      refuse(Code::contradiction, "periodic is about offsets", "offsets", found, "distance: ring for pairs that decay");
    const auto* exponential = pattern_.decay ? std::get_if<Exponential>(&*pattern_.decay) : nullptr;
    if (exponential != nullptr && (exponential->base == 0 || !std::isfinite(exponential->base)))
      refuse(Code::out_of_range, "the base of an exponential", "a number other than 0", fmt::format("{}", exponential->base));
  }

  void check_range() const {
    const auto& [first, last, step] = range_;
    if (first >= 1 && first <= last && last <= sites_ && step >= 1) return;
    refuse(Code::out_of_range, "a range that does not fit the sites", fmt::format("1 <= first <= last <= {}, step >= 1", sites_),
           fmt::format("first {}, last {}, step {}", first, last, step));
  }

  void add_places() {
    const std::vector<std::int64_t> offsets = pattern_.offsets.empty() ? std::vector<std::int64_t>{0} : pattern_.offsets;
    for (std::int64_t i = range_.first; i <= range_.last; i += range_.step) {
      std::vector<std::int64_t> sites;
      for (const std::int64_t offset : offsets) {
        const std::int64_t site = i + offset;
        sites.push_back(pattern_.is_periodic ? ((site - 1) % sites_ + sites_) % sites_ + 1 : site);
      }
      const auto [low, high] = std::minmax_element(sites.begin(), sites.end());
      if (*low >= 1 && *high <= sites_) add(sites, 1);
    }
    if (terms_.empty())
      refuse(Code::out_of_range, "the term fits nowhere", fmt::format("offsets within {} sites", sites_),
             fmt::format("offsets [{}]", fmt::join(offsets, ", ")));
  }

  void add_pairs() {
    for (std::int64_t i = range_.first; i <= range_.last; i += range_.step)
      for (std::int64_t j = i + range_.step; j <= range_.last; j += range_.step)
        add({i, j}, decayed(*pattern_.decay, distance(i, j, sites_, pattern_.distance)));
    if (terms_.empty()) refuse(Code::out_of_range, "a range without a pair of sites", "at least 2 sites", "1");
  }

  void add(const std::vector<std::int64_t>& sites, double factor) {
    terms_.push_back({pattern_.coefficient * factor, pattern_.operators, sites, pattern_.where});
    if (pattern_.plus_adjoint) terms_.push_back(adjoint_of(terms_.back()));
  }

  /// Factors in reverse order, each with its adjoint. What require_valid refuses is left for it to refuse.
  Term adjoint_of(const Term& term) const {
    Term other{.coefficient = std::conj(term.coefficient), .operators = {}, .sites = {}, .where = term.where};
    for (std::size_t k = term.operators.size(); k-- > 0;) {
      std::string name = term.operators[k];
      const std::int64_t site = k < term.sites.size() ? term.sites[k] : 0;
      if (site >= 1 && site <= sites_) {
        const LocalSpace& space = spaces_[static_cast<std::size_t>(site - 1)];
        if (const std::int64_t at = space.find(name); at >= 0) name = space.operators[static_cast<std::size_t>(at)].adjoint;
      }
      other.operators.push_back(name);
    }
    other.sites.assign(term.sites.rbegin(), term.sites.rend());
    return other;
  }

  const TermPattern& pattern_;
  const std::vector<LocalSpace>& spaces_;
  const std::int64_t sites_;
  SiteRange range_;
  std::vector<Term> terms_;
};

}  // namespace

std::vector<Term> expand(const TermPattern& pattern, const std::vector<LocalSpace>& spaces) {
  return Expansion(pattern, spaces).run();
}

}  // namespace tyto::hamiltonian
