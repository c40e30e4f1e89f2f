#pragma once
/// Which value lies where in the arena. Buffers that share memory cut the arena into pieces, and a piece belongs to the buffer that
/// was written there last: a step that writes asks about the pieces of its own buffer only, however many others have been there.
#include <vector>
#include "program/program.hpp"

namespace tyto::execute {

class Occupancy {
 public:
  explicit Occupancy(const std::vector<program::Buffer>&);
  /// The buffer is about to be written: whatever lay there is lost.
  void clear(program::BufferId);
  /// The buffer has been written.
  void fill(program::BufferId);
  /// Whether it was written, and nothing has been written over it since.
  bool holds(program::BufferId) const;

 private:
  struct Range {
    std::int32_t first = 0, last = 0;  ///< pieces
  };
  std::vector<Range> pieces_;              ///< per buffer; none of one without elements
  std::vector<program::BufferId> owners_;  ///< per piece, -1: nobody
  std::vector<char> is_written_;           ///< per buffer
};

}  // namespace tyto::execute
