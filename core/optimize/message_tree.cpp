#include "optimize/message_tree.hpp"
#include <algorithm>
#include <map>
#include <optional>
#include <fmt/format.h>
#include "error/fail.hpp"
#include "optimize/sum_of_products.hpp"
#include "optimize/tree.hpp"

namespace tyto::optimize {

using einsum::contains;
using einsum::Label;
using einsum::Labels;
using graph::NodeId;
using graph::Store;

namespace {

/// A product of the graph that is a network without the operands `left_out`.
struct Use {
  NodeId product = -1;
  Operands left_out = 0;     // 0: the whole network, a scalar
  Labels output;             // the product's output in the network's labels
  std::vector<char> events;  // whether it is asked for, by event of the cycle
};

/// Whether every operand of a product is in the network as often as in the product: what any embedding needs, and quickly told.
bool may_embed(const std::vector<NodeId>& product, const std::vector<NodeId>& sorted_network) {
  if (product.size() > sorted_network.size()) return false;
  std::vector<NodeId> sorted = product;
  std::sort(sorted.begin(), sorted.end());
  return std::includes(sorted_network.begin(), sorted_network.end(), sorted.begin(), sorted.end());
}

/// Finds where the operands of a product stand in a network.
class Embedding {
 public:
  Embedding(const Product& product, const Product& network) : product_(product), network_(network) {}

  /// The use, if the product is what remains of the network without some operands.
  std::optional<Use> find() {
    if (product_.operands.size() > network_.operands.size()) return std::nullopt;
    place_.assign(product_.operands.size(), 0);
    to_network_.assign(static_cast<std::size_t>(einsum::label_count(product_.subscripts)), -1);
    to_product_.assign(static_cast<std::size_t>(einsum::label_count(network_.subscripts)), -1);
    return place(0, 0) ? std::optional<Use>(use_) : std::nullopt;
  }

 private:
  bool place(std::size_t k, Operands taken) {
    if (k == product_.operands.size()) return complete(taken);
    for (std::size_t m = 0; m < network_.operands.size(); ++m) {
      if ((taken >> m & 1) != 0 || network_.operands[m] != product_.operands[k] || has_free_twin(m, taken)) continue;
      const auto saved_network = to_network_, saved_product = to_product_;
      if (match(product_.subscripts.inputs[k], network_.subscripts.inputs[m]) && place(k + 1, taken | Operands{1} << m))
        return true;
      to_network_ = saved_network, to_product_ = saved_product;
    }
    return false;
  }
  /// An operand equal to m in node and labels that is free and stands before it: trying m as well would find the same again.
  bool has_free_twin(std::size_t m, Operands taken) const {
    for (std::size_t other = 0; other < m; ++other)
      if ((taken >> other & 1) == 0 && network_.operands[other] == network_.operands[m] &&
          network_.subscripts.inputs[other] == network_.subscripts.inputs[m])
        return true;
    return false;
  }
  bool match(const Labels& own, const Labels& other) {
    for (std::size_t axis = 0; axis < own.size(); ++axis) {
      Label &there = to_network_[static_cast<std::size_t>(own[axis])], &here = to_product_[static_cast<std::size_t>(other[axis])];
      if (there < 0 && here < 0) there = other[axis], here = own[axis];
      if (there != other[axis] || here != own[axis]) return false;
    }
    return true;
  }
  bool complete(Operands taken) {
    const Operands all = (Operands{1} << network_.operands.size()) - 1;
    Labels wanted;
    for (const Label label : product_.subscripts.output) wanted.push_back(to_network_[static_cast<std::size_t>(label)]);
    Labels sorted = wanted;
    std::sort(sorted.begin(), sorted.end());
    if (sorted != message_labels({network_.subscripts, {}}, taken)) return false;
    use_ = {-1, all ^ taken, wanted, {}};
    return true;
  }

  const Product &product_, &network_;
  std::vector<std::size_t> place_;
  Labels to_network_, to_product_;
  Use use_;
};

/// A network of an objective, the products of the graph that it serves, and the tree that serves them.
class Plan {
 public:
  Plan(const Store& store, Product product, const std::vector<Event>& cycle)
      : product_(std::move(product)), network_(network_of(store, product_)), sorted_operands_(product_.operands) {
    std::sort(sorted_operands_.begin(), sorted_operands_.end());
    for (const Event& event : cycle) {
      Operands changed = 0;
      for (std::size_t k = 0; event.changes >= 0 && k < product_.operands.size(); ++k)
        if (graph::depends_on(store, product_.operands[k], event.changes)) changed |= Operands{1} << k;
      changed_.push_back(changed);
    }
  }

