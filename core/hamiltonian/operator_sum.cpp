#include "hamiltonian/operator_sum.hpp"
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <set>
#include "error/fail.hpp"
#include "hamiltonian/strings.hpp"

namespace tyto::hamiltonian {

namespace {

std::string text_of(Complex c) {
  return c.imag() == 0 ? fmt::format("{}", c.real()) : fmt::format("({}{:+}i)", c.real(), c.imag());
}

/// A finding about a term: at its place, or else at its text.
Finding about(const Term& term, Code code, std::string what, std::string expected, std::string found, std::string hint = {}) {
  Where where = term.where;
  if (where.quote.empty()) where.quote = text_of(term);
  return {.code = code,
          .where = where,
          .what = std::move(what),
          .expected = std::move(expected),
          .found = std::move(found),
          .hint = std::move(hint)};
}

void check_form(const Term& term, std::int64_t sites, std::vector<Finding>& findings) {
  if (term.operators.empty())
    findings.push_back(
        about(term, Code::missing_key, "a term without operators", "at least one operator, Id for a constant", "none"));
  if (term.operators.size() != term.sites.size())
    findings.push_back(about(term, Code::contradiction, "a term has one site for each operator",
                             fmt::format("{} sites", term.operators.size()), fmt::format("{}", term.sites.size())));
  if (!std::isfinite(term.coefficient.real()) || !std::isfinite(term.coefficient.imag()))
    findings.push_back(
        about(term, Code::not_finite, "the coefficient of a term is not finite", "a number", text_of(term.coefficient)));
  for (const std::int64_t site : term.sites)
    if (site < 1 || site > sites)
      findings.push_back(about(term, Code::out_of_range, fmt::format("there is no site {}", site),
                               fmt::format("1 to {}: sites count from 1", sites), fmt::format("{}", site)));
}

void check_operators(const Term& term, const std::vector<LocalSpace>& spaces, std::vector<Finding>& findings) {
  std::vector<std::string> odd;
  for (std::size_t k = 0; k < term.operators.size(); ++k) {
    const LocalSpace& space = spaces[static_cast<std::size_t>(term.sites[k] - 1)];
    const std::int64_t at = space.find(term.operators[k]);
    if (at < 0)
      findings.push_back(about(term, Code::unknown_word,
                               fmt::format("site {} ({}) has no operator '{}'", term.sites[k], space.name, term.operators[k]),
                               listed(space.names()), term.operators[k], nearest(term.operators[k], space.names())));
    else if (space.operators[static_cast<std::size_t>(at)].is_odd)
      odd.push_back(fmt::format("{}({})", term.operators[k], term.sites[k]));
  }
  if (odd.size() % 2 != 0)
    findings.push_back(about(term, Code::contradiction, "a term would change the number of fermions by an odd number",
                             "an even number of operators that create or annihilate one",
                             fmt::format("{}: {}", odd.size(), fmt::join(odd, ", "))));
}

}  // namespace

std::string text_of(const Term& term) {
  std::string text = text_of(term.coefficient);
  for (std::size_t k = 0; k < term.operators.size(); ++k)
    text += k < term.sites.size() ? fmt::format(" {}({})", term.operators[k], term.sites[k]) : " " + term.operators[k];
  return text;
}

void require_valid(const OperatorSum& sum) {
  std::vector<Finding> findings;
  if (sum.sites() < 2)
    findings.push_back({.code = Code::out_of_range,
                        .where = {.quote = "operator sum"},
                        .what = "too few sites",
                        .expected = "at least 2",
                        .found = fmt::format("{}", sum.sites())});
  for (const Term& term : sum.terms) {
    const std::size_t before = findings.size();
    check_form(term, sum.sites(), findings);
    if (findings.size() == before) check_operators(term, sum.spaces, findings);
  }
  if (!findings.empty()) throw Error(std::move(findings));
}

void require_hermitian(const OperatorSum& sum) {
  const StringSum rest = antihermitian_strings(sum);
  if (rest.strings.empty()) return;
  const auto largest = std::max_element(
      rest.strings.begin(), rest.strings.end(),
      [](const WeightedString& a, const WeightedString& b) { return std::abs(a.coefficient) < std::abs(b.coefficient); });
  const Term& term = sum.terms[static_cast<std::size_t>(largest->term)];
  const auto count = rest.strings.size();
  const bool is_own_adjoint = count == 1;
  fail(about(term, Code::contradiction, "the sum of all terms is not Hermitian", "with every term its adjoint",
             fmt::format("H - H^+ has {} product{} of operators, {}with a coefficient of size {:.6g}", count, count == 1 ? "" : "s",
                         count == 1 ? "" : "the largest ", std::abs(largest->coefficient)),
             is_own_adjoint ? "plus_adjoint: true, or a real coefficient where a term is its own adjoint" : "plus_adjoint: true"));
}

std::string spin_convention(const OperatorSum& sum) {
  const std::set<std::string> of_spin{"Sx", "Sy", "Sz", "S+", "S-"}, of_pauli{"X", "Y", "Z"};
  bool names_spin = false, names_pauli = false;
  for (const Term& term : sum.terms)
    for (const std::string& name : term.operators) {
      names_spin = names_spin || of_spin.count(name) > 0;
      names_pauli = names_pauli || of_pauli.count(name) > 0;
    }
  const std::string spins = "spin operators (S = 1/2 sigma)";
  if (names_spin && names_pauli) return "spin operators and Pauli matrices";
  return names_spin ? spins : names_pauli ? "Pauli matrices" : "";
}

OperatorSum total(Charge charge, const std::vector<LocalSpace>& spaces) {
  OperatorSum sum{spaces};
  for (std::int64_t site = 1; site <= sum.sites(); ++site) {
    const LocalSpace& space = spaces[static_cast<std::size_t>(site - 1)];
    const std::string& name = charge == Charge::particles ? space.particles_operator : space.sz_operator;
    if (!name.empty()) sum.terms.push_back({.operators = {name}, .sites = {site}});
  }
  return sum;
}

}  // namespace tyto::hamiltonian
