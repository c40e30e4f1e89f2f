#include "optimize/message_tree.hpp"
#include <algorithm>
#include <optional>
#include <fmt/format.h>
#include "error/fail.hpp"
#include "optimize/network_plan.hpp"
#include "optimize/sum_of_products.hpp"

namespace tyto::optimize {

using graph::NodeId;
using graph::Store;

namespace {

/// Networks of more operands have no tree.
constexpr std::size_t most_network_operands = 1024;

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

/// Whether all operands that the product has are a message: it has no others, and keeps the labels that the outside needs.
bool is_message(const Product& product, const Embedded& place, const Product& network) {
  if (place.strangers > 0) return false;
  std::size_t needed = 0;
  for (std::size_t label = 0; label < place.labels.size(); ++label) {
    if (place.labels[label] < 0) continue;
    bool is_outside = false;
    for (std::size_t m = 0; m < network.operands.size() && !is_outside; ++m)
      is_outside = place.left_out[m] && einsum::contains(network.subscripts.inputs[m], static_cast<einsum::Label>(label));
    if (is_outside && !einsum::contains(product.subscripts.output, place.labels[label])) return false;
    needed += is_outside ? 1 : 0;
  }
  return needed == product.subscripts.output.size();
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
          return plan.is_scheduled() ? plan.emit_at(event, store, *use, operand) : operand(old);
      return kept(store, node);
    });
    for (std::size_t k = 0; k < places.size(); ++k) shared.outputs[places[k]] = made.outputs[k];
  }
  return shared;
}

}  // namespace

graph::Graph message_tree(const graph::Graph& graph, const Context& context, Log& log) {
  const std::vector<Product> products = networks(graph, context, log);
  const std::vector<Event> cycle = cycle_of(graph, context);
  const Timetable timetable(graph, cycle);
  std::vector<NetworkPlan> plans;
  for (const Product& product : products) plans.emplace_back(*graph.store, product, timetable);
  for (const NodeId id : reachable(graph)) {
    const graph::Node& node = (*graph.store)[id];
    const auto* e = graph::as<graph::Einsum>(node);
    if (e == nullptr || !is_ordinary(e->pair) || node.operands.size() < 2) continue;
    const auto [plan, use] = nearest(*graph.store, plans, id, {1, node.operands, e->subscripts});
    if (plan != nullptr) plan->uses().add(use);
  }
  std::erase_if(plans, [](const NetworkPlan& p) { return !p.is_worthwhile(); });
  for (NetworkPlan& plan : plans)
    for (std::size_t dropped = plan.choose(); dropped > 0; --dropped)
      log.near_miss("a kernel is cheaper on a path of its own than by the messages that others have");
  std::erase_if(plans, [](const NetworkPlan& p) { return !p.is_worthwhile(); });
  bool is_scheduled = false;
  for (NetworkPlan& plan : plans) {
    const std::size_t operands = plan.product().operands.size(), kernels = plan.uses().all().size();
    if (context.trees_by_event && plan.schedule(context.is_thorough)) {
      is_scheduled = true;
      log.rewrote(fmt::format("trees of each event over {} operands serve {} kernels: {:.4g} flop a cycle instead of {:.4g}",
                              operands, kernels, plan.scheduled_cost().flops, plan.cost().flops));
    } else {
      log.rewrote(
          fmt::format("one tree over {} operands serves {} kernels: {:.4g} flop a cycle", operands, kernels, plan.cost().flops));
    }
  }
  std::vector<NodeId> replacement;
  graph::Graph result = on_trees(graph, plans, replacement);
  return is_scheduled ? by_event(graph, plans, cycle, std::move(result), replacement) : result;
}

}  // namespace tyto::optimize
