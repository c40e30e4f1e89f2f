#include "hamiltonian/catalogue.hpp"
#include <cmath>
#include <complex>
#include <fmt/format.h>
#include "error/fail.hpp"
#include "hamiltonian/pattern.hpp"

namespace tyto::hamiltonian {

namespace {

using Terms = std::vector<Term>;

// ---- sites

LocalSpace half_spin(const Parameters&, const Where&) { return spin(1); }
LocalSpace whole_spin(const Parameters&, const Where&) { return spin(2); }
LocalSpace any_spin(const Parameters& p, const Where& where) {
  const double s = p.at("spin");
  constexpr double largest = 1e6;  // beyond what spin() accepts, within what int64 holds
  if (2 * s != std::floor(2 * s) || std::abs(s) > largest)
    fail({.code = Code::out_of_range,
          .where = where,
          .what = "the parameter spin is no spin",
          .expected = "0.5, 1, 1.5, ...",
          .found = fmt::format("{}", s)});
  return spin(static_cast<std::int64_t>(2 * s), where);
}
LocalSpace fermion(const Parameters&, const Where&) { return spinless_fermion(); }
LocalSpace electrons(const Parameters&, const Where&) { return electron(); }

// ---- terms of a pair of sites, and of one site

/// c [ (e^(i phase) S+_i S-_j + e^(-i phase) S-_i S+_j) / 2 + delta Sz_i Sz_j ]
void add_exchange(Terms& terms, double c, double delta, double phase, SitePair pair) {
  const Complex hop = std::polar(0.5 * c, phase);
  const std::vector<std::int64_t> sites{pair.first, pair.second};
  terms.push_back({hop, {"S+", "S-"}, sites});
  terms.push_back({std::conj(hop), {"S-", "S+"}, sites});
  terms.push_back({c * delta, {"Sz", "Sz"}, sites});
}
void add_exchange(Terms& terms, double c, SitePair pair) { add_exchange(terms, c, 1, 0, pair); }

/// c [ create_i annihilate_j + create_j annihilate_i ]
void add_hopping(Terms& terms, double c, const std::string& create, const std::string& annihilate, SitePair pair) {
  terms.push_back({c, {create, annihilate}, {pair.first, pair.second}});
  terms.push_back({c, {create, annihilate}, {pair.second, pair.first}});
}

void add_everywhere(Terms& terms, double c, const std::string& name, std::int64_t sites) {
  for (std::int64_t site = 1; site <= sites; ++site) terms.push_back({c, {name}, {site}});
}

// ---- models

Terms heisenberg(const Parameters& p, const Lattice& lattice) {
  Terms terms;
  for (const SitePair pair : lattice.neighbours) add_exchange(terms, p.at("j"), pair);
  add_everywhere(terms, -p.at("h"), "Sz", lattice.sites);
  return terms;
}

Terms xxz(const Parameters& p, const Lattice& lattice) {
  Terms terms;
  for (const SitePair pair : lattice.neighbours) add_exchange(terms, p.at("j"), p.at("delta"), p.at("phase"), pair);
  add_everywhere(terms, -p.at("h"), "Sz", lattice.sites);
  return terms;
}

Terms xx(const Parameters& p, const Lattice& lattice) {
  Terms terms;
  for (const SitePair pair : lattice.neighbours) add_exchange(terms, p.at("j"), 0, 0, pair);
  add_everywhere(terms, -p.at("h"), "Sz", lattice.sites);
  return terms;
}

Terms tfim(const Parameters& p, const Lattice& lattice) {
  Terms terms;
  for (const SitePair pair : lattice.neighbours) terms.push_back({-p.at("j"), {"Z", "Z"}, {pair.first, pair.second}});
  add_everywhere(terms, -p.at("g"), "X", lattice.sites);
  return terms;
}

Terms j1j2(const Parameters& p, const Lattice& lattice) {
  Terms terms;
  for (const SitePair pair : lattice.neighbours) add_exchange(terms, p.at("j1"), pair);
  for (const SitePair pair : lattice.second_neighbours) add_exchange(terms, p.at("j2"), pair);
  return terms;
}

Terms hubbard(const Parameters& p, const Lattice& lattice) {
  Terms terms;
  for (const SitePair pair : lattice.neighbours) {
    add_hopping(terms, -p.at("t"), "Cdagup", "Cup", pair);
    add_hopping(terms, -p.at("t"), "Cdagdn", "Cdn", pair);
  }
  add_everywhere(terms, p.at("u"), "NupNdn", lattice.sites);
  return terms;
}

std::optional<Shift> half_filled_electrons(const Parameters& p, const Lattice&) {
  return Shift{"Ntot", -p.at("u") / 2,
               "particle-hole form: H - (U/2) N is lowest at one electron a site where neighbours alternate"};
}

Terms spinless_fermions(const Parameters& p, const Lattice& lattice) {
  Terms terms;
  for (const SitePair pair : lattice.neighbours) {
    add_hopping(terms, -p.at("t"), "Cdag", "C", pair);
    terms.push_back({p.at("v"), {"N", "N"}, {pair.first, pair.second}});
  }
  return terms;
}

/// V sum (n_i - 1/2)(n_j - 1/2) is the form that particles and holes share; V/2 for each neighbour of a site, in the mean over
/// sites since only a uniform shift commutes with H.
std::optional<Shift> half_filled_fermions(const Parameters& p, const Lattice& lattice) {
  const double neighbours = 2 * static_cast<double>(lattice.neighbours.size()) / static_cast<double>(lattice.sites);
  return Shift{"N", -p.at("v") / 2 * neighbours, "particle-hole form: H - (V/2) (mean number of neighbours) N"};
}

/// J [ S_i S_j + (S_i S_j)^2 / 3 ], S_i S_j a sum of three products.
Terms aklt(const Parameters& p, const Lattice& lattice) {
  struct Product {
    double factor;
    std::string left, right;
  };
  const std::vector<Product> products{{0.5, "S+", "S-"}, {0.5, "S-", "S+"}, {1, "Sz", "Sz"}};
  Terms terms;
  for (const auto [i, j] : lattice.neighbours) {
    add_exchange(terms, p.at("j"), {i, j});
    for (const Product& a : products)
      for (const Product& b : products)
        terms.push_back({p.at("j") / 3 * a.factor * b.factor, {a.left, b.left, a.right, b.right}, {i, i, j, j}});
  }
  return terms;
}

Terms haldane_shastry(const Parameters& p, const Lattice& lattice) {
  const std::vector<LocalSpace> spaces = chain_of(spin(1), lattice.sites);
  TermPattern pattern{.coefficient = p.at("j"), .operators = {"Sz", "Sz"}, .decay = Power{2}, .distance = Distance::chord};
  Terms terms = expand(pattern, spaces);
  pattern.coefficient = 0.5 * p.at("j");
  pattern.operators = {"S+", "S-"};
  pattern.plus_adjoint = true;
  for (Term& term : expand(pattern, spaces)) terms.push_back(std::move(term));
  return terms;
}

// ---- what people are told

const char* const of_spins = "spin operators (S = sigma/2 for spin 1/2)";

ModelParameter spin_parameter() { return {"spin", "spin of a site: 0.5, 1, 1.5, ...", 0.5, "1"}; }
ModelParameter coupling() { return {"j", "coupling; positive is antiferromagnetic", 1}; }
ModelParameter field() { return {"h", "field along z", 0}; }

std::vector<CatalogueEntry> spin_models() {
  const std::vector<std::string> all = lattice_names();
  return {
      {{"heisenberg",
        "Heisenberg model of any spin",
        "J sum_<ij> S_i.S_j - h sum_i Sz_i",
        of_spins,
        {spin_parameter(), coupling(), field()},
        all},
       any_spin,
       heisenberg},
      {{"xxz",
        "anisotropic Heisenberg model",
        "J sum_<ij> [(e^(i phase) S+_i S-_j + h.c.)/2 + delta Sz_i Sz_j] - h sum_i Sz_i",
        of_spins,
        {spin_parameter(),
         coupling(),
         {"delta", "anisotropy", 1, "1"},
         {"phase", "phase of the exchange of spins", 0, "radian"},
         field()},
        all},
       any_spin,
       xxz},
      {{"xx",
        "XX model",
        "J sum_<ij> (Sx_i Sx_j + Sy_i Sy_j) - h sum_i Sz_i",
        of_spins,
        {spin_parameter(), coupling(), field()},
        all},
       any_spin,
       xx},
      {{"tfim",
        "Ising model in a transverse field",
        "-J sum_<ij> Z_i Z_j - g sum_i X_i",
        "Pauli matrices",
        {{"j", "coupling; positive is ferromagnetic", 1}, {"g", "field along x", 1}},
        all},
       half_spin,
       tfim},
      {{"j1j2",
        "Heisenberg model with second neighbours",
        "J1 sum_<ij> S_i.S_j + J2 sum_<<ij>> S_i.S_j",
        of_spins,
        {spin_parameter(), {"j1", "coupling of neighbours", 1}, {"j2", "coupling of second neighbours", 0.5}},
        all},
       any_spin,
       j1j2},
      {{"aklt",
        "spin-1 chain of Affleck, Kennedy, Lieb and Tasaki",
        "J sum_<ij> [S_i.S_j + (S_i.S_j)^2 / 3]",
        "spin operators of spin 1",
        {{"j", "coupling", 1}},
        {"chain", "ring"}},
       whole_spin,
       aklt},
      {{"haldane-shastry",
        "inverse-square exchange on a ring",
        "J sum_{i<j} (pi/N)^2 / sin^2(pi (i-j)/N) S_i.S_j",
        of_spins,
        {coupling()},
        {"ring"}},
       half_spin,
       haldane_shastry},
  };
}

std::vector<CatalogueEntry> fermion_models() {
  const std::vector<std::string> all = lattice_names();
  return {
      {{"hubbard",
        "Hubbard model",
        "-t sum_<ij>,s (Cdag_is C_js + h.c.) + U sum_i Nup_i Ndn_i",
        "electrons",
        {{"t", "hopping", 1}, {"u", "repulsion on a site", 4}},
        all},
       electrons,
       hubbard,
       half_filled_electrons},
      {{"spinless-fermions",
        "spinless fermions with repulsion of neighbours",
        "-t sum_<ij> (Cdag_i C_j + h.c.) + V sum_<ij> N_i N_j",
        "spinless fermions",
        {{"t", "hopping", 1}, {"v", "repulsion of neighbours", 0}},
        all},
       fermion,
       spinless_fermions,
       half_filled_fermions},
  };
}

}  // namespace

std::vector<CatalogueEntry> catalogue() {
  std::vector<CatalogueEntry> all = spin_models();
  for (CatalogueEntry& entry : fermion_models()) all.push_back(std::move(entry));
  return all;
}

}  // namespace tyto::hamiltonian
