#pragma once
/// The running solve: the Iteration that a plugin's run() sees. It spends kernels on real numbers, stops, keeps the history.
#include <chrono>
#include <limits>
#include <map>
#include <set>
#include "execute/evaluation.hpp"
#include "solve/extrapolation.hpp"
#include "solve/local_model.hpp"
#include "solve/residual.hpp"
#include "solve/snapshot.hpp"
#include "solve/state.hpp"
#include "solve/trains.hpp"
#include "solve/stopping.hpp"
#include "solve/trust_region.hpp"
#include "solve/turn.hpp"

namespace tyto::solve {

class Solver final : public Iteration {
 public:
  /// `state` holds the start; both outlive the solver. Loads the program.
  Solver(const Setup&, State&);

  /// Runs the algorithm from a start; state must have been filled. May be called again.
  struct Finished {
    Outcome outcome;
    double objective = 0, relative_error = -1, seconds = 0;
    std::optional<double> optimality = {};  ///< see optimality.hpp; where unknowns of the objective have bounds
    std::int64_t sweeps = 0;
    std::vector<Progress> history;
  };
  Finished solve(const Algorithm&, int start, std::uint64_t seed);
  /// The next solve() goes on from here. Until it begins a sweep, run() is repeated on the start that it had at first, so that it
  /// finds what it found then; next() puts everything into the state of the snapshot.
  void resume(Snapshot);
  /// The present value of an observed expression, row-major, as double.
  std::vector<double> observed(std::size_t k);
  /// Of a train, at each inner bond, in nats.
  const std::vector<double>& entropies(std::size_t train) const { return trains_->gauges()[train].entropies; }
  std::vector<std::string> warnings() const { return warnings_; }
  const execute::Counts& counts() const { return evaluation_.counts(); }

  bool next(tyto::Objective) override;
  std::int64_t sweep() const override;
  double objective(tyto::Objective) override;
  double value(tyto::Value) override;
  void apply(tyto::BlockSolve) override;
  void apply(tyto::Assign) override;
  StepReport apply(tyto::Step) override;
  Outcome apply(tyto::Minimize) override;
  std::int64_t apply(tyto::Subspace, const Truncation&) override;
  double apply(tyto::EigenSolve, const Krylov&) override;
  double residual(tyto::EigenSolve) override;
  SplitReport apply(tyto::Split, Weight, const Truncation&) override;
  double get(const Expr& parameter) const override;
  void set(const Expr& parameter, double) override;
  std::int64_t extent(const Index&) const override;
  void resize(const Index&, std::int64_t) override;
  ConstArray read(const Expr& leaf) override;
  Write write(const Expr& leaf) override;
  double uniform() override;
  bool part(std::int64_t number) override;
  void report(Column, double) override;
  void report_largest(Column, double) override;
  void warn(const std::string&) override;
  void end_as(Stop, const std::string& reason) override;
  std::vector<tyto::Objective> objectives() const override;
  std::vector<tyto::BlockSolve> block_solves(tyto::Objective) const override;
  std::vector<tyto::Step> steps(tyto::Objective) const override;
  std::vector<Minimize> minimizers(tyto::Objective) const override;
  std::vector<tyto::Subspace> subspaces(tyto::Objective) const override;

 private:
  class Watch;
  struct Fit {
    double value = 0, relative_error = -1;
    double rounding = 0;  ///< of the value, about
  };

  /// What kernels compute on its way into a tensor: where it goes, and for each variant the kernel's buffer with its axes in the
  /// tensor's order.
  struct Store {
    std::int32_t tensor = -1;
    std::vector<ConstArray> from;
    bool is_known_deficient = false;
  };
  Store store_of(const Variants&, std::int32_t tensor) const;

  std::size_t turn(const Variants&);
  double scalar(const Value&);
  double scalar(const Variants& v) { return scalar(v.of[turn(v)]); }
  /// `wanted`: a change of the value that should stand out from its rounding.
  Fit fit(const Objective&, Sweeps&, Residual*, double wanted = std::numeric_limits<double>::infinity());
  Fit captured(const Objective&, double value, Sweeps&, Residual*);
  double left_out(const Projection&, Residual&);
  void cross_check(std::int32_t f);
  double gradient_norm(const Objective&, Sweeps&);
  std::vector<double> slope_of(const Gradient&);
  std::optional<double> optimality(const Objective&, Sweeps&);
  Measure measure_of(std::int32_t objective);
  void report(std::int32_t column, double value);
  bool undone(std::int32_t f, double objective);
  void finish_sweep(std::int32_t f);
  bool is_interrupted() const;
  void judge(Sweeps&);
  void even_out_all();
  void rest();
  Snapshot snapshot(std::int32_t objective);
  void restore(const Snapshot&);
  /// Whether run(), repeated from the snapshot, comes to this objective first.
  bool is_first_open(std::int32_t objective) const;
  void take_snapshot_if_due(std::int32_t objective);
  void changed(std::int32_t tensor);
  void kernels_see(std::int32_t tensor);
  /// Values of networks become those of the present cores.
  void refresh(const std::vector<std::int32_t>& networks);
  void run(const Variants&, Store&);
  void check_closed() const;

  const Setup& setup_;
  State& state_;
  execute::Evaluation evaluation_;
  std::unique_ptr<Trains> trains_;                                      // null where there are none
  std::vector<std::optional<Extrapolation>> extrapolations_;            // by objective
  std::vector<std::unique_ptr<Residual>> residuals_;                    // by objective; null where there is none
  std::vector<std::unique_ptr<LocalModel>> models_, minimizer_models_;  // by handle of a step, of a minimizer
  std::vector<Store> block_stores_, assign_stores_;                     // by handle
  std::vector<Turn> turns_;                                             // by number of the variants
  std::vector<Sweeps> sweeps_;
  std::vector<Progress> history_;
  std::vector<double> columns_;
  std::vector<std::string> warnings_;
  std::set<std::string> warned_;
  std::optional<Snapshot> resumed_;  // until run() has come to it
  std::vector<std::int32_t> asked_;  // objectives, in the order in which run() asked for their first sweeps
  bool is_continued_ = false;        // this solve goes on from a snapshot
  double seconds_before_ = 0;        // of this start in earlier processes
  std::chrono::steady_clock::time_point begin_ = {}, last_snapshot_ = {};
  std::int32_t present_ = -1;
  std::int64_t part_ = 0;  // of the present sweep
  int start_ = 0;
  std::uint64_t seed_ = 0;
  std::int64_t drawn_ = 0;
  bool parameter_changed_ = false, open_ = false;
};

}  // namespace tyto::solve
