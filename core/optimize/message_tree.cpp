#include "optimize/message_tree.hpp"
#include <algorithm>
#include <map>
#include <optional>
#include <fmt/format.h>
#include "error/fail.hpp"
#include "optimize/contraction_path.hpp"
#include "optimize/inferred_networks.hpp"
#include "optimize/network_plan.hpp"
#include "optimize/sum_of_products.hpp"
#include "optimize/work.hpp"

namespace tyto::optimize {

using graph::NodeId;
using graph::Store;

namespace {

std::vector<Product> networks(const graph::Graph& graph, const Context& context, Log& log) {
  std::vector<Product> networks;
  for (const NodeId objective : context.objectives) {
    const auto terms = sum_of_products(*graph.store, objective);
    if (!terms) {
      log.near_miss(fmt::format("an objective has more than {} products; its kernels share no tree", most_terms));
      continue;
    }
    for (const Product& term : *terms) {
      if (term.operands.size() < 3) continue;
      if (term.operands.size() > most_network_operands) {
        log.near_miss(fmt::format("a product of {} operands is above {}; its kernels share no tree", term.operands.size(),
                                  most_network_operands));
        continue;
      }
      const bool known = std::any_of(networks.begin(), networks.end(), [&](const Product& other) {
        return other.operands == term.operands && other.subscripts == term.subscripts;
      });
      if (!known) networks.push_back(term);
    }
  }
  return networks;
}

/// Whether two operands at least are in the network: what any use needs, and quickly told.
bool may_embed(const Product& product, const std::vector<NodeId>& sorted_network) {
  return std::count_if(product.operands.begin(), product.operands.end(), [&](NodeId operand) {
           return std::binary_search(sorted_network.begin(), sorted_network.end(), operand);
         }) >= 2;
}

/// The plan whose network is nearest to the product, and the use that the product is of it.
std::pair<NetworkPlan*, Use> nearest(const Store& store, std::vector<NetworkPlan>& plans, NodeId id, const Product& product) {
  std::pair<NetworkPlan*, Use> best{nullptr, {}};
  const auto distance = [](const Embedded& place) { return std::make_pair(place.strangers, place.left_out.count()); };
  for (NetworkPlan& plan : plans) {
    if (!may_embed(product, plan.sorted_operands())) continue;
    std::optional<Embedded> place = embedded(store, product, plan.product());
    if (!place || (best.first != nullptr && distance(best.second.place) <= distance(*place))) continue;
    const bool is_one = is_message(product, *place, plan.product());
    if (!is_one && (product.operands.size() < 3 || place->left_out.none())) continue;
    best = {&plan, {id, std::move(*place), is_one}};
  }
  return best;
}

/// Every kernel on the tree of its network.
graph::Graph on_trees(const graph::Graph& graph, std::vector<NetworkPlan>& plans, std::vector<NodeId>& replacement) {
  replacement.assign(static_cast<std::size_t>(graph.store->size()), -1);
  const auto replaced = [&](NodeId id) { return replacement[static_cast<std::size_t>(id)]; };
  return rewritten(graph, [&](Store& store, const graph::Node& node, NodeId old) {
    NodeId result = -1;
    for (NetworkPlan& plan : plans)
      if (const Use* use = plan.uses().of(old); result < 0 && use != nullptr) result = plan.emit(store, *use, replaced);
    if (result < 0) result = kept(store, node);
    return replacement[static_cast<std::size_t>(old)] = result;
  });
}

/// Every output as its event computes it; what is on a tree, and outputs that no event asks for, are as in `shared`.
graph::Graph by_event(const graph::Graph& graph, std::vector<NetworkPlan>& plans, const std::vector<Event>& cycle,
                      graph::Graph shared, const std::vector<NodeId>& on_tree) {
  const auto operand = [&](NodeId id) { return on_tree[static_cast<std::size_t>(id)]; };
  std::vector<char> is_done(graph.outputs.size(), 0);
  for (std::size_t event = 0; event < cycle.size(); ++event) {
    graph::Graph here{graph.store, {}};
    std::vector<std::size_t> places;
    for (std::size_t k = 0; k < graph.outputs.size(); ++k) {
      const std::vector<std::string>& asked = cycle[event].outputs;
      if (is_done[k] != 0 || std::find(asked.begin(), asked.end(), graph.outputs[k].name) == asked.end()) continue;
      here.outputs.push_back(graph.outputs[k]), places.push_back(k), is_done[k] = 1;
    }
    const graph::Graph made = rewritten(here, [&](Store& store, const graph::Node& node, NodeId old) {
      for (NetworkPlan& plan : plans)
        if (const Use* use = plan.uses().of(old); use != nullptr)
          return plan.is_by_event() ? plan.emit_at(event, store, *use, operand) : operand(old);
      return kept(store, node);
    });
    for (std::size_t k = 0; k < places.size(); ++k) shared.outputs[places[k]] = made.outputs[k];
  }
  return shared;
}

/// The graph with every kernel on the tree of its network, or on those of its event.
graph::Graph with_trees(const graph::Graph& graph, std::vector<NetworkPlan>& plans, const std::vector<Event>& cycle) {
  std::vector<NodeId> replacement;
  graph::Graph result = on_trees(graph, plans, replacement);
  const bool is_scheduled = std::any_of(plans.begin(), plans.end(), [](const NetworkPlan& p) { return p.is_by_event(); });
  return is_scheduled ? by_event(graph, plans, cycle, std::move(result), replacement) : result;
}

std::vector<NodeId> products_of(const graph::Graph& graph) {
  std::vector<NodeId> products;
  for (const NodeId id : reachable(graph)) {
    const graph::Node& node = (*graph.store)[id];
    const auto* e = graph::as<graph::Einsum>(node);
    if (e != nullptr && is_ordinary(e->pair) && node.operands.size() >= 2) products.push_back(id);
  }
  return products;
}

bool is_ever_asked(const Timetable& timetable, NodeId product) {
  for (std::size_t event = 0; event < timetable.event_count(); ++event)
    if (timetable.is_asked(event, product)) return true;
  return false;
}

/// Gives each product to the plan with the nearest network; returns those that no network serves.
std::vector<NodeId> distribute_uses(const Store& store, const std::vector<NodeId>& products, std::vector<NetworkPlan>& plans) {
  std::vector<NodeId> left;
  for (const NodeId id : products) {
    const auto [plan, use] = nearest(store, plans, id, as_product(store, id));
    if (plan != nullptr) plan->uses().add(use);
    else left.push_back(id);
  }
  std::erase_if(plans, [](const NetworkPlan& p) { return !p.is_worthwhile(); });
  return left;
}

std::string described(const NetworkPlan& plan) {
  const std::size_t operands = plan.product().operands.size(), kernels = plan.uses().all().size();
  if (plan.is_at_once())
    return fmt::format("several trees over {} operands serve {} kernels: {:.4g} flop instead of {:.4g}", operands, kernels,
                       plan.scheduled_cost().flops, plan.cost().flops);
  if (plan.is_by_event())
    return fmt::format("trees of each event over {} operands serve {} kernels: {:.4g} flop a cycle instead of {:.4g}", operands,
                       kernels, plan.scheduled_cost().flops, plan.cost().flops);
  return fmt::format("one tree over {} operands serves {} kernels: {:.4g} flop a cycle", operands, kernels, plan.cost().flops);
}

class Kernels {
 public:
  Kernels(const graph::Graph& graph, const Context& context, Log& log)
      : graph_(graph), context_(context), log_(log), cycle_(cycle_of(graph, context)), timetable_(graph, cycle_) {}

