// Cosines of all pairs, the best permutation, signs.
#include "result/factor_match.hpp"
#include "result/assignment.hpp"
#include "result/ktensor.hpp"
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <algorithm>
#include <cmath>
#include <numeric>

namespace tyto::result {
namespace {

/// Of column r of a and column s of b, both of norm 1.
double cosine(const NamedArray& a, std::int64_t r, const NamedArray& b, std::int64_t s) {
  double sum = 0;
  for (std::int64_t i = 0; i < a.extents[0]; ++i)
    sum += a.values[static_cast<std::size_t>(i * a.extents[1] + r)] * b.values[static_cast<std::size_t>(i * b.extents[1] + s)];
  return std::clamp(sum, -1.0, 1.0);
}

/// 1 where they are equal, also where both are infinite.
double ratio_of_weights(double a, double b) {
  if (a == b) return a > 0 ? 1 : 0;
  return std::min(a, b) / std::max(a, b);
}

/// Makes all cosines positive, or all but the smallest one where an odd number is negative.
void turn_signs(MatchedComponent& match) {
  std::size_t smallest = 0;
  int product = 1;
  for (std::size_t n = 0; n < match.cosines.size(); ++n) {
    match.signs.push_back(match.cosines[n] < 0 ? -1 : 1);
    product *= match.signs.back();
    if (std::abs(match.cosines[n]) < std::abs(match.cosines[smallest])) smallest = n;
  }
  match.signs[smallest] *= product;
  for (std::size_t n = 0; n < match.cosines.size(); ++n) match.cosines[n] *= match.signs[n];
}

MatchedComponent matched(const Ktensor& k, std::int64_t r, const Ktensor& reference, std::int64_t s) {
  const auto a = static_cast<std::size_t>(r), b = static_cast<std::size_t>(s);
  MatchedComponent match{.component = k.columns[a],
                         .reference = reference.columns[b],
                         .weights = ratio_of_weights(k.weights[a], reference.weights[b])};
  for (std::size_t n = 0; n < k.factors.size(); ++n) match.cosines.push_back(cosine(k.factors[n], r, reference.factors[n], s));
  turn_signs(match);
  return match;
}

}  // namespace

double MatchedComponent::congruence() const { return std::accumulate(cosines.begin(), cosines.end(), 1.0, std::multiplies<>()); }

FactorMatch factor_match(const Ktensor& result, const Ktensor& reference) {
  std::vector<MatchedComponent> pairs;
  std::vector<double> scores;
  for (std::int64_t r = 0; r < result.rank(); ++r)
    for (std::int64_t s = 0; s < reference.rank(); ++s) {
      pairs.push_back(matched(result, r, reference, s));
      scores.push_back(pairs.back().weights * pairs.back().congruence());
    }
  FactorMatch match;
  const std::vector<std::int64_t> chosen = best_assignment(scores, result.rank(), reference.rank());
  match.permutation.assign(chosen.size(), -1);
  for (std::size_t r = 0; r < chosen.size(); ++r) {
    if (chosen[r] < 0) continue;
    const std::size_t pair = r * static_cast<std::size_t>(reference.rank()) + static_cast<std::size_t>(chosen[r]);
    match.score += scores[pair], match.score_without_weights += pairs[pair].congruence();
    match.permutation[static_cast<std::size_t>(pairs[pair].component)] = pairs[pair].reference;
    match.components.push_back(pairs[pair]);
  }
  const auto count = static_cast<double>(match.components.size());
  match.score /= count, match.score_without_weights /= count;
  std::sort(match.components.begin(), match.components.end(),
            [](const MatchedComponent& a, const MatchedComponent& b) { return a.component < b.component; });
  return match;
}

std::string text_of(const FactorMatch& match) {
  std::vector<std::int64_t> here, there;
  std::vector<std::string> signs;
  for (const MatchedComponent& c : match.components) {
    here.push_back(c.component), there.push_back(c.reference);
    std::string of_modes;
    for (const int sign : c.signs) of_modes += sign < 0 ? '-' : '+';
    signs.push_back(of_modes);
  }
  const bool many = here.size() > 1;
  return fmt::format("factor match score {:.6g} with {} ({:.6g} without weights): {} {} {} {} there, with signs {}", match.score,
                     match.reference, match.score_without_weights, many ? "columns" : "column", fmt::join(here, ", "),
                     many ? "are" : "is", fmt::join(there, ", "), fmt::join(signs, ", "));
}

}  // namespace tyto::result
