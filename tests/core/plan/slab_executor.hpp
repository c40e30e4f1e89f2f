#pragma once
/// The executor cpu with a device model that finds slabs always worthwhile and little memory near: whatever can run slab by slab
/// does.
#include "execute/cpu/executor.hpp"
#include "graph/graph.hpp"
#include "plan/plan.hpp"

namespace tyto {

class SlabModel final : public device::Model {
 public:
  using Buffers = std::vector<program::Buffer>;
  SlabModel(const device::Model& cpu, std::int64_t near_bytes) : cpu_(cpu), near_bytes_(near_bytes) {}
  std::optional<std::string> refuses(const program::Operation& operation, const Buffers& buffers) const override {
    return cpu_.refuses(operation, buffers);
  }
  double seconds(const program::Operation& operation, const Buffers& buffers) const override {
    return cpu_.seconds(operation, buffers);
  }
  std::int64_t scratch_bytes(const program::Operation& operation, const Buffers& buffers) const override {
    return cpu_.scratch_bytes(operation, buffers);
  }
  std::string kernel_class(const program::Operation& operation, const Buffers& buffers) const override {
    return cpu_.kernel_class(operation, buffers);
  }
  std::int64_t near_bytes() const override { return near_bytes_; }
  double seconds(const program::Slabs&, const std::vector<program::Step>&, const Buffers&) const override { return 1e-12; }
  std::int64_t scratch_bytes(const program::Slabs& slabs, const std::vector<program::Step>& steps,
                             const Buffers& buffers) const override {
    return cpu_.scratch_bytes(slabs, steps, buffers);
  }
  std::int64_t memory_bytes() const override { return cpu_.memory_bytes(); }

 private:
  const device::Model& cpu_;
  std::int64_t near_bytes_;
};

class SlabExecutor final : public execute::Executor {
 public:
  explicit SlabExecutor(std::int64_t near_bytes) : cpu_(execute::cpu::make_executor()), model_(cpu_->model(), near_bytes) {}
  std::string name() const override { return "cpu in slabs"; }
  const device::Model& model() const override { return model_; }
  std::unique_ptr<execute::Instance> load(std::shared_ptr<const program::Program> program,
                                          const execute::Options& options) const override {
    return cpu_->load(std::move(program), options);
  }

 private:
  std::unique_ptr<execute::Executor> cpu_;
  SlabModel model_;
};

/// All outputs at once, then all leaves change.
inline plan::Options all_together(const graph::Graph& graph) {
  plan::Options options{.cycle = {{}}, .runs_outputs_together = true};
  for (const graph::Output& output : graph.outputs) options.cycle[0].outputs.push_back(output.name);
  for (const graph::NodeId id : reachable(graph))
    if (graph::is<graph::Leaf>((*graph.store)[id])) options.cycle.push_back({{}, id});
  return options;
}

}  // namespace tyto
