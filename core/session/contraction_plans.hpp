#pragma once
/// Plans for contractions that a solve asks for while it runs, each made once while it is remembered. In which order to contract,
/// and how intermediates lie, is decided for extents rounded up to a few steps an octave, so that bonds that grow do not decide it
/// anew each time.
#include "execute/executor.hpp"
#include "optimize/pipeline.hpp"
#include "plan/layout.hpp"
#include "plan/plan.hpp"
#include "session/recent_requests.hpp"

namespace tyto::session {

class ContractionPlans final : public program::PlanSource {
 public:
  /// `options` as for any plan of the run; the executor outlives this.
  ContractionPlans(const execute::Executor&, plan::Options options, std::vector<std::string> passes_switched_off);
  const program::PlannedContraction& plan(const program::ContractionRequest&) override;
  std::size_t count() const { return known_.count(); }

 private:
  /// Contraction order and axis orders, chosen for extents near those that are asked for.
  struct Design {
    optimize::Optimized optimized;
    std::vector<graph::NodeId> leaves;  ///< by operand
    plan::Options options;
    plan::Layouts layouts;
  };
  const Design& design(const program::ContractionRequest&);
  program::PlannedContraction made(const program::ContractionRequest&);

  const execute::Executor& executor_;
  plan::Options options_;
  std::vector<std::string> switched_off_;
  RecentRequests<program::PlannedContraction> known_;
  RecentRequests<Design> designs_;  ///< for rounded extents
};

}  // namespace tyto::session
