#pragma once
/// The processes that work together, as the core sees them. Whoever owns a message-passing library implements this; the version
/// for one process is built in. All operations are collective: every rank calls them in the same order.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace tyto::communicator {

class Communicator {
 public:
  virtual ~Communicator() = default;
  virtual int rank() const = 0;  ///< 0 <= rank < size
  virtual int size() const = 0;
  /// values[k] = the sum, minimum or maximum over all ranks of values[k]; every rank gives the same number of values. The sum is
  /// the same on all ranks, to the last bit.
  virtual void allreduce_sum(std::span<double> values) const = 0;
  virtual void allreduce_min(std::span<std::int64_t> values) const = 0;
  virtual void allreduce_max(std::span<std::int64_t> values) const = 0;
  /// Every rank gets the bytes of rank `root`; all give the same number of bytes. A root outside 0..size-1 is a defect.
  virtual void broadcast(std::span<std::byte> bytes, int root) const = 0;
  /// Ranks of one color form a new communicator, ordered by key and then by rank here. A negative color is a defect.
  virtual std::unique_ptr<Communicator> split(int color, int key) const = 0;
  virtual void barrier() const = 0;
};

/// One process: rank 0 of 1.
std::unique_ptr<Communicator> self_communicator();

}  // namespace tyto::communicator
