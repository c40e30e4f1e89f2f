// Belos on maps of ours; see the header. All that is made of Trilinos' templates is in this one file, since each that includes them
// costs half a minute.
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
#include <Teuchos_DefaultSerialComm.hpp>
#include <Tpetra_MultiVector.hpp>
#include <Tpetra_Operator.hpp>
#include <Tpetra_Vector.hpp>
#include <fmt/format.h>
#include "algebra/trilinos/runtime.hpp"
#include "error/fail.hpp"

namespace tyto::algebra::trilinos {
namespace {

using Teuchos::RCP;
using Teuchos::rcp;
using Columns = Tpetra::MultiVector<double>;
using Column = Tpetra::Vector<double>;
using Space = Columns::map_type;
using Operator = Tpetra::Operator<double>;
using Manager = ::Belos::SolverManager<double, Columns, Operator>;
using Problem = ::Belos::LinearProblem<double, Columns, Operator>;

/// A column that Belos owns, as a Vector of ours. Tpetra keeps no norms, so writing needs no notice.
class TpetraVector final : public Vector {
 public:
  explicit TpetraVector(RCP<Column> column) : column_(std::move(column)) {}
  std::int64_t size() const override { return static_cast<std::int64_t>(column_->getGlobalLength()); }
  std::unique_ptr<Vector> create() const override {
    return std::make_unique<TpetraVector>(rcp(new Column(column_->getMap())));  // all zero
  }
  void copy(const Vector& from) override { column_->update(1, *column_of(from), 0); }
  void fill(double value) override { column_->putScalar(value); }
  void scale(double factor) override { column_->scale(factor); }
  void axpy(double factor, const Vector& x) override { column_->update(factor, *column_of(x), 1); }
  double dot(const Vector& other) const override { return column_->dot(*column_of(other)); }
  double norm() const override { return column_->norm2(); }
  ConstArray read() const override { return ConstArray(column_->getData(0).getRawPtr(), {size()}); }
  Array write() override { return Array(column_->getDataNonConst(0).getRawPtr(), {size()}); }

 private:
  static RCP<const Column> column_of(const Vector& vector) {
    const auto* ours = dynamic_cast<const TpetraVector*>(&vector);
    TYTO_ASSERT(ours != nullptr);
    return ours->column_;
  }

  RCP<Column> column_;
};

/// A map of ours as an operator of Tpetra's.
class MapOperator final : public Operator {
 public:
  /// `has_thrown` becomes true when the map throws, which tells its exceptions from those of Belos.
  MapOperator(const LinearMap& map, RCP<const Space> space, bool& has_thrown)
      : map_(map), space_(std::move(space)), has_thrown_(has_thrown) {}
  RCP<const Space> getDomainMap() const override { return space_; }
  RCP<const Space> getRangeMap() const override { return space_; }
  bool hasTransposeApply() const override { return true; }

  /// y = beta y + alpha A x, column by column.
  void apply(const Columns& x, Columns& y, Teuchos::ETransp mode, double alpha, double beta) const override {
    for (std::size_t k = 0; k < x.getNumVectors(); ++k) {
      const TpetraVector from(Teuchos::rcp_const_cast<Column>(x.getVector(k)));
      TpetraVector to(y.getVectorNonConst(k));
      if (alpha == 1 && beta == 0) {
        apply_one(from, to, mode);
        continue;
      }
      const std::unique_ptr<Vector> product = to.create();
      apply_one(from, *product, mode);
      to.scale(beta);
      to.axpy(alpha, *product);
    }
  }

 private:
  void apply_one(const Vector& from, Vector& to, Teuchos::ETransp mode) const {
    has_thrown_ = true;
    if (mode == Teuchos::NO_TRANS || map_.is_symmetric()) map_.apply(from, to);
    else map_.apply_transposed(from, to);
    has_thrown_ = false;
  }

  const LinearMap& map_;
  RCP<const Space> space_;
  bool& has_thrown_;
};

RCP<const Space> space_of(std::int64_t size) {
  if (size > std::numeric_limits<int>::max()) {
    fail(Code::overflow, "a vector is too long for the integers of this Trilinos",
         fmt::format("at most {} numbers", std::numeric_limits<int>::max()), std::to_string(size));
  }
  const RCP<const Teuchos::Comm<int>> alone = rcp(new Teuchos::SerialComm<int>);
  return rcp(new Space(static_cast<Tpetra::global_size_t>(size), 0, alone));
}

/// One column over the memory of a vector, which must outlive it.
RCP<Columns> over(const ConstArray& local, const RCP<const Space>& space) {
  using View = Columns::dual_view_type::t_dev;
  const auto length = static_cast<std::size_t>(local.size());
  if (length != space->getGlobalNumElements()) fail_unsupported("Trilinos on a vector over several ranks", "a run of one process");
  const View view(const_cast<double*>(local.as<double>()), length,
                  1);  // Tpetra has no views of constant memory; nothing is written
  return rcp(new Columns(space, Columns::dual_view_type(view, view)));
}

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
