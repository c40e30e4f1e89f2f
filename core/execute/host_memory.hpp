#pragma once
/// The memory of a program on a host: one arena and the leaves that the caller has bound. It knows addresses, not operations.
#include <memory>
#include <vector>
#include "program/program.hpp"

namespace tyto::execute {

class HostMemory {
 public:
  /// Reserves arena_bytes at once, aligned to 64 bytes, zeroed. Throws Error{memory} if the machine has less.
  explicit HostMemory(const program::Program&);

  /// The memory is used in place until the leaf is bound anew. Throws Error{element_type} or Error{shape} when it is not what the
  /// program says; strides along axes of extent 1 do not matter.
  void bind(program::LeafId, const Array&);
  /// First element of a buffer. Throws Error{defect} for a leaf that is not bound.
  void* address(program::BufferId) const;
  /// The memory at a place in the arena, e.g. the scratch of a step; offset in bytes.
  void* scratch(std::int64_t offset) const { return arena_.get() + offset; }
  /// Bytes that a program may use on this host: physical memory, or the limit of the control group where that is smaller.
  static std::int64_t available_bytes();
  /// A buffer as an array; valid as long as this object, its address follows bind().
  const ConstArray& value(program::BufferId) const;

 private:
  struct Release {
    void operator()(char*) const;
  };
  std::unique_ptr<char[], Release> arena_;
  std::vector<program::Leaf> leaves_;
  std::vector<ConstArray> values_;        ///< per buffer
  std::vector<program::LeafId> leaf_of_;  ///< per buffer, -1 for the arena's
  std::vector<char> bound_;               ///< per leaf
};

}  // namespace tyto::execute
