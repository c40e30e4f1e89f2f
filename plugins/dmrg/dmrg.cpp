// DMRG: the lowest states of <psi|H|psi> / <psi|psi>, H a matrix product operator [left][right][out][in] and psi a matrix product
// state [left][site][right] of any length.
#include <array>
#include <cmath>
#include "tyto/hamiltonian.hpp"
using namespace tyto;

class Dmrg final : public Algorithm {
 public:
  static Schema schema() {
    return with(
        hamiltonian_keys(),
        {start_key(),
         choice("restart", {"auto", "never"}, "one sweep with noise where the start is an eigenstate").otherwise("auto"),
         schedule("maxdim", "largest bond dimension, by sweep").at_least(1).at_most(1e6),
         schedule("mindim", "bond dimension kept whatever the cutoff says").at_least(1).at_most(1e6).otherwise("1"),
         schedule("cutoff", "weight that a truncation may discard").at_least(0).otherwise("1e-12"),
         schedule("noise", "relative weight of directions mixed into the density matrix").at_least(0).otherwise("0"),
         schedule("krylov_tolerance", "of each eigensolve's residual; the energy is off by its square").above(0).otherwise("1e-7"),
         schedule("krylov_products", "with the local Hamiltonian, at most, in each eigensolve")
             .at_least(2)
             .at_most(1e6)
             .otherwise("6"),
         integer("block", "sites solved for together").at_least(1).at_most(2).otherwise("2"),
         integer("states", "how many, from the lowest").at_least(1).otherwise("1"),
         texts("local", "operators whose expectation value is written for every site").otherwise("[]")});
  }

  void declare(Declaration& d, const Settings& s) override {
    maxdim_ = s.schedule("maxdim"), mindim_ = s.schedule("mindim"), cutoff_ = s.schedule("cutoff"), noise_ = s.schedule("noise");
    tolerance_ = s.schedule("krylov_tolerance"), products_ = s.schedule("krylov_products");
    for (const char* key : {"maxdim", "mindim", "krylov_products"})
      for (const double n : s.schedule(key).values)
        if (n != std::floor(n)) s.reject(key, "these are counted, so they are whole numbers", "20");
    const Hamiltonian hamiltonian(d, s);
    const Exprs h = hamiltonian.operators(d, "H");
    d.note(hamiltonian.text());
    Indices in, out;
    for (const Expr& w : h) out.push_back(w.axis(2)), in.push_back(w.axis(3));
    const Exprs particles = on(hamiltonian.total(d, "particles"), out, in), sz = on(hamiltonian.total(d, "sz"), out, in);
    Exprs local;
    for (const std::string& name : s.texts("local"))
      for (std::size_t k = 0; k < h.size(); ++k)
        local.push_back(hamiltonian.local(d, name, static_cast<std::int64_t>(k))({out[k], in[k]}));
    const bool two_sites = s.integer("block") == 2;
    if (!two_sites && maxdim_.largest() > 1 && noise_.largest() == 0)
      s.reject("noise", "with one site at a time bonds grow by noise only, and there is none", "noise: [1e-3, 1e-5, 0]");
    const std::int64_t states = s.integer("states");
    const std::vector<std::vector<double>> start = hamiltonian.product_state(s);
    Exprs lower;
    for (std::size_t state = 0; state < static_cast<std::size_t>(states); ++state) {
      const auto named = [&](const std::string& name) { return states == 1 ? name : item(name, state); };
      const Exprs cores = d.train(named("psi"), in, {static_cast<std::int64_t>(maxdim_.largest())}, hamiltonian.field());
      if (!start.empty()) d.start(cores, start);
      const Expr psi = einsum(cores, in);  // stands for the state: the core cuts the network into sites and never forms it
      const auto expectation = [&](const Exprs& operators) {
        return real(einsum(joined_with(operators, {conj(psi(out)), psi}), {})) / norm2(psi);
      };
      Exprs overlaps;
      for (const Expr& other : lower) overlaps.push_back(inner(other, psi));
      const Expr f = expectation(h);
      stages_.push_back(stage(d, d.minimize(f), cores, overlaps, two_sites));
      Expr energy = f;
      if (hamiltonian.shift() != 0) energy = f - hamiltonian.shift() * expectation(particles);
      d.observe(named("energy"), energy);
      d.observe(named("variance"), expectation(product(h, h, out, in)) - f * f);
      if (!particles.empty()) d.observe(named("particles"), expectation(particles));
      if (!sz.empty()) d.observe(named("sz"), expectation(sz));
      for (std::size_t n = 0; n < local.size(); ++n) {
        const std::size_t site = n % h.size();
        Indices bra = in;  // all other sites are the ket's
        bra[site] = out[site];
        d.observe(item(named(s.texts("local")[n / h.size()]), site),
                  real(einsum({local[n], conj(psi(bra)), psi}, {})) / norm2(psi));
      }
      for (std::size_t n = 0; n < lower.size() && hamiltonian.field() == Field::real; ++n)
        d.observe(named("overlap") + " with " + item("psi", n), overlaps[n] / norm(psi) / norm(lower[n]));
      lower.push_back(psi);
    }
    bond_ = d.column("bond", "largest bond dimension"), discarded_ = d.column("discarded", "largest discarded weight"),
    entropy_ = d.column("entropy", "largest entanglement entropy of a bond, in nats");
    schedule_ = d.parameter("schedule", 0), restart_ = d.parameter("restart", 0), restarts_ = s.text("restart") == "auto";
  }

