#pragma once
/// The border between a program and the machine that runs it. Implementations are siblings in this folder or backend modules;
/// they never include each other.
#include <memory>
#include <string>
#include "device/model.hpp"
#include "program/program.hpp"

namespace tyto::execute {

/// What really happened, counted while it happened.
struct Counts {
  std::int64_t flops = 0, bytes = 0, steps = 0;
  std::int64_t rank_deficient = 0;  ///< systems solved with minimum norm because their matrix was singular
  std::int64_t not_factorized = 0;  ///< matrices without the factorization asked for, whose parts are NaN
};

/// A program loaded on a device: its arena, its bound leaves. One thread at a time.
class Instance {
 public:
  virtual ~Instance() = default;
  /// Uses the memory in place until the leaf is bound anew or the instance ends. Type, extents and strides as in the program.
  virtual void bind(program::LeafId, const Array&) = 0;
  /// Runs one step, whose inputs the caller keeps current (see Evaluation). Allocates nothing but once, for a singular matrix.
  virtual void run(program::StepId) = 0;
  /// Runs all steps of program.slabs[slabs], whose inputs the caller keeps current: one after the other, if nothing better is
  /// known.
  virtual void run_slabs(const program::Program& program, std::size_t slabs) {
    for (const program::StepId step : program.slabs[slabs].steps) run(step);
  }
  /// The buffer as memory that the host can read, until the buffer is written again; a leaf as it is bound.
  virtual const ConstArray& value(program::BufferId) const = 0;
  /// Since the instance was loaded; writing the constants does not count.
  virtual const Counts& counts() const = 0;
};

class Arenas;

struct Options {
  int threads = 1;
  std::shared_ptr<Arenas> arenas = {};  ///< where programs get their memory from; null: from the system
};

class Executor {
 public:
  virtual ~Executor() = default;
  virtual std::string name() const = 0;
  virtual const device::Model& model() const = 0;
  /// Reserves the arena (Error{memory} when that fails), chooses kernels, writes the constants.
  virtual std::unique_ptr<Instance> load(std::shared_ptr<const program::Program>, const Options&) const = 0;
};

}  // namespace tyto::execute
