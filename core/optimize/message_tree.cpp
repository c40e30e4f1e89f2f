#include "optimize/message_tree.hpp"
#include <algorithm>
#include <bit>
#include <map>
#include <optional>
#include <fmt/format.h>
#include "error/fail.hpp"
#include "optimize/scheduled_messages.hpp"
#include "optimize/sum_of_products.hpp"
#include "optimize/tree.hpp"
#include "optimize/uses.hpp"

namespace tyto::optimize {

using einsum::Labels;
using graph::NodeId;
using graph::Store;

namespace {

/// A network of an objective, the products of the graph that it serves, and the tree that serves them.
class Plan {
 public:
  Plan(const Store& store, Product product, const Timetable& timetable)
      : product_(std::move(product)),
        network_(network_of(store, product_)),
        sorted_operands_(product_.operands),
        uses_(product_.operands.size(), changed_operands(product_, timetable)) {
    std::sort(sorted_operands_.begin(), sorted_operands_.end());
  }

  const Product& product() const { return product_; }
  const std::vector<NodeId>& sorted_operands() const { return sorted_operands_; }
  Uses& uses() { return uses_; }
  const Uses& uses() const { return uses_; }

  void choose() {
    uses_.settle_scalars();
    search_.emplace(best_tree(
        network_, [this](Operands message) { return uses_.versions(message); }, uses_.edges()));
  }
  cost::Cost cost() const { return search_->total; }
  /// After choose(): whether each event gets trees of its own, being cheaper.
  bool schedule(const Store& store, bool is_thorough, Log& log) {
    std::optional<CheaperSchedule> found = cheaper_schedule(network_, uses_, *search_, is_thorough);
    if (!found) return false;
    log.rewrote(fmt::format("trees of each event over {} operands serve {} kernels: {:.4g} flop a cycle instead of {:.4g}",
                            product_.operands.size(), uses_.all().size(), found->schedule.total().flops, found->on_one_tree.flops));
    scheduled_.emplace(store, product_, std::move(found->schedule));
    return true;
  }
  std::optional<ScheduledMessages>& scheduled() { return scheduled_; }

  /// Makes the node of a use; `replaced` gives what takes the place of an operand.
  NodeId emit(Store& store, const Use& use, const std::function<NodeId(NodeId)>& replaced) {
    if (use.left_out != 0) {
      const Labels labels = message_labels(network_, all() ^ use.left_out);
      return graph::einsum(store, {message(store, all() ^ use.left_out, replaced)}, {{labels}, use.output});
    }
    const Operands edge = uses_.scalar_edge(use.product);
    return graph::einsum(store, {message(store, all() ^ edge, replaced), message(store, edge, replaced)},
                         {{labels_of(all() ^ edge), labels_of(edge)}, {}});
  }

 private:
  static std::vector<Operands> changed_operands(const Product& product, const Timetable& timetable) {
    std::vector<Operands> changed(timetable.event_count(), 0);
    for (std::size_t event = 0; event < changed.size(); ++event)
      for (std::size_t k = 0; k < product.operands.size(); ++k)
        if (timetable.changes(event, product.operands[k])) changed[event] |= Operands{1} << k;
    return changed;
  }
  Operands all() const { return (Operands{1} << product_.operands.size()) - 1; }
  /// An operand standing alone keeps all its axes; a contraction has the labels that the outside needs.
  Labels labels_of(Operands set) const {
    if ((set & (set - 1)) != 0) return message_labels(network_, set);
    return product_.subscripts.inputs[static_cast<std::size_t>(std::countr_zero(set))];
  }
  NodeId message(Store& store, Operands set, const std::function<NodeId(NodeId)>& replaced) {
    if ((set & (set - 1)) == 0) return replaced(product_.operands[static_cast<std::size_t>(std::countr_zero(set))]);
    const auto known = made_.find(set);
    if (known != made_.end()) return known->second;
    auto [a, b] = search_->tree.parts(set);
    if ((b & (~b + 1)) < (a & (~a + 1))) std::swap(a, b);  // the side with the first operand stands first
    const NodeId left = message(store, a, replaced), right = message(store, b, replaced);
    return made_[set] = graph::einsum(store, {left, right}, {{labels_of(a), labels_of(b)}, message_labels(network_, set)});
  }

