#pragma once
/// Vectors whose storage only their own implementation knows: ours, one of a distributed library, one on a device. What acts on
/// them is in solvers.hpp.
#include <cstdint>
#include <memory>
#include <vector>
#include "tyto/array.hpp"

namespace tyto::algebra {

/// An element of a space with a real inner product; complex numbers count as pairs of real ones. Vectors that meet in one call
/// belong to one space and are of one implementation. Operations are collective where the vector is distributed.
class Vector {
 public:
  virtual ~Vector() = default;
  virtual std::int64_t size() const = 0;  ///< of the whole vector, over all ranks
  /// A vector of the same space, all zero.
  virtual std::unique_ptr<Vector> create() const = 0;
  virtual void copy(const Vector& from) = 0;
  virtual void fill(double value) = 0;
  virtual void scale(double factor) = 0;
  /// this += factor * x
  virtual void axpy(double factor, const Vector& x) = 0;
  virtual double dot(const Vector& other) const = 0;
  /// sqrt(dot(*this)), without overflow or underflow on the way.
  virtual double norm() const = 0;
  /// The numbers that this rank holds, in the implementation's own memory, one axis; valid while the vector lives. Opening them
  /// for writing tells the implementation that they change.
  virtual ConstArray read() const = 0;
  virtual Array write() = 0;
};

std::unique_ptr<Vector> clone(const Vector&);

/// Doubles of one process.
class HostVector final : public Vector {
 public:
  explicit HostVector(std::int64_t size) : values_(static_cast<std::size_t>(size)) {}
  explicit HostVector(std::vector<double> values) : values_(std::move(values)) {}
  std::int64_t size() const override { return static_cast<std::int64_t>(values_.size()); }
  std::unique_ptr<Vector> create() const override { return std::make_unique<HostVector>(size()); }
  void copy(const Vector& from) override;
  void fill(double value) override;
  void scale(double factor) override;
  void axpy(double factor, const Vector& x) override;
  double dot(const Vector& other) const override;
  double norm() const override;
  ConstArray read() const override { return ConstArray(values_.data(), {size()}); }
  Array write() override { return Array(values_.data(), {size()}); }
  const std::vector<double>& values() const { return values_; }
  std::vector<double>& values() { return values_; }

 private:
  std::vector<double> values_;
};

/// The HostVector behind a Vector of the same size as `like`. Anything else is a defect.
const std::vector<double>& host_values(const Vector&, const Vector& like);

}  // namespace tyto::algebra
