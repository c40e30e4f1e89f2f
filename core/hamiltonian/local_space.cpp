#include "hamiltonian/local_space.hpp"
#include <cmath>
#include <fmt/format.h>
#include "error/fail.hpp"

namespace tyto::hamiltonian {

namespace {

const Complex half_i{0, 0.5};

/// "1", "3/2", "-1/2"
std::string halves(std::int64_t twice) { return twice % 2 == 0 ? fmt::format("{}", twice / 2) : fmt::format("{}/2", twice); }

/// S+ in the states m = S, S-1, ...: <m+1|S+|m> = sqrt(S(S+1) - m(m+1)) = sqrt(k (2S-k+1)) at m = S-k, a root of an integer.
LocalMatrix raising(std::int64_t twice_spin) {
  LocalMatrix raise(twice_spin + 1);
  for (std::int64_t k = 1; k <= twice_spin; ++k) raise(k - 1, k) = std::sqrt(static_cast<double>(k * (twice_spin - k + 1)));
  return raise;
}

/// Sx, Sy, Sz, S+ and S- from S+ and Sz.
void add_spin_operators(LocalSpace& space, const LocalMatrix& raise, const LocalMatrix& sz) {
  const LocalMatrix lower = adjoint(raise);
  space.operators.push_back({"Sx", "Sx", Complex{0.5} * (raise + lower)});
  space.operators.push_back({"Sy", "Sy", -half_i * (raise + Complex{-1} * lower)});
  space.operators.push_back({"Sz", "Sz", sz});
  space.operators.push_back({"S+", "S-", raise});
  space.operators.push_back({"S-", "S+", lower});
}

void add_identity_and_sign(LocalSpace& space) {
  std::vector<double> signs;
  for (const BasisState& state : space.states) signs.push_back(state.particles % 2 == 0 ? 1 : -1);
  space.operators.push_back({"Id", "Id", LocalMatrix::identity(space.dimension())});
  space.operators.push_back({"F", "F", LocalMatrix::diagonal(signs)});
}

}  // namespace

std::int64_t LocalSpace::find(const std::string& wanted) const {
  for (std::size_t k = 0; k < operators.size(); ++k)
    if (operators[k].name == wanted) return static_cast<std::int64_t>(k);
  return -1;
}

std::vector<std::string> LocalSpace::names() const {
  std::vector<std::string> all;
  for (const LocalOperator& o : operators) all.push_back(o.name);
  return all;
}

std::vector<std::string> LocalSpace::states_named() const {
  std::vector<std::string> all;
  for (const BasisState& s : states) all.push_back(s.label);
  return all;
}

std::int64_t LocalSpace::find_state(const std::string& wanted) const {
  for (std::size_t k = 0; k < states.size(); ++k)
    if (states[k].label == wanted) return static_cast<std::int64_t>(k);
  if (!particles_operator.empty()) return -1;
  return wanted == "up" ? 0 : wanted == "down" ? dimension() - 1 : -1;
}

LocalSpace spin(std::int64_t twice_spin, const Where& where) {
  constexpr std::int64_t largest = 200;  // a site of 201 states has matrices of 40,000 numbers
  if (twice_spin < 1 || twice_spin > largest)
    fail({.code = Code::out_of_range,
          .where = where,
          .what = "no site has this spin",
          .expected = fmt::format("1/2, 1, 3/2, ... up to {}", halves(largest)),
          .found = halves(twice_spin)});
  LocalSpace space{.name = "spin-" + halves(twice_spin), .states = {}, .operators = {}, .sz_operator = "Sz"};
  std::vector<double> sz;
  for (std::int64_t twice_m = twice_spin; twice_m >= -twice_spin; twice_m -= 2) {
    space.states.push_back({twice_spin > 1 ? "m=" + halves(twice_m) : twice_m > 0 ? "up" : "down", 0, twice_m});
    sz.push_back(0.5 * static_cast<double>(twice_m));
  }
  add_identity_and_sign(space);
  add_spin_operators(space, raising(twice_spin), LocalMatrix::diagonal(sz));
  if (twice_spin == 1)
    for (const char* name : {"X", "Y", "Z"}) {
      const std::string of_spin = std::string("S") + static_cast<char>(name[0] - 'X' + 'x');
      space.operators.push_back({name, name, Complex{2} * space.operators[static_cast<std::size_t>(space.find(of_spin))].matrix});
    }
  return space;
}

LocalSpace spinless_fermion() {
  LocalSpace space{
      .name = "spinless-fermion", .states = {{"empty", 0, 0}, {"full", 1, 0}}, .operators = {}, .particles_operator = "N"};
  add_identity_and_sign(space);
  LocalMatrix annihilate(2);
  annihilate(0, 1) = 1;
  space.operators.push_back({"C", "Cdag", annihilate, true});
  space.operators.push_back({"Cdag", "C", adjoint(annihilate), true});
  space.operators.push_back({"N", "N", LocalMatrix::diagonal({0, 1})});
  return space;
}

LocalSpace electron() {
  LocalSpace space{.name = "electron",
                   .states = {{"empty", 0, 0}, {"up", 1, 1}, {"down", 1, -1}, {"both", 2, 0}},
                   .operators = {},
                   .particles_operator = "Ntot",
                   .sz_operator = "Sz"};
  add_identity_and_sign(space);
  LocalMatrix up(4), down(4);
  up(0, 1) = up(2, 3) = 1;
  down(0, 2) = 1;
  down(1, 3) = -1;  // it passes Cdagup
  const LocalMatrix raise = adjoint(up) * down, n_up = adjoint(up) * up, n_down = adjoint(down) * down;
  space.operators.push_back({"Cup", "Cdagup", up, true});
  space.operators.push_back({"Cdagup", "Cup", adjoint(up), true});
  space.operators.push_back({"Cdn", "Cdagdn", down, true});
  space.operators.push_back({"Cdagdn", "Cdn", adjoint(down), true});
  space.operators.push_back({"Nup", "Nup", n_up});
  space.operators.push_back({"Ndn", "Ndn", n_down});
  space.operators.push_back({"Ntot", "Ntot", n_up + n_down});
  space.operators.push_back({"NupNdn", "NupNdn", n_up * n_down});
  space.operators.push_back({"Sz", "Sz", Complex{0.5} * (n_up + Complex{-1} * n_down)});
  space.operators.push_back({"S+", "S-", raise});
  space.operators.push_back({"S-", "S+", adjoint(raise)});
  return space;
}

LocalSpace space_named(const std::string& name, const Where& where) {
  if (name == "spinless-fermion") return spinless_fermion();
  if (name == "electron") return electron();
  for (std::int64_t twice = 1; twice <= 20; ++twice)
    if (name == "spin-" + halves(twice)) return spin(twice, where);
  const std::vector<std::string> names{"spin-1/2", "spin-1", "spin-3/2", "spinless-fermion", "electron"};
  fail({.code = Code::unknown_word,
        .where = where,
        .what = fmt::format("no kind of site is called '{}'", name),
        .expected = "spin-1/2, spin-1, spin-3/2, ..., spinless-fermion or electron",
        .found = name,
        .hint = nearest(name, names)});
}

std::vector<LocalSpace> chain_of(const LocalSpace& space, std::int64_t sites) {
  return std::vector<LocalSpace>(static_cast<std::size_t>(sites), space);
}

}  // namespace tyto::hamiltonian
