// From each large tensor and each of its axes: steps that run when the others run and know the axis join, one by one, while the
// device model says that all together take less time.
#include "plan/fuse_slabs.hpp"
#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include "plan/slab_order.hpp"
#include "program/slabs.hpp"

namespace tyto::plan {

using program::BufferId;
using program::Slabs;
using program::StepId;

namespace {

constexpr int most_trials = 600;     // of a step in a group, for one plan
constexpr double least_gain = 0.03;  // of the time of the steps one after the other

std::size_t at(std::int32_t id) { return static_cast<std::size_t>(id); }

/// One memory, however many buffers view it, and a step through it: what an axis is wherever it is read.
struct Axis {
  bool is_leaf = false;
  std::int32_t memory = -1;
  std::int64_t stride = 0;
  auto operator<=>(const Axis&) const = default;
};

/// A buffer as some step reads or writes it.
struct Touched {
  BufferId buffer;
  std::int32_t axis;  ///< of the slabs, -1: whole
};

class SlabSearch {
 public:
  SlabSearch(const Lowered& lowered, const FusionContext& context)
      : lowered_(lowered), program_(lowered_.program), context_(context), when_(program_.steps.size()) {
    for (const Evaluated& evaluated : simulated(program_, context.cycle, context.keeps_slices))
      for (const StepId step : evaluated.computed)
        when_[at(step)].emplace_back(evaluated.event, context.joins_outputs ? 0 : evaluated.output);
    makers_.assign(program_.buffers.size(), -1);
    for (StepId id = 0; id < static_cast<StepId>(program_.steps.size()); ++id) makers_[at(program::output_of(operation(id)))] = id;
  }

  Lowered run() {
    for (const auto& [bytes, axes] : seeds()) {
      if (trials_ > most_trials) break;
      Group best;
      for (const Axis& axis : axes)
        if (Group group = grown(axis); group.gain > best.gain) best = std::move(group);
      if (best.gain > 0) groups_.push_back(std::move(best));
    }
    return finished();
  }

 private:
  struct Group {
    Slabs slabs;
    double seconds = 0, gain = 0;
    std::set<Axis> axes;  ///< along which what the steps read and write is cut
  };

  const program::Operation& operation(StepId id) const { return program_.steps[at(id)].operation; }
  const program::Buffer& buffer(BufferId id) const { return program_.buffers[at(id)]; }
  std::int64_t bytes_of(BufferId id) const { return element_count(buffer(id).extents) * size_of(buffer(id).dtype); }

  Axis axis_of(BufferId id, std::int32_t axis) const {
    const program::Buffer& b = buffer(id);
    const bool is_leaf = b.storage == program::Storage::leaf;
    return {is_leaf, is_leaf ? b.leaf : id, b.strides[static_cast<std::size_t>(axis)]};
  }

