#pragma once
/// Symbolic tensors: what to compute, never numbers. An Expr is a handle to an immutable node: copying is cheap and handles may
/// outlive whatever made them. Axes are identified by Index, not by position: `*` and einsum match labels. Nothing is summed
/// unless einsum, sum, norm2 or inner says so, and + and - never broadcast. Expressions that share a leaf are built by one
/// thread at a time.
///
/// Products of products are one product to the core: write a state as einsum(cores, sites), it is never formed.
/// Every function here throws Error that names the label, both extents and both operands when shapes do not fit.
#include <complex>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>
#include "tyto/array.hpp"

namespace tyto::graph {
class Store;
}  // internal: where nodes live

namespace tyto::inline v1 {

struct Dimension;  // internal: a size that labels share
class Index;
class Expr;
using Indices = std::vector<Index>;
using Exprs = std::vector<Expr>;

/// A label over a dimension. Labels over one dimension (i, i', i.as("p")) always have one extent, also when it varies.
/// Two indices made separately differ, even under one name. Default-constructed: no index; using it is an error.
class TYTO_API Index {
 public:
  Index() = default;
  Index(std::string name, std::int64_t extent);                        ///< fixed; extent >= 0
  Index(std::string name, std::int64_t start, std::int64_t capacity);  ///< varies: any extent in 1..capacity during a run
  Index(std::shared_ptr<const Dimension> dimension, std::string name)  ///< a label over a dimension that exists
      : dimension_(std::move(dimension)), name_(std::move(name)) {}
  const std::string& name() const { return name_; }
  std::int64_t extent() const;    ///< as declared; if it varies the start, not the present extent of some run
  std::int64_t capacity() const;  ///< equals extent() when fixed
  bool varies() const;
  Index as(std::string name) const;  ///< another label over the same dimension
  Index prime() const { return as(name_ + "'"); }
  const std::shared_ptr<const Dimension>& dimension() const { return dimension_; }  ///< identity only
  friend bool operator==(const Index& a, const Index& b) { return a.dimension_ == b.dimension_ && a.name_ == b.name_; }
 private:
  std::shared_ptr<const Dimension> dimension_;
  std::string name_;
};

/// Whether values are real or complex is part of the mathematics and known here; single or double precision is not.
enum class Field : std::int8_t { real, complex };

class TYTO_API Expr {
 public:
  Expr();                               ///< the scalar 0
  Expr(double constant);                // NOLINT: 0.5 * x is what people write
  Expr(std::complex<double> constant);  // NOLINT
  const Indices& shape() const {
    return shape_;
  }                                ///< free labels; their order is the axis order wherever the value becomes an array
  const Index& axis(int n) const;  ///< shape()[n]; throws outside 0..order()-1
  int order() const { return static_cast<int>(shape_.size()); }
  Field field() const;
  bool is_leaf() const;      ///< made by tensor() or by a Declaration; may be bound, solved for, assigned
  std::string name() const;  ///< of a leaf; otherwise empty
  std::string text() const;  ///< "sum[r] A(i,r)*B(j,r)"
  /// The same values under other labels, axis by axis: A({i, r}). A label fits an axis if both have one dimension, or both
  /// are fixed with equal extents. A label given twice takes the diagonal.
  Expr operator()(const Indices& labels) const;

