// Anasazi on maps of ours; see the header.
#include "algebra/trilinos/anasazi.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <AnasaziBasicEigenproblem.hpp>
#include <AnasaziBlockDavidsonSolMgr.hpp>
#include <AnasaziBlockKrylovSchurSolMgr.hpp>
#include <AnasaziLOBPCGSolMgr.hpp>
#include <AnasaziTpetraAdapter.hpp>
#include <Teuchos_FancyOStream.hpp>
#include "algebra/trilinos/runtime.hpp"
#include "algebra/trilinos/tpetra.hpp"

namespace tyto::algebra::trilinos {
namespace {

using Manager = ::Anasazi::SolverManager<double, Columns, Operator>;
using Problem = ::Anasazi::BasicEigenproblem<double, Columns, Operator>;
using Test = ::Anasazi::StatusTest<double, Columns, Operator>;
using Iteration = ::Anasazi::Eigensolver<double, Columns, Operator>;

constexpr int without_end = 1000000;  // rounds, which the test of ours ends

/// Which pairs have converged, by our measure; all that there are once a limit is met, since Anasazi hands out no others.
class PairsTest final : public Test {
 public:
  PairsTest(AnasaziMethod method, const RealProblem& problem, const RealMap& map) : method_(method), problem_(problem), map_(map) {}

  ::Anasazi::TestStatus checkStatus(Iteration* iteration) override {
    const std::vector<::Anasazi::Value<double>> values = iteration->getRitzValues();
    // Krylov-Schur knows the residuals of all its Ritz pairs, the others compute those of the present block
    const std::vector<double> norms =
        method_ == AnasaziMethod::krylov_schur ? iteration->getRitzRes2Norms() : iteration->getRes2Norms();
    const bool is_last = iteration->getNumIters() >= problem_.options.max_iterations || would_pass_the_limit();
    converged_.clear();
    iterations_ = iteration->getNumIters();
    for (std::size_t k = 0; k < std::min(values.size(), norms.size()); ++k) {
      const double bound = problem_.options.tolerance * std::max(std::abs(values[k].realpart), 1.0);
      if (norms[k] > bound && is_last) has_met_limit_ = true;
      if (norms[k] <= bound || is_last) converged_.push_back(static_cast<int>(k));
    }
    status_ = static_cast<std::int64_t>(converged_.size()) >= problem_.count ? ::Anasazi::Passed : ::Anasazi::Failed;
    return status_;
  }
  ::Anasazi::TestStatus getStatus() const override { return status_; }
  std::vector<int> whichVecs() const override { return converged_; }
  int howMany() const override { return static_cast<int>(converged_.size()); }
  void reset() override { clearStatus(); }
  void clearStatus() override {
    status_ = ::Anasazi::Undefined;
    converged_.clear();
  }
  std::ostream& print(std::ostream& stream, int) const override { return stream; }

  bool has_met_limit() const { return has_met_limit_; }
  bool would_pass_the_limit() const {
    const std::int64_t round = method_ == AnasaziMethod::krylov_schur ? 1 : 2 * problem_.count;
    return problem_.options.max_products > 0 && map_.products() + round > problem_.options.max_products;
  }
  std::int64_t iterations() const { return iterations_; }

