// Tucker's products of a tensor with all factors but one, and the two-site product of the density-matrix renormalization group.
#include "program_kernel.hpp"

namespace tyto::benchmarks {

std::unique_ptr<Kernel> ttmc(const Arguments& arguments) {
  const auto order = static_cast<std::size_t>(arguments.integer("order"));
  Indices modes, ranks;
  Exprs factors, outputs;
  for (std::size_t n = 0; n < order; ++n) {
    modes.emplace_back("i" + std::to_string(n), arguments.integer("s"));
    ranks.emplace_back("r" + std::to_string(n), arguments.integer("rank"));
    factors.push_back(tensor("U" + std::to_string(n), {modes[n], ranks[n]}));
  }
  const Expr x = tensor("X", modes);
  std::vector<Leaf> leaves = {{x, Changes::never}};
  for (const Expr& factor : factors) leaves.push_back({factor});
  for (std::size_t n = 0; n < order; ++n) {
    Exprs operands = {x};
    Indices out = ranks;
    out[n] = modes[n];
    for (std::size_t m = 0; m < order; ++m)
      if (m != n) operands.push_back(factors[m]);
    outputs.push_back(einsum(operands, out));
  }
  return std::make_unique<ProgramKernel>(outputs, leaves, arguments);
}

/// Within an eigensolver: environments and operators stay, the vector changes.
std::unique_ptr<Kernel> two_site(const Arguments& arguments) {
  const std::int64_t m = arguments.integer("m"), d = arguments.integer("d"), w = arguments.integer("w");
  const Index a("a", m), b("b", m), s("s", d), t("t", d), wl("wl", w), v("v", w), u("u", w);
  const Expr left = tensor("L", {a, wl, a.prime()}), right = tensor("R", {b, u, b.prime()});
  const Expr first = tensor("V", {wl, s, s.prime(), v}), second = tensor("W", {v, t, t.prime(), u});
  const Expr x = tensor("x", {a, s, t, b});
  const Expr y = einsum({left, first, second, right, x}, {a.prime(), s.prime(), t.prime(), b.prime()});
  const std::vector<Leaf> leaves = {
      {left, Changes::rarely}, {first, Changes::rarely}, {second, Changes::rarely}, {right, Changes::rarely}, {x}};
  return std::make_unique<ProgramKernel>(Exprs{y}, leaves, arguments);
}

}  // namespace tyto::benchmarks
