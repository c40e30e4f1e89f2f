#pragma once
/// What is timed: kernels by family. A family is a kind of problem, its arguments say the sizes.
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>
#include "arguments.hpp"
#include "values.hpp"

namespace tyto::benchmarks {

class Kernel {
 public:
  virtual ~Kernel() = default;
  /// Processor seconds of `repetitions` executions, of all threads of this process together.
  virtual double seconds(int repetitions) = 0;
  /// The results of one execution; empty where peers start from other values.
  virtual Digest digest() { return {}; }
  /// What else is worth a number, by name.
  virtual std::vector<std::pair<std::string, double>> facts() { return {}; }
};

using KernelMaker = std::function<std::unique_ptr<Kernel>(const Arguments&)>;
struct Family {
  std::string name;
  KernelMaker make;
};

/// All that this program can time.
std::vector<Family> families();

double processor_seconds();

// One file each; arrays are numbered from 0 in the order in which the comment names them.
std::unique_ptr<Kernel> peak(const Arguments&);          ///< fused multiply-adds of double precision without memory: 1e6 flops
std::unique_ptr<Kernel> product(const Arguments&);       ///< A(i,k) B(k,j): n
std::unique_ptr<Kernel> times_matrix(const Arguments&);  ///< X(i,j,k), U: a mode of X becomes r in its place: s, rank, mode
std::unique_ptr<Kernel> contraction(const Arguments&);   ///< left, right: subscripts=out-left-right and an extent for each letter
std::unique_ptr<Kernel> mttkrp(const Arguments&);        ///< X, factors of all modes: order, s, rank, mode
std::unique_ptr<Kernel> gradient(const Arguments&);      ///< of 1/2 |X - CP|^2 by all factors. X, factors: order, s, rank
std::unique_ptr<Kernel> gauss_newton(const Arguments&);  ///< J'J v of CP's residual. factors, v of each: order, s, rank
std::unique_ptr<Kernel> sweep(const Arguments&);         ///< of cp-als, X of its own start: order, s, rank, cycle; parts
std::unique_ptr<Kernel> tucker_sweep(const Arguments&);  ///< of tucker-hooi, X of its own start: order, s, rank, cycle
std::unique_ptr<Kernel> ttmc(const Arguments&);          ///< X times all factors but one, for each mode. X, factors: order, s, rank
std::unique_ptr<Kernel> two_site(const Arguments&);      ///< L(a,w,a') V(w,s,s',v) W(v,t,t',u) R(b,u,b') x(a,s,t,b): m, d, w
std::unique_ptr<Kernel> replay(const Arguments&);        ///< of tiny steps, each a product of a 2x2 matrix and a vector: steps
std::unique_ptr<Kernel> network(const Arguments&);       ///< operands of a file, contracted in the pairs of another: network, pairs
std::unique_ptr<Kernel> ablation(const Arguments&);      ///< a kernel of CP with passes off: kernel, s, off

}  // namespace tyto::benchmarks
