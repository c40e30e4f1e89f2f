// Calls into plugins that misbehave, and the default of run().
#include "plugin/algorithm.hpp"

#include <boost/test/unit_test.hpp>
#include <cstddef>
#include <stdexcept>
#include "core/plugin/folders.hpp"
#include "plugin/catalogue.hpp"

namespace tyto::plugin {

static const std::string rule =
    "\n  expected  no exception but tyto::Error, as Declaration::reject and Settings::reject throw it\n";

static const PluginInfo& throwing(const std::string& name) { return Catalogue(places({"throwing"})).find(name); }

/// declare() of the plugins used here looks at neither argument.
static void declare(const std::string& name) {
  const PluginInfo& info = throwing(name);
  const AlgorithmOwner algorithm = create(info);
  alignas(Declaration) std::byte nowhere[sizeof(Declaration)] = {};
  call(info, "declare", [&] { algorithm->declare(*reinterpret_cast<Declaration*>(nowhere), Settings(nullptr)); });
}

BOOST_AUTO_TEST_SUITE(algorithm)

BOOST_AUTO_TEST_CASE(makes_and_returns_an_algorithm) {
  const PluginInfo& info = Catalogue(places({"good"})).find("good-one");
  BOOST_TEST(create(info) != nullptr);
  BOOST_TEST(schema_of(info).size() == 1U);
}

BOOST_AUTO_TEST_CASE(wraps_a_foreign_exception_with_the_plugins_name) {
  check_error(Code::plugin_rule,
              "plugin 'throws-foreign' failed in declare()" + rule +
                  "  found     an exception: lost my way\n"
                  "  try       reporting this to the author of throws-foreign 1",
              [] { declare("throws-foreign"); });
}

BOOST_AUTO_TEST_CASE(wraps_what_is_no_exception_at_all) {
  check_error(Code::plugin_rule,
              "plugin 'throws-integer' failed in declare()" + rule +
                  "  found     an exception of unknown type\n"
                  "  try       reporting this to the author of throws-integer 1",
              [] { declare("throws-integer"); });
}

BOOST_AUTO_TEST_CASE(wraps_exceptions_of_constructor_and_schema) {
  check_error(Code::plugin_rule,
              "plugin 'throws-when-made' failed in create()" + rule +
                  "  found     an exception: not today\n"
                  "  try       reporting this to the author of throws-when-made 1",
              [] { create(throwing("throws-when-made")); });
  check_error(Code::plugin_rule,
              "plugin 'throws-when-made' failed in schema()" + rule +
                  "  found     an exception: no schema today\n"
                  "  try       reporting this to the author of throws-when-made 1",
              [] { schema_of(throwing("throws-when-made")); });
}

BOOST_AUTO_TEST_CASE(lets_an_error_pass_with_a_line_of_context) {
  check_error(Code::contradiction,
              "rank 6 exceeds mode 2 of extent 5\n"
              "  while     plugin 'throws-error' was in declare()",
              [] { declare("throws-error"); });
}

BOOST_AUTO_TEST_CASE(refuses_a_plugin_that_makes_nothing) {
  PluginInfo info = throwing("throws-error");
  info.create = []() -> Algorithm* { return nullptr; };
  check_error(Code::plugin_rule,
              "plugin 'throws-error' failed in create()" + rule +
                  "  found     a null pointer\n"
                  "  try       reporting this to the author of throws-error 1",
              [&] { create(info); });
}

/// Two objectives, of which the first has two blocks and takes two sweeps; writes down what is asked of it.
class Recording final : public Iteration {
 public:
  std::string log;
  bool next(Objective f) override {
    log += "next" + std::to_string(f.id) + " ";
    return left_[static_cast<std::size_t>(f.id)]-- > 0;
  }
  void apply(BlockSolve b) override { log += "solve" + std::to_string(b.id) + " "; }
  std::vector<Objective> objectives() const override { return {{0}, {1}}; }
  std::vector<BlockSolve> block_solves(Objective f) const override {
    return f.id == 0 ? std::vector<BlockSolve>{{0}, {1}} : std::vector<BlockSolve>{{2}};
  }
  std::vector<Step> steps(Objective f) const override { return f.id == 0 ? std::vector<Step>{{0}} : std::vector<Step>{}; }
  std::vector<Minimize> minimizers(Objective f) const override {
    return f.id == 1 ? std::vector<Minimize>{{0}} : std::vector<Minimize>{};
  }
  std::vector<Subspace> subspaces(Objective f) const override {
    return f.id == 1 ? std::vector<Subspace>{{0}} : std::vector<Subspace>{};
  }
  std::int64_t sweep() const override { return 0; }
  double objective(Objective) override { return 0; }
  double value(Value) override { return 0; }
  StepReport apply(Step s) override {
    log += "step" + std::to_string(s.id) + " ";
    return {};
  }
  Outcome apply(Minimize m) override {
    log += "minimizer" + std::to_string(m.id) + " ";
    return {};
  }
  std::int64_t apply(Subspace s, const Truncation&) override {
    log += "subspace" + std::to_string(s.id) + " ";
    return 0;
  }
  double apply(EigenSolve, const Krylov&) override { return 0; }
  double residual(EigenSolve) override { return 0; }
  SplitReport apply(Split, Weight, const Truncation&) override { return {}; }
  void apply(Assign) override {}
  double get(const Expr&) const override { return 0; }
  void set(const Expr&, double) override {}
  std::int64_t extent(const Index&) const override { return 0; }
  void resize(const Index&, std::int64_t) override {}
  ConstArray read(const Expr&) override { return {}; }
  Write write(const Expr&) override { throw std::logic_error("not used"); }
  double uniform() override { return 0; }
  bool part(std::int64_t) override { return true; }
  void report(Column, double) override {}
  void report_largest(Column, double) override {}
  void warn(const std::string&) override {}
  void end_as(Stop, const std::string&) override {}

 private:
  int left_[2] = {2, 1};
};

BOOST_AUTO_TEST_CASE(spends_all_kernels_of_each_objective_by_default) {
  class Plain final : public Algorithm {
    void declare(Declaration&, const Settings&) override {}
  };
  Recording recording;
  static_cast<const Algorithm&>(Plain()).run(recording);
  BOOST_TEST(recording.log ==
             "next0 solve0 solve1 step0 next0 solve0 solve1 step0 next0 "
             "next1 solve2 subspace0 minimizer0 next1 ");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace tyto::plugin
