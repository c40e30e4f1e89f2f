#pragma once
/// What a planner may ask about a device before anything runs there.
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include "program/program.hpp"

namespace tyto::device {

/// A kernel that was not chosen.
struct Alternative {
  std::string kernel_class;
  double seconds = 0;  ///< predicted
};

/// One per executor. Pure: the same question has the same answer during a run.
class Model {
 public:
  virtual ~Model() = default;
  /// Why this device cannot run the step ("more than two operands"); nothing if it can.
  virtual std::optional<std::string> refuses(const program::Operation&, const std::vector<program::Buffer>&) const = 0;
  /// Predicted time of a step in seconds.
  virtual double seconds(const program::Operation&, const std::vector<program::Buffer>&) const = 0;
  /// Bytes of scratch memory that the step needs while it runs, but for what only singular matrices need.
  virtual std::int64_t scratch_bytes(const program::Operation&, const std::vector<program::Buffer>&) const = 0;
  /// How the step will run, in a word or two for `explain`: "gemm", "loop over gemm", "batched dot".
  virtual std::string kernel_class(const program::Operation&, const std::vector<program::Buffer>&) const = 0;
  /// Bytes that stay near while a few steps go over them again; 0: no steps run slab by slab here.
  virtual std::int64_t near_bytes() const { return 0; }
  /// Predicted time of steps that run together; asked only if something stays near.
  virtual double seconds(const program::Slabs&, const std::vector<program::Step>&, const std::vector<program::Buffer>&) const {
    return std::numeric_limits<double>::infinity();
  }
  /// Bytes of scratch memory that one of them needs on a slab.
  virtual std::int64_t scratch_bytes(const program::Slabs&, const std::vector<program::Step>&,
                                     const std::vector<program::Buffer>&) const {
    return 0;
  }
  /// The kernel of another class that would run the step if its own did not exist; nothing where there is no choice.
  virtual std::optional<Alternative> runner_up(const program::Operation&, const std::vector<program::Buffer>&) const { return {}; }
  /// Bytes of memory that programs may use.
  virtual std::int64_t memory_bytes() const = 0;
  /// Where the predicted times come from, for people: "built-in for avx2", "calibrated on 2026-11-30"; empty: nothing measured.
  virtual std::string source() const { return {}; }
};

}  // namespace tyto::device
