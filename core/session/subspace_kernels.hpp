#pragma once
/// The kernels of orthonormal bases. Of an objective -c |L(U)|^2 with L linear in U and L(.., r) a function of U(.., r) alone, the
/// basis is made of the leading left singular vectors of dL/dU: that matrix is the kernel, how it is decomposed is left to the
/// solve.
#include "session/compile.hpp"

namespace tyto::session {

/// The subspaces in the setup, and a tensor for the core of each objective that is a projection; no kernel is known yet.
/// Error{contradiction} where the run is to stop by the norm of a gradient.
void number_subspaces(Declared&, const config::RunConfig&);

/// Adds dL/dU of all subspaces, and what the value of a projection is compared with. Error{contradiction} where an objective does
/// not have the form above, with what of it is wrong.
void add_subspace_kernels(Declared&, Kernels&);

/// The output of dL/dU.
std::string subspace_name(const Declared&, std::size_t subspace);

/// How each basis is found from its matrix, a line for each: "U_0: eigenvectors of a Gram matrix, 5 x 5".
std::vector<std::string> subspace_notes(const Declared&, const Kernels&);

/// Says which kernels the outputs have become; `variants_of` speaks of outputs by name.
void set_subspace_values(Declared&, const std::function<solve::Variants(const std::string&)>& variants_of);

/// What the bases of an objective leave out, as a sum of squares with the core as a tensor of its own.
graph::NodeId projection_residual(Declared&, std::size_t objective);

}  // namespace tyto::session
