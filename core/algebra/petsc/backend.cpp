// What the module "petsc" offers.
#include "backend/backend.hpp"

#include "algebra/petsc/krylov.hpp"
#include "algebra/petsc/minimizers.hpp"
#include "algebra/petsc/runtime.hpp"
#ifdef TYTO_SLEPC_VERSION
#include "algebra/petsc/eigen.hpp"
#include "algebra/petsc/svd.hpp"
#endif

namespace petsc = tyto::algebra::petsc;
using tyto::backend::Factory;
using tyto::backend::factory_of;

namespace {

#ifdef TYTO_SLEPC_VERSION
constexpr const char* summary =
    "linear solvers (KSP) and minimizers (TAO) of PETSc, eigensolvers (EPS) and SVD of SLEPc " TYTO_SLEPC_VERSION;
constexpr auto eigen_solvers = factory_of<tyto::algebra::EigenSolver, petsc::KrylovSchur, petsc::GeneralizedDavidson,
                                          petsc::JacobiDavidson, petsc::LocallyOptimal>();
constexpr auto svd_solvers = factory_of<tyto::algebra::SvdSolver, petsc::Svd>();
#else
constexpr const char* summary = "linear solvers (KSP) and minimizers (TAO) of PETSc";
constexpr Factory<tyto::algebra::EigenSolver> eigen_solvers = {};
constexpr Factory<tyto::algebra::SvdSolver> svd_solvers = {};
#endif

}  // namespace

TYTO_BACKEND("petsc", TYTO_PETSC_VERSION, summary, petsc::why_unavailable, {},
             (factory_of<tyto::algebra::LinearSolver, petsc::ConjugateGradients, petsc::MinimalResiduals,
                         petsc::GeneralizedMinimalResiduals, petsc::SteihaugToint, petsc::Nash, petsc::GeneralizedLanczos>()),
             eigen_solvers, svd_solvers,
             (factory_of<tyto::algebra::Minimizer, petsc::NewtonTrustRegion, petsc::NewtonLineSearch,
                         petsc::BoundedNewtonTrustRegion, petsc::BoundedQuasiNewton, petsc::QuasiNewton>()),
             {})
