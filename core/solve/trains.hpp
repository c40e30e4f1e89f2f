#pragma once
/// The trains of a running solve: their gauge, the eigenproblems and splits in them, and the numbers of networks.
///
/// Each train is kept orthonormal towards its centre: cores before it are orthonormal in their right bond, cores behind it in their
/// left bond. Then the local problem of a block at the centre is an ordinary eigenproblem, and its singular values are those of the
/// whole state (Schollwoeck, Annals of Physics 326, 96 (2011), sections 4.4 and 6.3).
#include "solve/local_map.hpp"
#include "solve/snapshot.hpp"

namespace tyto::solve {

class Trains {
 public:
  struct Hooks {
    std::function<void(std::int32_t tensor)> changed;  ///< a tensor has other values
    std::function<void(const std::string&)> warn;
  };
  /// All outlive this.
  Trains(const Setup&, State&, Hooks);

  /// The start of a solve: brings all trains into their gauge, with norm 1 and the centre at their first core.
  void begin();
  /// The eigenvalue. Error{plugin_rule} where a block that was solved has not been split.
  double apply(const EigenSolve&, const Krylov&);
  /// How far the present block is from an eigenvector, see Iteration::residual().
  double residual(const EigenSolve&);
  SplitReport apply(const Split&, Weight, const Truncation&);
  /// A tensor was changed by somebody else.
  void changed(std::int32_t tensor);
  /// Brings the states that take values of these networks up to date.
  void refresh(const std::vector<std::int32_t>& networks);
  /// By how much some entropy has changed since this was asked last; infinite at first.
  double entropy_change();
  /// By train; entropies are those of the last split at each bond.
  const std::vector<Gauge>& gauges() const { return trains_; }
  /// Goes on from cores that have this gauge.
  void restore(std::vector<Gauge>);
  std::int64_t updates() const { return messages_.updates(); }
  std::int64_t message_bytes() const { return messages_.bytes(); }
  /// Error{plugin_rule} if a merged block waits to be split.
  void check_split() const;

 private:
  /// A merged block that was solved for and is not split yet.
  struct Pending {
    std::int32_t train = -1;
    std::size_t first = 0;
    tensor::Dense theta;
  };
  /// The eigenproblem of a block at the present cores.
  struct Local {
    Block block;
    LocalMap map;
    algebra::Vectors others;  ///< orthonormal, of which the eigenvector is to have no part
    std::unique_ptr<algebra::Vector> x;
  };
  Local local(const EigenSolve&, std::int64_t products);
  const Train& train(std::int32_t id) const { return setup_.trains[static_cast<std::size_t>(id)]; }
  tensor::Dense core(std::int32_t train, std::size_t site) const;
  void store(std::int32_t train, std::size_t site, tensor::Dense);
  /// With `normalizes` the state is scaled to norm 1 at each step, which a long chain of any cores needs.
  void move_centre(std::int32_t train, std::size_t to, bool normalizes = false);
  tensor::Dense merged(std::int32_t train, std::size_t first, std::size_t count) const;
  algebra::Vectors orthogonal_to(const EigenSolve&, const LocalMap&, const Block&);

  const Setup& setup_;
  State& state_;
  Hooks hooks_;
  Contractions contractions_;
  Messages messages_;
  std::vector<Gauge> trains_;
  std::vector<char> is_known_;  // by network: its value is that of the present cores
  std::optional<Pending> pending_;
};

/// How many of these falling weights are kept: as few as leave at most `cutoff` of their sum out, within the limits of a
/// truncation, and none that rounding made: it makes weights of about `rounding` times their number, relative to the largest. That
/// is eps of eigenvalues of a density matrix, and eps^2 of squared singular values.
std::int64_t kept_count(const std::vector<double>& weights, const Truncation&, double rounding);
/// Whether weights that are known to a few roundings of their sum suffice, as those of a density matrix are, which takes less than
/// half the time of singular values: where all that are near it are left out anyway.
bool density_suffices(const Truncation&);
/// Of weights whose sum is not 0: - sum p log p.
double entropy_of(const std::vector<double>& weights);

}  // namespace tyto::solve
