#pragma once
/// Leaves and their values in double precision: where a derivative is checked.
#include "tensor/dense.hpp"
#include "tyto/compile.hpp"

namespace tyto::session {

/// Error{label} for an expression that is no leaf.
void require_leaf(const Expr&);
Extents extents_of(const Expr&);

/// Copies of the values; those of one leaf may be moved about.
class Point {
 public:
  explicit Point(const std::vector<Bound>&);
  /// Error{not_bound} if the leaf has no values.
  double* numbers_of(const Expr& leaf);
  /// Error{not_bound} for a leaf of the expression without values.
  void require_all(const Expr&) const;
  /// Binds all leaves that the expression contains.
  void bind_to(Program&, const Expr&);

 private:
  Exprs leaves_;
  std::vector<tensor::Dense> values_;
};

}  // namespace tyto::session