  graph::Graph run() {
    plans_ = plans_for(networks(graph_, context_, log_));
    const std::vector<NodeId> left = distribute_uses(*graph_.store, products_of(graph_), plans_);
    std::erase_if(plans_, [&](NetworkPlan& plan) { return !choose(plan); });
    infer(left);
    for (const NetworkPlan& plan : plans_) log_.rewrote(described(plan));
    return with_trees(graph_, plans_, cycle_);
  }

 private:
  std::vector<NetworkPlan> plans_for(const std::vector<Product>& networks) const {
    std::vector<NetworkPlan> plans;
    for (const Product& network : networks) plans.emplace_back(*graph_.store, network, timetable_);
    return plans;
  }

  /// Whether some kernels are left to serve.
  bool choose(NetworkPlan& plan) {
    note_dropped(plan.choose().size());
    if (!plan.is_worthwhile()) return false;
    if (context_.trees_by_event) plan.schedule(context_.is_thorough);
    return true;
  }
  void note_dropped(std::size_t kernels) {
    for (; kernels > 0; --kernels) log_.near_miss("a kernel is cheaper on a path of its own than by the messages that others have");
  }

  /// Networks of products that those of objectives do not serve. A tree is taken where the graph costs less with it than without.
  void infer(std::vector<NodeId> products) {
    std::erase_if(products, [&](NodeId id) { return !is_ever_asked(timetable_, id); });
    std::vector<Product> left;
    for (const NodeId id : products) left.push_back(as_product(*graph_.store, id));
    std::vector<NetworkPlan> found = plans_for(inferred_networks(*graph_.store, left, log_));
    distribute_uses(*graph_.store, products, found);
    if (found.empty()) return;
    double least = flops(plans_);
    for (NetworkPlan& plan : found) {
      const double before = least;
      std::vector<NetworkPlan> cheapest = plans_;
      for (const NetworkPlan& variant : variants(std::move(plan))) {
        std::vector<NetworkPlan> more = plans_;
        more.push_back(variant);
        const double with_it = flops(more);
        if (with_it < least * (1 - 1e-9)) least = with_it, cheapest = std::move(more);
      }
      plans_ = std::move(cheapest);
      if (least == before) log_.near_miss("products that differ in one operand cost no less on a tree that they share");
    }
  }
  /// The tree of a plan, without kernels that are cheap on a path of their own; and several trees.
  std::vector<NetworkPlan> variants(NetworkPlan plan) {
    if (!choose(plan)) return {};
    if (plan.is_by_event()) return {std::move(plan)};
    std::vector<NetworkPlan> variants;
    NetworkPlan at_once = plan;
    if (at_once.schedule_at_once()) variants.push_back(std::move(at_once));
    plan.drop_dear_messages();
    if (plan.is_worthwhile()) variants.push_back(std::move(plan));
    return variants;
  }
  /// Of a cycle, what is not on a tree contracted pair by pair.
  double flops(std::vector<NetworkPlan> plans) {
    const graph::Graph trees = with_trees(graph_, plans, cycle_);
    const Timetable timetable(trees, cycle_);
    return cycle_flops(rewritten(trees,
                                 [&](Store& store, const graph::Node& node, NodeId old) {
                                   const NodeId same = kept(store, node);
                                   const auto* e = graph::as<graph::Einsum>(node);
                                   if (e == nullptr || node.operands.size() <= 2 || !is_ordinary(e->pair)) return same;
                                   const auto [at, is_new] = in_pairs_.try_emplace(same, -1);
                                   if (is_new)
                                     at->second = contracted_in_pairs(store, as_product(store, same),
                                                                      timetable.changes_between_requests(old));
                                   return at->second;
                                 }),
                       cycle_);
  }

  const graph::Graph& graph_;
  const Context& context_;
  Log& log_;
  std::vector<Event> cycle_;
  Timetable timetable_;
  std::vector<NetworkPlan> plans_;
  std::map<NodeId, NodeId> in_pairs_;  // products that were contracted, and how
};

}  // namespace

graph::Graph message_tree(const graph::Graph& graph, const Context& context, Log& log) {
  return Kernels(graph, context, log).run();
}

}  // namespace tyto::optimize
