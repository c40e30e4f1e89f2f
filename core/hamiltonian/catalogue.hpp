#pragma once
/// The models that there are: what people are told of them, and how their terms are made.
#include <map>
#include <vector>
#include "hamiltonian/model.hpp"

namespace tyto::hamiltonian {

using Parameters = std::map<std::string, double>;

struct CatalogueEntry {
  ModelDescription description;
  LocalSpace (*space)(const Parameters&, const Where&);
  std::vector<Term> (*terms)(const Parameters&, const Lattice&);
  std::optional<Shift> (*shift)(const Parameters&, const Lattice&) = nullptr;
};

std::vector<CatalogueEntry> catalogue();

}  // namespace tyto::hamiltonian
