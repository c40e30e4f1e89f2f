#include "solve/recording.hpp"
#include <map>
#include "solve/handles.hpp"

namespace tyto::solve {

namespace {

class Recording final : public Iteration {
 public:
  Recording(const Setup& setup, State& state, std::int64_t recorded) : setup_(setup), state_(state), recorded_(recorded) {}
  std::vector<Recorded> cycle() const {
    check_closed();
    if (present_ < 0) fail(Code::plugin_rule, "the plugin's run() begins no sweep", "while (it.next(objective)) ...");
    return cycle_;
  }

  bool next(tyto::Objective f) override {
    entry(setup_.objectives, f, "an objective");
    check_closed();
    std::int64_t& sweep = sweeps_[f.id];
    if (sweep == recorded_) {
      cycle_.push_back({.what = Recorded::What::sweep_end, .id = f.id});
      return false;
    }
    if (sweep > 0 && spent_ == 0)
      fail(Code::plugin_rule, "a sweep spends no kernel and would change nothing for ever", "apply() between two calls of next()",
           "none");
    present_ = f.id, spent_ = 0;
    return ++sweep > 0;
  }
  std::int64_t sweep() const override { return present_ < 0 ? 0 : sweeps_.at(present_); }
  double objective(tyto::Objective f) override {
    entry(setup_.objectives, f, "an objective");
    record(Recorded::What::objective, f.id);
    return 1;
  }
  double value(tyto::Value v) override {
    scalar_of(setup_, v);
    record(Recorded::What::value, v.id);
    return 1;
  }
  void apply(tyto::BlockSolve b) override {
    entry(setup_.block_solves, b, "a block solve");
    record(Recorded::What::block_solve, b.id);
  }
  void apply(tyto::Assign a) override {
    entry(setup_.assigns, a, "an assignment");
    record(Recorded::What::assign, a.id);
  }
  StepReport apply(tyto::Step s) override {
    entry(setup_.steps, s, "a step");
    record(Recorded::What::step, s.id);
    return {.decrease = 1, .length = 1, .accepted = true};
  }
  Outcome apply(Minimize m) override {
    entry(setup_.minimizers, m, "a minimizer");
    record(Recorded::What::minimizer, m.id);
    return {};
  }
  std::int64_t apply(tyto::Subspace s, const Truncation&) override {
    record(Recorded::What::subspace, s.id);
    return vectors_of(setup_, entry(setup_.subspaces, s, "a subspace"));
  }
  double apply(tyto::EigenSolve s, const Krylov& krylov) override {
    entry(setup_.eigen_solves, s, "an eigenproblem");
    record({.what = Recorded::What::eigen_solve, .id = s.id, .krylov = krylov});
    return 1;
  }
  double residual(tyto::EigenSolve s) override {
    entry(setup_.eigen_solves, s, "an eigenproblem");
    return 1;
  }
  SplitReport apply(tyto::Split s, Weight to, const Truncation& cut) override {
    entry(setup_.splits, s, "a split");
    record({.what = Recorded::What::split, .id = s.id, .to = to, .cut = cut});
    return {.discarded = 0, .entropy = 0, .extent = 1};
  }
  double get(const Expr& parameter) const override { return state_.get(tensor_of(setup_, parameter), 0); }
  void set(const Expr& parameter, double) override { parameter_of(setup_, parameter); }
  std::int64_t extent(const Index& index) const override { return index.extent(); }
  void resize(const Index&, std::int64_t) override { unsupported("resize"); }
  ConstArray read(const Expr& leaf) override { return state_.array(tensor_of(setup_, leaf)); }
  Write write(const Expr& leaf) override {
    const Array a = state_.array(writable(setup_, leaf));
    scratch_ = tensor::Dense::copy(a);  // what a dry run writes is forgotten
    return Write(scratch_.view(), &open_);
  }
  double uniform() override { return 0.5; }
  bool part(std::int64_t) override { return true; }
  void report_largest(Column c, double) override { entry(setup_.columns, c, "a column"); }
  void report(Column c, double) override { entry(setup_.columns, c, "a column"); }
  void warn(const std::string&) override {}
  void end_as(Stop, const std::string&) override {}
  std::vector<tyto::Objective> objectives() const override {
    std::vector<tyto::Objective> all;
    for (std::size_t k = 0; k < setup_.objectives.size(); ++k) all.push_back({static_cast<std::int32_t>(k)});
    return all;
  }
  std::vector<tyto::BlockSolve> block_solves(tyto::Objective f) const override {
    return handles_of<tyto::BlockSolve>(setup_.block_solves, f, is_free);
  }
  std::vector<tyto::Step> steps(tyto::Objective f) const override { return handles_of<tyto::Step>(setup_.steps, f, has_blocks); }
  std::vector<Minimize> minimizers(tyto::Objective f) const override {
    return handles_of<Minimize>(setup_.minimizers, f, has_blocks);
  }
  std::vector<tyto::Subspace> subspaces(tyto::Objective f) const override {
    return handles_of<tyto::Subspace>(setup_.subspaces, f, is_free_basis);
  }

 private:
  [[noreturn]] static void unsupported(const char* what) { fail_unsupported(what); }
  void check_closed() const {
    if (open_) fail(Code::plugin_rule, "a kernel runs while a tensor is open for writing", "the Write destroyed first");
  }
  void record(Recorded::What what, std::int32_t id) { record({.what = what, .id = id}); }
  void record(const Recorded& kernel) {
    check_closed();
    if (++spent_ > most_recorded)
      fail(Code::plugin_rule, "a sweep spends more kernels than can be planned", fmt::format("at most {}", most_recorded));
    const auto known = sweeps_.find(present_);
    if (known != sweeps_.end() && known->second == recorded_) cycle_.push_back(kernel);
  }

  const Setup& setup_;
  State& state_;
  std::int64_t recorded_;  // sweep, from 1
  std::map<std::int32_t, std::int64_t> sweeps_;
  std::int32_t present_ = -1;
  std::int64_t spent_ = 0;
  std::vector<Recorded> cycle_;
  tensor::Dense scratch_;
  bool open_ = false;
};

}  // namespace

std::vector<Recorded> recorded_cycle(const Algorithm& algorithm, const Setup& setup, State& state, std::int64_t sweep) {
  Recording recording(setup, state, sweep);
  algorithm.run(recording);
  return recording.cycle();
}

}  // namespace tyto::solve
