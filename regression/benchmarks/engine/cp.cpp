// Kernels of the CP decomposition: matricized tensor times Khatri-Rao product, gradient, product with the Gauss-Newton matrix; and
// the latter, Jacobians and Hessians with some passes of the optimizer switched off.
#include "cp_problem.hpp"

namespace tyto::benchmarks {

CpProblem::CpProblem(std::size_t order, std::int64_t s, std::int64_t rank) : r("r", rank) {
  for (std::size_t n = 0; n < order; ++n) modes.emplace_back(std::string(1, static_cast<char>('i' + n)), s);
  x = tensor("X", modes);
  for (const Index& mode : modes) {
    factors.push_back(tensor("A_" + mode.name(), {mode, r}));
    directions.push_back(tensor("V_" + mode.name(), {mode, r}));
  }
  residual = x - einsum(factors, modes);
  objective = 0.5 * norm2(residual);
}

std::vector<Leaf> CpProblem::x_and_factors() const {
  std::vector<Leaf> all = {{x, Changes::never}};
  for (const Expr& factor : factors) all.push_back({factor});
  return all;
}

std::vector<Leaf> CpProblem::factors_and_directions(Changes of_factors) const {
  std::vector<Leaf> all;
  for (const Expr& factor : factors) all.push_back({factor, of_factors});
  for (const Expr& direction : directions) all.push_back({direction});
  return all;
}

namespace {

CpProblem problem_of(const Arguments& arguments) {
  return CpProblem(static_cast<std::size_t>(arguments.integer("order")), arguments.integer("s"), arguments.integer("rank"));
}

}  // namespace

std::unique_ptr<Kernel> mttkrp(const Arguments& arguments) {
  const CpProblem p = problem_of(arguments);
  const auto mode = static_cast<std::size_t>(arguments.integer("mode"));
  Exprs operands = {p.x};
  for (std::size_t n = 0; n < p.factors.size(); ++n)
    if (n != mode) operands.push_back(p.factors[n]);
  return std::make_unique<ProgramKernel>(Exprs{einsum(operands, {p.modes.at(mode), p.r})}, p.x_and_factors(), arguments);
}

std::unique_ptr<Kernel> gradient(const Arguments& arguments) {
  const CpProblem p = problem_of(arguments);
  return std::make_unique<ProgramKernel>(tyto::gradient(p.objective, p.factors), p.x_and_factors(), arguments);
}

/// Within the conjugate gradients of one step: the factors stay, the vector changes.
std::unique_ptr<Kernel> gauss_newton(const Arguments& arguments) {
  const CpProblem p = problem_of(arguments);
  return std::make_unique<ProgramKernel>(tyto::gauss_newton(p.residual, p.factors, p.directions),
                                         p.factors_and_directions(Changes::rarely), arguments);
}

std::unique_ptr<Kernel> ablation(const Arguments& arguments) {
  const std::int64_t s = arguments.integer("s");
  const CpProblem p(3, s, s);
  const std::string& kernel = arguments.text("kernel");
  Exprs outputs;
  if (kernel == "jacobian")
    for (const Expr& factor : p.factors) outputs.push_back(jacobian(p.residual, factor));
  else if (kernel == "gauss-newton") outputs = tyto::gauss_newton(p.residual, p.factors, p.directions);
  else if (kernel == "hessian") outputs = {hessian(p.objective, p.factors[0])};
  else if (kernel == "inverse-hessian") outputs = {inverse(hessian(p.objective, p.factors[0]), p.factors[0].shape())};
  else throw Error({.code = Code::unknown_word, .what = "no such kernel of CP", .found = kernel});
  return std::make_unique<ProgramKernel>(outputs, p.factors_and_directions(Changes::every_run), arguments);
}

}  // namespace tyto::benchmarks
