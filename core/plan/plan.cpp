#include "plan/plan.hpp"
#include <algorithm>
#include <fmt/format.h>
#include "error/fail.hpp"
#include "plan/fuse.hpp"
#include "plan/lifetime.hpp"
#include "plan/lower.hpp"
#include "text/quantity.hpp"

namespace tyto::plan {

namespace {

std::vector<KernelEvent> kernel_events(const Lowered& lowered, const std::vector<Event>& cycle) {
  std::vector<KernelEvent> events;
  const auto leaf_of = [&](graph::NodeId node) {
    const auto at = std::find(lowered.leaves.begin(), lowered.leaves.end(), node);
    return at == lowered.leaves.end() ? program::LeafId{-1} : static_cast<program::LeafId>(at - lowered.leaves.begin());
  };
  for (const Event& event : cycle) {
    KernelEvent e{{}, leaf_of(event.changes)};
    for (const std::string& name : event.outputs)
      for (const Output& output : lowered.outputs)
        if (output.name == name) e.kernels.push_back(output.kernel);
    events.push_back(std::move(e));
  }
  if (events.empty())
    for (const Output& output : lowered.outputs) events.push_back({{output.kernel}, -1});
  return events;
}

/// The largest buffers of the arena, for the error that says what does not fit.
std::string largest_parts(const program::Program& p) {
  std::vector<const program::Buffer*> buffers;
  for (const program::Buffer& b : p.buffers) buffers.push_back(&b);
  const auto bytes = [](const program::Buffer* b) { return element_count(b->extents) * size_of(b->dtype); };
  std::stable_sort(buffers.begin(), buffers.end(),
                   [&](const program::Buffer* a, const program::Buffer* b) { return bytes(a) > bytes(b); });
  std::string text;
  for (std::size_t k = 0; k < std::min<std::size_t>(3, buffers.size()); ++k)
    text += fmt::format("{}{} {}", k == 0 ? "" : ", ", buffers[k]->name, text_of_bytes(bytes(buffers[k])));
  return text;
}

std::int64_t leaf_bytes_of(const program::Program& p) {
  std::int64_t bytes = 0;
  for (const program::Leaf& leaf : p.leaves) bytes += element_count(leaf.extents) * size_of(leaf.dtype);
  return bytes;
}

/// Steps fused and buffers placed. Fused steps may want scratch memory, and values for longer: where that is more than there is,
/// they do without slabs, and stay apart if that takes less.
Lowered fused_within_memory(Lowered lowered, const std::vector<KernelEvent>& cycle, const device::Model& device,
                            const Options& options) {
  const FusionContext context{device, cycle, !options.is_sliced, options.runs_outputs_together};
  const auto placed = [&](const std::vector<std::string>& switched_off) {
    Lowered made = fused(lowered, context, switched_off);
    place(made.program, cycle, options.keeps_outputs, !options.is_sliced);
    return made;
  };
  const auto fits = [&](const Lowered& made) {
    return made.program.arena_bytes + leaf_bytes_of(made.program) <= memory_limit(device, options);
  };
  Lowered together = placed(options.switched_off);
  if (fits(together)) return together;
  if (!together.program.slabs.empty()) {
    std::vector<std::string> without_slabs = options.switched_off;
    without_slabs.push_back("fuse_slabs");
    together = placed(without_slabs);
    if (fits(together)) return together;
  }
  place(lowered.program, cycle, options.keeps_outputs, !options.is_sliced);
  return lowered.program.arena_bytes < together.program.arena_bytes ? lowered : together;
}

/// What steps that run slab by slab take less than one after the other, in one cycle.
double saved_by_slabs(const Plan& plan, const program::Program& p, const device::Model& device) {
  double saved = 0;
  for (const program::Slabs& slabs : p.slabs) {
    const auto times = std::count_if(plan.cycle.begin(), plan.cycle.end(), [&](const Evaluated& evaluated) {
      return std::find(evaluated.computed.begin(), evaluated.computed.end(), slabs.steps.front()) != evaluated.computed.end();
    });
    double once = -device.seconds(slabs, p.steps, p.buffers);
    for (const program::StepId step : slabs.steps)
      once += device.seconds(p.steps[static_cast<std::size_t>(step)].operation, p.buffers);
    saved += static_cast<double>(times) * once;
  }
  return saved;
}

void check_memory(const program::Program& p, std::int64_t leaf_bytes, const device::Model& device, const Options& options) {
  const bool is_set = options.memory_limit > 0;
  const std::int64_t limit = memory_limit(device, options), needed = p.arena_bytes + leaf_bytes;
  if (options.is_trial || needed <= limit) return;
  const std::string who = options.for_library ? "the program" : "the run",
                    option = options.for_library ? "memory_limit" : "execution.memory_limit",
                    smaller = options.for_library ? "smaller extents" : "a smaller rank",
                    shorter = options.for_library ? "precision f32" : "execution.precision: f32";
  fail(Code::memory,
       (is_set ? fmt::format("{} needs more memory than {} allows", who, option)
               : fmt::format("{} needs more memory than this machine has free", who)) +
           (options.is_sliced ? ", even with its products summed in slices" : ""),
       fmt::format("at most {}", text_of_bytes(limit)),
       fmt::format("{}: {} for intermediates, {} for {}; the largest are {}", text_of_bytes(needed), text_of_bytes(p.arena_bytes),
                   text_of_bytes(leaf_bytes), options.for_library ? "bound arrays" : "data and unknowns", largest_parts(p)),
       is_set ? fmt::format("{}, a higher {}, or {}", smaller, option, shorter) : fmt::format("{}, or {}", smaller, shorter));
}

}  // namespace

std::int64_t memory_limit(const device::Model& device, const Options& options) {
  return options.memory_limit > 0 ? options.memory_limit : device.memory_bytes();
}

std::int64_t Plan::needed_bytes() const { return program->arena_bytes + leaf_bytes; }

program::LeafId Plan::leaf(graph::NodeId node) const {
  const auto at = std::find(leaves.begin(), leaves.end(), node);
  return at == leaves.end() ? program::LeafId{-1} : static_cast<program::LeafId>(at - leaves.begin());
}

const Output& Plan::output(const std::string& name) const {
  const auto at = std::find_if(outputs.begin(), outputs.end(), [&](const Output& o) { return o.name == name; });
  TYTO_ASSERT(at != outputs.end());
  return *at;
}

Plan make_plan(const graph::Graph& graph, const device::Model& device, const Options& options) {
  return make_plan(graph, device, options, choose_layouts(graph, device, options));
}

Plan make_plan(const graph::Graph& graph, const device::Model& device, const Options& options, const Layouts& layouts) {
  Lowered lowered = lower(graph, device, options, layouts);
  const std::vector<KernelEvent> cycle = kernel_events(lowered, options.cycle);
  lowered = fused_within_memory(std::move(lowered), cycle, device, options);

  Plan plan{.leaves = lowered.leaves, .outputs = lowered.outputs, .step_nodes = lowered.step_nodes};
  const program::Program& p = lowered.program;
  plan.leaf_bytes = leaf_bytes_of(p);
  plan.cycle = simulated(p, cycle, !options.is_sliced);
  for (const Evaluated& evaluated : plan.cycle) {
    for (const program::StepId step : evaluated.computed) {
      plan.cycle_flops += p.steps[static_cast<std::size_t>(step)].flops;
      plan.seconds += device.seconds(p.steps[static_cast<std::size_t>(step)].operation, p.buffers);
    }
    for (const program::StepId step : p.kernels[static_cast<std::size_t>(evaluated.output)].steps)
      plan.unshared_flops += p.steps[static_cast<std::size_t>(step)].flops;
  }
  plan.seconds -= saved_by_slabs(plan, p, device);
  check_memory(p, plan.leaf_bytes, device, options);
  plan.program = std::make_shared<const program::Program>(std::move(lowered.program));
  return plan;
}

}  // namespace tyto::plan
