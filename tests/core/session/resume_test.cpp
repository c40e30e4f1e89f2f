// Runs that are interrupted and resumed: the same numbers, to the last bit, as of a run that was left alone.
#include "core/session/runs.hpp"
#include "session/checkpoint.hpp"
#include <fmt/format.h>
#include "plugin/algorithm.hpp"

namespace tyto::session {

namespace {

using v1::einsum;

/// Two objectives in turn, a state, parameters that run() sets at random, an extrapolation: all that may have to be restored.
class Wandering final : public Algorithm {
 public:
  static Schema schema() { return {integer("rank", "number of terms")}; }
  void declare(Declaration& d, const Settings& s) override {
    const Expr x = d.data("X");
    const Index r("r", s.integer("rank"));
    Exprs factors;
    for (const Index& mode : x.shape()) {
      factors.push_back(d.unknown("A_" + mode.name(), {mode, r}));
      before_.push_back(d.state("before " + mode.name(), {mode, r}));
    }
    speed_ = d.parameter("speed", 0), size_ = d.parameter("size", 1);
    const Expr residual = x - size_ * einsum(factors, x.shape());
    fit_ = d.minimize(0.5 * sum(square(residual)));
    damped_ = d.minimize(0.5 * sum(square(residual)) + 0.05 * norm2(factors[0]));
    for (std::size_t k = 0; k < factors.size(); ++k) {
      solves_.push_back(d.block_solve(k == 0 ? damped_ : fit_, factors[k]));
      keeps_.push_back(d.assign(before_[k], factors[k]));
      moves_.push_back(d.assign(factors[k], factors[k] + speed_ * (factors[k] - before_[k])));
    }
    drawn_ = d.column("drawn", "a random number");
  }
  void run(Iteration& it) const override {
    const double first = it.uniform();  // a resumed run must find the same one
    it.set(size_, 1 + first);
    while (it.next(fit_)) {
      const double speed = first * it.uniform();
      it.set(speed_, speed);
      it.report(drawn_, speed);
      for (std::size_t k = 0; k < solves_.size(); ++k) {
        it.apply(keeps_[k]);
        if (k == 0 && it.next(damped_)) it.apply(solves_[k]);
        if (k > 0) it.apply(solves_[k]);
        if (it.sweep() > 2) it.apply(moves_[k]);
      }
      if (it.uniform() < 0.2) it.warn(fmt::format("sweep {}", it.sweep()));
    }
  }

 private:
  Exprs before_;
  Expr speed_, size_;
  Objective fit_, damped_;
  std::vector<BlockSolve> solves_;
  std::vector<Assign> keeps_, moves_;
  Column drawn_;
};

const PluginInfo wandering = TYTO_ALGORITHM(Wandering, "wandering", "1", "for tests");

/// A run file with its data: what a test resumes.
struct Case {
  std::string algorithm;
  Table x;
  std::string solver, settings = "rank: 2", more = "";

