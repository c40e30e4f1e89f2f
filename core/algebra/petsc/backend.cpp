// What the module "petsc" offers.
#include "backend/backend.hpp"

#include "algebra/petsc/krylov.hpp"
#include "algebra/petsc/minimizers.hpp"
#include "algebra/petsc/runtime.hpp"

namespace petsc = tyto::algebra::petsc;
using tyto::backend::factory_of;

TYTO_BACKEND("petsc", TYTO_PETSC_VERSION, "linear solvers (KSP) and minimizers (TAO) of PETSc", petsc::why_unavailable, {},
             (factory_of<tyto::algebra::LinearSolver, petsc::ConjugateGradients, petsc::MinimalResiduals,
                         petsc::GeneralizedMinimalResiduals, petsc::SteihaugToint, petsc::Nash, petsc::GeneralizedLanczos>()),
             {}, {},
             (factory_of<tyto::algebra::Minimizer, petsc::NewtonTrustRegion, petsc::NewtonLineSearch,
                         petsc::BoundedNewtonTrustRegion, petsc::BoundedQuasiNewton, petsc::QuasiNewton>()),
             {})
