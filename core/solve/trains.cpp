#include "solve/trains.hpp"
#include <algorithm>
#include <cmath>
#include <limits>
#include <fmt/format.h>
#include "algebra/eigenpairs.hpp"
#include "error/fail.hpp"
#include "solve/factorizations.hpp"

namespace tyto::solve {

using tensor::Dense;

namespace {

constexpr double eps = 2.220446049250313e-16;

std::vector<double> squared(std::vector<double> values) {
  for (double& v : values) v *= v;
  return values;
}

double sum(const std::vector<double>& values, std::size_t first = 0) {
  double total = 0;
  for (std::size_t k = values.size(); k-- > first;) total += values[k];  // the small ones first
  return total;
}

std::unique_ptr<algebra::Vector> vector_of(const Dense& values) {
  const auto* const first = static_cast<const double*>(values.view().data);
  return std::make_unique<algebra::HostVector>(std::vector<double>(first, first + values.bytes() / 8));
}

/// Of norm 1, another one for each block.
std::unique_ptr<algebra::Vector> random_direction(const algebra::Vector& like, const EigenSolve& request) {
  auto direction = like.create();
  algebra::fill_randomly(*direction, 2 * static_cast<std::uint64_t>(request.first) + static_cast<std::uint64_t>(request.count));
  direction->scale(1 / direction->norm());
  return direction;
}

/// |A r| for an r of norm 1 in the complement; 0 where the complement is empty.
double norm_along_random(const algebra::InComplement& a, const algebra::Vector& like, const EigenSolve& request) {
  const auto r = random_direction(like, request), ar = like.create();
  a.project(*r);
  if (!(r->norm() > 0)) return 0;
  r->scale(1 / r->norm());
  a.apply(*r, *ar);
  return ar->norm();
}

Dense tensor_of_vector(const algebra::Vector& v, const Block& block) {
  return Dense::copy({v.read().data, block.dtype, block.extents, row_major(block.extents)});
}

Extents joined(const Extents& a, std::initializer_list<std::int64_t> b) {
  Extents all = a;
  all.insert(all.end(), b);
  return all;
}

void normalize(Dense& core, const std::string& train) {
  const double length = norm(core);
  if (!(length > 0) || !std::isfinite(length))
    fail(Code::contradiction, fmt::format("the train {} starts as nothing", train), "a state that is not zero",
         fmt::format("norm {:g}", length), "another start");
  scale(core, 1 / length);
}

/// A basis of one side and what the state has on it.
struct Truncated {
  Dense left, right;
  std::vector<double> weights;  ///< of the state, falling, relative
  double discarded = 0;
};

Truncated by_svd(const Dense& matrix, Weight to, const Truncation& cut, const std::function<void(const std::string&)>& warn) {
  SingularTriplets t = singular_triplets(matrix, warn);
  std::vector<double> weights = squared(t.values);
  const double whole = sum(weights);
  const std::int64_t count = kept_count(weights, cut, eps * eps);  // squares of values that are right to eps
  Truncated result{leading_columns(t.left, count), leading_rows(t.right, count), {}, 0};
  result.discarded = sum(weights, static_cast<std::size_t>(count)) / whole;
  t.values.resize(static_cast<std::size_t>(count));
  if (to == Weight::right) scale_rows(result.right, t.values);
  else scale_columns(result.left, t.values);
  for (double& w : weights) w /= whole;
  result.weights = std::move(weights);
  return result;
}

/// By the density matrix of the side that is kept, with directions mixed in that the state does not have yet, if any.
Truncated by_density(const Dense& matrix, Weight to, const Truncation& cut, const std::vector<Dense>& directions,
                     const std::function<void(const std::string&)>& warn) {
  const bool keeps_left = to == Weight::right;
  Dense density = keeps_left ? product_adjoint(matrix, matrix) : Dense();
  if (!keeps_left) {  // of the right side as a column space: the transposed
    const Dense adjoint = adjoint_product(matrix, matrix);
    const std::int64_t n = adjoint.extents()[0];
    density = Dense::copy({adjoint.view().data, adjoint.dtype(), {n, n}, {1, n}});
  }
  const double whole = std::pow(norm(matrix), 2);
  double strength = 0;
  std::vector<Dense> mixed;
  for (const Dense& d : directions) mixed.push_back(product_adjoint(d, d)), strength += std::pow(norm(d), 2);
  const auto add = [&](const Dense& more, double factor) {
    const double* from = static_cast<const double*>(more.view().data);
    auto* const to_values = static_cast<double*>(density.view().address());
    for (std::int64_t k = 0; k < density.bytes() / 8; ++k) to_values[k] += factor * from[k];
  };
  for (const Dense& m : mixed)
    if (strength > 0) add(m, cut.noise * whole / strength);
  EigenPairs pairs = hermitian_eigenpairs(density);
  for (double& v : pairs.values) v = std::max(v, 0.0);
  const std::int64_t count = kept_count(pairs.values, cut, eps);
  const Dense basis = leading_columns(pairs.vectors, count);
  Truncated result;
  if (keeps_left) {
    result.right = adjoint_product(basis, matrix);
    result.left = basis;
    result.discarded = 1 - std::pow(norm(result.right), 2) / whole;
  } else {
    const Extents e = basis.extents();
    result.right = Dense::copy({basis.view().data, basis.dtype(), {e[1], e[0]}, {1, e[1]}});  // its rows are what spans the side
    result.left = product_adjoint(matrix, result.right);
    result.discarded = 1 - std::pow(norm(result.left), 2) / whole;
  }
  result.discarded = std::max(0.0, result.discarded);
  result.weights = std::move(pairs.values);
  // Those of the state itself, not of what was mixed into its density matrix.
  if (!directions.empty()) result.weights = squared(singular_triplets(keeps_left ? result.right : result.left, warn).values);
  const double total = sum(result.weights);
  for (double& w : result.weights) w /= total;
  return result;
}

}  // namespace

std::int64_t kept_count(const std::vector<double>& weights, const Truncation& cut, double rounding) {
  const double whole = sum(weights);
  auto count = static_cast<std::int64_t>(weights.size());
  if (cut.max_extent > 0) count = std::min(count, cut.max_extent);
  const double negligible = weights.empty() ? 0 : rounding * static_cast<double>(weights.size()) * weights.front();
  double left_out = sum(weights, static_cast<std::size_t>(count));
  while (count > 1) {
    const double next = weights[static_cast<std::size_t>(count - 1)];
    const bool is_nothing = next <= negligible;
    if (!is_nothing && (count <= cut.min_extent || left_out + next > cut.cutoff * whole)) break;
    left_out += next, --count;
  }
  return count;
}

bool density_suffices(const Truncation& cut) { return cut.cutoff >= 1e-13 && cut.min_extent <= 1; }

double entropy_of(const std::vector<double>& weights) {
  const double whole = sum(weights);
  double entropy = 0;
  for (const double w : weights)
    if (w > 0) entropy -= w / whole * std::log(w / whole);
  return std::max(0.0, entropy);
}

Trains::Trains(const Setup& setup, State& state, Hooks hooks)
    : setup_(setup),
      state_(state),
      hooks_(std::move(hooks)),
      contractions_(*setup.plans, *setup.executor, setup.options),
      messages_(setup, state, contractions_),
      trains_(setup.trains.size()),
      is_known_(setup.networks.size(), 0) {}

Dense Trains::core(std::int32_t id, std::size_t site) const { return Dense::copy(state_.array(train(id).cores[site])); }

void Trains::store(std::int32_t id, std::size_t site, Dense values) {
  const std::int32_t tensor = train(id).cores[site];
  state_.replace(tensor, std::move(values));
  changed(tensor);
  hooks_.changed(tensor);
}

void Trains::changed(std::int32_t tensor) {
  messages_.changed(tensor);
  std::fill(is_known_.begin(), is_known_.end(), 0);
}

void Trains::begin() {
  pending_.reset();
  for (std::size_t id = 0; id < trains_.size(); ++id) {
    const auto t = static_cast<std::int32_t>(id);
    const std::size_t count = train(t).cores.size();
    for (const std::int32_t tensor : train(t).cores) changed(tensor);
    trains_[id] = {static_cast<std::int64_t>(count) - 1, -1, std::vector<double>(count - 1, 0)};
    move_centre(t, 0, true);
    Dense first = core(t, 0);
    normalize(first, train(t).name);
    store(t, 0, std::move(first));
  }
}

/// By QR factorizations; singular values are not needed.
void Trains::move_centre(std::int32_t id, std::size_t to, bool normalizes) {
  auto centre = static_cast<std::size_t>(trains_[static_cast<std::size_t>(id)].centre);
  trains_[static_cast<std::size_t>(id)].centre = static_cast<std::int64_t>(to);
  while (centre > to) {
    const Extents e = state_.array(train(id).cores[centre]).extents, before = state_.array(train(id).cores[centre - 1]).extents;
    Factors f = orthogonal_right(reshaped(core(id, centre), {e[0], e[1] * e[2]}));
    const std::int64_t bond = f.right.extents()[0];
    Dense next = product(reshaped(core(id, centre - 1), {before[0] * before[1], before[2]}), f.left);
    if (normalizes) normalize(next, train(id).name);
    store(id, centre, reshaped(std::move(f.right), {bond, e[1], e[2]}));
    store(id, centre - 1, reshaped(std::move(next), {before[0], before[1], bond}));
    --centre;
  }
  while (centre < to) {
    const Extents e = state_.array(train(id).cores[centre]).extents, after = state_.array(train(id).cores[centre + 1]).extents;
    Factors f = orthogonal_left(reshaped(core(id, centre), {e[0] * e[1], e[2]}));
    const std::int64_t bond = f.left.extents()[1];
    Dense next = product(f.right, reshaped(core(id, centre + 1), {after[0], after[1] * after[2]}));
    store(id, centre, reshaped(std::move(f.left), {e[0], e[1], bond}));
    store(id, centre + 1, reshaped(std::move(next), {bond, after[1], after[2]}));
    ++centre;
  }
}

Dense Trains::merged(std::int32_t id, std::size_t first, std::size_t count) const {
  Dense theta = core(id, first);
  for (std::size_t k = first + 1; k < first + count; ++k) {
    const Extents e = theta.extents(), next = state_.array(train(id).cores[k]).extents;
    Extents kept(e.begin(), e.end() - 1);
    const std::int64_t rows = element_count(kept);
    theta = reshaped(product(reshaped(std::move(theta), {rows, e.back()}), reshaped(core(id, k), {next[0], next[1] * next[2]})),
                     joined(kept, {next[1], next[2]}));
  }
  return theta;
}

void Trains::check_split() const {
  if (pending_)
    fail(Code::plugin_rule, fmt::format("a merged block of {} was solved and is not split", train(pending_->train).name),
         "apply(split) before other kernels");
}

algebra::Vectors Trains::orthogonal_to(const EigenSolve& request, const LocalMap& map, const Block& block) {
  constexpr double linearly_dependent = 1e-8, rounding = 1e-14;
  algebra::Vectors basis;
  for (const EigenSolve::Overlap& overlap : request.orthogonal_to) {
    const Dense v = local_overlap(overlap, setup_, messages_, contractions_, block);
    std::unique_ptr<algebra::Vector> next = vector_of(v);
    const double length = next->norm();
    algebra::Field field(map);
    for (int twice = 0; twice < 2; ++twice) field.remove(basis, basis.size(), *next);
    const double rest = next->norm();
    // The other state, of norm 1, has no part in this block, or none that the others do not have.
    if (!(length > rounding) || !(rest > linearly_dependent * length)) continue;
    next->scale(1 / rest);
    basis.push_back(std::move(next));
  }
  return basis;
}

Trains::Local Trains::local(const EigenSolve& request, std::int64_t products) {
  const Rayleigh& rayleigh = *setup_.objectives[static_cast<std::size_t>(request.objective)].rayleigh;
  const std::int32_t id = rayleigh.train;
  Gauge& live = trains_[static_cast<std::size_t>(id)];
  const auto first = static_cast<std::size_t>(request.first), count = static_cast<std::size_t>(request.count);
  move_centre(id, std::clamp(static_cast<std::size_t>(live.centre), first, first + count - 1));
  live.objective = request.objective;
  const Block block = block_of(train(id), messages_, first, count);
  Local local{
      block, LocalMap(rayleigh, setup_, messages_, contractions_, block, products), {}, vector_of(merged(id, first, count))};
  local.others = orthogonal_to(request, local.map, block);
  return local;
}

double Trains::residual(const EigenSolve& request) {
  check_split();
  const Local problem = local(request, 2);
  const algebra::InComplement a(problem.map, problem.others);
  algebra::Vector& x = *problem.x;
  a.project(x);
  if (!(x.norm() > 0)) return 1;
  x.scale(1 / x.norm());
  const auto ax = x.create();
  a.apply(x, *ax);
  const double largest = std::max(ax->norm(), norm_along_random(a, x, request));
  ax->axpy(-x.dot(*ax), x);
  return largest > 0 ? ax->norm() / largest : 0;
}

double Trains::apply(const EigenSolve& request, const Krylov& krylov) {
  check_split();
  Local problem = local(request, products_counted_on(krylov));
  if (krylov.perturbation > 0) problem.x->axpy(krylov.perturbation * problem.x->norm(), *random_direction(*problem.x, request));
  algebra::Vectors vectors;
  vectors.push_back(std::move(problem.x));
  algebra::EigenOptions options{.tolerance = krylov.tolerance, .max_products = krylov.max_iterations};
  options.library = setup_.eigen_library;
  const algebra::EigenOutcome found = setup_.eigen_solver->solve(problem.map, problem.others, vectors, options);
  const auto first = static_cast<std::size_t>(request.first);
  const std::int32_t id = setup_.objectives[static_cast<std::size_t>(request.objective)].rayleigh->train;
  if (found.values.empty() || !std::isfinite(found.values[0])) {
    hooks_.warn(
        fmt::format("{} found no eigenvector at site {}: {}", setup_.eigen_solver->name(), first + 1, found.outcome.reason));
    return std::nan("");
  }
  Dense theta = tensor_of_vector(*vectors[0], problem.block);
  if (request.count == 1) store(id, first, std::move(theta));
  else pending_ = Pending{id, first, std::move(theta)};
  return found.values[0];
}

SplitReport Trains::apply(const Split& request, Weight to, const Truncation& cut) {
  const std::int32_t id = request.train;
  const auto first = static_cast<std::size_t>(request.first);
  Gauge& live = trains_[static_cast<std::size_t>(id)];
  if (pending_ && (pending_->train != id || pending_->first != first)) check_split();
  if (!pending_) {
    move_centre(id, std::clamp(static_cast<std::size_t>(live.centre), first, first + 1));
    pending_ = Pending{id, first, merged(id, first, 2)};
  }
  const Dense theta = std::exchange(pending_, std::nullopt)->theta;
  const Extents e = theta.extents();
  const Dense matrix = reshaped(theta, {e[0] * e[1], e[2] * e[3]});
  Truncated t;
  if (cut.noise > 0 && live.objective >= 0) {
    const Rayleigh& rayleigh = *setup_.objectives[static_cast<std::size_t>(live.objective)].rayleigh;
    t = by_density(matrix, to, cut, directions(rayleigh, setup_, messages_, contractions_, {first, 2, e, theta.dtype()}, theta, to),
                   hooks_.warn);
  } else {
    t = density_suffices(cut) ? by_density(matrix, to, cut, {}, hooks_.warn) : by_svd(matrix, to, cut, hooks_.warn);
  }
  const std::int64_t bond = t.left.extents()[1];
  Dense& weighted = to == Weight::right ? t.right : t.left;
  scale(weighted, 1 / norm(weighted));
  store(id, first, reshaped(std::move(t.left), {e[0], e[1], bond}));
  store(id, first + 1, reshaped(std::move(t.right), {bond, e[2], e[3]}));
  live.centre = request.first + (to == Weight::right ? 1 : 0);
  live.entropies[first] = entropy_of(t.weights);
  return {.discarded = t.discarded, .entropy = live.entropies[first], .extent = bond};
}

void Trains::refresh(const std::vector<std::int32_t>& networks) {
  check_split();
  for (const std::int32_t n : networks) {
    char& is_known = is_known_[static_cast<std::size_t>(n)];
    if (is_known != 0) continue;
    const std::int32_t value = setup_.networks[static_cast<std::size_t>(n)].value;
    state_.set(value, 0, messages_.value(n).real());
    hooks_.changed(value);
    is_known = 1;
  }
}

double Trains::entropy_change() {
  double largest = 0;
  for (Gauge& g : trains_) {
    for (std::size_t k = 0; k < g.entropies.size(); ++k)
      largest =
          std::max(largest, g.before.empty() ? std::numeric_limits<double>::infinity() : std::abs(g.entropies[k] - g.before[k]));
    g.before = g.entropies;
  }
  return largest;
}

void Trains::restore(std::vector<Gauge> gauges) {
  pending_.reset();
  trains_ = std::move(gauges);
}

}  // namespace tyto::solve