 private:
  AnasaziMethod method_;
  const RealProblem& problem_;
  const RealMap& map_;
  std::vector<int> converged_;
  ::Anasazi::TestStatus status_ = ::Anasazi::Undefined;
  std::int64_t iterations_ = 0;
  bool has_met_limit_ = false;
};

void copy_into(const Vector& from, Columns& columns, std::size_t k) {
  const ConstArray numbers = from.read();
  const Teuchos::ArrayRCP<double> to = columns.getDataNonConst(k);
  std::copy(numbers.as<double>(), numbers.as<double>() + numbers.size(), to.getRawPtr());
}

Vectors as_vectors(Columns& columns, std::size_t count) {
  Vectors all;
  for (std::size_t k = 0; k < count; ++k) all.push_back(std::make_unique<TpetraVector>(columns.getVectorNonConst(k)));
  return all;
}

/// The text as a number, true or false where it is one, else as it is: Anasazi does not list the types of its parameters.
void set(Teuchos::ParameterList& list, const std::string& name, const std::string& text) {
  const auto fits = [&](auto& value) {
    std::istringstream input(text);
    return (input >> std::boolalpha >> value) && input.peek() == std::istringstream::traits_type::eof();
  };
  int whole = 0;
  double number = 0;
  bool choice = false;
  if (fits(whole)) list.set(name, whole);
  else if (fits(number)) list.set(name, number);
  else if (fits(choice)) list.set(name, choice);
  else list.set(name, text);
}

/// One problem with one manager.
class Solve {
 public:
  Solve(AnasaziMethod method, const RealProblem& problem)
      : method_(method),
        problem_(problem),
        options_(problem.options),
        space_(space_of(problem.map.domain()->size())),
        deflated_columns_(problem.deflated.empty() ? RCP<Columns>() : rcp(new Columns(space_, problem.deflated.size()))),
        deflated_(deflate()),
        map_(problem.map, deflated_, options_.which),
        test_(rcp(new PairsTest(method, problem, map_))) {}

  RealPairs run() {
    const RCP<Problem> eigenproblem = rcp(new Problem(rcp(new MapOperator(map_, space_, map_has_thrown_)), start()));
    eigenproblem->setHermitian(true);
    eigenproblem->setNEV(static_cast<int>(problem_.count));
    if (!deflated_columns_.is_null()) eigenproblem->setAuxVecs(deflated_columns_);
    if (problem_.preconditioner != nullptr && method_ != AnasaziMethod::krylov_schur) {
      eigenproblem->setPrec(rcp(new MapOperator(*problem_.preconditioner, space_, map_has_thrown_)));
    }
    eigenproblem->setProblem();
    const Teuchos::ParameterList parameters = solve(eigenproblem);
    report(parameters);

    RealPairs pairs;
    const auto& solution = eigenproblem->getSolution();
    for (std::size_t k = 0; k < static_cast<std::size_t>(std::min<std::int64_t>(solution.numVecs, problem_.count)); ++k) {
      pairs.vectors.push_back(problem_.map.domain());
      const Teuchos::ArrayRCP<const double> from = solution.Evecs->getData(k);
      std::copy(from.begin(), from.end(), pairs.vectors.back()->write().as<double>());
    }
    pairs.iterations = test_->iterations();
    pairs.products = map_.products();
    pairs.otherwise = outcome();
    return pairs;
  }

 private:
  Vectors deflate() {
    for (std::size_t k = 0; k < problem_.deflated.size(); ++k) copy_into(*problem_.deflated[k], *deflated_columns_, k);
    return deflated_columns_.is_null() ? Vectors() : as_vectors(*deflated_columns_, problem_.deflated.size());
  }

  std::int64_t block() const { return method_ == AnasaziMethod::krylov_schur ? 1 : problem_.count; }

  /// The starts, then random columns in the complement, as many as a block has.
  RCP<Columns> start() const {
    const auto width = static_cast<std::size_t>(block());
    const RCP<Columns> columns = rcp(new Columns(space_, width));
    for (std::size_t k = 0; k < width; ++k) {
      if (k < problem_.starts.size()) {
        copy_into(*problem_.starts[k], *columns, k);
        continue;
      }
      TpetraVector column(columns->getVectorNonConst(k));
      fill_randomly(column, (problem_.deflated.size() << 8) + k);
      for (const std::unique_ptr<Vector>& v : deflated_) column.axpy(-v->dot(column), *v);
    }
    return columns;
  }