  const Product& product() const { return product_; }
  const std::vector<NodeId>& sorted_operands() const { return sorted_operands_; }
  /// Takes a use if its edge fits those taken before.
  bool accept(const Use& use) {
    for (const Operands edge : edges_)
      if (!compatible(edge, use.left_out, all())) return false;
    if (use.left_out != 0) edges_.push_back(use.left_out);
    uses_.push_back(use);
    return true;
  }
  bool is_worthwhile() const { return !edges_.empty(); }

  void choose() {
    for (Use& use : uses_)
      if (use.left_out == 0) scalar_edges_[use.product] = latest_edge(use);
    search_.emplace(best_tree(
        network_, [this](Operands message) { return versions(message); }, edges_));
  }
  cost::Cost cost() const { return search_->total; }
  std::size_t use_count() const { return uses_.size(); }

  /// Makes the node of a use; `replaced` gives what takes the place of an operand.
  NodeId emit(Store& store, NodeId product, const std::function<NodeId(NodeId)>& replaced) {
    const Use& use = *std::find_if(uses_.begin(), uses_.end(), [&](const Use& u) { return u.product == product; });
    if (use.left_out != 0) {
      const Labels labels = message_labels(network_, all() ^ use.left_out);
      return graph::einsum(store, {message(store, all() ^ use.left_out, replaced)}, {{labels}, use.output});
    }
    const Operands edge = scalar_edges_.at(product);
    const Labels labels = message_labels(network_, edge);
    return graph::einsum(store, {message(store, all() ^ edge, replaced), message(store, edge, replaced)},
                         {{labels_of(all() ^ edge), labels_of(edge)}, {}});
  }
  bool serves(NodeId product) const {
    return std::any_of(uses_.begin(), uses_.end(), [&](const Use& u) { return u.product == product; });
  }

 private:
  Operands all() const { return (Operands{1} << product_.operands.size()) - 1; }
  /// An operand standing alone keeps all its axes; a contraction has the labels that the outside needs.
  Labels labels_of(Operands set) const {
    if ((set & (set - 1)) != 0) return message_labels(network_, set);
    std::size_t k = 0;
    while ((set >> k & 1) == 0) ++k;
    return product_.subscripts.inputs[k];
  }
  NodeId message(Store& store, Operands set, const std::function<NodeId(NodeId)>& replaced) {
    if ((set & (set - 1)) == 0) {
      std::size_t k = 0;
      while ((set >> k & 1) == 0) ++k;
      return replaced(product_.operands[k]);
    }
    const auto known = made_.find(set);
    if (known != made_.end()) return known->second;
    auto [a, b] = search_->tree.parts(set);
    if ((b & (~b + 1)) < (a & (~a + 1))) std::swap(a, b);  // the side with the first operand stands first
    const NodeId left = message(store, a, replaced), right = message(store, b, replaced);
    return made_[set] = graph::einsum(store, {left, right}, {{labels_of(a), labels_of(b)}, message_labels(network_, set)});
  }

  /// A scalar is the inner product of two messages across one edge: that of the operands that changed last before it is asked for,
  /// whose other side is known then.
  Operands latest_edge(const Use& scalar) const {
    for (std::size_t event = 0; event < changed_.size(); ++event) {
      if (scalar.events[event] == 0) continue;
      for (std::size_t back = 1; back <= changed_.size(); ++back) {
        const std::size_t earlier = (event + changed_.size() - back) % changed_.size();
        for (const Use& use : uses_)
          if (use.left_out != 0 && use.events[earlier] != 0 && (changed_[earlier] & use.left_out) != 0) return use.left_out;
      }
    }
    return edges_.front();
  }
  bool needs(const Use& use, Operands message) const {
    if (use.left_out != 0) return (message & use.left_out) == 0;
    const Operands edge = scalar_edges_.at(use.product);
    return (message & edge) == 0 || (message & ~edge) == 0;
  }
  /// How often a message is computed in one cycle once the cycle repeats: at each event that needs it after an operand of it
  /// changed.
  double versions(Operands message) const {
    double count = 0;
    bool is_stale = true;
    for (std::size_t round = 0; round < 2; ++round)
      for (std::size_t event = 0; event < changed_.size(); ++event) {
        const bool needed =
            std::any_of(uses_.begin(), uses_.end(), [&](const Use& u) { return u.events[event] != 0 && needs(u, message); });
        if (needed && is_stale) count += round == 1 ? 1 : 0, is_stale = false;
        if ((changed_[event] & message) != 0) is_stale = true;
      }
    return count;
  }

