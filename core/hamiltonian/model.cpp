#include "hamiltonian/model.hpp"
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include "error/fail.hpp"
#include "hamiltonian/catalogue.hpp"

namespace tyto::hamiltonian {

namespace {

Where place(const Where& where, const std::string& name) {
  Where at = where;
  if (at.quote.empty()) at.quote = "model " + name;
  return at;
}

CatalogueEntry entry_named(const std::string& name, const Where& where) {
  std::vector<std::string> names;
  for (CatalogueEntry& entry : catalogue()) {
    if (entry.description.name == name) return entry;
    names.push_back(entry.description.name);
  }
  fail({.code = Code::unknown_word,
        .where = place(where, name),
        .what = fmt::format("no model is called '{}'", name),
        .expected = listed(names),
        .found = name,
        .hint = nearest(name, names)});
}

Parameters all_parameters(const ModelDescription& model, const ModelRequest& request) {
  std::vector<std::string> names;
  Parameters all;
  for (const ModelParameter& p : model.parameters) {
    names.push_back(p.name);
    all[p.name] = p.fallback;
  }
  std::vector<Finding> findings;
  for (const auto& [name, value] : request.parameters) {
    if (all.count(name) == 0)
      findings.push_back({.code = Code::unknown_key,
                          .where = place(request.where, model.name),
                          .what = fmt::format("the model has no parameter '{}'", name),
                          .expected = listed(names),
                          .found = name,
                          .hint = nearest(name, names)});
    else if (!std::isfinite(value))
      findings.push_back({.code = Code::not_finite,
                          .where = place(request.where, model.name),
                          .what = fmt::format("the parameter {} is not finite", name),
                          .expected = "a number",
                          .found = fmt::format("{}", value)});
    all[name] = value;
  }
  if (!findings.empty()) throw Error(std::move(findings));
  return all;
}

Lattice lattice_of(const ModelDescription& model, const ModelRequest& request) {
  LatticeRequest lattice = request.lattice;
  if (lattice.name.empty()) lattice.name = model.lattices.front();
  if (lattice.where.file.empty() && lattice.where.quote.empty()) lattice.where = place(request.where, model.name);
  const std::vector<std::string> all = lattice_names();
  const bool exists = std::find(all.begin(), all.end(), lattice.name) != all.end();
  if (exists && std::find(model.lattices.begin(), model.lattices.end(), lattice.name) == model.lattices.end())
    fail({.code = Code::contradiction,
          .where = lattice.where,
          .what = fmt::format("the model is not defined on the lattice {}", lattice.name),
          .expected = listed(model.lattices),
          .found = lattice.name});
  return make_lattice(lattice);
}

}  // namespace

std::vector<ModelDescription> model_descriptions() {
  std::vector<ModelDescription> all;
  for (const CatalogueEntry& entry : catalogue()) all.push_back(entry.description);
  return all;
}

ModelDescription model_named(const std::string& name, const Where& where) { return entry_named(name, where).description; }

Model make_model(const ModelRequest& request) {
  const CatalogueEntry entry = entry_named(request.name, request.where);
  const ModelDescription& description = entry.description;
  const Parameters parameters = all_parameters(description, request);
  const Lattice lattice = lattice_of(description, request);
  const LocalSpace space = entry.space(parameters, place(request.where, description.name));
  Model model{description, parameters, lattice, {chain_of(space, lattice.sites), entry.terms(parameters, lattice)}};
  if (entry.shift != nullptr) model.shift = entry.shift(parameters, lattice);
  if (model.shift)
    for (std::int64_t site = 1; site <= lattice.sites; ++site)
      model.sum.terms.push_back({model.shift->value, {model.shift->operator_name}, {site}, request.where});
  for (Term& term : model.sum.terms) term.where = request.where;
  return model;
}

}  // namespace tyto::hamiltonian
