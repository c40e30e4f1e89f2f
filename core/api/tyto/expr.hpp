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

/// What is known of the values of a leaf; the passes use it, and bound values are checked against it where verification is on.
struct Facts {
  std::vector<Indices> symmetric = {};  ///< values do not change when the labels of one group are exchanged
  Indices orthonormal = {};             ///< summed over its other labels, conj(Q) Q is the identity in these
  double nonzeros = -1;                 ///< expected count of entries that are not 0; negative: dense
};

/// A named input for library use; plugins get theirs from Declaration instead.
TYTO_API Expr tensor(std::string name, Indices shape, Field = Field::real, const Facts& = {});
TYTO_API Expr constant(double value, const Indices& shape);  ///< the value everywhere
TYTO_API Expr ones(const Indices& shape);
TYTO_API Expr zeros(const Indices& shape);

// Multilinear. The one product is labelwise: A({i,r}) * B({j,r}) has labels i, r, j and sums nothing.
TYTO_API Expr einsum(const Exprs& factors, const Indices& out);  ///< product, summed over every label absent from out
/// The same by position, in numpy's notation: "ij,jk->ik", "...ij->...ji", "i->ii". A letter stands for one axis of each operand;
/// the result has the labels of the first axis each letter names, primed where two would be one. Error{syntax} with the column.
TYTO_API Expr einsum(const std::string& subscripts, const Exprs& operands);
TYTO_API Expr operator*(const Expr&, const Expr&);
TYTO_API Expr operator/(const Expr&, const Expr&);
TYTO_API Expr operator+(const Expr&, const Expr&);  ///< same labels (any order) on both sides, or a scalar constant
TYTO_API Expr operator-(const Expr&, const Expr&);
TYTO_API Expr operator-(const Expr&);
TYTO_API Expr sum(const Expr&);  ///< over all labels
TYTO_API Expr sum(const Expr&, const Indices& over);
TYTO_API Expr mean(const Expr&);
TYTO_API Expr mean(const Expr&, const Indices& over);
TYTO_API Expr inner(const Expr& a, const Expr& b);  ///< sum of conj(a) * b
TYTO_API Expr norm2(const Expr&);                   ///< inner(e, e); real
TYTO_API Expr norm(const Expr&);                    ///< sqrt(norm2(e)); its derivative at 0 is not defined
TYTO_API Expr norm(const Expr&, const Indices& over);
TYTO_API Expr expand(const Expr&, const Indices& with);  ///< repeats the values along further labels
TYTO_API Expr permute(const Expr&, const Indices& order);
TYTO_API Expr identity(const Index& row, const Index& column);  ///< 1 where row equals column, else 0; equal extents
/// Makes neighbours share a label: axis `left` of item k+1 gets the label of axis `right` of item k. For cores of a train; a
/// mismatch names the two items and both extents.
TYTO_API Exprs joined(Exprs cores, int right, int left);
TYTO_API Expr prime(const Expr&);  ///< every label primed
TYTO_API Expr prime(const Expr&, const Indices& only);

// Products by name; all are einsums.
/// The last axis of `a` contracted with the last but one of `b` (with the only one, if b is a vector). Other labels that both have
/// are batch labels. A column label of `b` that is also a row label of `a` is primed.
TYTO_API Expr matmul(const Expr& a, const Expr& b);
/// Axis over_a[k] of `a` contracted with axis over_b[k] of `b`; labels of `b` that `a` has too are primed.
TYTO_API Expr tensordot(const Expr& a, const Expr& b, const Indices& over_a, const Indices& over_b);
TYTO_API Expr hadamard(const Expr& a, const Expr& b);  ///< elementwise; same labels on both sides
/// a(i,j), b(k,l) -> (row, column) with row = i * |k| + k and column = j * |l| + l.
TYTO_API Expr kronecker(const Expr& a, const Expr& b, const Index& row, const Index& column);
/// a(i,r), b(j,r) -> (row, r) with row = i * |j| + j.
TYTO_API Expr khatri_rao(const Expr& a, const Expr& b, const Index& row);

