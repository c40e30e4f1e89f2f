// What running a plan costs beside its arithmetic: a chain of products so small that they cost next to nothing, and whether a run
// allocates.
#include "allocations/allocations.hpp"
#include "program_kernel.hpp"

namespace tyto::benchmarks {

namespace {

class Replay final : public Kernel {
 public:
  Replay(const Expr& output, const std::vector<Leaf>& leaves, double steps, const Arguments& arguments)
      : kernel_({output}, leaves, arguments), steps_(steps) {}
  double seconds(int repetitions) override { return kernel_.seconds(repetitions); }
  Digest digest() override { return kernel_.digest(); }
  /// "steps" and "allocations" of one run.
  std::vector<std::pair<std::string, double>> facts() override {
    test::allocations = 0, test::counting = true;
    kernel_.program().run();
    test::counting = false;
    return {{"steps", steps_}, {"allocations", static_cast<double>(test::allocations)}};
  }

 private:
  ProgramKernel kernel_;
  double steps_;
};

}  // namespace

std::unique_ptr<Kernel> replay(const Arguments& arguments) {
  const std::int64_t steps = arguments.integer("steps");
  Index last("i0", 2);
  Exprs operands = {tensor("x", {last})};
  for (std::int64_t k = 1; k <= steps; ++k) {
    const Index next("i" + std::to_string(k), 2);
    operands.push_back(tensor("A" + std::to_string(k), {next, last}));
    last = next;
  }
  std::vector<Leaf> leaves;
  for (const Expr& operand : operands) leaves.push_back({operand});
  return std::make_unique<Replay>(einsum(operands, {last}), leaves, static_cast<double>(steps), arguments);
}

}  // namespace tyto::benchmarks
