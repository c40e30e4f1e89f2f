#pragma once
/// Hamiltonians by name.
///
///     {name: xxz, sites: 10, delta: 0.5, lattice: chain}
///     const Model m = make_model({.name = "xxz", .lattice = {.sites = 10}, .parameters = {{"delta", 0.5}}});
#include <map>
#include <optional>
#include "hamiltonian/lattice.hpp"
#include "hamiltonian/operator_sum.hpp"

namespace tyto::hamiltonian {

struct ModelParameter {
  std::string name, help;
  double fallback = 0;
  std::string unit = "energy";  ///< "energy" is the unit of all couplings and of the result; "1" has no unit
};

struct ModelDescription {
  std::string name, summary;
  std::string formula;     ///< <ij> runs over neighbours, each pair once; <<ij>> over second neighbours
  std::string convention;  ///< of its operators: "spin operators (S = sigma/2 for spin 1/2)", "Pauli matrices", "fermions"
  std::vector<ModelParameter> parameters;
  std::vector<std::string> lattices;  ///< that it is defined on, the default first
};

/// In the order in which people are told of them.
std::vector<ModelDescription> model_descriptions();
/// Throws Error{unknown_word} with the nearest name.
ModelDescription model_named(const std::string& name, const Where& = {});

/// H as it is run = H of the formula + value * sum of `operator_name` over all sites. The operator commutes with H, so a state with
/// expectation value n of that sum has the energy <H as it is run> - value * n.
struct Shift {
  std::string operator_name;
  double value = 0;
  std::string reason;
};

struct ModelRequest {
  std::string name;
  LatticeRequest lattice = {};
  std::map<std::string, double> parameters = {};  ///< those that were given
  Where where = {};
};

struct Model {
  ModelDescription description;
  std::map<std::string, double> parameters;  ///< all of them
  Lattice lattice;
  OperatorSum sum;                  ///< as it is run, `shift` included
  std::optional<Shift> shift = {};  ///< of models that conserve particles: the half-filled state becomes the lowest of all
};

/// Throws Error: unknown_word for a model, unknown_key for a parameter that the model does not have (with the nearest),
/// out_of_range for values, what make_lattice throws, and contradiction for a lattice that the model is not defined on.
Model make_model(const ModelRequest&);

}  // namespace tyto::hamiltonian
