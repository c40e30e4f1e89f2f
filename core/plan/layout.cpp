// The choice as a sum of costs, one for each step, over the orders of the few values that it touches.
#include "plan/layout.hpp"
#include <algorithm>
#include <cmath>
#include "graph/order.hpp"
#include "plan/elimination.hpp"
#include "plan/frequency.hpp"
#include "plan/order_candidates.hpp"
#include "plan/step_costs.hpp"

namespace tyto::plan {

using graph::NodeId;

namespace {

constexpr std::size_t most_orders = 24;          ///< of one node: all orders of four axes
constexpr std::int64_t most_questions = 1'500;   ///< to the device, of some 20 microseconds each
constexpr std::int64_t largest_table = 1 << 16;  ///< of costs while variables are eliminated
constexpr double time_units = 1 << 30;           ///< in the time of the natural orders
constexpr double longest = 1LL << 50;            ///< in the same units: more than this is as bad as this

/// A step whose time depends on some variables.
struct Priced {
  LocalStep step;
  double weight = 1;
  std::vector<std::int32_t> variables;  ///< distinct; the values among its places whose order may be chosen
  std::vector<std::int64_t> look;       ///< equal for steps with equal tables of seconds
  std::int64_t questions = 1;           ///< entries of the table
};

class LayoutChoice {
 public:
  LayoutChoice(const graph::Graph& graph, const device::Model& device, const Options& options)
      : graph_(graph), store_(*graph.store), options_(options), order_(depth_first(graph)), costs_(graph, device, options) {}

  Layouts run() {
    add_steps();
    std::size_t most = first_limit();
    for (candidates_ = candidate_orders(graph_, order_, options_, most); most > 0; most = most * 3 / 4) {
      set_candidates(most);
      if (questions() <= most_questions) break;
    }
    Layouts layouts(store_);
    std::vector<std::int32_t> choices(nodes_.size(), 0);
    const bool has_choice = std::any_of(domains_.begin(), domains_.end(), [](std::int32_t count) { return count > 1; });
    if (has_choice) choices = cheapest(domains_, terms(), largest_table);
    for (std::size_t v = 0; v < nodes_.size(); ++v) layouts.set(nodes_[v], orders_[v][static_cast<std::size_t>(choices[v])]);
    return layouts;
  }

 private:
  static std::size_t at(NodeId id) { return static_cast<std::size_t>(id); }

  /// How many orders of each node are likely to be few enough: most steps ask for those of their result and of one operand, and
  /// many look alike.
  std::size_t first_limit() const {
    const double of_each = 4 * static_cast<double>(most_questions) / static_cast<double>(std::max<std::size_t>(steps_.size(), 1));
    return std::clamp<std::size_t>(static_cast<std::size_t>(std::sqrt(of_each)), 1, most_orders);
  }
  void add_steps() {
    const Frequency frequency = frequency_of(graph_, order_, options_.cycle);
    for (const NodeId id : order_)
      if (std::optional<LocalStep> step = costs_.step_of(id))
        steps_.push_back({std::move(*step), frequency.computed[at(id)], {}, {}});
    for (std::size_t k = 0; k < graph_.outputs.size() && !options_.keeps_outputs; ++k)
      steps_.push_back({costs_.copy_of(graph_.outputs[k].node), frequency.asked[k], {}, {}});
  }

