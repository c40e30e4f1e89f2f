#pragma once
/// Plans for contractions that a solve asks for while it runs, each made once.
#include <map>
#include "execute/executor.hpp"
#include "plan/plan.hpp"
#include "program/plan_source.hpp"

namespace tyto::session {

class ContractionPlans final : public program::PlanSource {
 public:
  /// `options` as for any plan of the run; the executor outlives this.
  ContractionPlans(const execute::Executor&, plan::Options options, std::vector<std::string> passes_switched_off);
  const program::PlannedContraction& plan(const program::ContractionRequest&) override;
  std::size_t count() const { return known_.size(); }

 private:
  struct Known {
    program::ContractionRequest request;
    program::PlannedContraction planned;
  };
  program::PlannedContraction made(const program::ContractionRequest&) const;

  const execute::Executor& executor_;
  plan::Options options_;
  std::vector<std::string> switched_off_;
  std::multimap<std::size_t, Known> known_;  ///< by hash of the request; addresses stay
};

}  // namespace tyto::session
