#pragma once
/// Programs built by hand for tests: leaves with memory of their own, buffers one after another in the arena.
#include <algorithm>
#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <vector>
#include "device/model.hpp"
#include "execute/executor.hpp"

namespace tyto::execute {

/// Elements of memory that a strided array spans.
inline std::int64_t span_of(const Extents& extents, const Extents& strides) {
  std::int64_t span = 1;
  for (std::size_t a = 0; a < extents.size(); ++a) {
    if (extents[a] == 0) return 0;
    span += (extents[a] - 1) * strides[a];
  }
  return span;
}

class SmallProgram {
 public:
  program::BufferId leaf(const std::string& name, Extents extents, Dtype type = Dtype::f64) {
    return leaf(name, extents, row_major(extents), type);
  }
  program::BufferId leaf(const std::string& name, Extents extents, Extents strides, Dtype type = Dtype::f64) {
    const auto id = static_cast<program::LeafId>(made.leaves.size());
    made.leaves.push_back({name, type, extents, strides});
    memory.emplace_back(static_cast<std::size_t>((span_of(extents, strides) + 1) * size_of(type)));
    return add({.name = name,
                .storage = program::Storage::leaf,
                .dtype = type,
                .extents = extents,
                .strides = strides,
                .leaf = id,
                .depends_on = {id}});
  }
  program::BufferId arena(const std::string& name, Extents extents, Dtype type = Dtype::f64) {
    return arena(name, extents, row_major(extents), type);
  }
  program::BufferId arena(const std::string& name, Extents extents, Extents strides, Dtype type = Dtype::f64) {
    const program::BufferId id =
        add({.name = name, .dtype = type, .extents = extents, .strides = strides, .offset = made.arena_bytes});
    made.arena_bytes += (span_of(extents, strides) * size_of(type) + 63) / 64 * 64;
    return id;
  }
  /// Puts b where a is.
  void share(program::BufferId a, program::BufferId b) {
    buffer(b).offset = buffer(a).offset;
    buffer(a).overlaps.push_back(b);
    buffer(b).overlaps.push_back(a);
  }
  program::StepId step(program::Operation operation) {
    program::Buffer& out = buffer(program::output_of(operation));
    for (const program::BufferId input : program::inputs_of(operation))
      for (const program::LeafId leaf : buffer(input).depends_on) out.depends_on.push_back(leaf);
    std::sort(out.depends_on.begin(), out.depends_on.end());
    out.depends_on.erase(std::unique(out.depends_on.begin(), out.depends_on.end()), out.depends_on.end());
    program::Step made_step{.operation = operation};
    made_step.flops = program::flops_of(operation, made.buffers);
    made_step.bytes = program::bytes_of(operation, made.buffers);
    made.steps.push_back(made_step);
    return static_cast<program::StepId>(made.steps.size()) - 1;
  }
  program::StepId constant(program::Operation operation) {
    buffer(program::output_of(operation)).storage = program::Storage::constant;
    const program::StepId id = step(std::move(operation));
    made.constants.push_back(id);
    return id;
  }
  std::int32_t kernel(const std::string& name, std::vector<program::StepId> steps, program::BufferId output) {
    made.kernels.push_back({name, std::move(steps), output});
    return static_cast<std::int32_t>(made.kernels.size()) - 1;
  }
  /// Reserves the scratch that the model asks for.
  std::shared_ptr<const program::Program> finish(const device::Model& model) {
    program::Program result = made;
    for (program::Step& one : result.steps) {
      one.scratch_offset = result.arena_bytes;
      one.scratch_bytes = model.scratch_bytes(one.operation, result.buffers);
      result.arena_bytes += (one.scratch_bytes + 63) / 64 * 64;
    }
    return std::make_shared<const program::Program>(std::move(result));
  }
  program::Buffer& buffer(program::BufferId id) { return made.buffers[static_cast<std::size_t>(id)]; }
  /// The memory of a leaf as numbers, in the order of memory.
  template <class T>
  T* numbers(program::BufferId id) {
    return reinterpret_cast<T*>(memory[static_cast<std::size_t>(buffer(id).leaf)].data());
  }
  Array view(program::LeafId id) {
    const program::Leaf& leaf = made.leaves[static_cast<std::size_t>(id)];
    return {memory[static_cast<std::size_t>(id)].data(), leaf.dtype, leaf.extents, leaf.strides};
  }
  void bind_all(Instance& instance) {
    for (program::LeafId id = 0; id < static_cast<program::LeafId>(made.leaves.size()); ++id) instance.bind(id, view(id));
  }
  /// Fills every leaf with numbers in [-1, 1).
  void randomize(std::mt19937_64& engine) {
    std::uniform_real_distribution<double> uniform(-1, 1);
    for (program::Buffer& one : made.buffers) {
      if (one.leaf < 0) continue;
      const std::int64_t count = span_of(one.extents, one.strides);
      for (std::int64_t e = 0; e < count; ++e) set(one, e, uniform(engine));
    }
  }
  void set(const program::Buffer& one, std::int64_t element, double value) {
    std::byte* place = memory[static_cast<std::size_t>(one.leaf)].data() + element * size_of(one.dtype);
    const float narrow = static_cast<float>(value);
    one.dtype == Dtype::f32 ? std::memcpy(place, &narrow, sizeof narrow) : std::memcpy(place, &value, sizeof value);
  }

  program::Program made;
  std::vector<std::vector<std::byte>> memory;  ///< per leaf

 private:
  program::BufferId add(program::Buffer buffer) {
    made.buffers.push_back(std::move(buffer));
    return static_cast<program::BufferId>(made.buffers.size()) - 1;
  }
};

/// All memory that a value spans, gaps included, as f64.
inline std::vector<double> contents(const ConstArray& array) {
  std::vector<double> result;
  const std::int64_t count = span_of(array.extents, array.strides);
  for (std::int64_t e = 0; e < count; ++e)
    result.push_back(array.dtype == Dtype::f32   ? static_cast<double>(static_cast<const float*>(array.data)[e])
                     : array.dtype == Dtype::i64 ? static_cast<double>(static_cast<const std::int64_t*>(array.data)[e])
                     : array.dtype == Dtype::i16 ? static_cast<double>(static_cast<const std::int16_t*>(array.data)[e])
                                                 : static_cast<const double*>(array.data)[e]);
  return result;
}

/// What an Error says, or "nothing was thrown".
template <class Body>
std::string error_of(Body&& body) {
  try {
    body();
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing was thrown";
}

}  // namespace tyto::execute