  Product product_;
  cost::Network network_;
  std::vector<NodeId> sorted_operands_;
  std::vector<Operands> changed_;  // by event: the operands that change after it
  std::vector<Use> uses_;
  std::vector<Operands> edges_;
  std::map<NodeId, Operands> scalar_edges_;
  std::optional<TreeSearch> search_;
  std::map<Operands, NodeId> made_;
};

/// Without a recorded cycle every output is wanted once and every unknown changes between two rounds.
std::vector<Event> cycle_of(const graph::Graph& graph, const Context& context) {
  if (!context.cycle.empty()) return context.cycle;
  std::vector<Event> cycle(1);
  for (const graph::Output& output : graph.outputs) cycle[0].outputs.push_back(output.name);
  for (const NodeId id : reachable(graph))
    if (graph::is<graph::Leaf>((*graph.store)[id]) && context.changes(id)) cycle.push_back({{}, id});
  return cycle;
}

/// For each event, the nodes that its outputs need.
std::vector<std::vector<char>> needed_nodes(const graph::Graph& graph, const std::vector<Event>& cycle) {
  std::vector<std::vector<char>> needed;
  for (const Event& event : cycle) {
    std::vector<NodeId> from;
    for (const graph::Output& output : graph.outputs)
      if (std::find(event.outputs.begin(), event.outputs.end(), output.name) != event.outputs.end()) from.push_back(output.node);
    std::vector<char> marks(static_cast<std::size_t>(graph.store->size()), 0);
    for (const NodeId id : reachable(*graph.store, from)) marks[static_cast<std::size_t>(id)] = 1;
    needed.push_back(std::move(marks));
  }
  return needed;
}

std::vector<Plan> networks(const graph::Graph& graph, const Context& context, const std::vector<Event>& cycle, Log& log) {
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
      if (!known) plans.emplace_back(*graph.store, term, cycle);
    }
  }
  return plans;
}

}  // namespace

graph::Graph message_tree(const graph::Graph& graph, const Context& context, Log& log) {
  const std::vector<Event> cycle = cycle_of(graph, context);
  std::vector<Plan> plans = networks(graph, context, cycle, log);
  const std::vector<std::vector<char>> needed = needed_nodes(graph, cycle);
  for (const NodeId id : reachable(graph)) {
    const graph::Node& node = (*graph.store)[id];
    const auto* e = graph::as<graph::Einsum>(node);
    if (e == nullptr || !is_ordinary(e->pair) || node.operands.size() < 2) continue;
    for (Plan& plan : plans) {
      if (!may_embed(node.operands, plan.sorted_operands())) continue;
      std::optional<Use> use = Embedding({1, node.operands, e->subscripts}, plan.product()).find();
      if (!use) continue;
      use->product = id;
      for (const std::vector<char>& marks : needed)
        use->events.push_back(static_cast<std::size_t>(id) < marks.size() ? marks[static_cast<std::size_t>(id)] : 0);
      if (plan.accept(*use)) break;
      log.near_miss("a kernel leaves out operands that cut those of another; it gets a path of its own");
    }
  }
  std::erase_if(plans, [](const Plan& p) { return !p.is_worthwhile(); });
  for (Plan& plan : plans) {
    plan.choose();
    log.rewrote(fmt::format("one tree over {} operands serves {} kernels: {:.4g} flop a cycle", plan.product().operands.size(),
                            plan.use_count(), plan.cost().flops));
  }
  std::vector<NodeId> replacement(static_cast<std::size_t>(graph.store->size()), -1);
  const auto replaced = [&](NodeId id) { return replacement[static_cast<std::size_t>(id)]; };
  return rewritten(graph, [&](Store& store, const graph::Node& node, NodeId old) {
    NodeId result = -1;
    for (Plan& plan : plans)
      if (result < 0 && plan.serves(old)) result = plan.emit(store, old, replaced);
    if (result < 0) result = kept(store, node);
    return replacement[static_cast<std::size_t>(old)] = result;
  });
}

}  // namespace tyto::optimize