  /// Internal: node `id` of `store`, its axes labelled by `shape`. A null store holds the scalar `constant`.
  Expr(std::shared_ptr<graph::Store> store, std::int32_t id, Indices shape);
  const std::shared_ptr<graph::Store>& store() const { return store_; }
  std::int32_t id() const { return id_; }
  std::complex<double> constant() const { return constant_; }
 private:
  std::shared_ptr<graph::Store> store_;
  std::int32_t id_ = -1;
  Indices shape_;
  std::complex<double> constant_ = 0;
};

/// A named input for library use; plugins get theirs from Declaration instead.
TYTO_API Expr tensor(std::string name, Indices shape, Field = Field::real);

// Multilinear. The one product is labelwise: A({i,r}) * B({j,r}) has labels i, r, j and sums nothing.
TYTO_API Expr einsum(const Exprs& factors, const Indices& out);  ///< product, summed over every label absent from out
TYTO_API Expr operator*(const Expr&, const Expr&);
TYTO_API Expr operator/(const Expr&, const Expr&);
TYTO_API Expr operator+(const Expr&, const Expr&);  ///< same labels (any order) on both sides, or a scalar constant
TYTO_API Expr operator-(const Expr&, const Expr&);
TYTO_API Expr operator-(const Expr&);
TYTO_API Expr sum(const Expr&);  ///< over all labels
TYTO_API Expr sum(const Expr&, const Indices& over);
TYTO_API Expr inner(const Expr& a, const Expr& b);       ///< sum of conj(a) * b
TYTO_API Expr norm2(const Expr&);                        ///< inner(e, e); real
TYTO_API Expr norm(const Expr&);                         ///< sqrt(norm2(e)); its derivative at 0 is not defined
TYTO_API Expr expand(const Expr&, const Indices& with);  ///< repeats the values along further labels
TYTO_API Expr permute(const Expr&, const Indices& order);
TYTO_API Expr identity(const Index& row, const Index& column);  ///< 1 where row equals column, else 0; equal extents
/// Makes neighbours share a label: axis `left` of item k+1 gets the label of axis `right` of item k. For cores of a train; a
/// mismatch names the two items and both extents.
TYTO_API Exprs joined(Exprs cores, int right, int left);
TYTO_API Expr prime(const Expr&);  ///< every label primed
TYTO_API Expr prime(const Expr&, const Indices& only);

// Elementwise. exp and what follows it throw Error{unsupported} in this version.
TYTO_API Expr conj(const Expr&);
TYTO_API Expr real(const Expr&);
TYTO_API Expr imag(const Expr&);
TYTO_API Expr square(const Expr&);  ///< |e|^2 elementwise; real
TYTO_API Expr pow(const Expr&, double exponent);
TYTO_API Expr sqrt(const Expr&);
TYTO_API Expr exp(const Expr&);
TYTO_API Expr log(const Expr&);
TYTO_API Expr abs(const Expr&);
TYTO_API Expr tanh(const Expr&);
TYTO_API Expr sigmoid(const Expr&);
TYTO_API Expr relu(const Expr&);                            ///< derivative 0 at 0
TYTO_API Expr logsumexp(const Expr&, const Indices& over);  ///< shifted by the maximum: does not overflow
TYTO_API Expr softmax(const Expr&, const Indices& over);

// Structure and linear algebra. `rows` and the labels they leave over make the matrix.
/// The labels stay in place: with columns c, sum[c] e(rows,c) * inverse(e)(rows',c) = identity(rows,rows'). Square, else Error.
TYTO_API Expr inverse(const Expr&, const Indices& rows);
/// x(columns, rest) with sum[columns] matrix(rows, columns) * x(columns, rest) = right(rows, rest). Labels that are in both and
/// not in `rows` number independent systems. Square, else Error.
TYTO_API Expr solve(const Expr& matrix, const Expr& right, const Indices& rows);
TYTO_API Expr slice(const Expr&, const Index& along, std::int64_t first,
                    const Index& part);                                             ///< Error{unsupported} in this version
TYTO_API Expr concatenate(const Exprs&, const Indices& along, const Index& whole);  ///< Error{unsupported} in this version
struct Svd {
  Expr u, s, v;
};                                                                      ///< e = sum[bond] u(rows,bond) s(bond) conj(v)(bond,rest)
TYTO_API Svd svd(const Expr&, const Indices& rows, const Index& bond);  ///< Error{unsupported} in this version

}  // namespace tyto::inline v1