  /// At most `most` orders for each value; a value with one is no variable.
  void set_candidates(std::size_t most) {
    std::vector<std::vector<Axes>> all = candidates_;
    for (std::vector<Axes>& orders : all) orders.resize(std::min(orders.size(), most));
    variable_.assign(at(store_.size()), -1);
    nodes_.clear(), orders_.clear(), domains_.clear();
    strides_.assign(at(store_.size()), {});
    if (options_.keeps_outputs) keep_outputs(all);
    for (const NodeId id : order_) {
      const Extents extents = store_.extents(id);
      for (const Axes& axes : all[at(id)]) strides_[at(id)].push_back(strides_of(extents, axes));
      if (const auto bound = options_.leaf_strides.find(id); bound != options_.leaf_strides.end())
        strides_[at(id)] = {bound->second};
      if (graph::is<graph::Leaf>(store_[id]) || all[at(id)] == std::vector<Axes>{counted_axes(extents.size())}) continue;
      variable_[at(id)] = static_cast<std::int32_t>(nodes_.size());
      nodes_.push_back(id);
      domains_.push_back(static_cast<std::int32_t>(all[at(id)].size()));
      orders_.push_back(std::move(all[at(id)]));
    }
    for (Priced& priced : steps_) look_at(priced);
  }
  /// Callers read outputs where they are: row-major, as the first output that shows a value has its axes. Solutions stay as the
  /// right side lies, since systems are solved there in place.
  void keep_outputs(std::vector<std::vector<Axes>>& all) const {
    std::vector<NodeId> kept;
    for (const graph::Output& output : graph_.outputs) {
      const Base base = base_of(store_, output.node);
      if (!has_free_order(store_[base.node]) || std::find(kept.begin(), kept.end(), base.node) != kept.end()) continue;
      kept.push_back(base.node);
      std::vector<Axes>& orders = all[at(base.node)];
      orders = {graph::is<graph::Solve>(store_[base.node]) ? orders.front() : base.axes};
    }
  }
  void look_at(Priced& priced) const {
    priced.variables.clear();
    priced.questions = 1;
    priced.look = {priced.step.kind};
    for (const Base& place : priced.step.places) {
      const std::int32_t v = variable_[at(place.node)];
      const auto known = std::find(priced.variables.begin(), priced.variables.end(), v) - priced.variables.begin();
      priced.look.push_back(v < 0 ? -1 : known);
      priced.look.insert(priced.look.end(), place.axes.begin(), place.axes.end());
      if (v >= 0 && known < static_cast<std::ptrdiff_t>(priced.variables.size())) continue;
      priced.look.push_back(static_cast<std::int64_t>(strides_[at(place.node)].size()));
      for (const Extents& strides : strides_[at(place.node)]) priced.look.insert(priced.look.end(), strides.begin(), strides.end());
      if (v < 0) continue;
      priced.variables.push_back(v);
      priced.questions *= domains_[static_cast<std::size_t>(v)];
    }
  }
  std::int64_t questions() const {
    std::map<std::vector<std::int64_t>, std::int64_t> distinct;
    for (const Priced& priced : steps_) distinct[priced.look] = priced.questions;
    std::int64_t sum = 0;
    for (const auto& [look, count] : distinct) sum += count;
    return sum;
  }

  std::vector<double> seconds(Priced& priced) const {
    std::vector<double> table;
    std::vector<std::size_t> choice(priced.variables.size(), 0);
    for (std::int64_t entry = 0; entry < priced.questions; ++entry) {
      std::vector<const Extents*> strides;
      for (const Base& place : priced.step.places) {
        const std::int32_t v = variable_[at(place.node)];
        const auto known = std::find(priced.variables.begin(), priced.variables.end(), v) - priced.variables.begin();
        strides.push_back(&strides_[at(place.node)][v < 0 ? 0 : choice[static_cast<std::size_t>(known)]]);
      }
      table.push_back(costs_.seconds(priced.step, strides));
      for (std::size_t k = choice.size(); k-- > 0;) {
        if (++choice[k] < static_cast<std::size_t>(domains_[static_cast<std::size_t>(priced.variables[k])])) break;
        choice[k] = 0;
      }
    }
    return table;
  }

  std::vector<Term> terms() {
    std::map<std::vector<std::int64_t>, std::vector<double>> tables;
    double natural = 0;
    for (Priced& priced : steps_) {
      std::vector<double>& table = tables[priced.look];
      if (table.empty()) table = seconds(priced);
      natural += priced.weight * table.front();
    }
    std::vector<Term> terms;
    const double unit = natural > 0 ? natural / time_units : 1;
    for (const Priced& priced : steps_) {
      Term term{priced.variables, {}};
      for (const double time : tables[priced.look])
        term.table.push_back({std::llround(std::min(priced.weight * time / unit, longest)), 0});
      terms.push_back(std::move(term));
    }
    for (std::size_t v = 0; v < domains_.size(); ++v) {
      terms.push_back({{static_cast<std::int32_t>(v)}, std::vector<Cost>(static_cast<std::size_t>(domains_[v]), Cost{0, 1})});
      terms.back().table.front().changes = 0;
    }
    return terms;
  }

  const graph::Graph& graph_;
  const graph::Store& store_;
  const Options& options_;
  std::vector<NodeId> order_;
  StepCosts costs_;
  std::vector<Priced> steps_;
  std::vector<std::vector<Axes>> candidates_;  ///< by NodeId, see candidate_orders
  std::vector<std::int32_t> variable_;         ///< by NodeId; -1: its order is given
  std::vector<std::vector<Extents>> strides_;  ///< by NodeId: of each candidate
  std::vector<NodeId> nodes_;                  ///< by variable
  std::vector<std::vector<Axes>> orders_;      ///< by variable: its candidates
  std::vector<std::int32_t> domains_;          ///< by variable: how many
};

}  // namespace

Layouts choose_layouts(const graph::Graph& graph, const device::Model& device, const Options& options) {
  return LayoutChoice(graph, device, options).run();
}

}  // namespace tyto::plan
