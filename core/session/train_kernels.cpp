#include "session/train_kernels.hpp"
#include <algorithm>
#include <map>
#include <set>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include "derivative/network.hpp"
#include "error/fail.hpp"
#include "graph/handle.hpp"

namespace tyto::session {

using graph::NodeId;

namespace {

/// "psi" of "psi[3]".
std::string list_of(const std::string& name) { return name.ends_with("]") ? name.substr(0, name.rfind('[')) : name; }

bool is_same(const solve::Network& a, const solve::Network& b) { return a.coefficient == b.coefficient && a.sites == b.sites; }

class TrainNumbering {
 public:
  explicit TrainNumbering(Declared& d) : d_(d), store_(*d.problem.store) {
    for (const solve::Train& t : d.setup.trains) {
      std::vector<NodeId>& cores = trains_.emplace_back();
      for (const std::int32_t core : t.cores) cores.push_back(d.nodes[static_cast<std::size_t>(core)]);
      is_core_.insert(cores.begin(), cores.end());
    }
  }

  /// The expression with networks replaced by states; those it reads are added to `networks`.
  Expr numbers_for(const Expr& e, std::vector<std::int32_t>& networks) {
    present_ = &networks;
    const Expr numbers(e.store(), without_cores(e.id()), e.shape());
    std::sort(networks.begin(), networks.end());
    networks.erase(std::unique(networks.begin(), networks.end()), networks.end());
    return numbers;
  }

  void add_eigen_solve(const problem::EigenSolve& request, const Expr& objective) {
    const std::int32_t train = request.block.train;
    std::optional<solve::Rayleigh>& rayleigh = d_.setup.objectives[static_cast<std::size_t>(request.objective)].rayleigh;
    if (!rayleigh) rayleigh = rayleigh_of(objective, train);
    if (rayleigh->train != train) refuse_quotient(train, "one train for all its eigenproblems");
    solve::EigenSolve solve{request.objective, request.block.first, request.block.count, {}};
    for (const Expr& overlap : request.orthogonal_to) solve.orthogonal_to.push_back(overlap_of(overlap, train));
    d_.setup.eigen_solves.push_back(std::move(solve));
  }

 private:
  std::int32_t tensor_of(NodeId node) const {
    return static_cast<std::int32_t>(std::find(d_.nodes.begin(), d_.nodes.end(), node) - d_.nodes.begin());
  }
  bool has_cores(NodeId node) const {
    const std::vector<NodeId> needed = graph::reachable(store_, {node});
    return std::any_of(needed.begin(), needed.end(), [&](NodeId id) { return is_core_.contains(id); });
  }
  /// The name of the first train that an expression has cores of.
  const std::string& train_below(NodeId node) const {
    const std::vector<NodeId> needed = graph::reachable(store_, {node});
    const auto is_in = [&](NodeId core) { return std::find(needed.begin(), needed.end(), core) != needed.end(); };
    const auto train = std::find_if(trains_.begin(), trains_.end(), [&](const std::vector<NodeId>& cores) {
      return std::any_of(cores.begin(), cores.end(), is_in);
    });
    TYTO_ASSERT(train != trains_.end());
    return name_of_train(static_cast<std::int32_t>(train - trains_.begin()));
  }
  const std::string& name_of_train(std::int32_t train) const { return d_.setup.trains[static_cast<std::size_t>(train)].name; }

  NodeId without_cores(NodeId id) {
    if (const auto known = replaced_.find(id); known != replaced_.end()) {
      present_->insert(present_->end(), known->second.second.begin(), known->second.second.end());
      return known->second.first;
    }
    if (!has_cores(id)) return id;
    const graph::Node node = store_[id];
    if (!node.shape.empty())
      fail_unsupported(fmt::format("an expression that is a tensor made of {}", train_below(id)), "numbers made of networks");
    const std::size_t before = present_->size();
    NodeId result = -1;
    if (const auto terms = derivative::networks(store_, id); terms && node.field == Field::real) {
      std::vector<graph::Term> sum;
      for (const derivative::Network& term : *terms) sum.push_back({1, value_of(term)});
      result = graph::combination(store_, sum, {});
    } else {
      std::vector<NodeId> operands;
      for (const NodeId operand : node.operands) operands.push_back(without_cores(operand));
      result = store_.insert(node.operation, operands);
    }
    replaced_[id] = {result, {present_->begin() + static_cast<std::ptrdiff_t>(before), present_->end()}};
    return result;
  }

