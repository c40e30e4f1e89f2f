#include "optimize/network_plan.hpp"
#include <algorithm>
#include <bit>
#include <limits>
#include <memory>
#include <set>
#include "cost/exact.hpp"

namespace tyto::optimize {

using einsum::Labels;
using graph::NodeId;
using graph::Store;

namespace {

/// Of operands, in exact trees: 3^11 ways to split take a tenth of a second.
constexpr std::size_t most_groups = 11;
/// Edges that lead out of a part of a large tree that is improved at once; 3^6 ways to split are compared.
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

/// Labels of the network as the product of a use has them.
Labels labels_in(const Use& use, Labels labels) {
  for (einsum::Label& label : labels) label = use.place.labels[static_cast<std::size_t>(label)];
  return labels;
}

/// The network with the labels that its operands have, numbered from 0 on.
cost::Network with_few_labels(const cost::Network& network) {
  cost::Network few{einsum::renumbered(network.subscripts), {}, {}, network.changes};
  few.extents.resize(static_cast<std::size_t>(einsum::label_count(few.subscripts)));
  for (std::size_t k = 0; k < few.subscripts.inputs.size(); ++k)
    for (std::size_t axis = 0; axis < few.subscripts.inputs[k].size(); ++axis)
      few.extents[static_cast<std::size_t>(few.subscripts.inputs[k][axis])] =
          network.extents[static_cast<std::size_t>(network.subscripts.inputs[k][axis])];
  return few;
}

/// Of the cheapest path of a few operands, and of a good one of many.
double path_flops(const cost::Network& network) {
  if (network.subscripts.inputs.size() < 2) return 0;
  const cost::Network few = with_few_labels(network);
  constexpr std::size_t most_exact = 8;
  if (few.subscripts.inputs.size() > most_exact) return cost::best_path(few, {.exact_operands = 2, .trials = 0}).total.flops;
  const cost::Joins joins(few);
  const cost::FewPaths paths = cost::cheapest_trees({joins.operands()}, joins, {});
  return paths.costs.empty() ? std::numeric_limits<double>::infinity() : paths.costs.front();
}

}  // namespace

NetworkPlan::NetworkPlan(const Store& store, Product product, const Timetable& timetable)
    : store_(&store),
      product_(std::move(product)),
      sorted_operands_(product_.operands),
      network_(network_of(store, product_)),
      timetable_(&timetable),
      uses_(product_, timetable) {
  std::sort(sorted_operands_.begin(), sorted_operands_.end());
}

bool NetworkPlan::is_worthwhile() const {
  return std::any_of(uses_.all().begin(), uses_.all().end(), [](const Use& use) { return use.place.left_out.any(); });
}

std::vector<NodeId> NetworkPlan::choose() {
  choose_tree();
  return drop_dear_uses([&](const Use& use) { return !is_one_message(use); });
}

std::vector<NodeId> NetworkPlan::drop_dear_messages() {
  return drop_dear_uses([&](const Use& use) { return use.place.left_out.any() && is_one_message(use); });
}

std::vector<NodeId> NetworkPlan::drop_dear_uses(const std::function<bool(const Use&)>& may_drop) {
  std::vector<NodeId> dropped;
  for (const Use& use : uses_.all())
    if (may_drop(use) && !is_cheaper_on_tree(use)) dropped.push_back(use.product);
  for (const NodeId product : dropped) uses_.remove(product);
  if (!dropped.empty() && is_worthwhile()) choose_tree();
  return dropped;
}

/// Sides of edges that an exact tree must have: those of products that are messages, as far as they go together. None in
/// large networks.
std::vector<OperandSet> NetworkPlan::edges() const {
  const std::size_t n = product_.operands.size();
  std::vector<OperandSet> edges;
  if (n > most_operands) return edges;
  const Operands all = (Operands{1} << n) - 1;
  for (const Use& use : uses_.all())
    if (use.is_message && use.place.left_out.any() && std::all_of(edges.begin(), edges.end(), [&](const OperandSet& edge) {
          return compatible(mask_of(edge), mask_of(use.place.left_out), all);
        }))
      edges.push_back(use.place.left_out);
  return edges;
}

/// Whether the tree is searched exactly: all kernels are messages of one tree, and there are few operands. Operands on the same
/// side of every edge that the tree must have are joined by themselves: what takes long is to join such groups.
bool NetworkPlan::is_exact(const std::vector<OperandSet>& edges) const {
  const std::size_t n = product_.operands.size();
  const bool are_messages = std::all_of(uses_.all().begin(), uses_.all().end(), [&](const Use& use) {
    return use.is_message &&
           (use.place.left_out.none() || std::find(edges.begin(), edges.end(), use.place.left_out) != edges.end());
  });
  if (n > most_operands || !are_messages) return false;
  std::set<OperandSet> groups;  // the largest sides of edges without the last operand, and operands in none
  for (std::size_t k = 0; k < n; ++k) {
    OperandSet group(n);
    group.set(k);
    for (const OperandSet& edge : edges) {
      const OperandSet side = edge[n - 1] ? ~edge : edge;
      if (side[k] && side.count() > group.count() && side.count() < n - 1) group = side;
    }
    groups.insert(group);
  }
  return groups.size() <= most_groups;
}

void NetworkPlan::choose_tree() {
  const std::vector<OperandSet> all_edges = edges();
  const bool exact = is_exact(all_edges);
  const std::vector<OperandSet> sets = exact ? all_edges : std::vector<OperandSet>{};
  uses_.settle(sets);
  const Versions versions = [&, known = std::make_shared<std::map<OperandSet, double>>()](const OperandSet& message) {
    const auto [at, is_new] = known->try_emplace(message, 0);
    if (is_new) at->second = uses_.versions(message);
    return at->second;
  };
  const std::size_t n = product_.operands.size();
  if (exact || n <= most_groups) {
    std::vector<Operands> masks;
    for (const OperandSet& set : sets) masks.push_back(mask_of(set));
    const TreeSearch search = best_tree(
        network_, [&](Operands message) { return versions(OperandSet(n, message)); }, masks);
    tree_.emplace(network_, pairs_of(search.tree, n));
  } else {
    tree_.emplace(network_, cost::best_path(network_, {.trials = 2}).pairs);
  }
  if (!exact)
    tree_->improve(
        versions, [&](const NetworkTree& tree, const std::vector<OperandSet>& parts) { return assembly(tree, parts); },
        most_leaves_of_part);
  cost_ = tree_->cost(versions);
}

const NetworkPlan::Own& NetworkPlan::own(const Use& use) {
  const auto [at, is_new] = own_.try_emplace(use.product);
  if (is_new) {
    at->second.product = as_product(*store_, use.product);
    at->second.network = network_of(*store_, at->second.product);
    at->second.network.changes = timetable_->changes_between_requests(use.product);
  }
  return at->second;
}

NetworkPlan::Cover NetworkPlan::cover_of(const NetworkTree& tree, const Product& product, const Use& use) const {
  Cover cover{tree.pieces(use.place.left_out), {}, {{}, product.subscripts.output}};
  for (const NetworkTree::Message piece : cover.pieces) cover.subscripts.inputs.push_back(labels_in(use, tree.labels(piece)));
  for (std::size_t k = 0; k < product.operands.size(); ++k)
    if (use.place.places[k] < 0) cover.strangers.push_back(k), cover.subscripts.inputs.push_back(product.subscripts.inputs[k]);
  return cover;
}

/// A piece changes when one of its operands does.
cost::Network NetworkPlan::network_of_cover(const NetworkTree& tree, const Cover& cover, const Own& own, const Use& use) const {
  const cost::Changes& changes = own.network.changes;
  cost::Network network{cover.subscripts, own.network.extents, {}, {changes.times, {}}};
  if (changes.operands.empty()) return network;
  for (const NetworkTree::Message piece : cover.pieces) {
    std::uint64_t occasions = 0;
    for (std::size_t k = 0; k < own.product.operands.size(); ++k)
      if (use.place.places[k] >= 0 && tree.operands(piece)[static_cast<std::size_t>(use.place.places[k])])
        occasions |= changes.operands[k];
    network.changes.operands.push_back(occasions);
  }
  for (const std::size_t k : cover.strangers) network.changes.operands.push_back(changes.operands[k]);
  return network;
}

double NetworkPlan::assembly(const NetworkTree& tree, const std::vector<OperandSet>& sets) {
  double flops = 0;
  for (const Use& use : uses_.all()) {
    const auto touched =
        std::count_if(sets.begin(), sets.end(), [&](const OperandSet& s) { return s.intersects(use.place.left_out); });
    if (touched < 2) continue;
    std::vector<OperandSet> pieces;
    for (const NetworkTree::Message piece : tree.pieces(use.place.left_out)) pieces.push_back(tree.operands(piece));
    const auto [at, is_new] = assembled_.try_emplace({use.product, std::move(pieces)}, 0);
    if (is_new) {
      const Own& whole = own(use);
      at->second = path_flops(network_of_cover(tree, cover_of(tree, whole.product, use), whole, use));
    }
    flops += at->second;
  }
  return flops;
}

bool NetworkPlan::is_one_message(const Use& use) const {
  return use.is_message && (use.place.left_out.none() || tree_->pieces(use.place.left_out).size() == 1);
}

/// Whether a product made of messages costs less in a cycle than on a path of its own. Of long products that is taken for granted,
/// as looking for their paths takes long.
bool NetworkPlan::is_cheaper_on_tree(const Use& use) {
  const Own& whole = own(use);
  if (whole.product.operands.size() > most_operands) return true;
  Uses others = uses_;
  others.remove(use.product);
  const std::vector<OperandSet> sets = edges();
  others.settle(is_exact(sets) ? sets : std::vector<OperandSet>{});
  const double messages = cost_.flops - tree_->cost([&](const OperandSet& message) { return others.versions(message); }).flops;
  const double assembled = path_flops(network_of_cover(*tree_, cover_of(*tree_, whole.product, use), whole, use));
  const double own_path = path_flops(whole.network);
  return is_one_message(use) ? messages <= own_path : assembled + messages < own_path * (1 - 1e-9);
}

NodeId NetworkPlan::emit(Store& store, const Use& use, const std::function<NodeId(NodeId)>& replaced) {
  if (is_at_once_) return emit_at(0, store, use, replaced);
  const Product product = as_product(store, use.product);
  if (use.place.left_out.none()) {
    const OperandSet& edge = uses_.scalar_edge(use.product);
    const NetworkTree::Message near = tree_->message(~edge), far = tree_->message(edge);
    return graph::einsum(store, {message(store, near, replaced), message(store, far, replaced)},
                         {{labels_in(use, tree_->labels(near)), labels_in(use, tree_->labels(far))}, product.subscripts.output});
  }
  const Cover cover = cover_of(*tree_, product, use);
  std::vector<NodeId> operands;
  for (const NetworkTree::Message piece : cover.pieces) operands.push_back(message(store, piece, replaced));
  for (const std::size_t k : cover.strangers) operands.push_back(replaced(product.operands[k]));
  return graph::einsum(store, operands, cover.subscripts);
}

std::vector<Demand> NetworkPlan::demands() const {
  const Operands all = (Operands{1} << product_.operands.size()) - 1;
  std::vector<Demand> cycle;
  for (std::size_t event = 0; event < timetable_->event_count(); ++event) {
    Demand demand{{}, mask_of(uses_.changed()[event])};
    for (const Use& use : uses_.all()) {
      const Operands target = all ^ mask_of(use.place.left_out);
      if (timetable_->is_asked(event, use.product) &&
          std::find(demand.targets.begin(), demand.targets.end(), target) == demand.targets.end())
        demand.targets.push_back(target);
    }
    cycle.push_back(std::move(demand));
  }
  return cycle;
}

/// Schedules are of few operands and of kernels that one tree has as messages, to compare with.
bool NetworkPlan::may_be_scheduled() const {
  return product_.operands.size() <= most_operands &&
         std::all_of(uses_.all().begin(), uses_.all().end(), [&](const Use& use) { return is_one_message(use); });
}

bool NetworkPlan::schedule(bool is_thorough) { return may_be_scheduled() && schedule(demands(), is_thorough); }

bool NetworkPlan::schedule_at_once() {
  if (!may_be_scheduled()) return false;
  Demand all;
  for (const Demand& demand : demands()) {
    all.changed |= demand.changed;
    if (!demand.targets.empty() && !all.targets.empty() && demand.targets != all.targets) return false;
    if (!demand.targets.empty()) all.targets = demand.targets;
  }
  return is_at_once_ = schedule({all}, false);
}

bool NetworkPlan::schedule(const std::vector<Demand>& cycle, bool is_thorough) {
  std::set<Operands> messages;
  for (const OperandSet& set : tree_->messages()) messages.insert(mask_of(set));
  std::optional<CheaperSchedule> found = cheaper_schedule(network_, cycle, messages, cost_.flops, is_thorough);
  if (!found) return false;
  cost_ = found->on_one_tree;
  scheduled_.emplace(*store_, product_, std::move(found->schedule));
  return true;
}

NodeId NetworkPlan::emit_at(std::size_t event, Store& store, const Use& use, const std::function<NodeId(NodeId)>& replaced) {
  const Operands all = (Operands{1} << product_.operands.size()) - 1, target = all ^ mask_of(use.place.left_out);
  const NodeId node = scheduled_->message(store, target, event, replaced);
  return graph::einsum(store, {node},
                       {{labels_in(use, scheduled_->labels_of(target))}, as_product(store, use.product).subscripts.output});
}

NodeId NetworkPlan::message(Store& store, NetworkTree::Message m, const std::function<NodeId(NodeId)>& replaced) {
  if (tree_->operand(m) >= 0) return replaced(product_.operands[static_cast<std::size_t>(tree_->operand(m))]);
  const auto known = made_.find(tree_->operands(m));
  if (known != made_.end()) return known->second;
  auto [a, b] = tree_->parts(m);
  if (tree_->operands(b).find_first() < tree_->operands(a).find_first()) std::swap(a, b);  // the first operand is on the left
  const NodeId left = message(store, a, replaced), right = message(store, b, replaced);
  return made_[tree_->operands(m)] = graph::einsum(store, {left, right}, {{tree_->labels(a), tree_->labels(b)}, tree_->labels(m)});
}

}  // namespace tyto::optimize
