// What a plugin may not do in run(), and what it is told then.
#include "core/session/runs.hpp"
#include "plugin/algorithm.hpp"

namespace tyto::session {

namespace {

/// A matrix factorization whose run() is the test's.
class Probe final : public Algorithm {
 public:
  static inline std::function<void(Iteration&, const Probe&)> body;
  static Schema schema() { return {}; }
  void declare(Declaration& d, const Settings&) override {
    x = d.data("X");
    const Index r("r", 1);
    a = d.unknown("A", {x.axis(0), r}), b = d.unknown("B", {x.axis(1), r}), memory = d.state("S", {r});
    fit = d.minimize(norm2(x - einsum({a, b}, x.shape())));
    solve = d.block_solve(fit, a);
    seen = d.observe("seen", einsum({a, b}, x.shape()));
  }
  void run(Iteration& it) const override { body(it, *this); }
  Objective fit;
  BlockSolve solve, never;
  Value seen;
  Expr x, a, b, memory;
};

Result run(const std::function<void(Iteration&, const Probe&)>& body, const std::string& yaml = "") {
  static const PluginInfo info = TYTO_ALGORITHM(Probe, "probe", "1", "for tests");
  static const Table x = plain::random({3, 2}, 1);
  Probe::body = body;
  Session session = Session::from_text("algorithm: probe\nsolver: {max_sweeps: 2}\n" + yaml);
  return session.use(&info).input("X", ConstArray(x.values.data(), x.extents)).run();
}

/// `body` once a sweep.
void refuses(const std::string& text, const std::function<void(Iteration&, const Probe&)>& body, const std::string& yaml = "") {
  check_error("text:1:12: " + text + "\n  while     plugin 'probe' was in run()", [&] {
    run(
        [&](Iteration& it, const Probe& p) {
          while (it.next(p.fit)) it.apply(p.solve), body(it, p);
        },
        yaml);
  });
}

}  // namespace

BOOST_AUTO_TEST_SUITE(rules)

BOOST_AUTO_TEST_CASE(handles_come_from_declare) {
  refuses(
      "a handle to a block solve that was never declared is spent\n  expected  a handle kept from declare()\n  found     one that "
      "was never assigned",
      [](Iteration& it, const Probe& p) { it.apply(p.never); });
}

BOOST_AUTO_TEST_CASE(a_sweep_spends_kernels) {
  check_error(
      "text:1:12: a sweep spends no kernel and would change nothing for ever\n  expected  apply() between two calls of next()\n  "
      "found     "
      "none\n"
      "  while     plugin 'probe' was in run()",
      [] {
        run([](Iteration& it, const Probe& p) {
          while (it.next(p.fit)) {
          }
        });
      });
}

BOOST_AUTO_TEST_CASE(a_run_begins_a_sweep) {
  check_error(
      "text:1:12: the plugin's run() begins no sweep\n  expected  while (it.next(objective)) ...\n  while     plugin 'probe' was "
      "in run()",
      [] { run([](Iteration&, const Probe&) {}); });
}

BOOST_AUTO_TEST_CASE(no_kernel_runs_while_a_tensor_is_open) {
  refuses("a kernel runs while a tensor is open for writing\n  expected  the Write destroyed first",
          [](Iteration& it, const Probe& p) {
            const Write w = it.write(p.b);
            it.apply(p.solve);
          });
}

BOOST_AUTO_TEST_CASE(data_is_not_written) {
  refuses("write() is called for the data X\n  expected  an unknown or a state\n  try       copying it into a state",
          [](Iteration& it, const Probe& p) { (void)it.write(p.x); });
}

BOOST_AUTO_TEST_CASE(what_the_user_fixed_is_not_written) {
  const std::string path = written(fresh_folder("rules"), "b", plain::filled({2, 1}, 1));
  refuses(
      "write() is called for B, which the user fixed", [](Iteration& it, const Probe& p) { (void)it.write(p.b); },
      "unknowns: {B: {fixed: true, init: {file: " + path + "}}}");
}

BOOST_AUTO_TEST_CASE(only_parameters_are_set) {
  refuses("set() is called for B(1,r)\n  expected  what parameter() returned",
          [](Iteration& it, const Probe& p) { it.set(p.b, 1); });
}

BOOST_AUTO_TEST_CASE(a_value_is_a_scalar) {
  refuses("value() is asked for the observed tensor seen\n  expected  a number\n  found     2 axes",
          [](Iteration& it, const Probe& p) { it.value(p.seen); });
}

BOOST_AUTO_TEST_CASE(only_leaves_of_the_run_are_read) {
  refuses("a tensor is read or written that the run does not have\n  expected  a leaf from declare()\n  found     2*A(0,r)",
          [](Iteration& it, const Probe& p) { (void)it.read(2 * p.a); });
}

BOOST_AUTO_TEST_CASE(states_start_at_zero_and_carry_what_is_written) {
  std::vector<double> seen;
  run([&](Iteration& it, const Probe& p) {
    seen.clear();
    while (it.next(p.fit)) {
      it.apply(p.solve);
      seen.push_back(it.read(p.memory).as<double>()[0]);
      it.write(p.memory).array.as<double>()[0] += 1;
    }
  });
  BOOST_TEST(seen == (std::vector<double>{0, 1}));
}

BOOST_AUTO_TEST_CASE(random_numbers_repeat_with_the_seed_and_warnings_are_told_once) {
  std::vector<double> drawn[2];
  for (int k = 0; k < 2; ++k) {
    const Result r = run([&](Iteration& it, const Probe& p) {
      drawn[k].clear();
      while (it.next(p.fit)) it.apply(p.solve), it.warn("careful"), drawn[k].push_back(it.uniform());
    });
    BOOST_TEST(std::count(r.warnings.begin(), r.warnings.end(), "careful") == 1);
  }
  BOOST_TEST(drawn[0] == drawn[1]);
  BOOST_TEST(drawn[0][0] != drawn[0][1]);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace tyto::session
