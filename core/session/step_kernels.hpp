#pragma once
/// The kernels of steps in several unknowns, and of minimizers: gradients, products with the matrix of the local model, and the
/// inverses of its diagonal blocks as preconditioner.
#include "session/compile.hpp"

namespace tyto::session {

/// Tensors for the directions of all steps and minimizers and for what steps carry, and both in the setup; no kernel is known yet.
void number_steps(Declared&);

/// Adds the outputs of all steps. Error{contradiction} where Gauss-Newton is asked for and the objective is no sum of squares.
void add_step_kernels(Declared&, Kernels&);

/// What one step spends, as events of a cycle: its gradient, some products, the objective at a trial point.
std::vector<optimize::Event> step_events(Declared&, std::size_t step, const std::vector<std::string>& objective);
/// The same for one step of a minimizer.
std::vector<optimize::Event> minimizer_events(Declared&, std::size_t minimizer, const std::vector<std::string>& objective);

/// Says which kernels the outputs of the steps have become: `variants_of` speaks of outputs by name.
void set_step_values(Declared&, const std::function<solve::Variants(const std::string&)>& variants_of);

}  // namespace tyto::session
