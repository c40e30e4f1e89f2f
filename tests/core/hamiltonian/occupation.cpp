// Operator sums as matrices, by what each operator does to a basis state.
#include <cmath>
#include <stdexcept>
#include "core/hamiltonian/dense.hpp"

namespace tyto::hamiltonian {

namespace {

/// Of a site: twice its spin and 2m, or the occupations of its levels (up before down).
struct SiteState {
  std::int64_t twice_spin = 0, twice_m = 0;
  std::vector<int> occupied = {};
};
/// amplitude * a basis state; several where an operator has more than one element in a column.
struct Branch {
  Complex amplitude;
  std::vector<SiteState> sites;
};
using Branches = std::vector<Branch>;

SiteState state_of(const LocalSpace& space, std::int64_t number) {
  if (space.name == "spinless-fermion") return {.occupied = {static_cast<int>(number)}};
  if (space.name == "electron") return {.occupied = {number == 1 || number == 3 ? 1 : 0, number == 2 || number == 3 ? 1 : 0}};
  const std::int64_t twice = space.dimension() - 1;
  return {.twice_spin = twice, .twice_m = twice - 2 * number};
}

std::int64_t number_of(const SiteState& s) {
  if (s.occupied.size() == 1) return s.occupied[0];
  if (s.occupied.size() == 2) return s.occupied[0] + 2 * s.occupied[1];
  return (s.twice_spin - s.twice_m) / 2;
}

/// Creates (or annihilates) a fermion on a level of a site, with the sign of the fermions on all levels before.
Branches fermion(const Branch& from, std::size_t site, std::size_t level, bool creates) {
  if ((from.sites[site].occupied[level] == 1) == creates) return {};
  int before = 0;
  for (std::size_t k = 0; k <= site; ++k)
    for (std::size_t l = 0; l < from.sites[k].occupied.size(); ++l)
      if (k < site || l < level) before += from.sites[k].occupied[l];
  Branch to = from;
  to.sites[site].occupied[level] = creates ? 1 : 0;
  if (before % 2 != 0) to.amplitude = -to.amplitude;
  return {to};
}

/// sqrt((S -+ m)(S +- m + 1)) |m +- 1>
Branches ladder(const Branch& from, std::size_t site, int up) {
  const SiteState& s = from.sites[site];
  const double spin = 0.5 * static_cast<double>(s.twice_spin), m = 0.5 * static_cast<double>(s.twice_m);
  const double square = (spin - up * m) * (spin + up * m + 1);
  if (square == 0) return {};
  Branch to = from;
  to.sites[site].twice_m += 2 * up;
  to.amplitude *= std::sqrt(square);
  return {to};
}

Branches scaled(Branches branches, Complex factor) {
  for (Branch& b : branches) b.amplitude *= factor;
  return branches;
}

Branches joined(Branches a, const Branches& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

Branches on_spin(const std::string& name, const Branch& from, std::size_t site) {
  const double m = 0.5 * static_cast<double>(from.sites[site].twice_m);
  if (name == "F") return {from};
  if (name == "S+") return ladder(from, site, 1);
  if (name == "S-") return ladder(from, site, -1);
  if (name == "Sz" || name == "Z") return scaled({from}, name == "Z" ? 2 * m : m);
  const Branches up = ladder(from, site, 1), down = ladder(from, site, -1);
  const double unit = name == "X" || name == "Y" ? 1 : 0.5;
  if (name == "Sx" || name == "X") return joined(scaled(up, unit), scaled(down, unit));
  if (name == "Sy" || name == "Y") return joined(scaled(up, {0, -unit}), scaled(down, {0, unit}));
  throw std::logic_error(name);
}

Branches on_fermions(const std::string& name, const Branch& from, std::size_t site) {
  const std::vector<int>& n = from.sites[site].occupied;
  const bool is_electron = n.size() == 2;
  const int total = is_electron ? n[0] + n[1] : n[0];
  if (name == "F") return scaled({from}, total % 2 == 0 ? 1 : -1);
  if (name == "C" || name == "Cup") return fermion(from, site, 0, false);
  if (name == "Cdag" || name == "Cdagup") return fermion(from, site, 0, true);
  if (name == "Cdn") return fermion(from, site, 1, false);
  if (name == "Cdagdn") return fermion(from, site, 1, true);
  if (name == "N" || name == "Ntot") return scaled({from}, total);
  if (name == "Nup") return scaled({from}, n[0]);
  if (name == "Ndn") return scaled({from}, n[1]);
  if (name == "NupNdn") return scaled({from}, n[0] * n[1]);
  if (name == "Sz") return scaled({from}, 0.5 * (n[0] - n[1]));
  Branches moved;  // S+ = Cdagup Cdn, S- = Cdagdn Cup
  for (const Branch& b : fermion(from, site, name == "S+" ? 1 : 0, false))
    for (const Branch& c : fermion(b, site, name == "S+" ? 0 : 1, true)) moved.push_back(c);
  if (name != "S+" && name != "S-") throw std::logic_error(name);
  return moved;
}

Branches apply(const std::string& name, const Branch& from, std::size_t site) {
  if (name == "Id") return {from};
  return from.sites[site].occupied.empty() ? on_spin(name, from, site) : on_fermions(name, from, site);
}

std::int64_t number_of(const std::vector<SiteState>& sites, const std::vector<LocalSpace>& spaces) {
  std::int64_t number = 0;
  for (std::size_t k = 0; k < sites.size(); ++k) number = number * spaces[k].dimension() + number_of(sites[k]);
  return number;
}

}  // namespace

DenseMatrix dense_by_occupation(const OperatorSum& sum) {
  DenseMatrix m;
  for (const LocalSpace& space : sum.spaces) m.dimension *= space.dimension();
  m.values.resize(static_cast<std::size_t>(m.dimension * m.dimension));
  for (std::int64_t in = 0; in < m.dimension; ++in) {
    std::vector<SiteState> start(sum.spaces.size());
    std::int64_t rest = in;
    for (std::size_t k = sum.spaces.size(); k-- > 0; rest /= sum.spaces[k].dimension())
      start[k] = state_of(sum.spaces[k], rest % sum.spaces[k].dimension());
    for (const Term& term : sum.terms) {
      Branches branches{{term.coefficient, start}};
      for (std::size_t k = term.operators.size(); k-- > 0;) {  // the last factor acts first
        Branches next;
        for (const Branch& b : branches)
          next = joined(std::move(next), apply(term.operators[k], b, static_cast<std::size_t>(term.sites[k] - 1)));
        branches = std::move(next);
      }
      for (const Branch& b : branches)
        m.values[static_cast<std::size_t>(number_of(b.sites, sum.spaces) * m.dimension + in)] += b.amplitude;
    }
  }
  return m;
}

double scale_of(const OperatorSum& sum) {
  double scale = 0;
  for (const Term& term : sum.terms) {
    double size = std::abs(term.coefficient);
    for (std::size_t k = 0; k < term.operators.size(); ++k) {
      const LocalSpace& space = sum.spaces[static_cast<std::size_t>(term.sites[k] - 1)];
      const bool is_spin = space.particles_operator.empty();
      size *= is_spin ? 0.5 * static_cast<double>(space.dimension() + 1) : 2.0;  // at least the norm of any operator named there
    }
    scale += size;
  }
  return scale;
}

}  // namespace tyto::hamiltonian
