// One contraction of two operands: matrix products, tensor times matrix, and any other.
#include <map>
#include <sstream>
#include "program_kernel.hpp"

namespace tyto::benchmarks {

std::unique_ptr<Kernel> product(const Arguments& arguments) {
  const std::int64_t n = arguments.integer("n");
  const Index i("i", n), j("j", n), k("k", n);
  const Expr a = tensor("A", {i, k}), b = tensor("B", {k, j});
  return std::make_unique<ProgramKernel>(Exprs{einsum({a, b}, {i, j})}, std::vector<Leaf>{{a}, {b}}, arguments);
}

std::unique_ptr<Kernel> times_matrix(const Arguments& arguments) {
  const std::int64_t s = arguments.integer("s");
  const auto mode = static_cast<std::size_t>(arguments.integer("mode"));
  const Indices modes = {Index("i", s), Index("j", s), Index("k", s)};
  const Index r("r", arguments.integer("rank"));
  const Expr x = tensor("X", modes), u = tensor("U", {modes.at(mode), r});
  Indices out = modes;
  out[mode] = r;
  return std::make_unique<ProgramKernel>(Exprs{einsum({x, u}, out)}, std::vector<Leaf>{{x, Changes::never}, {u}}, arguments);
}

std::unique_ptr<Kernel> contraction(const Arguments& arguments) {
  std::istringstream in(arguments.text("subscripts"));
  std::map<char, Index> labels;
  const auto next = [&] {
    std::string letters;
    std::getline(in, letters, '-');
    Indices indices;
    for (const char letter : letters) {
      const std::string name(1, letter);
      indices.push_back(labels.try_emplace(letter, name, arguments.integer(name)).first->second);
    }
    return indices;
  };
  const Indices out = next(), left = next(), right = next();
  const Expr a = tensor("left", left), b = tensor("right", right);
  return std::make_unique<ProgramKernel>(Exprs{einsum({a, b}, out)}, std::vector<Leaf>{{a}, {b}}, arguments);
}

}  // namespace tyto::benchmarks
