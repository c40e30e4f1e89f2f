// What the module "trilinos" offers.
#include "backend/backend.hpp"

#include "algebra/trilinos/belos.hpp"
#ifdef TYTO_HAVE_ANASAZI
#include "algebra/trilinos/anasazi.hpp"
#endif

namespace trilinos = tyto::algebra::trilinos;
using tyto::backend::Factory;
using tyto::backend::factory_of;

namespace {

#ifdef TYTO_HAVE_ANASAZI
constexpr const char* summary = "linear solvers (Belos) and eigensolvers (Anasazi) of Trilinos";
constexpr auto eigen_solvers =
    factory_of<tyto::algebra::EigenSolver, trilinos::BlockKrylovSchur, trilinos::BlockDavidson, trilinos::LocallyOptimal>();
#else
constexpr const char* summary = "linear solvers (Belos) of Trilinos";
constexpr Factory<tyto::algebra::EigenSolver> eigen_solvers = {};
#endif

}  // namespace

TYTO_BACKEND("trilinos", TYTO_TRILINOS_VERSION, summary, nullptr, {},
             (factory_of<tyto::algebra::LinearSolver, trilinos::ConjugateGradients, trilinos::MinimalResiduals,
                         trilinos::GeneralizedMinimalResiduals>()),
             eigen_solvers, {}, {}, {})
