#include "verify/compare.hpp"
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <fmt/format.h>
#include "error/fail.hpp"
#include "verify/magnitude.hpp"
#include "verify/sample.hpp"

namespace tyto::verify {

using graph::NodeId;

namespace {

constexpr double roundings = 64 * std::numeric_limits<double>::epsilon();
constexpr double worst_condition = 1e8;
constexpr int most_samples = 4;

/// Singular values of the matrices that a graph inverts, as outputs of a graph.
graph::Graph spectra(const graph::Graph& graph) {
  graph::Store& store = *graph.store;
  graph::Graph result{graph.store, {}};
  for (const NodeId id : reachable(graph)) {
    const graph::Node node = store[id];
    std::int32_t batch = -1, rows = 1;
    if (const auto* solve = graph::as<graph::Solve>(node)) batch = solve->batch, rows = solve->rows;
    if (const auto* inverse = graph::as<graph::Inverse>(node)) batch = inverse->batch, rows = inverse->rows;
    if (const auto* f = graph::as<graph::Factorization>(node)) batch = f->batch;
    if (batch < 0) continue;
    const graph::Shape& shape = store[node.operands[0]].shape;
    std::int64_t row_count = 1, column_count = 1;
    for (std::size_t axis = static_cast<std::size_t>(batch); axis < shape.size(); ++axis)
      (axis < static_cast<std::size_t>(batch + rows) ? row_count : column_count) *= store.extent(shape[axis]);
    const auto made = [&](std::int64_t n) {
      return store.dimension(std::make_shared<const Dimension>(Dimension{"n", n, n, false}));
    };
    graph::Shape matrix(shape.begin(), shape.begin() + batch);
    matrix.push_back(made(row_count));
    matrix.push_back(made(column_count));
    const NodeId fused = graph::reshape(store, node.operands[0], matrix);
    const graph::Factorization values{operation::Part::s, batch, made(std::min(row_count, column_count))};
    result.outputs.push_back({fmt::format("{}", result.outputs.size()), store.insert(values, {fused})});
  }
  return result;
}

/// Largest over smallest singular value that is not zero but for rounding, over all matrices.
double worst_of(const graph::Graph& spectra_graph, const Sample& sample) {
  double worst = 1;
  if (spectra_graph.outputs.empty()) return worst;
  const std::vector<Numbers> spectra_values = values_of(spectra_graph, sample);
  for (std::size_t k = 0; k < spectra_values.size(); ++k) {
    const Numbers& all = spectra_values[k];
    const auto n =
        static_cast<std::size_t>(spectra_graph.store->extent((*spectra_graph.store)[spectra_graph.outputs[k].node].shape.back()));
    for (std::size_t first = 0; n > 0 && first < all.size(); first += n) {
      const double largest = all[first].real();
      for (std::size_t e = first; e < first + n; ++e)
        if (all[e].real() > static_cast<double>(n) * std::numeric_limits<double>::epsilon() * largest)
          worst = std::max(worst, largest / all[e].real());
      if (!std::isfinite(largest)) worst = std::numeric_limits<double>::infinity();
    }
  }
  return worst;
}

bool is_finite(const std::vector<Numbers>& outputs) {
  return std::all_of(outputs.begin(), outputs.end(), [](const Numbers& numbers) {
    return std::all_of(numbers.begin(), numbers.end(), [](auto x) { return std::isfinite(x.real()) && std::isfinite(x.imag()); });
  });
}

std::string text_of(std::complex<double> x) {
  return x.imag() == 0 ? fmt::format("{:.9g}", x.real()) : fmt::format("{:.9g}{:+.9g}i", x.real(), x.imag());
}

/// Both graphs with their magnitudes behind them, in one store.
class Pair {
 public:
  Pair(const graph::Graph& before, const graph::Graph& after) : names_(before.outputs) {
    TYTO_ASSERT(before.outputs.size() == after.outputs.size());
    const auto store = std::make_shared<graph::Store>();
    both_.store = store;
    Magnitudes magnitudes(*store);
    const auto add = [&](NodeId node) { both_.outputs.push_back({fmt::format("{}", both_.outputs.size()), node}); };
    std::vector<NodeId> nodes;
    for (const graph::Graph* graph : {&before, &after})
      for (const graph::Output& output : graph->outputs) nodes.push_back(store->import(*graph->store, output.node));
    for (const NodeId node : nodes) add(node);
    values_ = both_;
    for (const NodeId node : nodes) add(magnitudes.of(node));
    spectra_ = spectra(values_);
  }
  const graph::Graph& graph() const { return both_; }
  double condition(const Sample& sample) const { return worst_of(spectra_, sample); }

  /// Nothing if all agree. `all`: values before, after, magnitudes before, after.
  std::optional<std::string> difference(const std::vector<Numbers>& all) const {
    const std::size_t n = names_.size();
    for (std::size_t output = 0; output < n; ++output) {
      const Numbers &old = all[output], &now = all[n + output];
      if (old.size() != now.size())
        return fmt::format("output {} has {} elements, before it had {}", names_[output].name, now.size(), old.size());
      for (std::size_t k = 0; k < old.size(); ++k) {
        const double bound = all[2 * n + output][k].real(), bound_now = all[3 * n + output][k].real();
        const double allowed = roundings * (std::isfinite(bound_now) ? bound + bound_now : bound);
        if (!(std::abs(old[k] - now[k]) <= allowed))
          return fmt::format("element {} of output {} is {}, before it was {} (rounding explains {:.1e})", k, names_[output].name,
                             text_of(now[k]), text_of(old[k]), allowed);
      }
    }
    return std::nullopt;
  }
  bool old_is_finite(const std::vector<Numbers>& all) const {
    const std::size_t n = names_.size();
    std::vector<Numbers> checked(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(n));  // values, and what they may differ by
    checked.insert(checked.end(), all.begin() + static_cast<std::ptrdiff_t>(2 * n),
                   all.begin() + static_cast<std::ptrdiff_t>(3 * n));
    return is_finite(checked);
  }

 private:
  std::vector<graph::Output> names_;
  graph::Graph both_, values_, spectra_;
};

}  // namespace

Comparison compare(const graph::Graph& before, const graph::Graph& after, std::uint64_t seed) {
  const Pair pair(before, after);
  std::string why, shown;
  int agreeing = 0;
  for (int round = 0; round < most_samples; ++round) {
    const Domain domain = round % 2 == 0 ? Domain::any : Domain::positive;
    const Sample sample(pair.graph(), seed * most_samples + static_cast<std::uint64_t>(round), domain);
    const std::vector<Numbers> all = values_of(pair.graph(), sample);
    if (!pair.old_is_finite(all)) {
      why = "values that are not finite";
      continue;
    }
    if (const double condition = pair.condition(sample); condition > worst_condition) {
      why = fmt::format("systems of condition {:.1e}", condition);
      continue;
    }
    const std::optional<std::string> difference = pair.difference(all);
    if (difference && !shown.empty()) return {Verdict::different, shown};
    if (difference) shown = *difference;
    else if (++agreeing == 1 && shown.empty()) return {};
  }
  if (!shown.empty() && agreeing == 0) return {Verdict::different, shown};
  return agreeing > 0 ? Comparison{} : Comparison{Verdict::skipped, why};
}

}  // namespace tyto::verify
