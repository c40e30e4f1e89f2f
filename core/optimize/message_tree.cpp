#include "optimize/message_tree.hpp"
#include <algorithm>
#include <bit>
#include <map>
#include <memory>
#include <optional>
#include <fmt/format.h>
#include "error/fail.hpp"
#include "optimize/network_tree.hpp"
#include "optimize/sum_of_products.hpp"
#include "optimize/tree.hpp"
#include "optimize/uses.hpp"

namespace tyto::optimize {

using einsum::Labels;
using graph::NodeId;
using graph::Store;

namespace {

/// Up to so many operands the tree is the best there is also where not every kernel is a message.
constexpr std::size_t most_operands_for_any_kernels = 9;
/// Networks of more operands have no tree.
constexpr std::size_t most_network_operands = 1024;
/// Edges that lead out of a part of a large tree that is improved at once: 3^6 trees are compared.
constexpr std::size_t most_leaves_of_part = 6;

Operands mask_of(const OperandSet& set) { return static_cast<Operands>(set.to_ulong()); }

/// The path that makes the messages of a tree towards its last operand.
std::vector<std::pair<std::int32_t, std::int32_t>> pairs_of(const Tree& tree, std::size_t operand_count) {
  std::vector<std::pair<std::int32_t, std::int32_t>> pairs;
  const auto last = static_cast<std::int32_t>(operand_count) - 1;
  const std::function<std::int32_t(Operands)> make = [&](Operands set) -> std::int32_t {
    if (std::has_single_bit(set)) return std::countr_zero(set);
    const auto [a, b] = tree.parts(set);
    const std::int32_t left = make(a), right = make(b);
    pairs.emplace_back(left, right);
    return last + static_cast<std::int32_t>(pairs.size());
  };
  const std::int32_t top = make((Operands{1} << last) - 1);
  pairs.emplace_back(top, last);
  return pairs;
}

/// A network of an objective, the products of the graph that it serves, and the tree that serves them.
class Plan {
 public:
  Plan(const Store& store, Product product, const Timetable& timetable)
      : product_(std::move(product)), network_(network_of(store, product_)), timetable_(&timetable), uses_(product_, timetable) {}

  const Product& product() const { return product_; }
  Uses& uses() { return uses_; }
  /// Whether a kernel may share something with others.
  bool is_worthwhile() const {
    return std::any_of(uses_.all().begin(), uses_.all().end(), [](const Use& use) { return use.place.left_out.any(); });
  }

  /// Chooses the tree; kernels that are cheaper on a path of their own are no uses any more. Products that are not messages of the
  /// tree, but made of several of them, count in the choice by the messages that they need, and not by their last contractions.
  void choose(const Store& store, Log& log) {
    choose_tree();
    std::vector<NodeId> dropped;
    for (const Use& use : uses_.all())
      if (!is_message(use) && !is_cheaper_on_tree(store, use)) dropped.push_back(use.product);
    if (dropped.empty()) return;
    for (const NodeId product : dropped) {
      uses_.remove(product);
      log.near_miss("a kernel leaves out operands that cut those of another; it gets a path of its own");
    }
    if (is_worthwhile()) choose_tree();
  }
  /// Of all messages in a cycle.
  cost::Cost cost() const { return cost_; }

  /// Makes the node of a use; `replaced` gives what takes the place of an operand.
  NodeId emit(Store& store, const Use& use, const std::function<NodeId(NodeId)>& replaced) {
    if (use.place.left_out.none()) {
      const OperandSet& edge = uses_.scalar_edge(use.product);
      const NetworkTree::Message near = tree_->message(~edge), far = tree_->message(edge);
      return graph::einsum(store, {message(store, near, replaced), message(store, far, replaced)},
                           {{tree_->labels(near), tree_->labels(far)}, {}});
    }
    const Product product = as_product(store, use.product);
    const Cover cover = cover_of(product, use);
    std::vector<NodeId> operands;
    for (const NetworkTree::Message piece : cover.pieces) operands.push_back(message(store, piece, replaced));
    for (const std::size_t k : cover.strangers) operands.push_back(replaced(product.operands[k]));
    return graph::einsum(store, operands, cover.subscripts);
  }