  Session made(Session session) const {
    if (algorithm == "wandering") session.use(&wandering);
    if (!x.values.empty()) session.input("X", ConstArray(x.values.data(), x.extents));
    return session;
  }
  Session fresh(const std::string& folder, const std::string& checkpoint = "auto") const {
    return made(
        Session::from_text(fmt::format("algorithm: {}\nsettings: {{{}}}\nsolver: {{{}}}\n{}\noutput: {{directory: {}, overwrite: "
                                       "true, report: false, checkpoint: {}}}",
                                       algorithm, settings, solver, more, folder, checkpoint)));
  }
  Session resumed(const std::string& folder) const { return made(Session::from_checkpoint(folder)); }
};

Session& interrupted_after(Session& session, int sweeps) {
  return session.interrupt_when([sweeps, asked = 0]() mutable { return ++asked >= sweeps; });
}

void check_same(const Result& found, const Result& expected) {
  BOOST_CHECK(found.outcome.stop == expected.outcome.stop);
  BOOST_TEST(found.outcome.reason == expected.outcome.reason);
  BOOST_TEST(found.objective == expected.objective);
  BOOST_TEST(found.relative_error == expected.relative_error);
  BOOST_TEST(found.sweeps == expected.sweeps);
  BOOST_TEST(found.best_start == expected.best_start);
  BOOST_TEST(found.warnings == expected.warnings, boost::test_tools::per_element());
  BOOST_TEST(found.names() == expected.names(), boost::test_tools::per_element());
  for (const std::string& name : expected.names()) BOOST_TEST(found.array(name).values == expected.array(name).values, name);
  BOOST_REQUIRE(found.history.size() == expected.history.size());
  for (std::size_t k = 0; k < expected.history.size(); ++k) {
    const Progress &is = found.history[k], &was = expected.history[k];
    BOOST_TEST(is.start == was.start);
    BOOST_TEST(is.sweep == was.sweep);
    BOOST_TEST(is.objective == was.objective, "row " << k << ": " << is.objective << " and " << was.objective);
    BOOST_TEST(is.relative_error == was.relative_error);
    BOOST_TEST(is.change == was.change);
    BOOST_TEST(is.starts == was.starts);
    BOOST_CHECK(is.columns == was.columns);
  }
}

/// Interrupts a run early, in the middle and before its last sweep, and compares.
Result check_resumes(const Case& c) {
  const std::string folder = fresh_folder("resumed");
  const Result whole = c.fresh(fresh_folder("whole")).run();
  const auto sweeps = static_cast<int>(whole.history.size());
  BOOST_REQUIRE(sweeps > 3);
  for (const int k : {1, sweeps / 2, sweeps - 1}) {
    BOOST_TEST_CONTEXT(c.algorithm << ", interrupted after " << k << " of " << sweeps << " sweeps") {
      Session first = c.fresh(folder);
      const Result part = interrupted_after(first, k).run();
      // Where an objective that run() asked for earlier is not done, the run goes on to where it can be resumed from: maybe its
      // end.
      BOOST_TEST((part.history.size() < whole.history.size() || part.outcome.stop != Stop::interrupted));
      check_same(c.resumed(folder).run(), whole);
    }
  }
  return whole;
}

Table noisy() { return of_rank({4, 5, 3}, 2, 71, 0.3); }

}  // namespace

BOOST_AUTO_TEST_SUITE(resuming)

BOOST_AUTO_TEST_CASE(alternating_least_squares_over_several_starts) {
  check_resumes({"cp-als", noisy(), "starts: 3, max_sweeps: 5, tolerance: 0"});
  check_resumes({"cp-als", times(noisy(), 1e9), "max_sweeps: 12, tolerance: 0"});  // norms are evened out on the way
  check_resumes({"cp-als", of_rank({3, 4, 2, 5}, 3, 12, 0.1), "max_sweeps: 12, tolerance: 0, init: hosvd", "rank: 3",
                 "plan: {sweeps_per_cycle: 3}"});
  check_resumes({"cp-als", noisy(), "max_sweeps: 9, tolerance: 0", "rank: 2", "execution: {executor: reference}"});
  check_resumes({"cp-als", noisy(), "max_sweeps: 9, tolerance: 0", "rank: 2", "execution: {precision: f32}"});
}

BOOST_AUTO_TEST_CASE(extrapolated_sweeps) {
  check_resumes({"cp-als", noisy(), "max_sweeps: 40, tolerance: 0, extrapolation: true"});
  check_resumes({"cp-als", of_rank({3, 4, 2, 5}, 3, 12, 0.1), "starts: 2, max_sweeps: 20, tolerance: 0, extrapolation: true",
                 "rank: 3", "plan: {sweeps_per_cycle: 3}\nunknowns: {\"*\": {nonnegative: true}}"});
}

BOOST_AUTO_TEST_CASE(trains_with_their_gauge) {
  const std::string two_states = "model: {name: heisenberg, sites: 8}, maxdim: [4, 8, 12], states: 2, noise: [1e-4, 0]";
  check_resumes({"dmrg", {}, "starts: 2, max_sweeps: 5, tolerance: 0", two_states});
  check_resumes(
      {"dmrg", {}, "max_sweeps: 5, tolerance: 0", "model: {name: xxz, sites: 6, phase: 0.7}, maxdim: 6, block: 1, noise: 1e-3"});
}

BOOST_AUTO_TEST_CASE(steps_with_their_trust_region) {
  check_resumes({"cp-gauss-newton", noisy(), "starts: 2, max_sweeps: 40, tolerance: 0, krylov: stcg"});
  check_resumes({"cp-gauss-newton", noisy(), "starts: 2, max_sweeps: 40, tolerance: 0, krylov: direct"});
  check_resumes({"cp", of_rank({5, 6, 4}, 2, 8, 0.1), "max_sweeps: 60, tolerance: 1e-13", "rank: 2, method: newton"});
  check_resumes({"cp", noisy(), "max_sweeps: 14, tolerance: 0, gradient_tolerance: 1e-9", "rank: 2, method: gradient-descent"});
}

BOOST_AUTO_TEST_CASE(orthonormal_bases) {
  check_resumes({"tucker-hooi", noisy(), "max_sweeps: 8, tolerance: 0, init: random", "ranks: [2, 2, 2]"});
}

BOOST_AUTO_TEST_CASE(the_switch_from_alternating_to_gauss_newton) {
  Table ones_apart{{3, 3, 3}, std::vector<double>(27, 0)};  // e100 + e010 + e001, on which alternating crawls
  for (const std::size_t k : {9U, 3U, 1U}) ones_apart.values[k] = 1;
  const Result whole = check_resumes({"cp", ones_apart, "max_sweeps: 40, tolerance: 0"});
  BOOST_TEST(whole.history.front().columns.front().second == 0);
  bool has_switched = false;
  for (const Progress& row : whole.history)
    for (const auto& [name, value] : row.columns) has_switched = has_switched || (name == "gauss-newton" && value == 1);
  BOOST_TEST(has_switched);
}

BOOST_AUTO_TEST_CASE(states_parameters_random_numbers_and_several_objectives) {
  check_resumes({"wandering", noisy(), "starts: 2, max_sweeps: 9, tolerance: 0"});
}

BOOST_AUTO_TEST_CASE(other_limits_end_where_a_run_with_them_would_have_ended) {
  const std::string folder = fresh_folder("limits");
  const Case few{"cp-als", noisy(), "max_sweeps: 5, tolerance: 0"}, many{"cp-als", noisy(), "max_sweeps: 60, tolerance: 1e-6"};
  const Result whole = many.fresh(fresh_folder("whole")).run();
  BOOST_CHECK(whole.outcome.stop == Stop::converged);
  BOOST_CHECK(few.fresh(folder).run().outcome.stop == Stop::sweep_limit);
  check_same(few.resumed(folder).set("solver.max_sweeps", "60").set("solver.tolerance", "1e-6").run(), whole);
  // What has converged goes on with a smaller tolerance, and ends at once with a larger one.
  const Result closer = few.resumed(folder).set("solver.tolerance", "1e-9").run();
  BOOST_TEST(closer.sweeps > whole.sweeps);
  const Result at_once = few.resumed(folder).set("solver.tolerance", "1e-3").run();
  BOOST_CHECK(at_once.outcome.stop == Stop::converged);
  BOOST_TEST(at_once.sweeps == closer.sweeps);
  BOOST_TEST(at_once.objective == closer.objective);
}

BOOST_AUTO_TEST_CASE(a_run_that_is_done_is_done_again) {
  const std::string folder = fresh_folder("done");
  const Case c{"cp-als", noisy(), "max_sweeps: 60, tolerance: 1e-6"};
  const Result whole = c.fresh(folder).run();
  const Result again = c.resumed(folder).run();
  check_same(again, whole);
  BOOST_TEST(again.seconds >= whole.seconds * 0.5);
}

BOOST_AUTO_TEST_CASE(more_starts_can_follow) {
  const std::string folder = fresh_folder("starts");
  const Case c{"cp-als", noisy(), "starts: 2, max_sweeps: 5, tolerance: 0"},
      more{"cp-als", noisy(), "starts: 4, max_sweeps: 5, tolerance: 0"};
  c.fresh(folder).run();
  check_same(c.resumed(folder).set("solver.starts", "4").run(), more.fresh(fresh_folder("whole")).run());
}

BOOST_AUTO_TEST_CASE(a_crash_in_the_midst_of_a_sweep) {
  const Case c{"dmrg",
               {},
               "max_sweeps: 5, tolerance: 0",
               "model: {name: heisenberg, sites: 8}, maxdim: [4, 8, 12], states: 2, noise: [1e-4, 0], start: up"};
  const Result whole = c.fresh(fresh_folder("whole")).run();
  for (const int crash : {1, 2, 4, 8}) {  // the last one in the second state
    const std::string folder = fresh_folder("crash");
    Session session = c.fresh(folder, "1");
    int sweeps = 0;
    session.interrupt_when([&]() -> bool {  // asked before the checkpoint at the end of a sweep
      if (++sweeps == crash) throw std::runtime_error("crash");
      return false;
    });
    BOOST_CHECK_THROW(session.run(), std::exception);
    BOOST_TEST(read_checkpoint(folder).solve.part == 1);
    check_same(c.resumed(folder).run(), whole);
  }
}

BOOST_AUTO_TEST_CASE(another_schedule_goes_on_from_the_end) {
  const std::string folder = fresh_folder("schedule");
  const Case c{"dmrg", {}, "max_sweeps: 40, tolerance: 1e-10", "model: {name: heisenberg, sites: 8}, maxdim: 4"};
  const Result narrow = c.fresh(folder).run();
  BOOST_TEST(narrow.objective > -3.3749325986879 + 1e-6);
  std::vector<std::string> messages;
  Session session = c.resumed(folder);
  session.set("settings.maxdim", "16").on_message([&](const std::string& text) { messages.push_back(text); });
  const Result wide = session.run();
  BOOST_TEST(messages == std::vector<std::string>{"settings.maxdim is [16] from here on, was [4]"},
             boost::test_tools::per_element());
  BOOST_TEST(wide.history.size() > narrow.history.size());
  BOOST_TEST(close(wide.objective, -3.3749325986879, 1e-9));
}

BOOST_AUTO_TEST_CASE(starts_of_trains_have_bonds_of_their_own) {
  const std::string folder = fresh_folder("narrow");
  const Case narrow{"dmrg", {}, "max_sweeps: 4", "model: {name: heisenberg, sites: 8}, maxdim: 4"},
      wide{"dmrg",
           {},
           "max_sweeps: 1, tolerance: 0, init: {file: " + folder + "}",
           "model: {name: heisenberg, sites: 8}, maxdim: 16, krylov_products: 20"};
  const double before = narrow.fresh(folder).run().objective;
  const double after = wide.fresh(fresh_folder("wide")).run().objective;
  BOOST_TEST(after < before);
  BOOST_TEST(close(after, -3.3749325986879, 1e-6));
}

BOOST_AUTO_TEST_CASE(a_crash_goes_back_to_the_last_checkpoint) {
  const Case c{"cp-als", noisy(), "starts: 2, max_sweeps: 9, tolerance: 0"};
  const Result whole = c.fresh(fresh_folder("whole")).run();
  for (const std::size_t crash : {3U, 8U, 11U, 17U}) {
    const std::string folder = fresh_folder("crash");
    Session session = c.fresh(folder, "3");
    std::size_t sweeps = 0;
    session.on_progress([&](const Progress&) {
      if (++sweeps == crash + 1) throw std::runtime_error("crash");
    });
    BOOST_CHECK_THROW(session.run(), std::exception);
    BOOST_TEST(!std::filesystem::exists(folder + "/result.json"));
    check_same(c.resumed(folder).run(), whole);
    const std::string history = text_of_file(folder + "/history.jsonl");
    BOOST_TEST(std::count(history.begin(), history.end(), '\n') == 18);
  }
}

BOOST_AUTO_TEST_CASE(resumed_twice) {
  const std::string folder = fresh_folder("twice");
  const Case c{"cp", noisy(), "starts: 2, max_sweeps: 8, tolerance: 0"};
  Session first = c.fresh(folder), second = c.made(Session::from_text("algorithm: cp"));
  interrupted_after(first, 3).run();
  second = c.resumed(folder);
  interrupted_after(second, 7).run();
  check_same(c.resumed(folder).run(), c.fresh(fresh_folder("whole")).run());
}

BOOST_AUTO_TEST_CASE(nothing_is_left_where_none_is_wanted) {
  const std::string folder = fresh_folder("none");
  const Case c{"cp-als", noisy(), "max_sweeps: 3"};
  c.fresh(folder, "0").run();
  BOOST_TEST(!std::filesystem::exists(folder + "/checkpoint"));
  check_error(
      folder +
          ": the folder holds no checkpoint\n  expected  the output folder of a run\n  found     no file 'checkpoint' in it\n"
          "  try       tyto run; output.checkpoint says when a run leaves one",
      [&] { (void)Session::from_checkpoint(folder); });
  check_error(
      folder + "/x: this is no folder\n  expected  the output folder of a run\n  found     nothing of that name\n  try       ls " +
          folder + "/x",
      [&] { (void)Session::from_checkpoint(folder + "/x"); });
}

BOOST_AUTO_TEST_CASE(another_problem_is_refused_by_name) {
  const std::string folder = fresh_folder("other");
  const Case c{"cp-als", noisy(), "max_sweeps: 3"};
  c.fresh(folder).run();
  check_error(
      "--set execution.precision=f32: a run that is resumed cannot have another execution.precision\n"
      "  expected  f64, as in the checkpoint\n"
      "  found     f32\n"
      "  try       tyto run; solver.init: {file: FOLDER} starts from the unknowns of an earlier run\n"
      "--set settings.rank=3: a run that is resumed cannot have another settings.rank\n"
      "  expected  2, as in the checkpoint\n"
      "  found     3\n"
      "  try       tyto run; solver.init: {file: FOLDER} starts from the unknowns of an earlier run",
      [&] { c.resumed(folder).set("execution.precision", "f32").set("settings.rank", "3").run(); });
  Case other = c;
  other.x.values[7] = -other.x.values[7];
  const std::string norm = fmt::format("4 x 5 x 3 f64, norm {:.10g}", plain::norm(c.x.values));
  check_error(folder + "/checkpoint: the input X is not that of the checkpoint\n  expected  " + norm +
                  "\n  found     the same shape and norm, other values\n  try       the data of the interrupted run",
              [&] { other.resumed(folder).run(); });
}

BOOST_AUTO_TEST_CASE(what_changes_digits_only_is_said) {
  const std::string folder = fresh_folder("digits");
  const Case c{"cp-als", noisy(), "max_sweeps: 5, tolerance: 0"};
  Session first = c.fresh(folder);
  interrupted_after(first, 2).run();
  std::vector<std::string> messages;
  Session session = c.resumed(folder);
  session.set("execution.executor", "reference").on_message([&](const std::string& text) { messages.push_back(text); });
  const Result r = session.run();
  BOOST_TEST(close(r.relative_error, c.fresh(fresh_folder("whole")).run().relative_error, 1e-12));
  BOOST_TEST(
      messages == (std::vector<std::string>{
                      "digits may differ from an uninterrupted run: changed execution.executor",
                      "the plan is not that of the interrupted run, so the last digits may differ from an uninterrupted one"}),
      boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace tyto::session