  /// The state that takes the value of a network.
  NodeId value_of(const derivative::Network& network) {
    const std::int32_t n = add(network);
    present_->push_back(n);
    std::int32_t& tensor = d_.setup.networks[static_cast<std::size_t>(n)].value;
    if (tensor < 0) {
      tensor = static_cast<std::int32_t>(d_.setup.tensors.size());
      const std::string name = name_of(d_.setup.networks[static_cast<std::size_t>(n)]);
      d_.nodes.push_back(graph::make_leaf(d_.problem.store, name, graph::Role::state, {}).id());
      d_.setup.tensors.push_back({.name = name, .kind = solve::Kind::state});
    }
    return d_.nodes[static_cast<std::size_t>(tensor)];
  }

  /// For people: "<psi|H|psi>", with what stands between the trains in the order of the sites.
  std::string name_of(const solve::Network& network) const {
    std::vector<std::string> trains, between;
    for (const std::vector<solve::Network::Operand>& site : network.sites) {
      std::vector<std::string> here;
      for (const solve::Network::Operand& o : site) {
        const std::string& own = d_.setup.tensors[static_cast<std::size_t>(o.tensor)].name;
        const bool is_core = is_core_.contains(d_.nodes[static_cast<std::size_t>(o.tensor)]);
        if (!is_core) here.push_back(list_of(own));
        else if (trains.size() < 2 && &site == &network.sites.front()) trains.push_back(train_with(o.tensor));
      }
      for (const std::string& name : here)
        if (std::count(between.begin(), between.end(), name) < std::count(here.begin(), here.end(), name)) between.push_back(name);
    }
    trains.resize(2, trains.empty() ? "" : trains.front());
    return fmt::format("<{}|{}{}{}>", trains[0], fmt::join(between, " "), between.empty() ? "" : "|", trains[1]);
  }
  std::string train_with(std::int32_t tensor) const {
    for (const solve::Train& t : d_.setup.trains)
      if (std::find(t.cores.begin(), t.cores.end(), tensor) != t.cores.end()) return t.name;
    return {};
  }

  std::int32_t add(const derivative::Network& network) {
    solve::Network result{.coefficient = network.coefficient, .sites = {}};
    for (const std::vector<derivative::NetworkOperand>& site : derivative::sites(network, trains_)) {
      result.sites.emplace_back();
      for (const derivative::NetworkOperand& o : site)
        result.sites.back().push_back({tensor_of(o.leaf), o.is_conjugated, o.labels});
    }
    std::vector<solve::Network>& all = d_.setup.networks;
    const auto same = std::find_if(all.begin(), all.end(), [&](const solve::Network& n) { return is_same(n, result); });
    if (same != all.end()) return static_cast<std::int32_t>(same - all.begin());
    all.push_back(std::move(result));
    return static_cast<std::int32_t>(all.size()) - 1;
  }

  [[noreturn]] void refuse_quotient(std::int32_t train, const std::string& expected) const {
    fail(Code::plugin_rule, fmt::format("lowest_eigenpair() is asked for in {}", name_of_train(train)), expected, {},
         "minimize(real(einsum(<psi| H |psi>)) / norm2(psi))");
  }

  /// Where the cores of a train stand among the operands of each site: one chain from end to end, and the other one.
  std::optional<std::pair<std::vector<std::size_t>, std::vector<std::size_t>>> chains(const solve::Network& network,
                                                                                      std::int32_t train) const {
    std::vector<std::size_t> one, other;
    const std::vector<std::int32_t>& cores = d_.setup.trains[static_cast<std::size_t>(train)].cores;
    if (network.sites.size() != cores.size()) return std::nullopt;
    for (std::size_t k = 0; k < cores.size(); ++k) {
      std::vector<std::size_t> found;
      for (std::size_t n = 0; n < network.sites[k].size(); ++n)
        if (network.sites[k][n].tensor == cores[k]) found.push_back(n);
      if (found.size() != 2) return std::nullopt;
      const auto left_bond = [&](std::size_t n) { return network.sites[k][n].labels.front(); };
      if (k > 0 && left_bond(found[0]) != network.sites[k - 1][one.back()].labels.back()) std::swap(found[0], found[1]);
      if (k > 0 && left_bond(found[0]) != network.sites[k - 1][one.back()].labels.back()) return std::nullopt;
      one.push_back(found[0]), other.push_back(found[1]);
    }
    return std::pair{one, other};
  }

  solve::Rayleigh::Form form_of(std::int32_t n, std::int32_t train, const std::string& wanted) const {
    const solve::Network& network = d_.setup.networks[static_cast<std::size_t>(n)];
    auto found = chains(network, train);
    if (!found) refuse_quotient(train, wanted);
    auto& [ket, bra] = *found;
    if (network.sites[0][ket[0]].is_conjugated) std::swap(ket, bra);
    return {n, std::move(ket), std::move(bra)};
  }

