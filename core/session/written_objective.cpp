#include "session/written_objective.hpp"

namespace tyto::session {

namespace {

language::Source source_of(const config::Passage& passage) {
  language::Source source{passage.text, passage.where.file, {}};
  for (const config::CharacterPlace& place : passage.places) source.positions.push_back({place.line, place.column});
  return source;
}

}  // namespace

language::Objective written_objective(const config::RunConfig& config) {
  language::Statement statement{.minimize = source_of(config.objective->minimize)};
  for (const auto& [name, value] : config.objective->define) statement.definitions.push_back({source_of(name), source_of(value)});
  for (const auto& [label, extent] : config.objective->extents)
    statement.extents.push_back({label, extent, config.where("extents." + label)});
  for (const std::string& name : config.unknown_names) statement.unknowns.push_back({name, config.where("unknowns." + name)});
  return language::parsed(std::move(statement));
}

std::vector<language::Input> named_in_objective(const std::vector<Loaded>& inputs) {
  std::vector<language::Input> named;
  for (const Loaded& in : inputs)
    named.push_back({in.name, in.values.extents(), in.weights.has_value(), in.where,
                     in.has_named_modes ? in.modes : std::vector<std::string>{}});
  return named;
}

}  // namespace tyto::session
