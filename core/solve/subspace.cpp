#include "solve/subspace.hpp"
#include <fmt/format.h>
#include "solve/iterative_basis.hpp"

namespace tyto::solve {

bool update_subspace(const Setup& setup, const Subspace& request, const ConstArray& matrix, State& state) {
  const Tensor& t = setup.tensors[static_cast<std::size_t>(request.tensor)];
  const Unfolding y(matrix, request.axis);
  const std::int64_t count = t.extents[static_cast<std::size_t>(t.orthonormal)];
  const auto fill = [&](const Basis& basis) {
    if (!basis.is_finite) return false;
    const ConstArray by_rows(basis.vectors.data(), {y.rows(), count});
    tensor::copy_to(t.orthonormal == 1 ? by_rows : permuted(by_rows, {1, 0}), state.array(request.tensor));
    return true;
  };
  if (setup.svd_solver != nullptr && iterates(y.rows(), y.columns(), count))
    if (const auto basis = iterative_basis(y, count, *setup.svd_solver, setup.svd_library, setup.on_message)) return fill(*basis);
  const Route wanted = state.get(request.route, 0) == 0 ? first_route(y.rows(), y.columns()) : Route::orthogonal;
  const Basis basis = leading_basis(y, count, wanted, setup.on_message);
  if (basis.is_finite && basis.route != wanted) {
    state.set(request.route, 0, 1);
    if (setup.on_message)
      setup.on_message(
          fmt::format("{}: the eigenvectors of a Gram matrix would not be accurate enough; QR and SVD take their place", t.name));
  }
  return fill(basis);
}

std::string subspace_description(const algebra::SvdSolver* solver, std::int64_t rows, std::int64_t columns, std::int64_t count) {
  if (solver != nullptr && iterates(rows, columns, count))
    return fmt::format("{} singular vectors of {} x {} by {}", count, rows, columns, solver->name());
  return first_route(rows, columns) == Route::gram
             ? fmt::format("eigenvectors of a {} x {} Gram matrix; QR and SVD of {} x {} where they are not accurate enough", rows,
                           rows, rows, columns)
             : fmt::format("QR and SVD of {} x {}", rows, columns);
}

}  // namespace tyto::solve
