// Trains: networks cut into sites, their numbers, local maps and overlaps against dense tensors, and how many messages a sweep
// makes.
#include <boost/test/unit_test.hpp>
#include <set>
#include "algebra/davidson.hpp"
#include "core/session/runs.hpp"
#include "evaluate/error_text.hpp"
#include "execute/reference/executor.hpp"
#include "problem/recorder.hpp"
#include "session/contraction_plans.hpp"
#include "session/train_kernels.hpp"
#include "solve/start.hpp"
#include "solve/train_forecast.hpp"
#include "solve/trains.hpp"

namespace tyto::session {

namespace {

using v1::einsum;

/// A chain of four sites with unequal extents, a symmetric operator of unequal bonds, and a second state.
struct Chain {
  std::vector<std::int64_t> sites{2, 3, 2, 2}, bonds{1, 3, 2, 4, 1};
  std::vector<problem::Input> inputs;
  problem::Recorder recorder{inputs, [](const std::string&) { return problem::UserTraits{}; }};
  std::vector<Table> operators;
  Table dense_operator;
  Declared declared;
  std::unique_ptr<execute::Executor> reference = execute::reference::make_executor();
  const execute::Executor& executor = *reference;
  algebra::Davidson davidson;
  std::unique_ptr<ContractionPlans> plans;
  std::optional<solve::State> state;

  Chain() {
    Exprs h;
    Indices in, out;
    std::vector<Index> bond;
    for (std::size_t k = 0; k <= sites.size(); ++k) bond.emplace_back("w" + std::to_string(k), bonds[k]);
    for (std::size_t k = 0; k < sites.size(); ++k) {
      in.emplace_back("s" + std::to_string(k), sites[k]), out.emplace_back("t" + std::to_string(k), sites[k]);
      Table w = plain::random({bonds[k], bonds[k + 1], sites[k], sites[k]}, 7 + static_cast<unsigned>(k));
      const auto d = static_cast<std::size_t>(sites[k]);
      for (std::size_t block = 0; block < w.values.size(); block += d * d)
        for (std::size_t i = 0; i < d; ++i)
          for (std::size_t j = 0; j < i; ++j) w.values[block + i * d + j] = w.values[block + j * d + i];
      operators.push_back(w);
      h.push_back(recorder.constant(item("H", k), {bond[k], bond[k + 1], out[k], in[k]}, w.values));
    }
    dense_operator = plain::contract(
        {{operators[0], "ABIi"}, {operators[1], "BCJj"}, {operators[2], "CDKk"}, {operators[3], "DELl"}}, "IJKLijkl");
    const Exprs cores = recorder.train("psi", in, {6}, Field::real), other = recorder.train("phi", in, {6}, Field::real);
    const Expr psi = einsum(cores, in), phi = einsum(other, in);
    Exprs network = h;
    network.push_back(psi(out)), network.push_back(psi);
    const Objective f = recorder.minimize(einsum(network, {}) / norm2(psi));
    const Exprs overlap{inner(phi, psi)};
    recorder.observe("overlap", overlap[0]), recorder.observe("length", norm2(phi));
    recorder.minimize(norm2(phi));
    for (std::size_t k = 0; k + 1 < cores.size(); ++k) {
      const Expr pair = recorder.merged(cores[k], cores[k + 1]);
      recorder.lowest_eigenpair(f, pair, {}), recorder.split(pair);
      recorder.lowest_eigenpair(f, cores[k], overlap);
    }
    declared = numbered(recorder.finish(), {}, {});
    plans = std::make_unique<ContractionPlans>(executor, plan::Options{}, std::vector<std::string>{});
    declared.setup.plans = plans.get(), declared.setup.executor = &executor, declared.setup.eigen_solver = &davidson;
    state.emplace(declared.setup.tensors, Dtype::f64);
    solve::fill_start(declared.setup.tensors, *state, 3, nullptr);
  }
  solve::Trains trains() {
    return {declared.setup, *state, {[](std::int32_t) {}, [](const std::string& text) { BOOST_ERROR(text); }}};
  }
  Table core(std::int32_t train, std::size_t site) const {
    const ConstArray a = state->array(declared.setup.trains[static_cast<std::size_t>(train)].cores[site]);
    return {a.extents, {a.as<double>(), a.as<double>() + a.size()}};
  }
  Table dense(std::int32_t train) const {
    return plain::contract({{core(train, 0), "aib"}, {core(train, 1), "bjc"}, {core(train, 2), "ckd"}, {core(train, 3), "dle"}},
                           "ijkl");
  }
  /// The state with the cores of sites 1 and 2 replaced by one block.
  Table with_block(const Table& theta) const {
    return plain::contract({{core(0, 0), "aib"}, {theta, "bjkd"}, {core(0, 3), "dle"}}, "ijkl");
  }
  Table applied(const Table& psi) const {
    Table image = plain::filled(psi.extents, 0);
    const std::size_t n = psi.values.size();
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) image.values[i] += dense_operator.values[i * n + j] * psi.values[j];
    return image;
  }
  double number(const std::string& observed) const {
    for (std::size_t k = 0; k < declared.setup.observed.size(); ++k)
      if (declared.setup.observed[k].name == observed)
        return state->get(declared.setup.networks[static_cast<std::size_t>(declared.setup.observed[k].networks.at(0))].value, 0);
    return std::nan("");
  }
};

/// Writes down what is asked for.
class Asked final : public program::PlanSource {
 public:
  explicit Asked(program::PlanSource& plans) : plans_(plans) {}
  const program::PlannedContraction& plan(const program::ContractionRequest& request) override {
    keys.insert(solve::key_of(request));
    return plans_.plan(request);
  }
  std::set<std::string> keys;