  solve::Rayleigh rayleigh_of(const Expr& objective, std::int32_t train) {
    const auto quotient = derivative::quotient(store_, objective.id());
    const std::string wanted = fmt::format("an objective <{0}|H|{0}> / <{0}|{0}>", name_of_train(train));
    if (!quotient) refuse_quotient(train, wanted);
    const std::int32_t below = add(quotient->denominator);
    const solve::Network norm = d_.setup.networks[static_cast<std::size_t>(below)];
    const bool only_cores = std::all_of(norm.sites.begin(), norm.sites.end(),
                                        [](const std::vector<solve::Network::Operand>& s) { return s.size() == 2; });
    if (!only_cores) refuse_quotient(train, wanted);
    solve::Rayleigh result{.train = train, .forms = {}, .norm = form_of(below, train, wanted)};
    for (const derivative::Network& term : quotient->numerator) result.forms.push_back(form_of(add(term), train, wanted));
    return result;
  }

  const solve::EigenSolve::Overlap& overlap_of(const Expr& e, std::int32_t train) {
    const auto known = overlaps_.find({e.id(), train});
    return known != overlaps_.end() ? known->second : overlaps_[{e.id(), train}] = opened_overlap(e, train);
  }

  solve::EigenSolve::Overlap opened_overlap(const Expr& e, std::int32_t train) {
    const auto terms = derivative::networks(store_, e.id());
    const std::string wanted = fmt::format("overlaps inner(other, {0}) or inner({0}, other)", name_of_train(train));
    if (!terms || terms->size() != 1) refuse_quotient(train, wanted);
    solve::EigenSolve::Overlap overlap{add(terms->front()), {}};
    const solve::Network& network = d_.setup.networks[static_cast<std::size_t>(overlap.network)];
    const std::vector<std::int32_t>& cores = d_.setup.trains[static_cast<std::size_t>(train)].cores;
    for (std::size_t k = 0; k < network.sites.size(); ++k) {
      const std::vector<solve::Network::Operand>& site = network.sites[k];
      const auto is_core = [&](const solve::Network::Operand& o) { return o.tensor == cores[k]; };
      if (std::count_if(site.begin(), site.end(), is_core) != 1) refuse_quotient(train, wanted);
      overlap.core.push_back(static_cast<std::size_t>(std::find_if(site.begin(), site.end(), is_core) - site.begin()));
    }
    return overlap;
  }

  Declared& d_;
  graph::Store& store_;
  std::set<NodeId> is_core_;
  std::vector<std::vector<NodeId>> trains_;
  std::map<NodeId, std::pair<NodeId, std::vector<std::int32_t>>> replaced_;
  std::map<std::pair<NodeId, std::int32_t>, solve::EigenSolve::Overlap> overlaps_;
  std::vector<std::int32_t>* present_ = nullptr;
};

}  // namespace

void number_cores(Declared& d) {
  for (const problem::Train& t : d.problem.trains) {
    solve::Train train{t.name, {}};
    for (const std::int32_t u : t.cores) {
      const NodeId core = d.problem.unknowns[static_cast<std::size_t>(u)].expression.id();
      const auto tensor = std::find(d.nodes.begin(), d.nodes.end(), core) - d.nodes.begin();
      d.setup.tensors[static_cast<std::size_t>(tensor)].varies = true;
      train.cores.push_back(static_cast<std::int32_t>(tensor));
    }
    d.setup.trains.push_back(std::move(train));
  }
}

void number_trains(Declared& d, const Where& precision) {
  if (d.problem.trains.empty()) return;
  if (d.setup.precision != Dtype::f64)
    fail({.code = Code::unsupported,
          .where = precision,
          .what = "trains are solved in double precision",
          .expected = "f64",
          .found = name_of(d.setup.precision),
          .hint = "execution.precision: f64"});
  TrainNumbering numbering(d);
  for (const problem::EigenSolve& s : d.problem.eigen_solves)
    numbering.add_eigen_solve(s, d.problem.objectives[static_cast<std::size_t>(s.objective)].fit);
  for (const problem::Split& s : d.problem.splits) d.setup.splits.push_back({s.block.train, s.block.first});
  for (std::size_t k = 0; k < d.problem.objectives.size(); ++k) {
    problem::Objective& f = d.problem.objectives[k];
    f.fit = numbering.numbers_for(f.fit, d.setup.objectives[k].networks);
    f.value = numbering.numbers_for(f.value, d.setup.objectives[k].networks);
  }
  for (std::size_t k = 0; k < d.problem.observed.size(); ++k)
    d.problem.observed[k].expression = numbering.numbers_for(d.problem.observed[k].expression, d.setup.observed[k].networks);
}

}  // namespace tyto::session
