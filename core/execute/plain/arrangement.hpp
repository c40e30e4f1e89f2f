#pragma once
/// Operations that move elements: reshape, slice, assemble, part. They know the size of an element, not its type.
#include <vector>
#include "program/program.hpp"

namespace tyto::execute::plain {

class Arrangement {
 public:
  Arrangement(const program::Reshape&, const std::vector<program::Buffer>&);
  Arrangement(const program::Slice&, const std::vector<program::Buffer>&);
  Arrangement(const program::Assemble&, const std::vector<program::Buffer>&);
  Arrangement(const program::Part&, const std::vector<program::Buffer>&);
  void run(void* out, const void* const* inputs);

 private:
  /// One side of a copy: elements in row-major order of its extents.
  struct Side {
    Extents extents, strides;
    std::int64_t first = 0;
  };
  struct Copy {
    Side from, to;
    std::int64_t count = 0;
  };
  void clear(void* out);

  std::vector<Copy> copies_;  ///< by input
  std::int64_t size_ = 8;     ///< bytes of an element
  bool clears_ = false;
  Side whole_;  ///< of the output
  std::vector<std::int64_t> from_index_, to_index_;
};

}  // namespace tyto::execute::plain
