/// Config and declaration: what the user and the plugin say, checked.
#include <fmt/format.h>
#include "config/check.hpp"
#include "error/fail.hpp"
#include "problem/recorder.hpp"
#include "session/implementation.hpp"
#include "session/switches.hpp"
#include "session/written_objective.hpp"

namespace tyto::inline v1 {
using namespace session;

void Session::Impl::configure(Prepared& p) {
  std::vector<Finding> findings;
  p.config = config::read_run_config(document, findings);
  try {
    if (linked != nullptr) {
      p.plugin = linked;
    } else if (!p.config.algorithm.empty()) {
      p.plugin = &plugin::Catalogue(plugin_folders(p.config)).find(p.config.algorithm, p.config.where_algorithm());
    }
    if (p.config.objective) p.objective = written_objective(p.config);
    if (p.plugin != nullptr)
      p.settings = with_place(p.config.where_algorithm(),
                              [&] { return config::check_settings(p.config, plugin::schema_of(*p.plugin), findings); });
  } catch (const Error& error) {
    findings.insert(findings.end(), error.findings().begin(), error.findings().end());
  }
  for (Finding& unknown : unknown_switches(p.config.plan.switched_off)) {
    unknown.where = p.config.where("plan.switched_off");
    findings.push_back(std::move(unknown));
  }
  config::throw_if_any(std::move(findings));
}

problem::Problem Session::Impl::declare(Prepared& p) {
  const std::vector<problem::Input> known_inputs = described(p.inputs);
  const auto traits = [&](const std::string& name) {
    const config::UnknownConfig user = p.config.unknown(name);
    problem::UserTraits t{.nonnegative = user.nonnegative,
                          .fixed = user.fixed,
                          .ridge = user.ridge,
                          .lower = user.lower,
                          .upper = user.upper,
                          .where = p.config.where("unknowns." + name)};
    if (user.init && user.init->file.empty()) t.init = user.init->word;
    if (user.init && !user.init->file.empty()) t.init_file = user.init->file;
    return t;
  };
  std::function<Expr(Declaration&)> written;
  if (p.objective) written = [&](Declaration& d) { return language::built(*p.objective, d); };
  problem::Recorder recorder(known_inputs, traits, written);
  p.algorithm = plugin::create(*p.plugin);
  plugin::call(*p.plugin, "declare", [&] { p.algorithm->declare(recorder, Settings(p.settings)); });
  return with_context(fmt::format("while taking the declaration of {}", p.plugin->name), [&] { return recorder.finish(); });
}

}  // namespace tyto::inline v1
