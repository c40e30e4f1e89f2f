#pragma once
/// Vectors and maps of ours as Tpetra's, for the two files that are made of Trilinos' templates and for no others: each that
/// includes them costs half a minute.
#include <limits>
#include <string>
#include <utility>
#include <Teuchos_DefaultSerialComm.hpp>
#include <Tpetra_MultiVector.hpp>
#include <Tpetra_Operator.hpp>
#include <Tpetra_Vector.hpp>
#include <fmt/format.h>
#include "algebra/solvers.hpp"
#include "error/fail.hpp"

namespace tyto::algebra::trilinos {

using Teuchos::RCP;
using Teuchos::rcp;
using Columns = Tpetra::MultiVector<double>;
using Column = Tpetra::Vector<double>;
using Space = Columns::map_type;
using Operator = Tpetra::Operator<double>;

/// A column that Trilinos owns, as a Vector of ours. Tpetra keeps no norms, so writing needs no notice.
class TpetraVector final : public Vector {
 public:
  explicit TpetraVector(RCP<Column> column) : column_(std::move(column)) {}
  std::int64_t size() const override { return static_cast<std::int64_t>(column_->getGlobalLength()); }
  std::unique_ptr<Vector> create() const override {
    return std::make_unique<TpetraVector>(rcp(new Column(column_->getMap())));  // all zero
  }
  void copy(const Vector& from) override { column_->update(1, *column_of(from), 0); }
  void fill(double value) override { column_->putScalar(value); }
  void scale(double factor) override { column_->scale(factor); }
  void axpy(double factor, const Vector& x) override { column_->update(factor, *column_of(x), 1); }
  double dot(const Vector& other) const override { return column_->dot(*column_of(other)); }
  double norm() const override { return column_->norm2(); }
  ConstArray read() const override { return ConstArray(column_->getData(0).getRawPtr(), {size()}); }
  Array write() override { return Array(column_->getDataNonConst(0).getRawPtr(), {size()}); }

 private:
  static RCP<const Column> column_of(const Vector& vector) {
    const auto* ours = dynamic_cast<const TpetraVector*>(&vector);
    TYTO_ASSERT(ours != nullptr);
    return ours->column_;
  }

  RCP<Column> column_;
};

/// A map of ours as an operator of Tpetra's.
class MapOperator final : public Operator {
 public:
  /// `has_thrown` becomes true when the map throws, which tells its exceptions from those of Trilinos.
  MapOperator(const LinearMap& map, RCP<const Space> space, bool& has_thrown)
      : map_(map), space_(std::move(space)), has_thrown_(has_thrown) {}
  RCP<const Space> getDomainMap() const override { return space_; }
  RCP<const Space> getRangeMap() const override { return space_; }
  bool hasTransposeApply() const override { return true; }

  /// y = beta y + alpha A x, column by column.
  void apply(const Columns& x, Columns& y, Teuchos::ETransp mode, double alpha, double beta) const override {
    for (std::size_t k = 0; k < x.getNumVectors(); ++k) {
      const TpetraVector from(Teuchos::rcp_const_cast<Column>(x.getVector(k)));
      TpetraVector to(y.getVectorNonConst(k));
      if (alpha == 1 && beta == 0) {
        apply_one(from, to, mode);
        continue;
      }
      const std::unique_ptr<Vector> product = to.create();
      apply_one(from, *product, mode);
      to.scale(beta);
      to.axpy(alpha, *product);
    }
  }

 private:
  void apply_one(const Vector& from, Vector& to, Teuchos::ETransp mode) const {
    has_thrown_ = true;
    if (mode == Teuchos::NO_TRANS || map_.is_symmetric()) map_.apply(from, to);
    else map_.apply_transposed(from, to);
    has_thrown_ = false;
  }

  const LinearMap& map_;
  RCP<const Space> space_;
  bool& has_thrown_;
};

inline RCP<const Space> space_of(std::int64_t size) {
  if (size > std::numeric_limits<int>::max()) {
    fail(Code::overflow, "a vector is too long for the integers of this Trilinos",
         fmt::format("at most {} numbers", std::numeric_limits<int>::max()), std::to_string(size));
  }
  const RCP<const Teuchos::Comm<int>> alone = rcp(new Teuchos::SerialComm<int>);
  return rcp(new Space(static_cast<Tpetra::global_size_t>(size), 0, alone));
}

/// One column over the memory of a vector, which must outlive it.
inline RCP<Columns> over(const ConstArray& local, const RCP<const Space>& space) {
  using View = Columns::dual_view_type::t_dev;
  const auto length = static_cast<std::size_t>(local.size());
  if (length != space->getGlobalNumElements()) fail_unsupported("Trilinos on a vector over several ranks", "a run of one process");
  const View view(const_cast<double*>(local.as<double>()), length,
                  1);  // Tpetra has no views of constant memory; nothing is written
  return rcp(new Columns(space, Columns::dual_view_type(view, view)));
}

}  // namespace tyto::algebra::trilinos
