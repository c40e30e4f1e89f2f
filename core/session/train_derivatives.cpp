#include "session/train_derivatives.hpp"
#include <cmath>
#include <numeric>
#include <span>
#include <fmt/format.h>
#include "session/contraction_plans.hpp"
#include "session/differences.hpp"
#include "solve/local_map.hpp"
#include "tensor/random.hpp"

namespace tyto::session {

namespace {

constexpr std::int64_t directions = 3;

class TrainCheck {
 public:
  TrainCheck(Prepared& p, solve::State& state, std::size_t objective)
      : setup_(p.declared.setup),
        name_(setup_.objectives[objective].name),
        rayleigh_(*setup_.objectives[objective].rayleigh),
        seed_(static_cast<std::uint64_t>(p.config.solver.seed)),
        state_(state),
        plans_(*p.executor, {}, {}),
        contractions_(plans_, *p.executor, {}),
        messages_(setup_, state, contractions_) {}

  std::vector<ObjectiveDerivative> run() {
    std::vector<ObjectiveDerivative> all;
    const solve::Train& train = setup_.trains[static_cast<std::size_t>(rayleigh_.train)];
    for (std::size_t site = 0; site < train.cores.size(); ++site) all.push_back(gradient_by(train, site));
    return all;
  }

 private:
  /// Complex numbers count as two.
  std::span<double> numbers(std::int32_t core) const {
    const Array& a = state_.array(core);
    return {static_cast<double*>(a.address()), static_cast<std::size_t>(a.size() * size_of(a.dtype) / 8)};
  }
  double above() {
    double sum = 0;
    for (const solve::Rayleigh::Form& form : rayleigh_.forms) sum += messages_.value(form.network).real();
    return sum;
  }
  double below() { return messages_.value(rayleigh_.norm.network).real(); }

  /// d (sum of forms) / d core, as if the core and its conjugate were two.
  Numbers applied(const std::vector<solve::Rayleigh::Form>& forms, std::size_t site) {
    const solve::Train& train = setup_.trains[static_cast<std::size_t>(rayleigh_.train)];
    const solve::Rayleigh part{rayleigh_.train, forms, rayleigh_.norm};
    const solve::LocalMap map(part, setup_, messages_, contractions_, solve::block_of(train, messages_, site, 1), 1);
    const std::span<const double> core = numbers(train.cores[site]);
    const algebra::HostVector x(Numbers(core.begin(), core.end()));
    const auto y = map.range();
    map.apply(x, *y);
    const double* const first = y->read().as<double>();
    return {first, first + y->size()};
  }

  ObjectiveDerivative gradient_by(const solve::Train& train, std::size_t site) {
    const std::int32_t core = train.cores[site];
    const std::string& name = setup_.tensors[static_cast<std::size_t>(core)].name;
    const double norm = below(), quotient = above() / norm;
    Numbers gradient = applied(rayleigh_.forms, site);
    const Numbers of_norm = applied({rayleigh_.norm}, site);
    for (std::size_t k = 0; k < gradient.size(); ++k) gradient[k] = 2 * (gradient[k] - quotient * of_norm[k]) / norm;

    const std::span<double> values = numbers(core);
    const Numbers start(values.begin(), values.end());
    const double scale = size_of_step(start) * std::sqrt(static_cast<double>(start.size()));
    Numbers derivatives, rounding;
    Slopes slopes;
    for (std::int64_t n = 0; n < directions; ++n) {
      const tensor::Random random(seed_, fmt::format("direction {} of {}", n, name));
      Numbers v(start.size());
      for (std::size_t k = 0; k < v.size(); ++k) v[k] = random.normal(static_cast<std::int64_t>(k));
      const double length = std::sqrt(std::inner_product(v.begin(), v.end(), v.begin(), 0.0));
      for (double& x : v) x /= length;
      const Line line = [&](double t) {
        for (std::size_t k = 0; k < v.size(); ++k) values[k] = start[k] + t * v[k];
        messages_.changed(core);
        const double found = above() / below();
        std::copy(start.begin(), start.end(), values.begin());
        messages_.changed(core);
        return Numbers{found};
      };
      if (n == 0) rounding = rounding_of(line, scale);
      const Slopes more = central_slopes(line, scale, rounding);
      derivatives.push_back(std::inner_product(gradient.begin(), gradient.end(), v.begin(), 0.0));
      slopes.value.push_back(more.value.at(0)), slopes.bound.push_back(more.bound.at(0));
      slopes.typical = std::max(slopes.typical, more.typical);
    }
    return {name_, name, "gradient", fmt::format("{} directions", directions),
            compared(derivatives, slopes, "central differences", [](std::int64_t k) { return fmt::format("direction {}", k); })};
  }

  const solve::Setup& setup_;
  std::string name_;
  const solve::Rayleigh& rayleigh_;
  std::uint64_t seed_;
  solve::State& state_;
  ContractionPlans plans_;
  solve::Contractions contractions_;
  solve::Messages messages_;
};

}  // namespace

std::vector<ObjectiveDerivative> train_derivatives(Prepared& p, solve::State& start, std::size_t objective) {
  return TrainCheck(p, start, objective).run();
}

}  // namespace tyto::session