 private:
  /// What a product becomes: the messages that have its placed operands, and its other operands as they are.
  struct Cover {
    std::vector<NetworkTree::Message> pieces;
    std::vector<std::size_t> strangers;
    einsum::Subscripts subscripts;  // in the product's labels, pieces first
  };
  Cover cover_of(const Product& product, const Use& use) const {
    Cover cover{tree_->pieces(use.place.left_out), {}, {{}, product.subscripts.output}};
    for (const NetworkTree::Message piece : cover.pieces) {
      Labels labels;
      for (const einsum::Label label : tree_->labels(piece)) labels.push_back(use.place.labels[static_cast<std::size_t>(label)]);
      cover.subscripts.inputs.push_back(labels);
    }
    for (std::size_t k = 0; k < product.operands.size(); ++k)
      if (use.place.places[k] < 0) cover.strangers.push_back(k), cover.subscripts.inputs.push_back(product.subscripts.inputs[k]);
    return cover;
  }

  /// Whether the product is one message of the tree.
  bool is_message(const Use& use) const {
    return use.is_message && (use.place.left_out.none() || tree_->pieces(use.place.left_out).size() == 1);
  }

  /// Sides of edges that the tree must have: those of products that are messages, as far as they go together.
  std::vector<OperandSet> edges() const {
    const Operands all = (Operands{1} << product_.operands.size()) - 1;
    std::vector<OperandSet> edges;
    for (const Use& use : uses_.all())
      if (use.is_message && use.place.left_out.any() && std::all_of(edges.begin(), edges.end(), [&](const OperandSet& edge) {
            return compatible(mask_of(edge), mask_of(use.place.left_out), all);
          }))
        edges.push_back(use.place.left_out);
    return edges;
  }

  void choose_tree() {
    const Versions versions = [&, known = std::make_shared<std::map<OperandSet, double>>()](const OperandSet& message) {
      const auto [at, is_new] = known->try_emplace(message, 0);
      if (is_new) at->second = uses_.versions(message);
      return at->second;
    };
    const std::size_t n = product_.operands.size();
    const bool are_messages = std::all_of(uses_.all().begin(), uses_.all().end(), [](const Use& use) { return use.is_message; });
    if (n <= (are_messages ? most_operands : most_operands_for_any_kernels)) {
      const std::vector<OperandSet> sets = edges();
      uses_.settle(sets);
      std::vector<Operands> masks;
      for (const OperandSet& set : sets) masks.push_back(mask_of(set));
      const TreeSearch search = best_tree(
          network_, [&](Operands message) { return versions(OperandSet(n, message)); }, masks);
      tree_.emplace(network_, pairs_of(search.tree, n));
    } else {
      uses_.settle({});
      tree_.emplace(network_, cost::best_path(network_, {.trials = 8}).pairs);
      tree_->improve(versions, most_leaves_of_part);
    }
    cost_ = tree_->cost(versions);
  }

  /// Whether a product made of messages costs less in a cycle than on a path of its own. Of long products that is taken for
  /// granted, as looking for their paths takes long.
  bool is_cheaper_on_tree(const Store& store, const Use& use) const {
    const Product product = as_product(store, use.product);
    if (product.operands.size() > most_operands) return true;
    cost::Network own = network_of(store, product);
    own.changes = timetable_->changes_between_requests(use.product);
    const Cover cover = cover_of(product, use);
    cost::Network rest{cover.subscripts, own.extents, {}, {own.changes.times, {}}};
    if (!own.changes.operands.empty()) {
      for (const NetworkTree::Message piece : cover.pieces) {
        std::uint64_t occasions = 0;
        for (std::size_t k = 0; k < product.operands.size(); ++k)
          if (use.place.places[k] >= 0 && tree_->operands(piece)[static_cast<std::size_t>(use.place.places[k])])
            occasions |= own.changes.operands[k];
        rest.changes.operands.push_back(occasions);
      }
      for (const std::size_t k : cover.strangers) rest.changes.operands.push_back(own.changes.operands[k]);
    }
    Uses others = uses_;
    others.remove(use.product);
    others.settle(product_.operands.size() > most_operands ? std::vector<OperandSet>{} : edges());
    const double messages = cost_.flops - tree_->cost([&](const OperandSet& message) { return others.versions(message); }).flops;
    const auto flops = [](const cost::Network& network) { return cost::best_path(network, cost::quick_search).total.flops; };
    return flops(rest) + messages < flops(own) * (1 - 1e-9);
  }

