#include "plan/lifetime.hpp"
#include <algorithm>
#include <set>
#include "error/fail.hpp"

namespace tyto::plan {

using program::BufferId;
using program::StepId;

namespace {

constexpr std::int64_t alignment = 64;  // bytes; a cache line and the widest vector

/// Replays the cycle symbolically: which steps run, by versions alone.
class Replay {
 public:
  Replay(const program::Program& p, bool keeps_slices)
      : program_(p), keeps_slices_(keeps_slices), version_(p.leaves.size(), 0), computed_(p.buffers.size()) {}
  void change(program::LeafId leaf) { ++version_[static_cast<std::size_t>(leaf)]; }
  /// Steps that one kernel runs now, and those whose values it reads without running them.
  void run(const program::Kernel& kernel, std::vector<StepId>& ran, std::vector<StepId>& reused) {
    std::set<BufferId> wanted{kernel.output};
    std::vector<StepId> needed;
    for (auto it = kernel.steps.rbegin(); it != kernel.steps.rend(); ++it) {
      const program::Operation& operation = program_.steps[static_cast<std::size_t>(*it)].operation;
      const BufferId out = program::output_of(operation);
      if (!wanted.contains(out)) continue;
      const bool is_kept = keeps_slices_ || !std::holds_alternative<program::Slice>(operation);
      if (is_kept && computed_[static_cast<std::size_t>(out)] == stamp(out)) {
        reused.push_back(*it);
        continue;
      }
      needed.push_back(*it);
      for (const BufferId input : program::inputs_of(operation)) wanted.insert(input);
    }
    std::reverse(needed.begin(), needed.end());
    std::reverse(reused.begin(), reused.end());
    for (const StepId step : needed) {
      const BufferId out = program::output_of(program_.steps[static_cast<std::size_t>(step)].operation);
      computed_[static_cast<std::size_t>(out)] = stamp(out);
    }
    ran.insert(ran.end(), needed.begin(), needed.end());
  }

 private:
  /// Versions of the leaves of a buffer, one more than they are so that nothing is current at the start.
  std::vector<std::int64_t> stamp(BufferId id) const {
    std::vector<std::int64_t> versions{1};
    for (const program::LeafId leaf : program_.buffers[static_cast<std::size_t>(id)].depends_on)
      versions.push_back(version_[static_cast<std::size_t>(leaf)]);
    return versions;
  }
  const program::Program& program_;
  bool keeps_slices_;
  std::vector<std::int64_t> version_;
  std::vector<std::vector<std::int64_t>> computed_;
};

/// What two buffers may do with one place in memory.
enum class Sharing : std::int8_t {
  free,   ///< overlap in any way
  exact,  ///< lie in the same place, element for element: the one is written while the other is read for the last time
  none,
};

/// How pairs of buffers may share memory.
class Interference {
 public:
  explicit Interference(const program::Program& p) : program_(p), n_(p.buffers.size()), sharing_(n_ * n_, Sharing::free) {}
  void add(BufferId a, BufferId b, Sharing at_most = Sharing::none) {
    if (a != b) sharing_[index(a, b)] = sharing_[index(b, a)] = std::max(sharing_[index(a, b)], at_most);
  }
  /// Only buffers of the arena share anything.
  Sharing operator()(BufferId a, BufferId b) const { return is_arena(a) && is_arena(b) ? sharing_[index(a, b)] : Sharing::none; }

  /// Times at which a run of steps writes and reads buffers; live from a write to the last read before the next write.
  void add_timeline(const std::vector<StepId>& steps, const std::vector<std::pair<std::size_t, BufferId>>& final_reads) {
    struct Interval {
      BufferId buffer;
      std::size_t first, last;
      bool outlives = false;  // the last read comes after the step of that time
    };
    std::vector<Interval> intervals;
    std::vector<std::ptrdiff_t> open(n_, -1);
    const auto read = [&](BufferId b, std::size_t time, bool after_step) {
      if (!is_arena(b)) return;
      const std::ptrdiff_t at = open[static_cast<std::size_t>(b)];
      if (at < 0) return;
      intervals[static_cast<std::size_t>(at)].last = time;
      intervals[static_cast<std::size_t>(at)].outlives = after_step;
    };
    auto next_final = final_reads.begin();
    for (std::size_t time = 0; time < steps.size(); ++time) {
      for (const BufferId input : program::inputs_of(operation(steps[time]))) read(input, time, false);
      const BufferId out = program::output_of(operation(steps[time]));
      open[static_cast<std::size_t>(out)] = static_cast<std::ptrdiff_t>(intervals.size());
      intervals.push_back({.buffer = out, .first = time, .last = time});
      for (; next_final != final_reads.end() && next_final->first <= time; ++next_final) read(next_final->second, time, true);
    }
    for (std::size_t a = 0; a < intervals.size(); ++a)
      for (std::size_t b = a + 1; b < intervals.size(); ++b)
        if (intervals[a].first <= intervals[b].last && intervals[b].first <= intervals[a].last) {
          const bool is_last_read = !intervals[a].outlives && intervals[a].last == intervals[b].first;
          const bool gives_place =
              is_last_read && program::can_take_place(operation(steps[intervals[b].first]), intervals[a].buffer, program_.buffers);
          add(intervals[a].buffer, intervals[b].buffer, gives_place ? Sharing::exact : Sharing::none);
        }
  }
  bool is_arena(BufferId b) const { return program_.buffers[static_cast<std::size_t>(b)].storage == program::Storage::arena; }

