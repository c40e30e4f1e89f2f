// Belos on maps of ours; see the header.
#include "algebra/trilinos/belos.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>
#include <utility>
#include <BelosMinresSolMgr.hpp>
#include <BelosPseudoBlockCGSolMgr.hpp>
#include <BelosPseudoBlockGmresSolMgr.hpp>
#include <BelosTpetraAdapter.hpp>
#include <fmt/format.h>
#include "algebra/trilinos/runtime.hpp"
#include "algebra/trilinos/tpetra.hpp"
#include "error/fail.hpp"

namespace tyto::algebra::trilinos {
namespace {

using Manager = ::Belos::SolverManager<double, Columns, Operator>;
using Problem = ::Belos::LinearProblem<double, Columns, Operator>;

std::string name_of(BelosMethod method) {
  switch (method) {
    case BelosMethod::cg: return "trilinos-cg";
    case BelosMethod::minres: return "trilinos-minres";
    case BelosMethod::gmres: return "trilinos-gmres";
  }
  return {};
}

RCP<Manager> manager_for(BelosMethod method) {
  switch (method) {
    case BelosMethod::cg: return rcp(new ::Belos::PseudoBlockCGSolMgr<double, Columns, Operator>);
    case BelosMethod::minres: return rcp(new ::Belos::MinresSolMgr<double, Columns, Operator>);
    case BelosMethod::gmres: return rcp(new ::Belos::PseudoBlockGmresSolMgr<double, Columns, Operator>);
  }
  return {};
}

std::vector<std::string> names_in(const Teuchos::ParameterList& list) {
  std::vector<std::string> names;
  for (auto entry = list.begin(); entry != list.end(); ++entry) names.push_back(list.name(entry));
  std::sort(names.begin(), names.end());
  return names;
}

/// The text as a value of the type that Belos has for that parameter.
void set(Teuchos::ParameterList& list, const Teuchos::ParameterList& known, const std::string& name, const std::string& text) {
  std::istringstream input(text);
  const auto read = [&](auto value, const std::string& kind) {
    if (!(input >> std::boolalpha >> value) || input.peek() != std::istringstream::traits_type::eof()) {
      fail(Code::wrong_type, "Belos' parameter '" + name + "' has a value of another type", kind, text);
    }
    list.set(name, value);
  };
  if (known.isType<int>(name)) return read(int{}, "an integer");
  if (known.isType<double>(name)) return read(double{}, "a number");
  if (known.isType<bool>(name)) return read(bool{}, "true or false");
  if (known.isType<std::string>(name)) {
    list.set(name, text);
    return;
  }
  fail_unsupported("Belos' parameter '" + name + "'", "a parameter that is a number or a word");
}

/// b - A x, a vector of the caller's kind.
double residual_of(const LinearMap& a, const Vector& b, const Vector& x) {
  const std::unique_ptr<Vector> rest = clone(b), product = b.create();
  a.apply(x, *product);
  rest->axpy(-1, *product);
  return rest->norm();
}

/// One system, solved by one manager in one or more goes.
class Solve {
 public:
  Solve(BelosMethod method, const LinearMap& a, const Vector& b, Vector& x, const LinearOptions& options)
      : method_(method), a_(a), b_(b), x_(x), options_(options), space_(space_of(b.size())), manager_(manager_for(method)) {
    problem_ = rcp(new Problem(rcp(new MapOperator(a, space_, map_has_thrown_)), over(x.write(), space_), over(b.read(), space_)));
    if (a.is_symmetric()) problem_->setHermitian();
    if (options.preconditioner != nullptr) {
      const RCP<const Operator> inverse = rcp(new MapOperator(*options.preconditioner, space_, map_has_thrown_));
      if (method == BelosMethod::gmres) problem_->setRightPrec(inverse);
      else problem_->setLeftPrec(inverse);
    }
    bound_ = std::max(options.tolerance * b.norm(), options.absolute_tolerance);
    check_names();
  }

  LinearOutcome run() {
    LinearOutcome result{.residual = residual_of(a_, b_, x_)};
    const auto is_finite = [&] { return std::isfinite(result.residual); };
    while (is_finite() && result.residual > bound_ && result.iterations < options_.max_iterations) {
      const double before = result.residual;
      if (!go(result)) return result;
      if (result.residual > 0.5 * before) break;
    }
    judge(result);
    if (options_.library.log) options_.library.log(description());
    return result;
  }

