#include "solve/snapshot.hpp"
#include <algorithm>
#include <fmt/format.h>

namespace tyto::solve {

namespace {

using tensor::Archive;

/// Every number of a Sweeps by name, for writing and for reading.
template <class S, class Visit>
void for_each_number(S& s, const Visit& visit) {
  visit("sweep", s.sweep);
  visit("is_done", s.is_done);
  visit("previous", s.previous);
  visit("relative_error", s.relative_error);
  visit("first_gradient", s.first_gradient);
  visit("at_zero", s.at_zero);
  visit("last/sweep", s.last.sweep);
  visit("last/objective", s.last.objective);
  visit("last/previous", s.last.previous);
  visit("last/relative_error", s.last.relative_error);
  visit("last/gradient_norm", s.last.gradient_norm);
  visit("last/seconds", s.last.seconds);
  visit("last/parameter_changed", s.last.parameter_changed);
}

void store_number(Archive& archive, const std::string& name, double number) { archive.add(name, number); }
void store_number(Archive& archive, const std::string& name, std::int64_t number) { archive.add(name, number); }
void store_number(Archive& archive, const std::string& name, bool flag) { archive.add(name, std::int64_t{flag}); }
void load_number(const Archive& archive, const std::string& name, double& number) { number = archive.real(name); }
void load_number(const Archive& archive, const std::string& name, std::int64_t& number) { number = archive.integer(name); }
void load_number(const Archive& archive, const std::string& name, bool& flag) { flag = archive.integer(name) != 0; }

void store_optional(const std::optional<Outcome>& outcome, const std::string& name, Archive& archive) {
  if (outcome) store(*outcome, name, archive);
}
std::optional<Outcome> stored_optional(const std::string& name, const Archive& archive) {
  if (!archive.has(name + "/stop")) return std::nullopt;
  return stored_outcome(name, archive);
}

void store_sweeps(const Sweeps& sweeps, const std::string& name, Archive& archive) {
  for_each_number(sweeps, [&](const char* member, const auto& number) { store_number(archive, name + member, number); });
  store(sweeps.outcome, name + "outcome", archive);
  store_optional(sweeps.end, name + "end", archive);
  store_optional(sweeps.end_as, name + "end_as", archive);
  store_optional(sweeps.last.end, name + "last/end", archive);
  store_optional(sweeps.last_as, name + "last_as", archive);
}

Sweeps stored_sweeps(const std::string& name, const Archive& archive) {
  Sweeps sweeps;
  for_each_number(sweeps, [&](const char* member, auto& number) { load_number(archive, name + member, number); });
  sweeps.outcome = stored_outcome(name + "outcome", archive);
  sweeps.end = stored_optional(name + "end", archive);
  sweeps.end_as = stored_optional(name + "end_as", archive);
  sweeps.last.end = stored_optional(name + "last/end", archive);
  sweeps.last_as = stored_optional(name + "last_as", archive);
  return sweeps;
}

tensor::Dense matrix_of(const std::vector<double>& values, std::int64_t rows, std::int64_t columns) {
  return tensor::Dense::copy(ConstArray(values.data(), {rows, columns}));
}
std::vector<double> values_of(const tensor::Dense& array) {
  const auto* const values = array.view().as<double>();
  return {values, values + array.size()};
}

void store_arrays(const std::vector<std::pair<std::int32_t, tensor::Dense>>& arrays, const std::string& name, Archive& archive) {
  archive.add(name + "count", static_cast<std::int64_t>(arrays.size()));
  for (std::size_t k = 0; k < arrays.size(); ++k) {
    archive.add(fmt::format("{}{}/number", name, k), std::int64_t{arrays[k].first});
    archive.add(fmt::format("{}{}/values", name, k), arrays[k].second);
  }
}
std::vector<std::pair<std::int32_t, tensor::Dense>> stored_arrays(const std::string& name, const Archive& archive) {
  std::vector<std::pair<std::int32_t, tensor::Dense>> arrays;
  for (std::int64_t k = 0; k < archive.integer(name + "count"); ++k)
    arrays.emplace_back(static_cast<std::int32_t>(archive.integer(fmt::format("{}{}/number", name, k))),
                        archive.array(fmt::format("{}{}/values", name, k)));
  return arrays;
}

void store_turns(const std::vector<Turn::Kept>& turns, Archive& archive) {
  std::vector<double> numbers;
  for (const Turn::Kept& t : turns)
    for (const std::int64_t number : {t.last, t.sweep, t.taken, std::int64_t{t.is_current}})
      numbers.push_back(static_cast<double>(number));
  archive.add("solve/turns", matrix_of(numbers, static_cast<std::int64_t>(turns.size()), 4));
}
std::vector<Turn::Kept> stored_turns(const Archive& archive) {
  const std::vector<double> numbers = values_of(archive.array("solve/turns"));
  const auto whole = [&](std::size_t k) { return static_cast<std::int64_t>(numbers[k]); };
  std::vector<Turn::Kept> turns;
  for (std::size_t k = 0; k < numbers.size(); k += 4) turns.push_back({whole(k), whole(k + 1), whole(k + 2), whole(k + 3) != 0});
  return turns;
}

void store_gauge(const Gauge& g, const std::string& name, Archive& archive) {
  archive.add(name + "centre", g.centre);
  archive.add(name + "objective", std::int64_t{g.objective});
  archive.add(name + "entropies", matrix_of(g.entropies, 1, static_cast<std::int64_t>(g.entropies.size())));
  archive.add(name + "before", matrix_of(g.before, 1, static_cast<std::int64_t>(g.before.size())));
}

Gauge stored_gauge(const std::string& name, const Archive& archive) {
  return {archive.integer(name + "centre"), static_cast<std::int32_t>(archive.integer(name + "objective")),
          values_of(archive.array(name + "entropies")), values_of(archive.array(name + "before"))};
}

}  // namespace

void store(const Outcome& outcome, const std::string& name, Archive& archive) {
  archive.add(name + "/stop", static_cast<std::int64_t>(outcome.stop));
  archive.add(name + "/reason", outcome.reason);
}
Outcome stored_outcome(const std::string& name, const Archive& archive) {
  return {static_cast<Stop>(archive.integer(name + "/stop")), archive.text(name + "/reason")};
}

void store(const std::vector<Progress>& rows, const std::string& name, Archive& archive) {
  std::vector<std::string> columns;
  std::vector<double> numbers;
  if (!rows.empty())
    for (const auto& [column, value] : rows.front().columns) columns.push_back(column);
  for (const Progress& row : rows) {
    numbers.insert(numbers.end(), {static_cast<double>(row.start), static_cast<double>(row.sweep), row.objective,
                                   row.relative_error, row.change, row.seconds});
    for (const auto& [column, value] : row.columns) numbers.push_back(value);
  }
  archive.add(name + "/columns", columns);
  archive.add(name + "/rows",
              matrix_of(numbers, static_cast<std::int64_t>(rows.size()), 6 + static_cast<std::int64_t>(columns.size())));
}

std::vector<Progress> stored_rows(const std::string& name, const Archive& archive) {
  const std::vector<std::string> columns = archive.texts(name + "/columns");
  const std::vector<double> numbers = values_of(archive.array(name + "/rows"));
  const std::size_t width = 6 + columns.size();
  std::vector<Progress> rows;
  for (std::size_t k = 0; k < numbers.size(); k += width) {
    Progress row{.start = static_cast<int>(numbers[k]),
                 .sweep = static_cast<std::int64_t>(numbers[k + 1]),
                 .objective = numbers[k + 2],
                 .relative_error = numbers[k + 3],
                 .change = numbers[k + 4],
                 .seconds = numbers[k + 5]};
    for (std::size_t c = 0; c < columns.size(); ++c) row.columns.emplace_back(columns[c], numbers[k + 6 + c]);
    rows.push_back(std::move(row));
  }
  return rows;
}

void store(const Snapshot& s, Archive& archive) {
  archive.add("solve/objective", std::int64_t{s.objective});
  archive.add("solve/part", s.part);
  archive.add("solve/start", std::int64_t{s.start});
  archive.add("solve/seed", static_cast<std::int64_t>(s.seed));
  archive.add("solve/drawn", s.drawn);
  archive.add("solve/parameter_changed", std::int64_t{s.parameter_changed});
  archive.add("solve/seconds", s.seconds);
  archive.add("solve/objectives", static_cast<std::int64_t>(s.sweeps.size()));
  for (std::size_t f = 0; f < s.sweeps.size(); ++f) store_sweeps(s.sweeps[f], fmt::format("solve/sweeps/{}/", f), archive);
  archive.add("solve/columns", matrix_of(s.columns, 1, static_cast<std::int64_t>(s.columns.size())));
  store(s.history, "solve/history", archive);
  archive.add("solve/warnings", s.warnings);
  store_arrays(s.tensors, "solve/tensors/", archive);
  archive.add("solve/gauges", static_cast<std::int64_t>(s.gauges.size()));
  for (std::size_t k = 0; k < s.gauges.size(); ++k) store_gauge(s.gauges[k], fmt::format("solve/gauges/{}/", k), archive);
  store_turns(s.turns, archive);
  store_arrays(s.values, "solve/values/", archive);
}

Snapshot stored_snapshot(const Archive& archive) {
  Snapshot s{.objective = static_cast<std::int32_t>(archive.integer("solve/objective")),
             .start = static_cast<int>(archive.integer("solve/start")),
             .seed = static_cast<std::uint64_t>(archive.integer("solve/seed")),
             .drawn = archive.integer("solve/drawn"),
             .parameter_changed = archive.integer("solve/parameter_changed") != 0,
             .seconds = archive.real("solve/seconds")};
  if (archive.has("solve/part")) s.part = archive.integer("solve/part");
  for (std::int64_t f = 0; f < archive.integer("solve/objectives"); ++f)
    s.sweeps.push_back(stored_sweeps(fmt::format("solve/sweeps/{}/", f), archive));
  s.columns = values_of(archive.array("solve/columns"));
  s.history = stored_rows("solve/history", archive);
  s.warnings = archive.texts("solve/warnings");
  s.tensors = stored_arrays("solve/tensors/", archive);
  for (std::int64_t k = 0; archive.has("solve/gauges") && k < archive.integer("solve/gauges"); ++k)
    s.gauges.push_back(stored_gauge(fmt::format("solve/gauges/{}/", k), archive));
  s.turns = stored_turns(archive);
  s.values = stored_arrays("solve/values/", archive);
  return s;
}

}  // namespace tyto::solve
