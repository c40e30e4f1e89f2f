// Predicted against measured time of contractions, for the class that is chosen and for every other that applies.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <fmt/format.h>
#include "contractions.hpp"
#include "execute/cpu/blas.hpp"
#include "execute/cpu/calibrate.hpp"
#include "execute/cpu/trial.hpp"

namespace {

using namespace tyto::execute::cpu;

struct Judged {
  PairwiseContraction contraction;
  std::string kernel_class;
  double flops = 0, predicted = 0, measured = std::numeric_limits<double>::infinity();
  std::vector<std::string> others;      ///< "nest 1.20 ms"
  double best = 0;                      ///< the shortest measured time of all classes
  std::vector<double> ratios_of_others; ///< predicted / measured
};

constexpr double budget = 0.01;  // seconds for one measured time

Judged judged(const PairwiseContraction& contraction, const Rates& rates) {
  const Sample sample = sample_contraction(contraction.out, contraction.left, contraction.right, contraction.extents);
  Judged result;
  result.contraction = contraction;
  {
    Trial trial(sample, rates);
    result.flops = trial.flops();
    result.kernel_class = trial.kernel_class();
    result.predicted = trial.predicted(rates);
    for (int round = 0; round < 3; ++round) result.measured = std::min(result.measured, trial.measured(budget));
    result.best = result.measured;
  }
  for (const ContractionClass one : contraction_classes) {
    std::optional<Trial> trial = Trial::of_class(sample, rates, one);
    if (!trial || trial->predicted(rates) > 50 * result.predicted) continue;
    const double seconds = std::min(trial->measured(budget), trial->measured(budget));
    result.others.push_back(fmt::format("{} {:.4g}", trial->kernel_class(), 1e3 * seconds));
    result.ratios_of_others.push_back(trial->predicted(rates) / seconds);
    if (trial->kernel_class() == result.kernel_class) result.measured = std::min(result.measured, seconds);
    result.best = std::min(result.best, seconds);
  }
  return result;
}

void print(const Judged& j) {
  std::string others;
  for (const std::string& other : j.others) others += (others.empty() ? "" : ", ") + other;
  std::string extents;
  for (const auto& [letter, extent] : j.contraction.extents) extents += fmt::format("{}{}{}", extents.empty() ? "" : " ", letter, extent);
  fmt::print("{:<24} {:<22} {:<30} {:<30} {:>9.4f} {:>9.4f} {:>6.2f} {:>6.2f} {:>6.1f}  {}\n", j.contraction.name,
             j.contraction.subscripts(), extents, j.kernel_class, 1e3 * j.predicted, 1e3 * j.measured, j.predicted / j.measured,
             j.measured / j.best, 1e-9 * j.flops / j.measured, others);
  std::fflush(stdout);
}

void summarize(const std::string& what, const std::vector<Judged>& all) {
  const auto share = [&](auto&& holds) {
    return 100.0 * static_cast<double>(std::count_if(all.begin(), all.end(), holds)) / static_cast<double>(all.size());
  };
  double logarithms = 0;
  std::size_t others = 0, close_others = 0;
  for (const Judged& j : all) {
    logarithms += std::log(j.predicted / j.measured);
    others += j.ratios_of_others.size();
    for (const double ratio : j.ratios_of_others) close_others += std::size_t{std::abs(std::log(ratio)) <= std::log(1.5)};
  }
  fmt::print("{}: {:.0f} % predicted within 1.5x of measured ({:.0f} % within 2x, geometric mean of the ratio {:.2f}; of all "
             "classes {:.0f} %); {:.0f} % chosen within 1.15x of the best class\n",
             what, share([](const Judged& j) { return std::abs(std::log(j.predicted / j.measured)) <= std::log(1.5); }),
             share([](const Judged& j) { return std::abs(std::log(j.predicted / j.measured)) <= std::log(2); }),
             std::exp(logarithms / static_cast<double>(all.size())),
             100.0 * static_cast<double>(close_others) / static_cast<double>(std::max<std::size_t>(others, 1)),
             share([](const Judged& j) { return j.measured <= 1.15 * j.best; }));
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc < 2) {
    fmt::print("usage: model_accuracy NAMED.txt [RANDOM] [SEED] [calibrated]\n");
    return 2;
  }
  const std::size_t count = argc > 2 ? std::stoul(argv[2]) : 200;
  const std::uint64_t seed = argc > 3 ? std::stoull(argv[3]) : 1;
  blas::set_threads(1);
  const auto isa = tyto::arithmetic::chosen_isa();
  Rates rates = built_in_rates(isa);
  if (argc > 4) rates = measured_rates(isa, [](std::string_view) {}), rates.source = "measured just now";
  fmt::print("rates: {}\n{:<24} {:<22} {:<30} {:<30} {:>9} {:>9} {:>6} {:>6} {:>6}\n", rates.source, "name", "subscripts", "extents",
             "class", "predicted", "measured", "ratio", "/best", "GF/s");
  std::vector<Judged> named, random;
  for (const PairwiseContraction& one : read_contractions(argv[1])) print(named.emplace_back(judged(one, rates)));
  for (const PairwiseContraction& one : random_contractions(count, seed, 4e8, 6e7)) print(random.emplace_back(judged(one, rates)));
  summarize("named", named);
  if (!random.empty()) summarize("random", random);
  return 0;
} catch (const std::exception& error) {
  fmt::print(stderr, "{}\n", error.what());
  return 2;
}