 private:
  std::size_t index(BufferId a, BufferId b) const { return static_cast<std::size_t>(a) * n_ + static_cast<std::size_t>(b); }
  const program::Operation& operation(StepId step) const { return program_.steps[static_cast<std::size_t>(step)].operation; }
  const program::Program& program_;
  std::size_t n_;
  std::vector<Sharing> sharing_;
};

/// Buffers that one evaluation writes and another reads.
std::set<BufferId> kept_values(const program::Program& p, const std::vector<KernelEvent>& cycle, bool keeps_slices) {
  std::set<BufferId> kept;
  for (const Evaluated& evaluated : simulated(p, cycle, keeps_slices))
    for (const StepId step : evaluated.reused) kept.insert(program::output_of(p.steps[static_cast<std::size_t>(step)].operation));
  return kept;
}

/// Kernels that run as one: each by itself, or joined.
struct Run {
  std::vector<std::int32_t> kernels;
  std::vector<StepId> steps;
};

std::vector<BufferId> outputs_of(const Run& run, const program::Program& p) {
  std::vector<BufferId> outputs;
  for (const std::int32_t kernel : run.kernels) outputs.push_back(p.kernels[static_cast<std::size_t>(kernel)].output);
  return outputs;
}

/// Those that the program knows.
std::vector<Run> runs_of(const program::Program& p) {
  std::vector<Run> runs;
  for (std::size_t k = 0; k < p.kernels.size(); ++k) runs.push_back({{static_cast<std::int32_t>(k)}, p.kernels[k].steps});
  for (const program::Joined& joined : p.joined) runs.push_back({joined.kernels, joined.steps});
  return runs;
}

/// Those of an event, without their steps.
std::vector<Run> runs_of(const KernelEvent& event, const program::Program& p) {
  std::vector<std::int32_t> kernels = event.kernels;
  std::sort(kernels.begin(), kernels.end());
  kernels.erase(std::unique(kernels.begin(), kernels.end()), kernels.end());
  for (const program::Joined& joined : p.joined)
    if (joined.kernels == kernels) return {{kernels, {}}};
  std::vector<Run> runs;
  for (const std::int32_t kernel : event.kernels) runs.push_back({{kernel}, {}});
  return runs;
}

void add_cycle(const program::Program& p, const std::vector<KernelEvent>& cycle, bool keeps_slices, Interference& interference) {
  Replay replay(p, keeps_slices);
  std::vector<StepId> timeline, reused;
  std::vector<std::pair<std::size_t, BufferId>> reads;
  constexpr int rounds = 3;  // intervals that cross from one round into the next are complete in the second
  for (int round = 0; round < rounds; ++round)
    for (const KernelEvent& event : cycle) {
      for (const Run& run : runs_of(event, p)) {
        const auto first = static_cast<std::ptrdiff_t>(timeline.size());
        for (const std::int32_t kernel : run.kernels) replay.run(p.kernels[static_cast<std::size_t>(kernel)], timeline, reused);
        std::sort(timeline.begin() + first, timeline.end());
        if (timeline.empty()) continue;
        for (const BufferId output : outputs_of(run, p)) reads.emplace_back(timeline.size() - 1, output);
      }
      if (event.changes >= 0) replay.change(event.changes);
    }
  interference.add_timeline(timeline, reads);
}

void add_runs(const program::Program& p, const std::set<BufferId>& kept, Interference& interference) {
  for (const Run& run : runs_of(p)) {
    if (run.steps.empty()) continue;
    const std::vector<BufferId> outputs = outputs_of(run, p);
    std::vector<std::pair<std::size_t, BufferId>> reads;
    for (const BufferId output : outputs) reads.emplace_back(run.steps.size() - 1, output);
    interference.add_timeline(run.steps, reads);
    for (const BufferId value : kept) {
      if (outputs == std::vector<BufferId>{value}) continue;  // while it is current the kernel runs nothing
      std::ptrdiff_t last_use = -1;
      for (std::size_t k = 0; k < run.steps.size(); ++k) {
        const std::vector<BufferId> inputs = program::inputs_of(p.steps[static_cast<std::size_t>(run.steps[k])].operation);
        if (std::find(inputs.begin(), inputs.end(), value) != inputs.end())
          last_use = std::max(last_use, static_cast<std::ptrdiff_t>(k));
      }
      for (std::ptrdiff_t k = 0; k <= last_use; ++k)
        interference.add(value,
                         program::output_of(p.steps[static_cast<std::size_t>(run.steps[static_cast<std::size_t>(k)])].operation));
    }
  }
}

/// What some step of a group writes shares nothing with what any of them reads or writes, but for the place that is given to it.
void add_slabs(const program::Program& p, Interference& interference) {
  for (const program::Slabs& slabs : p.slabs) {
    const auto operation = [&](StepId step) -> const program::Operation& {
      return p.steps[static_cast<std::size_t>(step)].operation;
    };
    for (const StepId writer : slabs.steps) {
      const BufferId out = program::output_of(operation(writer));
      for (const StepId other : slabs.steps) {
        interference.add(out, program::output_of(operation(other)));
        for (const BufferId read : program::inputs_of(operation(other))) {
          const bool gives_place = other == writer && program::can_take_place(operation(writer), read, p.buffers);
          interference.add(out, read, gives_place ? Sharing::exact : Sharing::none);
        }
      }
    }
  }
}

void add_outputs(const program::Program& p, Interference& interference) {
  for (const program::Kernel& kernel : p.kernels)
    for (std::size_t b = 0; b < p.buffers.size(); ++b) interference.add(kernel.output, static_cast<BufferId>(b));
}

std::int64_t bytes_of(const program::Buffer& b) {
  const std::int64_t bytes = element_count(b.extents) * size_of(b.dtype);
  return (bytes + alignment - 1) / alignment * alignment;
}

/// Where a buffer goes: over one that gives its place, else the first gap.
std::int64_t offset_of(BufferId id, const std::vector<BufferId>& placed, const program::Program& p,
                       const Interference& interference) {
  struct Range {
    std::int64_t first, last;
    bool is_exact;
  };
  std::vector<Range> taken;
  for (const BufferId other : placed) {
    const program::Buffer& o = p.buffers[static_cast<std::size_t>(other)];
    const Sharing sharing = interference(id, other);
    if (sharing != Sharing::free) taken.push_back({o.offset, o.offset + bytes_of(o), sharing == Sharing::exact});
  }
  std::sort(taken.begin(), taken.end(), [](const Range& a, const Range& b) { return a.first < b.first; });
  const std::int64_t bytes = bytes_of(p.buffers[static_cast<std::size_t>(id)]);
  const auto is_free = [&](std::int64_t offset) {
    return std::none_of(taken.begin(), taken.end(), [&](const Range& range) {
      const bool gives_place = range.is_exact && range.first == offset;
      return !gives_place && range.first < offset + bytes && offset < range.last;
    });
  };
  for (const Range& range : taken)
    if (range.is_exact && is_free(range.first)) return range.first;
  std::int64_t offset = 0;
  for (const Range& range : taken)
    if (range.first < offset + bytes && offset < range.last) offset = range.last;
  return offset;
}

}  // namespace

std::vector<Evaluated> simulated(const program::Program& p, const std::vector<KernelEvent>& cycle, bool keeps_slices) {
  Replay replay(p, keeps_slices);
  std::vector<Evaluated> result;
  for (int round = 0; round < 3; ++round) {
    result.clear();
    for (std::size_t event = 0; event < cycle.size(); ++event) {
      for (const std::int32_t kernel : cycle[event].kernels) {
        Evaluated evaluated{static_cast<std::int32_t>(event), kernel, {}, {}};
        replay.run(p.kernels[static_cast<std::size_t>(kernel)], evaluated.computed, evaluated.reused);
        result.push_back(std::move(evaluated));
      }
      if (cycle[event].changes >= 0) replay.change(cycle[event].changes);
    }
  }
  return result;
}

void place(program::Program& p, const std::vector<KernelEvent>& cycle, bool keeps_outputs, bool keeps_slices) {
  for (program::Buffer& b : p.buffers) b.overlaps.clear();  // what was tried on the way here has other numbers
  Interference interference(p);
  add_cycle(p, cycle, keeps_slices, interference);
  add_runs(p, kept_values(p, cycle, keeps_slices), interference);
  add_slabs(p, interference);
  if (keeps_outputs) add_outputs(p, interference);
  std::vector<BufferId> order;
  for (std::size_t b = 0; b < p.buffers.size(); ++b)
    if (p.buffers[b].storage != program::Storage::leaf) order.push_back(static_cast<BufferId>(b));
  std::stable_sort(order.begin(), order.end(), [&](BufferId a, BufferId b) {
    return bytes_of(p.buffers[static_cast<std::size_t>(a)]) > bytes_of(p.buffers[static_cast<std::size_t>(b)]);
  });
  std::vector<BufferId> placed;
  std::int64_t end = 0;
  for (const BufferId id : order) {
    program::Buffer& b = p.buffers[static_cast<std::size_t>(id)];
    b.offset = offset_of(id, placed, p, interference);
    end = std::max(end, b.offset + bytes_of(b));
    placed.push_back(id);
  }
  for (const BufferId a : placed)
    for (const BufferId b : placed) {
      program::Buffer &first = p.buffers[static_cast<std::size_t>(a)], &second = p.buffers[static_cast<std::size_t>(b)];
      if (a != b && first.offset < second.offset + bytes_of(second) && second.offset < first.offset + bytes_of(first))
        first.overlaps.push_back(b);
    }
  std::int64_t scratch = 0;
  for (program::Step& step : p.steps) {
    step.scratch_offset = end;
    scratch = std::max(scratch, step.scratch_bytes);
  }
  p.arena_bytes = end + scratch;
}

}  // namespace tyto::plan