// Elementwise. Functions of two arguments need the same labels on both sides, or a scalar constant on one.
TYTO_API Expr conj(const Expr&);
TYTO_API Expr real(const Expr&);
TYTO_API Expr imag(const Expr&);
TYTO_API Expr square(const Expr&);  ///< |e|^2 elementwise; real
TYTO_API Expr pow(const Expr&, double exponent);
TYTO_API Expr pow(double base, const Expr& exponent);  ///< base > 0, else Error{out_of_range}
TYTO_API Expr sqrt(const Expr&);
TYTO_API Expr exp(const Expr&);
TYTO_API Expr log(const Expr&);               ///< natural
TYTO_API Expr log(const Expr&, double base);  ///< base > 0 and not 1, else Error{out_of_range}
TYTO_API Expr sin(const Expr&);
TYTO_API Expr cos(const Expr&);
TYTO_API Expr abs(const Expr&);   ///< real; derivative 0 at 0
TYTO_API Expr sign(const Expr&);  ///< -1, 0 or 1 of real values; derivative 0
TYTO_API Expr tanh(const Expr&);
TYTO_API Expr sigmoid(const Expr&);
TYTO_API Expr relu(const Expr&);                      ///< derivative 0 at 0
TYTO_API Expr maximum(const Expr& a, const Expr& b);  ///< where both are equal the derivative goes to each by half
TYTO_API Expr minimum(const Expr& a, const Expr& b);
TYTO_API Expr greater(const Expr& a, const Expr& b);  ///< 1 where a > b, else 0; derivative 0
TYTO_API Expr greater_equal(const Expr& a, const Expr& b);
TYTO_API Expr equal(const Expr& a, const Expr& b);
TYTO_API Expr max(const Expr&, const Indices& over);  ///< largest value; the derivative is shared among equal ones
TYTO_API Expr min(const Expr&, const Indices& over);
TYTO_API Expr logsumexp(const Expr&, const Indices& over);  ///< shifted by the maximum: does not overflow
TYTO_API Expr softmax(const Expr&, const Indices& over);    ///< exp(e - logsumexp(e, over))

// Structure. Labels that are made must be fixed.
/// The values in row-major order under other labels; as many elements, else Error{extent}.
TYTO_API Expr reshape(const Expr&, const Indices& labels);
/// Positions first, first + step, ... of the label `along`, under the label `part`, whose extent says how many. step >= 1.
TYTO_API Expr slice(const Expr&, const Index& along, std::int64_t first, const Index& part, std::int64_t step = 1);
TYTO_API Expr index(const Expr&, const Index& along, std::int64_t position);  ///< one position; the label is gone
/// The values at positions first, first + step, ... of a longer label, 0 elsewhere: slice() the other way round.
TYTO_API Expr pad(const Expr&, const Index& along, std::int64_t first, const Index& whole, std::int64_t step = 1);
/// One behind the other: label along[k] of expression k becomes part of `whole`.
TYTO_API Expr concatenate(const Exprs&, const Indices& along, const Index& whole);

// Linear algebra. `rows` and the labels they leave over make the matrix; batch labels, where a function takes them, number
// independent matrices.
/// The labels stay in place: with columns c, sum[c] e(rows,c) * inverse(e)(rows',c) = identity(rows,rows'). Square, else Error.
TYTO_API Expr inverse(const Expr&, const Indices& rows);
/// What a solver may rely on. Of symmetric and positive definite matrices the symmetric part, (e + e^H) / 2, is meant.
enum class Matrix : std::int8_t { general, symmetric, positive_definite };
/// x(columns, rest) with sum[columns] matrix(rows, columns) * x(columns, rest) = right(rows, rest). Labels that are in both and
/// not in `rows` number independent systems. Square, else Error.
TYTO_API Expr solve(const Expr& matrix, const Expr& right, const Indices& rows, Matrix = Matrix::general);
/// Lower triangular L, labels of e, with (e + e^H) / 2 = sum[k] L(rows,k) * conj(L)(columns,k). A matrix that is not positive
/// definite gives NaN and is reported as trouble.
TYTO_API Expr cholesky(const Expr&, const Indices& rows, const Indices& batch = {});
struct Qr {
  Expr q, r;
};  ///< e = sum[bond] q(rows,bond) r(bond,rest), diagonal of r >= 0
/// The extent of bond is the smaller of rows and rest, else Error{extent}. Derivatives need full rank.
TYTO_API Qr qr(const Expr&, const Indices& rows, const Index& bond, const Indices& batch = {});
struct Svd {
  Expr u, s, v;
};  ///< e = sum[bond] u(rows,bond) s(bond) conj(v)(bond,rest), s falling; the largest entry of each column of u is positive
/// The extent of bond is the smaller of rows and rest, else Error{extent}. Derivatives of u and v take singular values that agree
/// to rounding as one: what mixes their vectors counts as 0.
TYTO_API Svd svd(const Expr&, const Indices& rows, const Index& bond, const Indices& batch = {});
struct Eigen {
  Expr values, vectors;
};  ///< (e + e^H) / 2 = sum[bond] vectors(rows,bond) values(bond) conj(vectors)(columns,bond), values rising; signs as in svd
TYTO_API Eigen symmetric_eigen(const Expr&, const Indices& rows, const Index& bond, const Indices& batch = {});

}  // namespace tyto::inline v1
