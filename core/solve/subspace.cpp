#include "solve/subspace.hpp"
#include <fmt/format.h>
#include "solve/state.hpp"

namespace tyto::solve {

SubspaceUpdate::SubspaceUpdate(const Setup& setup, const Subspace& request) : setup_(setup), request_(request) {}

void SubspaceUpdate::restart() { route_.reset(); }

bool SubspaceUpdate::update(const ConstArray& matrix, const Array& unknown) {
  const Tensor& t = setup_.tensors[static_cast<std::size_t>(request_.tensor)];
  const Unfolding y(matrix, request_.axis);
  const Route wanted = route_.value_or(first_route(y.rows(), y.columns()));
  const std::int64_t count = t.extents[static_cast<std::size_t>(t.orthonormal)];
  const Basis basis = leading_basis(y, count, wanted, setup_.on_message);
  if (!basis.is_finite) return false;
  if (basis.route != wanted && setup_.on_message)
    setup_.on_message(
        fmt::format("{}: the eigenvectors of a Gram matrix would not be accurate enough; QR and SVD take their place", t.name));
  route_ = basis.route;
  const ConstArray by_rows(basis.vectors.data(), {y.rows(), count});
  tensor::copy_to(t.orthonormal == 1 ? by_rows : permuted(by_rows, {1, 0}), unknown);
  return true;
}

std::string SubspaceUpdate::description(std::int64_t rows, std::int64_t columns) {
  return first_route(rows, columns) == Route::gram
             ? fmt::format("eigenvectors of a {} x {} Gram matrix; QR and SVD of {} x {} where they are not accurate enough", rows,
                           rows, rows, columns)
             : fmt::format("QR and SVD of {} x {}", rows, columns);
}

}  // namespace tyto::solve
