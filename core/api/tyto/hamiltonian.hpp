#pragma once
/// Hamiltonians of chains, ladders and whatever else is numbered along a line: from settings to operators that a plugin declares.
///
///     static Schema schema() { return with(hamiltonian_keys(), {schedule("maxdim", ...)}); }
///     const Hamiltonian h(d, settings);
///     const Exprs w = h.operators(d, "H");  // [left][right][out][in], neighbours joined
#include <memory>
#include "tyto/plugin.hpp"

namespace tyto::inline v1 {

/// Keys that say which: `model`, a name with its parameters, or `terms` on `sites` of a `space`.
TYTO_API Schema hamiltonian_keys();
/// `start`: random, or names of states of the sites, repeated along the line.
TYTO_API Key start_key();
/// One schema after the other.
inline Schema with(Schema first, const Schema& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

/// Operators [left][right][out][in] under other labels of their sites.
TYTO_API Exprs on(const Exprs& operators, const Indices& out, const Indices& in);
/// The factors of a product of two operators under these labels, b acting first, as one list.
TYTO_API Exprs product(const Exprs& a, const Exprs& b, const Indices& out, const Indices& in);

/// A sum of products of operators on sites, as a matrix product operator of least bonds, or such an operator from outside. Sites
/// count from 1 for people and from 0 here.
class TYTO_API Hamiltonian {
 public:
  /// Reads hamiltonian_keys(). Error with the place in the run file: unknown models, operators and parameters, sites that do not
  /// exist, sums that are not Hermitian.
  explicit Hamiltonian(const Settings&);
  /// The list of tensors [left][right][out][in] that the run has as data of this name, or by settings where it has none. Of data,
  /// operators and states of sites have no names. Error at the place of the data for what is no matrix product operator, and at
  /// that of settings beside data; that it is Hermitian is seen to where eigenpairs are asked for.
  Hamiltonian(Declaration&, const Settings&, const std::string& input = "H");
  ~Hamiltonian();

  std::int64_t sites() const;
  Field field() const;  ///< real where every entry is
  /// [left][right][out][in], neighbours sharing their bond: constants name[0], name[1], ... of the declaration, or the data.
  Exprs operators(Declaration&, const std::string& name) const;
  /// The same for the sum over all sites of what the model conserves: "particles" or "sz". Empty where no site has such an
  /// operator.
  Exprs total(Declaration&, const std::string& charge) const;
  /// The operator `name` of site k (Sz, N, ...): [out][in]. Real where every entry is. Error{unknown_word} with the nearest,
  /// Error{contradiction} for one that is not Hermitian.
  Expr local(Declaration&, const std::string& name, std::int64_t site) const;
  /// For Declaration::start(), the product state that start_key() names: for each site the vector of its state. Empty for `random`.
  /// Error{unknown_word} with the nearest.
  std::vector<std::vector<double>> product_state(const Settings&) const;
  /// What is run is the Hamiltonian that was asked for plus a multiple of a conserved charge: the energy of the latter for this
  /// value of the charge is that of the former minus shift() times it. 0 for most models.
  double shift() const;
  std::string text() const;  ///< formula, convention and parameters, for people, in one line
 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace tyto::inline v1
