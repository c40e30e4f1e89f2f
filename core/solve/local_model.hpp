#pragma once
/// The unknowns of a step as one vector, and what the objective looks like around their present values.
#include "algebra/linear_map.hpp"
#include "execute/evaluation.hpp"
#include "solve/dense_system.hpp"
#include "solve/state.hpp"

namespace tyto::solve {

/// f(x + s) is about f + g.s + s.B s / 2, with B as the step's method says. Blocks lie one after the other, each row-major.
class LocalModel {
 public:
  /// Which variant of a value is due, and what is to be told of tensors that change.
  struct Hooks {
    std::function<std::size_t(const Variants&)> turn;
    std::function<void(std::int32_t tensor)> changed;
  };
  /// All but the hooks outlive the model.
  LocalModel(const Setup&, const Step&, State&, execute::Evaluation&, Hooks);

  std::int64_t size() const { return size_; }
  /// x, in double whatever the precision of the run.
  void read_unknowns(algebra::HostVector& x) const;
  void write_unknowns(const algebra::HostVector& x);
  /// g at the present x.
  void gradient(algebra::Vector& g);
  /// v -> B v at the present x.
  const algebra::LinearMap& product() const { return product_; }
  /// v -> M^-1 v, M the diagonal blocks of B; null where no block has one.
  const algebra::LinearMap* preconditioner() const { return has_preconditioner_ ? &preconditioner_ : nullptr; }
  /// Whether B is formed for its systems.
  bool is_dense() const { return !step_.matrix.empty(); }
  /// B at the present x, in the coordinates of M; where is_dense().
  DenseSystem dense_system();

 private:
  /// A value of a block on its way into a vector: for each variant the kernel's buffer with its axes in the unknown's order.
  struct Part {
    const Variants* variants = nullptr;
    std::vector<ConstArray> from;
  };
  struct Block {
    std::int64_t begin = 0;  ///< in the vector
    Extents extents;
    Part gradient, product, preconditioned;
  };
  class Map final : public algebra::LinearMap {
   public:
    Map(LocalModel& model, bool is_product) : model_(model), is_product_(is_product) {}
    std::unique_ptr<algebra::Vector> domain() const override { return std::make_unique<algebra::HostVector>(model_.size()); }
    std::unique_ptr<algebra::Vector> range() const override { return domain(); }
    void apply(const algebra::Vector& x, algebra::Vector& y) const override;
    bool is_symmetric() const override { return true; }

   private:
    LocalModel& model_;
    bool is_product_;
  };
  Part part_of(const Variants&) const;
  const ConstArray& value(Part&);
  void compute(Part&, const Block&, double* to);
  void bind(std::int32_t tensor, const Block&, const double* from);

  const Setup& setup_;
  const Step& step_;
  State& state_;
  execute::Evaluation& evaluation_;
  Hooks hooks_;
  std::vector<Block> blocks_;
  std::vector<Part> matrix_;  // as the step's
  std::int64_t size_ = 0;
  bool has_preconditioner_ = false;
  Map product_{*this, true}, preconditioner_{*this, false};
};

}  // namespace tyto::solve