  /// Axes of each memory that does not stay near, the largest memory first.
  std::vector<std::pair<std::int64_t, std::set<Axis>>> seeds() const {
    std::map<std::pair<bool, std::int32_t>, std::pair<std::int64_t, std::set<Axis>>> found;
    for (BufferId id = 0; id < static_cast<BufferId>(program_.buffers.size()); ++id) {
      if (buffer(id).storage == program::Storage::constant || bytes_of(id) <= context_.device.near_bytes()) continue;
      for (std::int32_t k = 0; k < static_cast<std::int32_t>(buffer(id).extents.size()); ++k) {
        const Axis axis = axis_of(id, k);
        if (buffer(id).extents[at(k)] < 2 || axis.stride == 0) continue;
        auto& [bytes, axes] = found[{axis.is_leaf, axis.memory}];
        bytes = std::max(bytes, bytes_of(id));
        axes.insert(axis);
      }
    }
    std::vector<std::pair<std::int64_t, std::set<Axis>>> seeds;
    for (const auto& [memory, seed] : found) seeds.push_back(seed);
    std::stable_sort(seeds.begin(), seeds.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    return seeds;
  }

  bool is_free(StepId id) const {
    return !when_[at(id)].empty() && std::none_of(groups_.begin(), groups_.end(), [id](const Group& group) {
      return std::find(group.slabs.steps.begin(), group.slabs.steps.end(), id) != group.slabs.steps.end();
    });
  }

  /// Steps that read or write one of the memories along its axis, with the labels that these have there.
  std::vector<std::pair<StepId, einsum::Label>> touching(const std::set<Axis>& axes) const {
    std::vector<std::pair<StepId, einsum::Label>> found;
    for (StepId id = 0; id < static_cast<StepId>(program_.steps.size()); ++id) {
      if (!is_free(id)) continue;
      std::set<einsum::Label> labels;
      for (const program::Operand& operand : labelled(id))
        for (std::size_t k = 0; k < operand.labels.size(); ++k)
          if (axes.contains(axis_of(operand.buffer, static_cast<std::int32_t>(k)))) labels.insert(operand.labels[k]);
      for (const einsum::Label label : labels) found.emplace_back(id, label);
    }
    return found;
  }
  std::vector<program::Operand> labelled(StepId id) const {
    std::vector<program::Operand> operands;
    const auto collect = [&](const auto& step) { operands = step.inputs, operands.push_back(step.out); };
    if (const auto* contraction = std::get_if<program::Contraction>(&operation(id))) collect(*contraction);
    if (const auto* elementwise = std::get_if<program::Elementwise>(&operation(id))) collect(*elementwise);
    return operands;
  }
  /// All that the step reads, then what it writes; nothing if it cannot run in slabs along the label.
  std::vector<Touched> touched(StepId id, einsum::Label label) const {
    const std::optional<program::SlabAxes> axes = program::slab_axes(operation(id), label, program_.buffers);
    if (!axes) return {};
    std::vector<Touched> all;
    const std::vector<BufferId> inputs = program::inputs_of(operation(id));
    for (std::size_t k = 0; k < inputs.size(); ++k) all.push_back({inputs[k], axes->inputs[k]});
    all.push_back({program::output_of(operation(id)), axes->out});
    return all;
  }

  /// Whether what the step shares with the others is cut alike, and is complete when it is read.
  bool fits(const Group& group, StepId id, einsum::Label label) const {
    const std::vector<Touched> all = touched(id, label);
    if (all.empty()) return false;
    const auto is_member = [&](StepId step) {
      const std::vector<StepId>& steps = group.slabs.steps;
      return step == id || std::find(steps.begin(), steps.end(), step) != steps.end();
    };
    std::vector<std::vector<Touched>> each{all};
    for (std::size_t k = 0; k < group.slabs.steps.size(); ++k) {
      if (when_[at(group.slabs.steps[k])] != when_[at(id)]) return false;
      each.push_back(touched(group.slabs.steps[k], group.slabs.labels[k]));
    }
    std::map<BufferId, std::int32_t> made;
    for (const std::vector<Touched>& one : each) made[one.back().buffer] = one.back().axis;
    for (const std::vector<Touched>& one : each) {
      const bool reads_well = std::all_of(one.begin(), one.end() - 1, [&](const Touched& t) {
        return makers_[at(t.buffer)] < 0 || !is_member(makers_[at(t.buffer)]) || (t.axis >= 0 && made.at(t.buffer) == t.axis);
      });
      const bool has_extent = std::all_of(one.begin(), one.end(), [&](const Touched& t) {
        return t.axis < 0 || buffer(t.buffer).extents[at(t.axis)] == group.slabs.extent;
      });
      if (!reads_well || !has_extent) return false;
    }
    return true;
  }

  Group with(const Group& group, StepId id, einsum::Label label) const {
    Group larger = group;
    const auto place = std::lower_bound(larger.slabs.steps.begin(), larger.slabs.steps.end(), id) - larger.slabs.steps.begin();
    larger.slabs.steps.insert(larger.slabs.steps.begin() + place, id);
    larger.slabs.labels.insert(larger.slabs.labels.begin() + place, label);
    for (const Touched& t : touched(id, label))
      if (t.axis >= 0 && buffer(t.buffer).strides[at(t.axis)] != 0) larger.axes.insert(axis_of(t.buffer, t.axis));
    return larger;
  }

  bool has_order(const Group& group) const {
    std::vector<std::vector<StepId>> all;
    for (const Group& other : groups_) all.push_back(other.slabs.steps);
    all.push_back(group.slabs.steps);
    return order_with(program_, all).has_value();
  }

  /// Sets the block with which the steps take the least time; false if they do not fit the device.
  bool cut(Group& group) {
    std::map<std::pair<bool, std::int32_t>, std::int64_t> moving, whole;  // bytes by memory
    for (std::size_t k = 0; k < group.slabs.steps.size(); ++k)
      for (const Touched& t : touched(group.slabs.steps[k], group.slabs.labels[k])) {
        const bool is_leaf = buffer(t.buffer).storage == program::Storage::leaf;
        (t.axis >= 0 ? moving : whole)[{is_leaf, is_leaf ? buffer(t.buffer).leaf : t.buffer}] = bytes_of(t.buffer);
      }
    std::int64_t of_position = 1, of_all = 0;
    for (const auto& [memory, bytes] : moving) of_position += bytes / group.slabs.extent;
    for (const auto& [memory, bytes] : whole) of_all += bytes;
    group.seconds = std::numeric_limits<double>::infinity();
    std::int64_t tried = 0;
    for (const std::int64_t share : {1, 4}) {
      const std::int64_t room = share * context_.device.near_bytes() - of_all;
      if (room <= 0) continue;  // what every slab goes over would come from far each time
      const std::int64_t block = std::clamp<std::int64_t>(room / of_position, 1, (group.slabs.extent + 1) / 2);
      if (block == tried) continue;
      tried = block;
      Slabs slabs = group.slabs;
      slabs.block = block;
      const double seconds = context_.device.seconds(slabs, program_.steps, program_.buffers);
      if (seconds < group.seconds) group.seconds = seconds, group.slabs.block = block;
    }
    return group.seconds < std::numeric_limits<double>::infinity();
  }

  double alone(StepId id) const { return context_.device.seconds(operation(id), program_.buffers); }

  /// From one step on: whoever touches what is cut so far and makes the whole cheaper.
  Group grown(const Axis& axis) {
    Group group;
    if (trials_ > most_trials) return group;
    group.axes.insert(axis);
    double apart = 0;
    for (bool has_grown = true; has_grown;) {
      has_grown = false;
      for (const auto& [id, label] : touching(group.axes)) {
        if (std::find(group.slabs.steps.begin(), group.slabs.steps.end(), id) != group.slabs.steps.end()) continue;
        if (group.slabs.steps.empty()) group.slabs.extent = extent_of(id, label);
        if (++trials_ > most_trials) return {};
        if (!fits(group, id, label)) continue;
        Group larger = with(group, id, label);
        const bool is_first = group.slabs.steps.empty();
        if (!is_first && (!cut(larger) || larger.seconds >= group.seconds + alone(id) || !has_order(larger))) continue;
        if (is_first) larger.seconds = alone(id);
        apart += alone(id);
        group = std::move(larger);
        has_grown = true;
      }
    }
    const bool is_one = group.slabs.steps.size() < 2;
    group.gain = is_one || group.seconds > (1 - least_gain) * apart ? 0 : apart - group.seconds;
    return group;
  }
  std::int64_t extent_of(StepId id, einsum::Label label) const {
    for (const program::Operand& operand : labelled(id))
      for (std::size_t k = 0; k < operand.labels.size(); ++k)
        if (operand.labels[k] == label) return buffer(operand.buffer).extents[k];
    return 0;
  }

  /// The kernels of each event whose steps share slabs, as one run.
  void join_kernels(program::Program& p) const {
    for (const KernelEvent& event : context_.cycle) {
      program::Joined joined{event.kernels, {}};
      std::sort(joined.kernels.begin(), joined.kernels.end());
      joined.kernels.erase(std::unique(joined.kernels.begin(), joined.kernels.end()), joined.kernels.end());
      for (const std::int32_t kernel : joined.kernels)
        joined.steps.insert(joined.steps.end(), p.kernels[at(kernel)].steps.begin(), p.kernels[at(kernel)].steps.end());
      std::sort(joined.steps.begin(), joined.steps.end());
      joined.steps.erase(std::unique(joined.steps.begin(), joined.steps.end()), joined.steps.end());
      const auto holds = [](const std::vector<StepId>& steps, const Slabs& slabs) {
        return std::includes(steps.begin(), steps.end(), slabs.steps.begin(), slabs.steps.end());
      };
      const bool is_shared = std::any_of(p.slabs.begin(), p.slabs.end(), [&](const Slabs& slabs) {
        return holds(joined.steps, slabs) && std::none_of(joined.kernels.begin(), joined.kernels.end(), [&](std::int32_t kernel) {
                 return holds(p.kernels[at(kernel)].steps, slabs);
               });
      });
      const bool is_known = std::any_of(p.joined.begin(), p.joined.end(),
                                        [&](const program::Joined& known) { return known.kernels == joined.kernels; });
      if (!is_shared || is_known) continue;
      p.joined.push_back(std::move(joined));
    }
  }

  Lowered finished() const {
    Lowered result = lowered_;
    if (groups_.empty()) return result;
    std::vector<std::vector<StepId>> all;
    for (const Group& group : groups_) all.push_back(group.slabs.steps);
    const std::vector<StepId> order = order_with(program_, all).value();
    reorder(result.program, order);
    for (std::size_t k = 0; k < order.size(); ++k) result.step_nodes[k] = lowered_.step_nodes[at(order[k])];
    for (const Group& group : groups_) {
      Slabs slabs = group.slabs;
      for (StepId& id : slabs.steps) id = static_cast<StepId>(std::find(order.begin(), order.end(), id) - order.begin());
      const std::int64_t scratch = context_.device.scratch_bytes(slabs, result.program.steps, result.program.buffers);
      for (const StepId id : slabs.steps)
        result.program.steps[at(id)].scratch_bytes = std::max(result.program.steps[at(id)].scratch_bytes, scratch);
      result.program.slabs.push_back(std::move(slabs));
    }
    if (context_.joins_outputs) join_kernels(result.program);
    return result;
  }

  const Lowered& lowered_;
  const program::Program& program_;
  const FusionContext& context_;
  std::vector<std::vector<std::pair<std::int32_t, std::int32_t>>> when_;  // per step: the evaluations that compute it
  std::vector<StepId> makers_;                                            // per buffer
  std::vector<Group> groups_;
  int trials_ = 0;
};

}  // namespace

Lowered fuse_slabs(const Lowered& lowered, const FusionContext& context) {
  if (context.device.near_bytes() == 0) return lowered;
  return SlabSearch(lowered, context).run();
}

}  // namespace tyto::plan
