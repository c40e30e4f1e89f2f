// What the module "trilinos" offers.
#include "backend/backend.hpp"

#include "algebra/trilinos/belos.hpp"

namespace trilinos = tyto::algebra::trilinos;

TYTO_BACKEND("trilinos", TYTO_TRILINOS_VERSION, "linear solvers (Belos) of Trilinos", nullptr, {},
             (tyto::backend::factory_of<tyto::algebra::LinearSolver, trilinos::ConjugateGradients, trilinos::MinimalResiduals,
                                        trilinos::GeneralizedMinimalResiduals>()),
             {}, {}, {}, {})