  void run(Iteration& it) const override {
    for (const Stage& stage : stages_)
      while (it.next(stage.energy)) sweep(it, stage);
  }

 private:
  static constexpr double shake = 1e-3;  ///< by which a restart perturbs the state and its density matrices, relative
  struct Move {
    EigenSolve solve;
    Split split;
    Weight to;
  };
  /// One state: a sweep to the right and back.
  struct Stage {
    Objective energy;
    std::array<std::vector<Move>, 2> halves;
  };

  static Exprs joined_with(Exprs all, const Exprs& more) {
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }

  static Stage stage(Declaration& d, Objective energy, const Exprs& cores, const Exprs& overlaps, bool two_sites) {
    Stage stage{energy, {}};
    auto& [right, left] = stage.halves;
    for (std::size_t k = 0; k + 1 < cores.size(); ++k) {
      const Expr pair = d.merged(cores[k], cores[k + 1]);
      const Split split = d.split(pair);
      const auto solve = [&](const Expr& one) { return d.lowest_eigenpair(energy, two_sites ? pair : one, overlaps); };
      right.push_back({solve(cores[k]), split, Weight::right});
      left.insert(left.begin(), {solve(cores[k + 1]), split, Weight::left});
    }
    return stage;
  }

  void sweep(Iteration& it, const Stage& stage) const {
    const std::int64_t n = it.sweep();
    it.set(schedule_, static_cast<double>(std::min(n, length_of_schedules())));  // no convergence before the last entries hold
    const bool restarts = n > 1 && it.get(restart_) != 0;
    const Truncation cut{.max_extent = static_cast<std::int64_t>(maxdim_[n]),
                         .min_extent = static_cast<std::int64_t>(mindim_[n]),
                         .cutoff = cutoff_[n],
                         .noise = restarts ? std::max(noise_[n], shake) : noise_[n]};
    const Krylov krylov{.tolerance = tolerance_[n],
                        .max_iterations = static_cast<std::int64_t>(products_[n]),
                        .perturbation = restarts ? shake : 0};
    for (std::size_t half = 0; half < 2; ++half) {
      if (!it.part(static_cast<std::int64_t>(half))) continue;
      bool is_eigenstate = n == 1 && (half == 0 || it.get(restart_) != 0);
      for (const Move& move : stage.halves[half]) {
        is_eigenstate = is_eigenstate && it.residual(move.solve) < 1e-10;
        it.apply(move.solve, krylov);
        const SplitReport report = it.apply(move.split, move.to, cut);
        it.report_largest(bond_, static_cast<double>(report.extent));
        it.report_largest(discarded_, report.discarded), it.report_largest(entropy_, report.entropy);
      }
      if (n == 1) it.set(restart_, is_eigenstate ? 1 : 0);
    }
    if (n == 1 && it.get(restart_) != 0) warn_of_eigenstate(it);
    if (n > 1 || !restarts_) it.set(restart_, 0);
  }

  void warn_of_eigenstate(Iteration& it) const {
    it.warn(
        std::string("the start solves every local problem: it is an eigenstate, and sweeps cannot tell whether it is the lowest") +
        (restarts_ ? "; the next sweep perturbs it" : "; restart: auto perturbs it"));
  }

  std::int64_t length_of_schedules() const {
    std::size_t longest = 1;
    for (const Schedule* s : {&maxdim_, &mindim_, &cutoff_, &noise_, &tolerance_, &products_})
      longest = std::max(longest, s->values.size());
    return static_cast<std::int64_t>(longest);
  }

  std::vector<Stage> stages_;
  Schedule maxdim_, mindim_, cutoff_, noise_, tolerance_, products_;
  Column bond_, discarded_, entropy_;
  Expr schedule_, restart_;
  bool restarts_ = true;
};

TYTO_PLUGIN(Dmrg, "dmrg", "1.0.0", "density-matrix renormalization group with one or two sites, for the lowest states of a chain")
