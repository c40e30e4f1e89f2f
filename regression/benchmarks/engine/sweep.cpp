// Whole sweeps of plugins, as a run does them: updates, error and stopping test.
#include <regex>
#include <sstream>
#include <fmt/format.h>
#include <tyto/session.hpp>
#include "kernel.hpp"

extern "C" const tyto::PluginInfo* tyto_plugin_CpAls(std::uint32_t);
extern "C" const tyto::PluginInfo* tyto_plugin_TuckerHooi(std::uint32_t);

namespace tyto::benchmarks {

namespace {

/// Of the steps of a cycle, as `explain --analyze` tells them.
struct StepSeconds {
  double products = 0, others = 0;
};

StepSeconds step_seconds(const std::string& analysis) {
  // A step ends with its times in microseconds, predicted and measured, their ratio, Gflop/s, and the class of its kernel.
  static const std::regex step(R"(\d+\.\d+ +(\d+\.\d+) +\d+\.\d+ +\d+\.\d+ +([a-z].*)$)");
  StepSeconds seconds;
  std::istringstream lines(analysis);
  for (std::string line; std::getline(lines, line);) {
    std::smatch found;
    if (!std::regex_search(line, found, step)) continue;
    const std::string kernel = found[2];
    const auto is = [&](const char* name) { return kernel.find(name) != std::string::npos; };
    const bool is_product = is("gemm") || is("gemv") || is("small products");
    (is_product ? seconds.products : seconds.others) += 1e-6 * std::stod(found[1]);
  }
  if (seconds.products == 0) throw Error({.code = Code::defect, .what = "an analysis without matrix products"});
  return seconds;
}

class Sweep final : public Kernel {
 public:
  Sweep(const PluginInfo& plugin, std::string settings, const Arguments& arguments)
      : plugin_(plugin),
        settings_(std::move(settings)),
        cycle_(static_cast<int>(arguments.integer("cycle"))),
        has_parts_(arguments.has("parts")),
        x_(0, Dtype::f64, Extents(static_cast<std::size_t>(arguments.integer("order")), arguments.integer("s"))) {}

  /// A repetition is a cycle of sweeps, its seconds are those of one sweep. A cycle before them pays for what a run prepares.
  double seconds(int repetitions) override {
    const int sweeps = cycle_ * (repetitions + 1);
    Session session = session_of(sweeps);
    double start = 0, end = 0;
    session.on_progress([&](const Progress& progress) {
      if (progress.sweep == cycle_) start = processor_seconds();
      if (progress.sweep == sweeps) end = processor_seconds();
    });
    const Result result = session.run();
    if (result.sweeps != sweeps)
      throw Error({.code = Code::defect, .what = "a run ended before its last sweep", .found = result.outcome.reason});
    return (end - start) / cycle_;
  }

  /// "product seconds" and "other step seconds" of one sweep; what the sweep takes beside them is done outside of the plan.
  std::vector<std::pair<std::string, double>> facts() override {
    if (!has_parts_) return {};
    const StepSeconds seconds = step_seconds(session_of(cycle_).analyze());
    return {{"product seconds", seconds.products / cycle_}, {"other step seconds", seconds.others / cycle_}};
  }

 private:
  Session session_of(int sweeps) const {
    Session session = Session::from_text(fmt::format(
        "{{algorithm: {}, settings: {{{}}}, solver: {{max_sweeps: {}, tolerance: 0}}, plan: {{sweeps_per_cycle: {}}}}}", plugin_.name,
        settings_, sweeps, cycle_));
    session.use(&plugin_).input("X", x_.view());
    return session;
  }

  const PluginInfo& plugin_;
  std::string settings_;
  int cycle_;
  bool has_parts_;
  Values x_;
};

}  // namespace

std::unique_ptr<Kernel> sweep(const Arguments& arguments) {
  return std::make_unique<Sweep>(*tyto_plugin_CpAls(0), fmt::format("rank: {}", arguments.integer("rank")), arguments);
}

std::unique_ptr<Kernel> tucker_sweep(const Arguments& arguments) {
  return std::make_unique<Sweep>(*tyto_plugin_TuckerHooi(0), fmt::format("ranks: {}", arguments.integer("rank")), arguments);
}

}  // namespace tyto::benchmarks