  Teuchos::ParameterList parameters() {
    Teuchos::ParameterList list;
    list.set("Which", std::string("SR"));
    list.set("Block Size", static_cast<int>(block()));
    list.set("Verbosity", static_cast<int>(::Anasazi::Errors));
    list.set("Output Stream", Teuchos::getFancyOStream(RCP<std::ostream>(Teuchos::rcpFromRef(printed_))));
    list.set("Convergence Tolerance", options_.tolerance);
    if (method_ == AnasaziMethod::lobpcg) {
      list.set("Maximum Iterations", without_end);
      list.set("Full Ortho", true);
    } else {
      const std::int64_t usual = std::max(2 * problem_.count, problem_.count + 15);
      const std::int64_t basis =
          std::min(options_.max_basis > 0 ? std::max(options_.max_basis, problem_.count + 2) : usual, problem_.dimension - 1);
      list.set("Num Blocks", static_cast<int>(std::max<std::int64_t>(basis / block(), 2)));
      list.set("Maximum Restarts", static_cast<int>(std::min<std::int64_t>(options_.max_iterations, without_end)));
    }
    if (method_ == AnasaziMethod::krylov_schur) list.set("Step Size", 1);
    for (const auto& [name, value] : options_.library.options) set(list, name, value);
    return list;
  }

  Teuchos::ParameterList solve(const RCP<Problem>& eigenproblem) {
    Teuchos::ParameterList list = parameters();
    try {
      if (method_ == AnasaziMethod::krylov_schur) {
        run_with(::Anasazi::BlockKrylovSchurSolMgr<double, Columns, Operator>(eigenproblem, list));
      } else if (method_ == AnasaziMethod::davidson) {
        run_with(::Anasazi::BlockDavidsonSolMgr<double, Columns, Operator>(eigenproblem, list));
      } else {
        run_with(::Anasazi::LOBPCGSolMgr<double, Columns, Operator>(eigenproblem, list));
      }
    } catch (const std::invalid_argument& error) {
      if (map_has_thrown_) throw;
      fail(Code::third_party, std::string("Anasazi refuses its parameters: ") + error.what());
    } catch (const std::exception& error) {
      if (map_has_thrown_) throw;
      failure_ = error.what();
    }
    return list;
  }

  template <class SolverManager>
  void run_with(SolverManager&& manager) {
    manager.setGlobalStatusTest(test_);
    manager.solve();
  }

  void report(const Teuchos::ParameterList& list) {
    if (options_.library.unused) {
      for (const auto& [name, value] : options_.library.options) {
        if (!list.getEntry(name).isUsed()) options_.library.unused(name);
      }
    }
    if (!options_.library.log) return;
    std::ostringstream text;
    text << printed_.str() << "Anasazi, "
         << (method_ == AnasaziMethod::lobpcg     ? "LOBPCG"
             : method_ == AnasaziMethod::davidson ? "block Davidson"
                                                  : "block Krylov-Schur")
         << '\n';
    list.print(text, 2);
    options_.library.log(text.str());
  }

  Outcome outcome() const {
    if (!failure_.empty()) return {Stop::failed, "Anasazi: " + failure_};
    if (test_->has_met_limit() && test_->would_pass_the_limit())
      return {Stop::sweep_limit, fmt::format("{} products", map_.products())};
    if (test_->has_met_limit()) return {Stop::sweep_limit, fmt::format("{} iterations", test_->iterations())};
    return {Stop::stalled, "Anasazi's residuals are smaller than those computed from its vectors"};
  }

  AnasaziMethod method_;
  const RealProblem& problem_;
  const EigenOptions& options_;
  RCP<const Space> space_;
  RCP<Columns> deflated_columns_;
  Vectors deflated_;
  RealMap map_;
  RCP<PairsTest> test_;
  std::ostringstream printed_;
  std::string failure_;
  bool map_has_thrown_ = false;
};

}  // namespace

std::string Anasazi::name() const {
  switch (method_) {
    case AnasaziMethod::krylov_schur: return "anasazi-krylovschur";
    case AnasaziMethod::davidson: return "anasazi-davidson";
    case AnasaziMethod::lobpcg: return "anasazi-lobpcg";
  }
  return {};
}

RealPairs Anasazi::find(const RealProblem& problem) const {
  boot();
  return Solve(method_, problem).run();
}

std::int64_t Anasazi::products_of_a_round(std::int64_t count) const {
  return method_ == AnasaziMethod::krylov_schur ? count + 1 : 4 * count;
}

}  // namespace tyto::algebra::trilinos
