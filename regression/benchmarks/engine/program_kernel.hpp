#pragma once
/// Kernels that are programs: expressions, compiled, with numbers bound to their leaves.
#include <tyto/compile.hpp>
#include "kernel.hpp"

namespace tyto::benchmarks {

/// A leaf, how often it changes in the use that is timed, and a factor of its numbers.
struct Leaf {
  Expr leaf;
  Changes changes = Changes::every_run;
  double scale = 1;
};

class ProgramKernel final : public Kernel {
 public:
  /// Array k is bound to leaf k. Leaves that the outputs do not contain are left out. Arguments: dtype; off, passes to leave out;
  /// memory, a limit in bytes, and flops, a limit of one run: Error{memory} and Error{out_of_range} above them.
  ProgramKernel(const Exprs& outputs, const std::vector<Leaf>&, const Arguments&);
  double seconds(int repetitions) override;
  Digest digest() override;
  std::vector<std::pair<std::string, double>> facts() override;  ///< "forecast flops": of a run with everything changed
  Program& program() { return program_; }

 private:
  std::vector<Values> values_;
  std::size_t outputs_;
  Program program_;
};

}  // namespace tyto::benchmarks