  NodeId message(Store& store, NetworkTree::Message m, const std::function<NodeId(NodeId)>& replaced) {
    if (tree_->operand(m) >= 0) return replaced(product_.operands[static_cast<std::size_t>(tree_->operand(m))]);
    const auto known = made_.find(tree_->operands(m));
    if (known != made_.end()) return known->second;
    auto [a, b] = tree_->parts(m);
    if (tree_->operands(b).find_first() < tree_->operands(a).find_first()) std::swap(a, b);
    const NodeId left = message(store, a, replaced), right = message(store, b, replaced);
    return made_[tree_->operands(m)] =
               graph::einsum(store, {left, right}, {{tree_->labels(a), tree_->labels(b)}, tree_->labels(m)});
  }

  Product product_;
  cost::Network network_;
  const Timetable* timetable_;
  Uses uses_;
  std::optional<NetworkTree> tree_;
  cost::Cost cost_;
  std::map<OperandSet, NodeId> made_;
};

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

/// The plan whose network is nearest to the product, and the use that the product is of it.
std::pair<Plan*, Use> nearest(std::vector<Plan>& plans, NodeId id, const Product& product) {
  std::pair<Plan*, Use> best{nullptr, {}};
  const auto distance = [](const Embedded& place) { return std::make_pair(place.strangers, place.left_out.count()); };
  for (Plan& plan : plans) {
    std::optional<Embedded> place = embedded(product, plan.product());
    if (!place || (best.first != nullptr && distance(best.second.place) <= distance(*place))) continue;
    const bool is_one = is_message(product, *place, plan.product());
    if (!is_one && (product.operands.size() < 3 || place->left_out.none())) continue;
    best = {&plan, {id, std::move(*place), is_one}};
  }
  return best;
}

}  // namespace

graph::Graph message_tree(const graph::Graph& graph, const Context& context, Log& log) {
  const std::vector<Product> products = networks(graph, context, log);
  const Timetable timetable(graph, cycle_of(graph, context));
  std::vector<Plan> plans;
  for (const Product& product : products) plans.emplace_back(*graph.store, product, timetable);
  for (const NodeId id : reachable(graph)) {
    const graph::Node& node = (*graph.store)[id];
    const auto* e = graph::as<graph::Einsum>(node);
    if (e == nullptr || !is_ordinary(e->pair) || node.operands.size() < 2) continue;
    const auto [plan, use] = nearest(plans, id, {1, node.operands, e->subscripts});
    if (plan != nullptr) plan->uses().add(use);
  }
  std::erase_if(plans, [](const Plan& p) { return !p.is_worthwhile(); });
  for (Plan& plan : plans) plan.choose(*graph.store, log);
  std::erase_if(plans, [](const Plan& p) { return !p.is_worthwhile(); });
  for (Plan& plan : plans)
    log.rewrote(fmt::format("one tree over {} operands serves {} kernels: {:.4g} flop a cycle", plan.product().operands.size(),
                            plan.uses().all().size(), plan.cost().flops));
  std::vector<NodeId> replacement(static_cast<std::size_t>(graph.store->size()), -1);
  const auto replaced = [&](NodeId id) { return replacement[static_cast<std::size_t>(id)]; };
  return rewritten(graph, [&](Store& store, const graph::Node& node, NodeId old) {
    NodeId result = -1;
    for (Plan& plan : plans)
      if (const Use* use = plan.uses().of(old); result < 0 && use != nullptr) result = plan.emit(store, *use, replaced);
    if (result < 0) result = kept(store, node);
    return replacement[static_cast<std::size_t>(old)] = result;
  });
}

}  // namespace tyto::optimize
