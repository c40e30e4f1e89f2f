#pragma once
/// A step of a program ready to run: every decision made, every counter in place. Made at load, run without allocating.
#include <variant>
#include <vector>
#include "execute/cpu/contraction_plan.hpp"
#include "execute/cpu/elementwise.hpp"
#include "execute/cpu/elementwise_chain.hpp"
#include "execute/cpu/system_plan.hpp"
#include "execute/cpu/workers.hpp"
#include "execute/executor.hpp"
#include "execute/host_memory.hpp"
#include "execute/plain/step.hpp"
#include "execute/spare_room.hpp"

namespace tyto::execute::cpu {

/// A constant: every element `value`, then 1 along the diagonal of an identity.
struct ConstantPlan {
  double value = 0;
  std::int64_t diagonal = 0, diagonal_stride = 0;
};

class PreparedStep {
 public:
  PreparedStep(const program::Step&, const std::vector<program::Buffer>&, const Rates&);
  /// A contraction with a plan that was made for it.
  PreparedStep(const program::Step&, const std::vector<program::Buffer>&, ContractionPlan);
  void run(const HostMemory&, SpareRoom&, Workers&, Counts&);
  /// The same somewhere else: `inputs` has an address for each of program::inputs_of, `scratch` the bytes that scratch_bytes()
  /// says, aligned to 64.
  void run_at(void* out, const void* const* inputs, char* scratch, SpareRoom&, Workers&, Counts&);
  /// Bytes of spare room that run() uses if a matrix is singular.
  std::int64_t spare_bytes() const;
  /// Whether this executor has a kernel of its own; everything else is done by plain loops.
  static bool has_kernel(const program::Operation&, const std::vector<program::Buffer>&, const Rates&);
  /// Bytes of scratch that run() uses.
  static std::int64_t scratch_bytes(const program::Operation&, const std::vector<program::Buffer>&, const Rates&);

 private:
  using Plan = std::variant<ContractionPlan, ElementwisePlan, ChainPlan, SystemPlan, ConstantPlan, plain::Step>;
  static Plan prepared(const program::Operation&, const std::vector<program::Buffer>&, const Rates&);
  static std::int64_t scratch_of(const Plan&);
  PreparedStep(const program::Step&, const std::vector<program::Buffer>&, Plan);
  /// Addresses of one run.
  struct Place {
    void* out;
    const void* const* inputs;
    char* scratch;
  };
  void run_contraction(ContractionPlan&, const Place&, Workers&, Counts&);
  template <class T>
  void run_as(const Place&, SpareRoom&, Workers&, Counts&);

  Plan plan_;
  StridedCopy whole_out_;  ///< one value over all of the output
  Dtype dtype_ = Dtype::f64;
  bool is_power_ = false;
  std::optional<operation::Function> function_;  ///< of a map
  program::BufferId out_ = -1;
  std::vector<program::BufferId> inputs_;
  std::vector<const void*> addresses_;  ///< of the inputs; scratch of run()
  std::int64_t bytes_ = 0, scratch_offset_ = 0;
};

}  // namespace tyto::execute::cpu