 private:
  void check_names() const {
    const std::vector<std::string> known = names_in(*manager_->getValidParameters());
    for (const auto& [name, value] : options_.library.options) {
      if (std::find(known.begin(), known.end(), name) != known.end()) continue;
      fail(Code::unknown_word, "Belos has no parameter '" + name + "' for " + name_of(method_), listed(known), name,
           nearest(name, known));
    }
  }

  /// One call of Belos; false where it cannot go on at all.
  bool go(LinearOutcome& result) {
    const auto parameters = Teuchos::parameterList();
    parameters->set("Convergence Tolerance", bound_ / result.residual);
    parameters->set("Maximum Iterations", static_cast<int>(std::min<std::int64_t>(options_.max_iterations - result.iterations,
                                                                                  std::numeric_limits<int>::max())));
    parameters->set("Output Stream", RCP<std::ostream>(Teuchos::rcpFromRef(printed_)));
    for (const auto& [name, value] : options_.library.options) set(*parameters, *manager_->getValidParameters(), name, value);
    try {
      manager_->setParameters(parameters);
    } catch (const std::exception& error) {
      fail(Code::third_party, "Belos refuses its parameters: " + message_in(error));
    }
    try {
      problem_->setProblem();
      manager_->setProblem(problem_);
      manager_->solve();
    } catch (const std::exception& error) {
      if (map_has_thrown_) throw;
      return give_up(message_in(error), result);
    }
    result.iterations += manager_->getNumIters();
    result.residual = residual_of(a_, b_, x_);
    return true;
  }

  /// What Trilinos says at the end, after file, line and condition.
  static std::string message_in(const std::exception& error) {
    std::string text = error.what();
    text.erase(text.find_last_not_of(" \n") + 1);
    const std::size_t before = text.rfind("\n\n");
    return before == std::string::npos ? text : text.substr(before + 2);
  }

  /// Belos throws where a method meets what it was not made for.
  bool give_up(const std::string& text, LinearOutcome& result) const {
    result.negative_curvature = text.find("non-positive value for p^H*A*p") != std::string::npos;
    result.residual = residual_of(a_, b_, x_);
    result.outcome = {Stop::failed, result.negative_curvature ? "the map is not positive definite" : "Belos: " + text};
    return false;
  }

  void judge(LinearOutcome& result) const {
    if (!std::isfinite(result.residual)) {
      result.outcome = {Stop::failed, "a number is not finite"};
    } else if (result.residual <= bound_) {
      result.outcome = {Stop::converged, fmt::format("residual {:.3g} <= {:.3g}", result.residual, bound_)};
    } else if (result.iterations >= options_.max_iterations) {
      result.outcome = {Stop::sweep_limit, fmt::format("{} iterations", result.iterations)};
    } else {
      result.outcome = {Stop::stalled, fmt::format("rounding: residual {:.3g} > {:.3g}", result.residual, bound_)};
    }
  }

  std::string description() const {
    std::ostringstream text;
    text << printed_.str() << manager_->description() << '\n';
    manager_->getCurrentParameters()->print(text, 2);
    return text.str();
  }

  BelosMethod method_;
  const LinearMap& a_;
  const Vector& b_;
  Vector& x_;
  const LinearOptions& options_;
  RCP<const Space> space_;
  RCP<Manager> manager_;
  RCP<Problem> problem_;
  std::ostringstream printed_;
  double bound_ = 0;
  bool map_has_thrown_ = false;
};

}  // namespace

std::string Belos::name() const { return name_of(method_); }

LinearOutcome Belos::solve(const LinearMap& a, const Vector& b, Vector& x, const LinearOptions& options) const {
  if (method_ != BelosMethod::gmres && !a.is_symmetric()) {
    fail_unsupported(name() + " for a map that is not symmetric", "trilinos-gmres");
  }
  if (options.trust_radius > 0) fail_unsupported("a trust radius in " + name(), "petsc-stcg or conjugate-gradient");
  boot();
  const LinearOutcome result = Solve(method_, a, b, x, options).run();
  static_cast<void>(x.write());  // a vector that keeps its norm learns that Belos wrote behind its back
  return result;
}

}  // namespace tyto::algebra::trilinos
