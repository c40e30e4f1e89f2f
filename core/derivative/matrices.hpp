#pragma once
/// Matrix algebra on nodes, for rules that are written with matrices. All matrices have axes (batch, row, column), vectors
/// (batch, entry); adjoints have seed axes before these, which every operation carries along.
#include "graph/build.hpp"

namespace tyto::derivative {

/// A matrix or vector; `seeded` if seed axes come first.
struct Seeded {
  graph::NodeId node = -1;
  bool seeded = false;
};

class Matrices {
 public:
  Matrices(graph::Store& store, std::size_t seeds, std::size_t batch) : store_(store), seeds_(seeds), batch_(batch) {}

  Seeded product(Seeded a, Seeded b) const;
  Seeded product(Seeded a, Seeded b, Seeded c) const { return product(product(a, b), c); }
  Seeded adjoint(Seeded) const;  ///< conjugate transpose
  Seeded hadamard(Seeded a, Seeded b) const;
  Seeded scaled_columns(Seeded matrix, Seeded vector) const;  ///< matrix(r,c) vector(c)
  Seeded scaled_rows(Seeded matrix, Seeded vector) const;     ///< matrix(r,c) vector(r)
  Seeded diagonal(Seeded matrix) const;                       ///< the vector
  Seeded from_diagonal(Seeded vector) const;
  Seeded scaled(double factor, Seeded) const;
  Seeded sum(Seeded a, Seeded b) const;  ///< both with seeds, or none
  Seeded difference(Seeded a, Seeded b) const { return sum(a, scaled(-1, b)); }
  /// x with matrix x = right; the matrix has no seeds.
  Seeded solved(Seeded matrix, Seeded right) const;
  /// What is below the diagonal, and half of the diagonal.
  Seeded lower_half(Seeded) const;
  graph::Store& store() const { return store_; }

 private:
  using Labels = einsum::Labels;
  /// Labels of the axes before those of the matrix.
  Labels leading(Seeded) const;
  Labels labels(Seeded, std::initializer_list<einsum::Label> own) const;
  einsum::Label row() const { return static_cast<einsum::Label>(seeds_ + batch_); }
  einsum::Label inner() const { return row() + 1; }
  einsum::Label column() const { return row() + 2; }

  graph::Store& store_;
  std::size_t seeds_, batch_;
};

}  // namespace tyto::derivative
