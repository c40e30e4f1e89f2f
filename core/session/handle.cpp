/// The functions of Session: each hands on to the flow.
#include <cmath>
#include <fmt/format.h>
#include "session/implementation.hpp"
#include "text/json.hpp"

namespace tyto::inline v1 {
using namespace session;

Session::Session(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Session::Session(Session&&) noexcept = default;
Session& Session::operator=(Session&&) noexcept = default;
Session::~Session() = default;

Session Session::from_file(const std::string& path) { return Session(std::make_unique<Impl>(config::Document::from_file(path))); }
Session Session::from_text(const std::string& yaml, const std::string& name) {
  return Session(std::make_unique<Impl>(config::Document::from_text(yaml, name)));
}
Session Session::from_checkpoint(const std::string& folder) {
  Checkpoint checkpoint = read_checkpoint(folder);
  auto impl = std::make_unique<Impl>(config::Document::from_text(checkpoint.origin.given, checkpoint_file(folder).string()));
  impl->document.set("output.directory", json_quoted(folder));
  impl->resumed = std::move(checkpoint), impl->resumed_folder = folder;
  return Session(std::move(impl));
}

Session& Session::set(const std::string& key, const std::string& yaml) {
  impl_->document.set(key, yaml);
  return *this;
}
Session& Session::input(const std::string& name, const ConstArray& array) {
  impl_->inputs[name] = array;
  return *this;
}
Session& Session::use(const PluginInfo* plugin) {
  impl_->linked = plugin;
  return *this;
}
Session& Session::on_progress(std::function<void(const Progress&)> observer) {
  impl_->on_progress = std::move(observer);
  return *this;
}
Session& Session::on_message(std::function<void(const std::string&)> observer) {
  impl_->on_message = std::move(observer);
  return *this;
}
Session& Session::interrupt_when(std::function<bool()> asked) {
  impl_->interrupted = std::move(asked);
  return *this;
}

void Session::check() {
  const Prepared p = impl_->prepare();
  if (p.config.output.directory) (void)output_folder(p.config);  // left as it was
}
std::string Session::explain() { return session::explanation(impl_->prepare()); }
std::string Session::analyze() { return session::analysis_text(impl_->prepare()); }
Result Session::run() { return impl_->run(); }

std::vector<std::string> Session::unmet(const Result& r) const {
  const config::RunConfig config = config::read_run_config(impl_->document);
  std::vector<std::string> misses;
  if (!config.expect) return misses;
  const auto compare = [&](const char* name, const std::optional<double>& wanted, double found, double scale) {
    if (wanted && !(std::abs(found - *wanted) <= config.expect->tolerance * scale))
      misses.push_back(
          fmt::format("{} is {:.10g}, expected {:.10g} to {:g}", name, found, *wanted, config.expect->tolerance * scale));
  };
  compare("relative error", config.expect->relative_error, r.relative_error, 1);
  compare("objective", config.expect->objective, r.objective, std::abs(config.expect->objective.value_or(0)));
  return misses;
}

bool Session::requires_convergence() const { return config::read_run_config(impl_->document).solver.require_convergence; }

}  // namespace tyto::inline v1
