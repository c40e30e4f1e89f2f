#include "execute/cpu/slab_run.hpp"
#include <algorithm>
#include <cmath>
#include <map>
#include "error/fail.hpp"

namespace tyto::execute::cpu {
namespace {

using program::BufferId;
using program::Operation;
using program::SlabViews;

/// The step on each kind of slab.
std::vector<Operation> operations_of(const Operation& operation, einsum::Label label, const program::Slabs& slabs,
                                     SlabViews& views) {
  std::vector<Operation> operations = {views.slab(operation, label, std::min(slabs.block, slabs.extent), false)};
  if (slabs.extent > slabs.block) operations.push_back(views.slab(operation, label, slabs.block, true));
  if (slabs.extent % slabs.block != 0 && slabs.extent > slabs.block)
    operations.push_back(views.slab(operation, label, slabs.extent % slabs.block, true));
  return operations;
}

const program::Step& step_of(const program::Slabs& slabs, std::size_t member, const std::vector<program::Step>& steps) {
  return steps[static_cast<std::size_t>(slabs.steps[member])];
}

/// Bytes of a buffer, once for each memory: two views of a leaf are one.
class DistinctBytes {
 public:
  explicit DistinctBytes(const std::vector<program::Buffer>& buffers) : buffers_(buffers) {}
  void add(BufferId whole, BufferId seen) {
    const program::Buffer &memory = buffers_[static_cast<std::size_t>(whole)], &part = buffers_[static_cast<std::size_t>(seen)];
    const bool is_leaf = memory.storage == program::Storage::leaf;
    double& bytes = bytes_[{is_leaf, is_leaf ? memory.leaf : whole}];
    bytes = std::max(bytes, static_cast<double>(element_count(part.extents) * size_of(part.dtype)));
  }
  double sum() const {
    double sum = 0;
    for (const auto& [memory, bytes] : bytes_) sum += bytes;
    return sum;
  }

 private:
  const std::vector<program::Buffer>& buffers_;
  std::map<std::pair<bool, std::int32_t>, double> bytes_;
};

}  // namespace

SlabRun::SlabRun(const program::Program& program, const program::Slabs& slabs, const Rates& rates)
    : extent_(slabs.extent), block_(slabs.block) {
  TYTO_ASSERT(block_ > 0 && !slabs.steps.empty());
  for (std::size_t k = 0; k < slabs.steps.size(); ++k) {
    const program::Step& step = step_of(slabs, k, program.steps);
    SlabViews views(program.buffers);
    Member member{{}, step.scratch_offset, step.flops, step.bytes};
    for (const Operation& operation : operations_of(step.operation, slabs.labels[k], slabs, views))
      member.parts.push_back(part_of(step, operation, views, rates));
    members_.push_back(std::move(member));
  }
}

SlabRun::Part SlabRun::part_of(const program::Step& step, const Operation& on_slab, const SlabViews& views,
                               const Rates& rates) const {
  program::Step slab_step = step;
  slab_step.operation = on_slab;
  Part part{PreparedStep(slab_step, views.buffers(), rates), {}, {}, {}};
  const auto operand = [&](BufferId id) {
    const SlabViews::Origin origin = views.origin(id);
    const Dtype type = views.buffers()[static_cast<std::size_t>(id)].dtype;
    return Operand{origin.whole, origin.step * size_of(type)};
  };
  part.out = operand(program::output_of(on_slab));
  for (const BufferId input : program::inputs_of(on_slab)) part.inputs.push_back(operand(input));
  part.addresses.resize(part.inputs.size());
  return part;
}

void SlabRun::run(const HostMemory& memory, SpareRoom& spare, Workers& workers, Counts& counts) {
  Counts of_slabs;  // of parts of steps, which count as wholes
  for (std::int64_t first = 0; first < extent_; first += block_) {
    const std::size_t kind = first == 0 ? 0 : extent_ - first < block_ ? 2 : 1;
    const auto address = [&](const Operand& operand) {
      return static_cast<char*>(memory.address(operand.whole)) + first * operand.position_bytes;
    };
    for (Member& member : members_) {
      Part& part = member.parts[kind];
      for (std::size_t k = 0; k < part.inputs.size(); ++k) part.addresses[k] = address(part.inputs[k]);
      part.step.run_at(address(part.out), part.addresses.data(), static_cast<char*>(memory.scratch(member.scratch_offset)), spare,
                       workers, of_slabs);
    }
  }
  counts.steps += static_cast<std::int64_t>(members_.size());
  for (const Member& member : members_) counts.flops += member.flops, counts.bytes += member.bytes;
}

double seconds_of(const program::Slabs& slabs, const std::vector<program::Step>& steps, const std::vector<program::Buffer>& buffers,
                  const device::Model& model, const Rates& rates) {
  SlabViews views(buffers);
  std::vector<Operation> operations;
  for (std::size_t k = 0; k < slabs.steps.size(); ++k)
    operations.push_back(views.slab(step_of(slabs, k, steps).operation, slabs.labels[k], slabs.block, true));
  DistinctBytes all(views.buffers()), moving(views.buffers());
  for (const Operation& operation : operations) {
    std::vector<BufferId> touched = program::inputs_of(operation);
    touched.push_back(program::output_of(operation));
    for (const BufferId id : touched) {
      const SlabViews::Origin origin = views.origin(id);
      all.add(origin.whole, id);
      if (origin.whole != id) moving.add(origin.whole, id);
    }
  }
  const double near_speed = stream_speed(rates, all.sum());
  double near = 0;
  for (const Operation& operation : operations) {
    const auto bytes = static_cast<double>(program::bytes_of(operation, views.buffers()));
    near += std::max(model.seconds(operation, views.buffers()), bytes / near_speed);
  }
  const double count = std::ceil(static_cast<double>(slabs.extent) / static_cast<double>(slabs.block));
  return count * std::hypot(near, moving.sum() / rates.memory.speed);
}

std::int64_t scratch_bytes(const program::Slabs& slabs, const std::vector<program::Step>& steps,
                           const std::vector<program::Buffer>& buffers, const Rates& rates) {
  std::int64_t bytes = 0;
  for (std::size_t k = 0; k < slabs.steps.size(); ++k) {
    SlabViews views(buffers);
    for (const Operation& operation : operations_of(step_of(slabs, k, steps).operation, slabs.labels[k], slabs, views))
      bytes = std::max(bytes, PreparedStep::scratch_bytes(operation, views.buffers(), rates));
  }
  return bytes;
}

}  // namespace tyto::execute::cpu
