#pragma once
/// Steps of a program that go through what they share slab by slab, ready to run.
#include "execute/cpu/prepared_step.hpp"
#include "program/slabs.hpp"

namespace tyto::execute::cpu {

class SlabRun {
 public:
  SlabRun(const program::Program&, const program::Slabs&, const Rates&);
  /// Allocates nothing. Counts every step once, however many slabs there are.
  void run(const HostMemory&, SpareRoom&, Workers&, Counts&);

 private:
  /// Where an operand of a slab lies: so many bytes behind the one of the slab before.
  struct Operand {
    program::BufferId whole = -1;
    std::int64_t position_bytes = 0;
  };
  /// A step on slabs of one kind.
  struct Part {
    PreparedStep step;
    Operand out;
    std::vector<Operand> inputs;
    std::vector<const void*> addresses;  ///< of the inputs; scratch of run()
  };
  /// The first slab, those that go on with its sums, and a shorter last one.
  struct Member {
    std::vector<Part> parts;
    std::int64_t scratch_offset = 0, flops = 0, bytes = 0;
  };
  Part part_of(const program::Step&, const program::Operation& on_slab, const program::SlabViews&, const Rates&) const;

  std::vector<Member> members_;
  std::int64_t extent_, block_;
};

/// Seconds of them, as the device model predicts: what stays near is read from far away once.
double seconds_of(const program::Slabs&, const std::vector<program::Step>&, const std::vector<program::Buffer>&,
                  const device::Model& steps, const Rates&);
/// The most bytes of scratch that one of them uses.
std::int64_t scratch_bytes(const program::Slabs&, const std::vector<program::Step>&, const std::vector<program::Buffer>&,
                           const Rates&);

}  // namespace tyto::execute::cpu
