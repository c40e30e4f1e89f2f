// Whole sweeps of plugins, as a run does them: updates, error and stopping test.
#include <fmt/format.h>
#include <tyto/session.hpp>
#include "kernel.hpp"

extern "C" const tyto::PluginInfo* tyto_plugin_CpAls(std::uint32_t);
extern "C" const tyto::PluginInfo* tyto_plugin_TuckerHooi(std::uint32_t);

namespace tyto::benchmarks {

namespace {

class Sweep final : public Kernel {
 public:
  Sweep(const PluginInfo& plugin, std::string settings, const Arguments& arguments)
      : plugin_(plugin),
        settings_(std::move(settings)),
        cycle_(static_cast<int>(arguments.integer("cycle"))),
        x_(0, Dtype::f64, Extents(static_cast<std::size_t>(arguments.integer("order")), arguments.integer("s"))) {}

  /// A repetition is a cycle of sweeps, its seconds are those of one sweep. A cycle before them pays for what a run prepares.
  double seconds(int repetitions) override {
    const int sweeps = cycle_ * (repetitions + 1);
    Session session = Session::from_text(fmt::format(
        "{{algorithm: {}, settings: {{{}}}, solver: {{max_sweeps: {}, tolerance: 0}}, plan: {{sweeps_per_cycle: {}}}}}", plugin_.name,
        settings_, sweeps, cycle_));
    double start = 0, end = 0;
    session.use(&plugin_).input("X", x_.view()).on_progress([&](const Progress& progress) {
      if (progress.sweep == cycle_) start = processor_seconds();
      if (progress.sweep == sweeps) end = processor_seconds();
    });
    const Result result = session.run();
    if (result.sweeps != sweeps)
      throw Error({.code = Code::defect, .what = "a run ended before its last sweep", .found = result.outcome.reason});
    return (end - start) / cycle_;
  }

 private:
  const PluginInfo& plugin_;
  std::string settings_;
  int cycle_;
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
