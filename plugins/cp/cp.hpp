#pragma once
// What every CP algorithm declares.
#include <tyto/plugin.hpp>

namespace cp {

/// minimize 1/2 |X - [[A_1,...,A_N]]|^2, the user's weights respected; factor A_n has labels (mode n, rank).
struct Model {
  tyto::Objective fit;
  tyto::Exprs factors;
};

inline Model declare(tyto::Declaration& d, std::int64_t rank) {
  const tyto::Expr x = d.data("X");
  const tyto::Index r("r", rank);
  Model model;
  for (const tyto::Index& mode : x.shape()) model.factors.push_back(d.unknown("A_" + mode.name(), {mode, r}));
  model.fit = d.minimize(0.5 * sum(d.weights(x) * square(x - einsum(model.factors, x.shape()))));
  return model;
}

/// The numbers of a state, whatever the precision of the run, and new ones for it.
inline std::vector<double> numbers(const tyto::ConstArray& a) {
  if (a.dtype == tyto::Dtype::f32) return {a.as<float>(), a.as<float>() + a.size()};
  return {a.as<double>(), a.as<double>() + a.size()};
}
inline void write(tyto::Iteration& it, const tyto::Expr& state, const std::vector<double>& numbers) {
  const tyto::Write open = it.write(state);
  for (std::size_t k = 0; k < numbers.size(); ++k)
    if (open.array.dtype == tyto::Dtype::f32) open.array.as<float>()[k] = static_cast<float>(numbers[k]);
    else open.array.as<double>()[k] = numbers[k];
}

inline tyto::Schema schema() { return {tyto::integer("rank", "number of rank-one terms").at_least(1)}; }

}  // namespace cp