  Product product_;
  cost::Network network_;
  std::vector<NodeId> sorted_operands_;
  Uses uses_;
  std::optional<TreeSearch> search_;
  std::optional<ScheduledMessages> scheduled_;
  std::map<Operands, NodeId> made_;
};

std::vector<Plan> networks(const graph::Graph& graph, const Context& context, const Timetable& timetable, Log& log) {
  std::vector<Plan> plans;
  for (const NodeId objective : context.objectives) {
    const auto terms = sum_of_products(*graph.store, objective);
    if (!terms) {
      log.near_miss(fmt::format("an objective has more than {} products; its kernels share no tree", most_terms));
      continue;
    }
    for (const Product& term : *terms) {
      if (term.operands.size() < 3) continue;
      if (term.operands.size() > most_operands) {
        log.near_miss(
            fmt::format("a product of {} operands is above {}; its kernels share no tree", term.operands.size(), most_operands));
        continue;
      }
      const bool known = std::any_of(plans.begin(), plans.end(), [&](const Plan& p) {
        return p.product().operands == term.operands && p.product().subscripts == term.subscripts;
      });
      if (!known) plans.emplace_back(*graph.store, term, timetable);
    }
  }
  return plans;
}

/// Every kernel on the tree of its network.
graph::Graph on_trees(const graph::Graph& graph, std::vector<Plan>& plans, std::vector<NodeId>& replacement) {
  replacement.assign(static_cast<std::size_t>(graph.store->size()), -1);
  const auto replaced = [&](NodeId id) { return replacement[static_cast<std::size_t>(id)]; };
  return rewritten(graph, [&](Store& store, const graph::Node& node, NodeId old) {
    NodeId result = -1;
    for (Plan& plan : plans)
      if (const Use* use = plan.uses().of(old); result < 0 && use != nullptr) result = plan.emit(store, *use, replaced);
    if (result < 0) result = kept(store, node);
    return replacement[static_cast<std::size_t>(old)] = result;
  });
}

/// Every output as its event computes it; what is on a tree, and outputs that no event asks for, are as in `shared`.
graph::Graph by_event(const graph::Graph& graph, std::vector<Plan>& plans, const std::vector<Event>& cycle, graph::Graph shared,
                      const std::vector<NodeId>& on_tree) {
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
      for (Plan& plan : plans)
        if (const Use* use = plan.uses().of(old); use != nullptr)
          return plan.scheduled() ? plan.scheduled()->emit(store, *use, event, operand) : operand(old);
      return kept(store, node);
    });
    for (std::size_t k = 0; k < places.size(); ++k) shared.outputs[places[k]] = made.outputs[k];
  }
  return shared;
}

}  // namespace

graph::Graph message_tree(const graph::Graph& graph, const Context& context, Log& log) {
  const std::vector<Event> cycle = cycle_of(graph, context);
  const Timetable timetable(graph, cycle);
  std::vector<Plan> plans = networks(graph, context, timetable, log);
  for (const NodeId id : reachable(graph)) {
    const graph::Node& node = (*graph.store)[id];
    const auto* e = graph::as<graph::Einsum>(node);
    if (e == nullptr || !is_ordinary(e->pair) || node.operands.size() < 2) continue;
    for (Plan& plan : plans) {
      if (!may_embed(node.operands, plan.sorted_operands())) continue;
      const std::optional<Embedded> place = embedded({1, node.operands, e->subscripts}, plan.product());
      if (!place) continue;
      Use use{id, place->left_out, place->output, {}};
      for (std::size_t event = 0; event < timetable.event_count(); ++event)
        use.events.push_back(timetable.is_asked(event, id) ? 1 : 0);
      if (plan.uses().accept(use)) break;
      log.near_miss("a kernel leaves out operands that cut those of another; it gets a path of its own");
    }
  }
  std::erase_if(plans, [](const Plan& p) { return p.uses().edges().empty(); });
  bool is_scheduled = false;
  for (Plan& plan : plans) {
    plan.choose();
    if (context.trees_by_event && plan.schedule(*graph.store, context.is_thorough, log)) is_scheduled = true;
    else
      log.rewrote(fmt::format("one tree over {} operands serves {} kernels: {:.4g} flop a cycle", plan.product().operands.size(),
                              plan.uses().all().size(), plan.cost().flops));
  }
  std::vector<NodeId> replacement;
  graph::Graph result = on_trees(graph, plans, replacement);
  return is_scheduled ? by_event(graph, plans, cycle, std::move(result), replacement) : result;
}

}  // namespace tyto::optimize
