#pragma once
// One sweep of a plugin, each of its block updates and its objective compared with what the residuals alone say.
#include "objectives/least_squares.hpp"
#include "objectives/watched.hpp"

namespace tyto::objectives {

struct Run {
  std::string plugin;
  plain::Tables inputs;
  std::string yaml;
};

inline plain::Tables zeros_like(plain::Tables tables) {
  for (auto& [name, table] : tables) std::fill(table.values.begin(), table.values.end(), 0);
  return tables;
}

/// On both executors. `updates` is how many block updates a sweep has.
inline void check_updates(const Run& run, const Residuals& residuals, std::size_t updates) {
  for (const std::string executor : {"cpu", "reference"}) {
    const Watched w = watched_sweep(run.plugin, run.inputs, run.yaml + "\nexecution: {executor: " + executor + "}");
    BOOST_TEST_CONTEXT(run.plugin << " on " << executor) {
      BOOST_TEST(w.updates.size() == updates);
      for (const Update& u : w.updates) {
        const std::vector<double> expected = minimum_norm_solution(residuals, u.before, u.block);
        BOOST_TEST_CONTEXT("block " << u.block) { BOOST_TEST(plain::distance(u.after, expected) <= 1e-10 * plain::norm(expected)); }
      }
      const double length = plain::norm(residuals(w.last)), at_zero = plain::norm(residuals(zeros_like(w.last)));
      BOOST_TEST(std::abs(std::sqrt(2 * w.result.objective) - length) <= std::max(1e-10 * length, 1e-15 * at_zero));
    }
  }
}

/// As an `unknowns:` section: these tables as starts, in files.
inline std::string starts(const std::string& test, const plain::Tables& tables) {
  const std::string folder = fresh_folder(test);
  std::string yaml = "unknowns:";
  for (const auto& [name, table] : tables) yaml += "\n  " + name + ": {init: {file: " + written(folder, name, table) + "}}";
  return yaml;
}

}  // namespace tyto::objectives
