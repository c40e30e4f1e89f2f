#pragma once
/// The local problem of a train, see local_products.hpp, as a map.
#include "algebra/linear_map.hpp"
#include "solve/local_products.hpp"
#include "solve/messages.hpp"

namespace tyto::solve {

/// theta -> d (sum of forms) / d conj(theta), Hermitian as the networks are. Vectors are those of doubles; complex ones are pairs.
class LocalMap final : public algebra::LinearMap {
 public:
  /// `products`: how many are expected, by which it is decided what is worth contracting beforehand. Brings messages up to date,
  /// which must then stay as they are.
  LocalMap(const Rayleigh&, const Setup&, Messages&, Contractions&, const Block&, std::int64_t products);

  std::unique_ptr<algebra::Vector> domain() const override;
  std::unique_ptr<algebra::Vector> range() const override { return domain(); }
  void apply(const algebra::Vector& x, algebra::Vector& y) const override;
  bool is_symmetric() const override { return true; }
  bool times_i(const algebra::Vector& x, algebra::Vector& y) const override;

 private:
  struct Term {
    double coefficient = 1;
    std::shared_ptr<LoadedContraction> contraction;
    std::size_t theta = 0;  ///< operand
  };
  Block block_;
  std::vector<Term> terms_;
};

/// v with <v|theta> = the overlap of the block's train with another, as a network; the extents of the block.
tensor::Dense local_overlap(const EigenSolve::Overlap&, const Setup&, Messages&, Contractions&, const Block&);

/// What a form makes of theta on one side of the bond in the middle of two sites: all labels on that side opened, those of the bra,
/// as a matrix whose rows are [bond][site] of the kept side. Their spans are the directions in which the state may still grow
/// (White, Phys. Rev. B 72, 180403 (2005)).
std::vector<tensor::Dense> directions(const Rayleigh&, const Setup&, Messages&, Contractions&, const Block&,
                                      const tensor::Dense& theta, Weight to);

}  // namespace tyto::solve
