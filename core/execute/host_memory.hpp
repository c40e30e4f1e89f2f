#pragma once
/// The memory of a program on a host: one arena and the leaves that the caller has bound. It knows addresses, not operations.
#include <memory>
#include <vector>
#include "execute/arenas.hpp"
#include "program/program.hpp"

namespace tyto::execute {

class HostMemory {
 public:
  struct Release {
    std::shared_ptr<Arenas> arenas;
    std::int64_t bytes = 0;
    void operator()(char*) const;
  };
  /// Reserves arena_bytes at once, aligned to 64 bytes: from `arenas` and in the end back to them, where there are some, else
  /// zeroed. Throws Error{memory} if the machine has less.
  explicit HostMemory(const program::Program&, std::shared_ptr<Arenas> arenas = nullptr);

  /// The memory is used in place until the leaf is bound anew. Throws Error{element_type} or Error{shape} when it is not what the
  /// program says; strides along axes of extent 1 do not matter.
  void bind(program::LeafId, const Array&);
  /// First element of a buffer. Throws Error{defect} for a leaf that is not bound.
  void* address(program::BufferId) const;
  /// The memory at a place in the arena, e.g. the scratch of a step; offset in bytes.
  void* scratch(std::int64_t offset) const { return arena_.get() + offset; }
  /// A buffer as an array; valid as long as this object, its address follows bind().
  const ConstArray& value(program::BufferId) const;

 private:
  std::unique_ptr<char[], Release> arena_;
  std::vector<program::Leaf> leaves_;
  std::vector<ConstArray> values_;        ///< per buffer
  std::vector<program::LeafId> leaf_of_;  ///< per buffer, -1 for the arena's
  std::vector<char> bound_;               ///< per leaf
};

}  // namespace tyto::execute