 private:
  program::PlanSource& plans_;
};

/// A sweep there and back over the chain: each pair is solved, and before that its first core, orthogonal to the other state.
std::vector<solve::Recorded> there_and_back(double noise) {
  using What = solve::Recorded::What;
  const Truncation cut{.max_extent = 6, .noise = noise};
  std::vector<solve::Recorded> sweep;
  const auto add = [&](std::int32_t k, Weight to) {
    sweep.push_back({.what = What::eigen_solve, .id = 2 * k + 1, .krylov = {.max_iterations = 3}});
    sweep.push_back({.what = What::eigen_solve, .id = 2 * k, .krylov = {.max_iterations = 4}});
    sweep.push_back({.what = What::split, .id = k, .to = to, .cut = cut});
  };
  for (std::int32_t k = 0; k < 3; ++k) add(k, Weight::right);
  for (std::int32_t k = 3; k-- > 0;) add(k, Weight::left);
  return sweep;
}

void run(solve::Trains& trains, const solve::Setup& setup, const std::vector<solve::Recorded>& sweep) {
  for (const solve::Recorded& r : sweep) {
    const auto id = static_cast<std::size_t>(r.id);
    if (r.what == solve::Recorded::What::split) trains.apply(setup.splits[id], r.to, r.cut);
    else trains.apply(setup.eigen_solves[id], r.krylov);
  }
}

double dot(const Table& a, const Table& b) {
  double sum = 0;
  for (std::size_t k = 0; k < a.values.size(); ++k) sum += a.values[k] * b.values[k];
  return sum;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(trains)

BOOST_AUTO_TEST_CASE(numbers_of_networks_are_those_of_dense_tensors) {
  Chain c;
  solve::Trains trains = c.trains();
  for (const solve::Observed& o : c.declared.setup.observed) trains.refresh(o.networks);
  trains.refresh(c.declared.setup.objectives[0].networks);
  const Table psi = c.dense(0), phi = c.dense(1);
  BOOST_TEST(close(c.number("overlap"), dot(phi, psi), 1e-12));
  BOOST_TEST(close(c.number("length"), dot(phi, phi), 1e-12));
  const std::vector<std::int32_t>& networks = c.declared.setup.objectives[0].networks;
  BOOST_REQUIRE(networks.size() == 2U);
  std::vector<double> found;
  for (const std::int32_t n : networks)
    found.push_back(c.state->get(c.declared.setup.networks[static_cast<std::size_t>(n)].value, 0));
  std::sort(found.begin(), found.end());
  std::vector<double> expected{dot(psi, c.applied(psi)), dot(psi, psi)};
  std::sort(expected.begin(), expected.end());
  for (std::size_t k = 0; k < 2; ++k) BOOST_TEST(close(found[k], expected[k], 1e-12));
}

BOOST_AUTO_TEST_CASE(a_gauge_keeps_the_state_but_for_its_norm) {
  Chain c;
  const Table before = c.dense(0);
  solve::Trains trains = c.trains();
  trains.begin();
  const Table after = c.dense(0);
  const double length = std::sqrt(dot(before, before));
  for (std::size_t k = 0; k < before.values.size(); ++k) BOOST_TEST(std::abs(before.values[k] / length - after.values[k]) < 1e-14);
  for (std::size_t site = 1; site < 4; ++site) {
    const Table core = c.core(0, site), gram = plain::contract({{core, "aib"}, {core, "cib"}}, "ac");
    for (std::int64_t i = 0; i < gram.extents[0]; ++i)
      for (std::int64_t j = 0; j < gram.extents[0]; ++j)
        BOOST_TEST(std::abs(gram.values[static_cast<std::size_t>(i * gram.extents[0] + j)] - (i == j ? 1 : 0)) < 1e-13);
  }
}

BOOST_AUTO_TEST_CASE(the_centre_of_a_gauge_moves_without_changing_the_state) {
  Chain c;
  solve::Trains trains = c.trains();
  trains.begin();
  const Table before = c.dense(0);
  trains.apply(c.declared.setup.splits[2], Weight::right, {});  // nothing was solved: the product of the present cores
  BOOST_TEST(trains.gauges()[0].centre == 3);
  const Table after = c.dense(0);
  for (std::size_t k = 0; k < before.values.size(); ++k) BOOST_TEST(std::abs(before.values[k] - after.values[k]) < 1e-14);
  for (std::size_t site = 0; site < 3; ++site) {
    const Table core = c.core(0, site), gram = plain::contract({{core, "aib"}, {core, "aic"}}, "bc");
    for (std::int64_t i = 0; i < gram.extents[0]; ++i)
      for (std::int64_t j = 0; j < gram.extents[0]; ++j)
        BOOST_TEST(std::abs(gram.values[static_cast<std::size_t>(i * gram.extents[0] + j)] - (i == j ? 1 : 0)) < 1e-13);
  }
}

BOOST_AUTO_TEST_CASE(a_local_map_is_the_derivative_of_the_quadratic_form) {
  Chain c;
  c.trains().begin();
  solve::Setup& setup = c.declared.setup;
  solve::Contractions contractions(*c.plans, c.executor, {});
  solve::Messages messages(setup, *c.state, contractions);
  const solve::Block block = solve::block_of(setup.trains[0], messages, 1, 2);
  const solve::LocalMap map(*setup.objectives[0].rayleigh, setup, messages, contractions, block, 5);
  const Table theta = plain::random(block.extents, 31), other = plain::random(block.extents, 32);
  const algebra::HostVector x(theta.values);
  const auto y = map.range();
  map.apply(x, *y);
  const Table image{block.extents, {y->read().as<double>(), y->read().as<double>() + y->size()}};
  BOOST_TEST(close(dot(other, image), dot(c.with_block(other), c.applied(c.with_block(theta))), 1e-12));
  const solve::EigenSolve::Overlap& overlap = setup.eigen_solves[1].orthogonal_to.at(0);
  const tensor::Dense v = solve::local_overlap(overlap, setup, messages, contractions, block);
  const Table against{block.extents, {v.view().as<double>(), v.view().as<double>() + v.size()}};
  BOOST_TEST(close(dot(against, theta), dot(c.dense(1), c.with_block(theta)), 1e-12));
}

BOOST_AUTO_TEST_CASE(a_local_map_of_the_norm_has_no_operators_between_bra_and_ket) {
  Chain c;
  solve::Setup& setup = c.declared.setup;
  solve::Contractions contractions(*c.plans, c.executor, {});
  solve::Messages messages(setup, *c.state, contractions);
  const solve::Rayleigh& quotient = *setup.objectives[0].rayleigh;
  const solve::Rayleigh norm{quotient.train, {quotient.norm}, quotient.norm};
  const solve::Block block = solve::block_of(setup.trains[0], messages, 1, 2);
  const solve::LocalMap map(norm, setup, messages, contractions, block, 1);
  const Table theta = plain::random(block.extents, 31), other = plain::random(block.extents, 32);
  const algebra::HostVector x(theta.values);
  const auto y = map.range();
  map.apply(x, *y);
  const Table image{block.extents, {y->read().as<double>(), y->read().as<double>() + y->size()}};
  BOOST_TEST(close(dot(other, image), dot(c.with_block(other), c.with_block(theta)), 1e-12));
}

BOOST_AUTO_TEST_CASE(forms_that_look_alike_keep_their_operands_apart) {
  Chain c;
  c.trains().begin();
  solve::Setup& setup = c.declared.setup;
  solve::Contractions contractions(*c.plans, c.executor, {});
  const solve::Rayleigh& quotient = *setup.objectives[0].rayleigh;
  // The same operators twice, the second time threefold.
  solve::Setup two = setup;
  two.networks.push_back(two.networks[static_cast<std::size_t>(quotient.forms[0].network)]);
  two.networks.back().coefficient = 3;
  solve::Messages messages(two, *c.state, contractions);
  solve::Rayleigh sum = quotient;
  sum.forms.push_back(sum.forms[0]);
  sum.forms.back().network = static_cast<std::int32_t>(two.networks.size()) - 1;
  const solve::Block block = solve::block_of(setup.trains[0], messages, 1, 2);
  const solve::LocalMap one(quotient, two, messages, contractions, block, 5), four(sum, two, messages, contractions, block, 5);
  const Table theta = plain::random(block.extents, 31);
  const algebra::HostVector x(theta.values);
  const auto y = one.range(), z = four.range();
  one.apply(x, *y), four.apply(x, *z);
  for (std::int64_t k = 0; k < y->size(); ++k) BOOST_TEST(close(z->read().as<double>()[k], 4 * y->read().as<double>()[k], 1e-12));
}

BOOST_AUTO_TEST_CASE(a_sweep_makes_one_message_a_step) {
  Chain c;
  solve::Trains trains = c.trains();
  trains.begin();
  const auto sweep = [&] {
    for (std::size_t k = 0; k < 3; ++k)
      trains.apply(c.declared.setup.eigen_solves[2 * k], {}),
          trains.apply(c.declared.setup.splits[k], Weight::right, {.max_extent = 6});
    for (std::size_t k = 3; k-- > 0;)
      trains.apply(c.declared.setup.eigen_solves[2 * k], {}),
          trains.apply(c.declared.setup.splits[k], Weight::left, {.max_extent = 6});
  };
  sweep();
  const std::int64_t before = trains.updates();
  sweep();
  BOOST_TEST(trains.updates() - before == 4);  // of six steps the two at which it turns make none
}

BOOST_AUTO_TEST_CASE(a_forecast_names_the_plans_that_a_sweep_asks_for) {
  for (const double noise : {0.0, 1e-3}) {
    Chain c;
    solve::Setup& setup = c.declared.setup;
    const std::vector<solve::Recorded> sweep = there_and_back(noise);
    {
      solve::Trains trains = c.trains();
      trains.begin();
      for (int k = 0; k < 2; ++k) run(trains, setup, sweep);  // until bonds are as large as they get
    }
    Asked asked(*c.plans);
    setup.plans = &asked;
    solve::Trains trains = c.trains();
    trains.begin();
    for (int k = 0; k < 2; ++k) run(trains, setup, sweep);
    std::set<std::string> forecast;
    for (const solve::BlockForecast& b : solve::forecast(setup, sweep).blocks)
      for (const auto* part : {&b.messages, &b.products, &b.overlaps, &b.directions})
        for (const solve::NamedRequest& r : *part) forecast.insert(solve::key_of(r.request));
    BOOST_TEST(forecast.size() > 10U);
    BOOST_TEST(std::includes(asked.keys.begin(), asked.keys.end(), forecast.begin(), forecast.end()));
    // With noise a gauge begins with bonds that are smaller than those it then finds.
    if (noise == 0) BOOST_TEST(asked.keys == forecast, boost::test_tools::per_element());
  }
}

BOOST_AUTO_TEST_CASE(a_tensor_made_of_a_train_is_refused_by_its_name) {
  const std::vector<problem::Input> inputs;
  problem::Recorder recorder{inputs, [](const std::string&) { return problem::UserTraits{}; }};
  const Indices sites{Index("s", 2), Index("t", 2)};
  const Exprs psi = recorder.train("psi", sites, {2}, Field::real), phi = recorder.train("phi", sites, {2}, Field::real);
  recorder.minimize(norm2(einsum(psi, sites)) + norm2(einsum(phi, sites)));
  recorder.observe("state", einsum(phi, sites));
  const std::string text = test::error_of([&] { numbered(recorder.finish(), {}, {}); });
  BOOST_TEST(text.find("a tensor made of phi") != std::string::npos, text);
}

BOOST_AUTO_TEST_CASE(a_forecast_counts_the_bytes_that_messages_take) {
  Chain c;
  solve::Setup& setup = c.declared.setup;
  setup.observed.clear();
  const std::vector<solve::Recorded> sweep = there_and_back(0);
  solve::Trains trains = c.trains();
  trains.begin();
  std::int64_t most = 0;
  for (int k = 0; k < 3; ++k)
    for (const solve::Recorded& r : sweep) run(trains, setup, {r}), most = std::max(most, trains.message_bytes());
  const std::int64_t forecast = solve::forecast(setup, sweep).message_bytes;
  BOOST_TEST(forecast >= most);
  BOOST_TEST(forecast <= 2 * most);
}

BOOST_AUTO_TEST_CASE(messages_that_only_one_value_needs_are_let_go) {
  Chain c;
  c.trains().begin();
  const solve::Setup& setup = c.declared.setup;
  solve::Contractions contractions(*c.plans, c.executor, {});
  solve::Messages messages(setup, *c.state, contractions);
  const auto network = [&](const std::string& observed) {
    for (const solve::Observed& o : setup.observed)
      if (o.name == observed) return o.networks.at(0);
    return -1;
  };
  const double length = messages.value(network("length")).real();
  BOOST_TEST(messages.bytes() == 0);
  const std::int64_t made = messages.updates();
  BOOST_TEST(messages.value(network("length")).real() == length);
  BOOST_TEST(messages.updates() - made == 4);  // all of them anew
  messages.value(network("overlap"));          // an eigenproblem is to be orthogonal to that state
  BOOST_TEST(messages.bytes() > 0);
  const std::int64_t after = messages.updates();
  messages.value(network("overlap"));
  BOOST_TEST(messages.updates() == after);
}

BOOST_AUTO_TEST_CASE(the_lowest_eigenvalue_is_found) {
  Chain c;
  solve::Trains trains = c.trains();
  trains.begin();
  double energy = 0;
  for (int sweep = 0; sweep < 6; ++sweep)
    for (std::size_t k = 0; k < 3; ++k) {
      energy = trains.apply(c.declared.setup.eigen_solves[2 * k], {.tolerance = 1e-12});
      trains.apply(c.declared.setup.splits[k], Weight::right, {.max_extent = 6});
    }
  // Power iterations on the dense operator, shifted so that the lowest value is the largest in magnitude.
  Table psi = plain::random({2, 3, 2, 2}, 5);
  double shift = 0;
  for (int k = 0; k < 200; ++k) {
    psi = c.applied(psi);
    shift = std::sqrt(dot(psi, psi));
    for (double& v : psi.values) v /= shift;
  }
  shift *= 1.1, psi = plain::random({2, 3, 2, 2}, 6);
  double exact = 0;
  for (int k = 0; k < 20000; ++k) {
    const Table image = c.applied(psi);
    exact = dot(psi, image) / dot(psi, psi);
    for (std::size_t e = 0; e < psi.values.size(); ++e) psi.values[e] = shift * psi.values[e] - image.values[e];
    const double length = std::sqrt(dot(psi, psi));
    for (double& v : psi.values) v /= length;
  }
  BOOST_TEST(std::abs(energy - exact) < 1e-8 * std::abs(exact), energy << " and " << exact);
}

BOOST_AUTO_TEST_CASE(an_eigenvector_has_no_residual) {
  Chain c;
  solve::Trains trains = c.trains();
  trains.begin();
  const solve::EigenSolve& one_site = c.declared.setup.eigen_solves[1];
  BOOST_REQUIRE(one_site.count == 1);
  const double before = trains.residual(one_site);
  BOOST_TEST((before > 1e-3 && before < 2), before);
  const double energy = trains.apply(one_site, {.tolerance = 1e-13});
  BOOST_TEST(trains.residual(one_site) < 1e-12);
  BOOST_TEST(close(trains.apply(one_site, {.tolerance = 1e-13, .perturbation = 0.5}), energy, 1e-12));
  BOOST_TEST(close(trains.apply(one_site, {.max_iterations = 1}), energy, 1e-12));
  BOOST_TEST(trains.apply(one_site, {.max_iterations = 1, .perturbation = 0.5}) > energy + 1e-6);
}

BOOST_AUTO_TEST_CASE(a_merged_block_must_be_split) {
  Chain c;
  solve::Trains trains = c.trains();
  trains.begin();
  trains.apply(c.declared.setup.eigen_solves[0], {});
  try {
    trains.apply(c.declared.setup.eigen_solves[2], {});
    BOOST_ERROR("nothing was thrown");
  } catch (const Error& error) {
    BOOST_TEST(std::string(error.what()) ==
               "a merged block of psi was solved and is not split\n  expected  apply(split) before other kernels");
  }
}

BOOST_AUTO_TEST_CASE(weights_are_kept_within_the_limits) {
  const std::vector<double> weights{0.9, 0.09, 0.009, 0.0009, 1e-40};
  BOOST_TEST(solve::kept_count(weights, {}, 1e-32) == 4);
  BOOST_TEST(solve::kept_count(weights, {.max_extent = 2}, 1e-32) == 2);
  BOOST_TEST(solve::kept_count(weights, {.cutoff = 0.01}, 1e-32) == 2);
  BOOST_TEST(solve::kept_count(weights, {.min_extent = 3, .cutoff = 0.5}, 1e-32) == 3);
  BOOST_TEST(solve::kept_count(weights, {.cutoff = 1}, 1e-32) == 1);
  // Eigenvalues of a density matrix: what is below eps of the largest is rounding, and kept by no cutoff.
  const std::vector<double> of_density{0.9, 0.1, 3e-16, 1e-17, 0};
  BOOST_TEST(solve::kept_count(of_density, {}, 2.2e-16) == 2);
  BOOST_TEST(solve::kept_count(of_density, {.min_extent = 4}, 2.2e-16) == 2);
  BOOST_TEST(solve::kept_count(of_density, {}, 5e-32) == 4);
  BOOST_TEST(std::abs(solve::entropy_of({0.5, 0.5}) - std::log(2.0)) < 1e-15);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace tyto::session
