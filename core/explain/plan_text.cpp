#include "explain/plan_text.hpp"
#include <algorithm>
#include <set>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include "graph/text.hpp"

namespace tyto::explain {

using graph::NodeId;
using program::StepId;

namespace {

std::string megaflops(std::int64_t flops) {
  const double value = static_cast<double>(flops) / 1e6;
  return value >= 100 ? fmt::format("{:.0f}", value) : value >= 0.01 || flops == 0 ? fmt::format("{:.2f}", value) : fmt::format("{:.4f}", value);
}

std::string readable_bytes(std::int64_t bytes) {
  const auto value = static_cast<double>(bytes);
  if (value >= 1e9) return fmt::format("{:.2f} GB", value / 1e9);
  if (value >= 1e6) return fmt::format("{:.2f} MB", value / 1e6);
  if (value >= 1e3) return fmt::format("{:.1f} kB", value / 1e3);
  return fmt::format("{} B", bytes);
}

/// The columns of the table of steps.
constexpr int formula_width = 58;
std::string row(const std::string& formula, const std::string& mflop, const std::string& size, const std::string& kind) {
  std::string line = fmt::format("  {:<{}} {:>8}  {:>9}  {}", formula, formula_width, mflop, size, kind);
  line.erase(line.find_last_not_of(' ') + 1);
  return line + "\n";
}

class PlanText {
 public:
  explicit PlanText(const Subject& s) : s_(s), store_(*s.graph->store), program_(*s.plan->program), naming_(*s.graph) { name_results(); }

  std::string text() {
    std::string text = header();
    std::size_t shown = 0;
    for (std::size_t k = 0; k < s_.plan->cycle.size(); ++k) {
      const plan::Evaluated& evaluated = s_.plan->cycle[k];
      if (evaluated.computed.empty() && evaluated.reused.empty()) continue;
      text += "\n" + kernel(k, ++shown);
    }
    text += before_the_cycle();
    text += why();
    text += "legend  [k] contracted   {r} in both operands and the result   flop: a multiply and an add count two\n";
    return text;
  }

 private:
  /// Results of block solves carry the name of their unknown.
  void name_results() {
    for (const plan::Evaluated& evaluated : s_.plan->cycle) {
      const plan::Event& event = s_.cycle.empty() ? plan::Event{} : s_.cycle[static_cast<std::size_t>(evaluated.event)];
      if (event.changes < 0 || evaluated.computed.empty()) continue;
      const auto* leaf = graph::as<graph::Leaf>(store_[event.changes]);
      if (leaf != nullptr) naming_.rename(node(evaluated.computed.back()), leaf->name + "'");
    }
  }
  NodeId node(StepId step) const { return s_.plan->step_nodes[static_cast<std::size_t>(step)]; }
  const program::Step& step(StepId id) const { return program_.steps[static_cast<std::size_t>(id)]; }
  std::int64_t result_bytes(StepId id) const {
    const program::Buffer& b = program_.buffers[static_cast<std::size_t>(program::output_of(step(id).operation))];
    return element_count(b.extents) * size_of(b.dtype);
  }

  std::string header() const {
    std::string extents;
    std::set<graph::DimensionId> seen;
    for (const NodeId leaf : s_.plan->leaves)
      for (const graph::DimensionId d : store_[leaf].shape)
        if (seen.insert(d).second) extents += fmt::format("  {}={}", naming_.dimension(d), store_.extent(d));
    std::int64_t largest = 0;
    for (std::size_t k = 0; k < program_.steps.size(); ++k) largest = std::max(largest, result_bytes(static_cast<StepId>(k)));
    std::string text = fmt::format("{}   minimize {}\n{}{}{}\n", s_.algorithm, s_.objective, std::string(s_.algorithm.size() + 3, ' '), s_.executor, extents);
    const std::int64_t shared = s_.plan->cycle_flops, unshared = s_.plan->unshared_flops;
    text += fmt::format("one sweep: {} Mflop", megaflops(shared));
    if (unshared > 0 && unshared != shared) text += fmt::format(" (unshared {}, {:+.1f} %)", megaflops(unshared), 100.0 * static_cast<double>(shared - unshared) / static_cast<double>(unshared));
    text += fmt::format(", exactly {} flop\n", shared);
    text += fmt::format("memory: data and unknowns {}, intermediates {}, largest intermediate {}\n", readable_bytes(s_.plan->leaf_bytes), readable_bytes(program_.arena_bytes), readable_bytes(largest));
    for (const std::string& note : s_.notes) text += note + "\n";
    return text;
  }

  /// Labels of an operand with marks for their roles.
  std::string marked(const graph::Einsum& e, const std::vector<std::string>& names, std::size_t operand, std::size_t operand_count) const {
    std::vector<std::string> labels;
    for (const einsum::Label label : e.subscripts.inputs[operand]) {
      const std::string& name = names[static_cast<std::size_t>(label)];
      const bool kept = einsum::contains(e.subscripts.output, label);
      std::size_t holders = 0;
      for (const einsum::Labels& in : e.subscripts.inputs) holders += einsum::contains(in, label) ? 1 : 0;
      labels.push_back(!kept ? "[" + name + "]" : operand_count > 1 && holders == operand_count ? "{" + name + "}" : name);
    }
    return fmt::format("({})", fmt::join(labels, ","));
  }
  std::string formula(StepId id) const {
    const graph::Node& n = store_[node(id)];
    const auto* e = graph::as<graph::Einsum>(n);
    if (e == nullptr) return graph::print_node(store_, naming_, node(id));
    const std::vector<std::string> names = naming_.labels(n);
    std::vector<std::string> out;
    for (const einsum::Label label : e->subscripts.output) out.push_back(names[static_cast<std::size_t>(label)]);
    std::string text = fmt::format("{}({}) =", naming_.node(node(id)), fmt::join(out, ","));
    for (std::size_t k = 0; k < n.operands.size(); ++k) text += fmt::format(" {}{}", naming_.node(n.operands[k]), marked(*e, names, k, n.operands.size()));
    return text;
  }

  /// Outputs of later evaluations of the cycle that use a value again, until it is computed anew.
  std::string kept_for(std::size_t evaluation, StepId id) const {
    std::vector<std::string> users;
    const std::size_t n = s_.plan->cycle.size();
    for (std::size_t ahead = 1; ahead < n; ++ahead) {
      const plan::Evaluated& later = s_.plan->cycle[(evaluation + ahead) % n];
      if (std::find(later.computed.begin(), later.computed.end(), id) != later.computed.end()) break;
      const bool uses = std::find(later.reused.begin(), later.reused.end(), id) != later.reused.end();
      const std::string& name = s_.plan->outputs[static_cast<std::size_t>(later.output)].name;
      if (uses && std::find(users.begin(), users.end(), name) == users.end()) users.push_back(name);
    }
    return users.empty() ? "" : fmt::format(", kept for {}", fmt::join(users, ", "));
  }

  std::string kernel(std::size_t index, std::size_t number) const {
    const plan::Evaluated& evaluated = s_.plan->cycle[index];
    const std::string heading = fmt::format("{}. {}", number, s_.plan->outputs[static_cast<std::size_t>(evaluated.output)].name);
    std::int64_t flops = 0;
    for (const StepId id : evaluated.computed) flops += step(id).flops;
    std::string text = fmt::format("{:<{}} {:>8}  {:>9}  {}\n", heading, formula_width + 2, number == 1 ? "Mflop" : megaflops(flops), number == 1 ? "size" : "", number == 1 ? "kernel" : "");
    text.erase(text.find_last_not_of(" \n") + 1), text += "\n";
    for (const StepId id : evaluated.reused)
      if (store_[node(id)].operands.size() > 0) text += row(naming_.node(node(id)) + " is current", "0.00", "", "");
    for (const StepId id : evaluated.computed)
      text += row(formula(id), megaflops(step(id).flops), readable_bytes(result_bytes(id)), s_.device->kernel_class(step(id).operation, program_.buffers) + kept_for(index, id));
    return text;
  }

  /// Steps that no cycle repeats.
  std::string before_the_cycle() const {
    std::set<StepId> repeated;
    for (const plan::Evaluated& evaluated : s_.plan->cycle) repeated.insert(evaluated.computed.begin(), evaluated.computed.end());
    std::string text;
    for (std::size_t k = 0; k < program_.steps.size(); ++k) {
      const auto id = static_cast<StepId>(k);
      if (repeated.contains(id)) continue;
      text += row(formula(id), megaflops(step(id).flops), readable_bytes(result_bytes(id)), s_.device->kernel_class(step(id).operation, program_.buffers));
    }
    return text.empty() ? "" : "\nonce, before the first sweep or when asked for\n" + text;
  }

  std::string why() const {
    if (s_.why.empty()) return "\n";
    std::string text = "\nwhy\n";
    for (std::size_t k = 0; k < s_.why.size();) {  // the same reason several times is one line
      std::size_t same = 1;
      while (k + same < s_.why.size() && s_.why[k + same].pass == s_.why[k].pass && s_.why[k + same].text == s_.why[k].text) ++same;
      text += fmt::format("  {:<22} {}{}\n", s_.why[k].pass, s_.why[k].text, same > 1 ? fmt::format("   (x{})", same) : "");
      k += same;
    }
    return text;
  }

  const Subject& s_;
  const graph::Store& store_;
  const program::Program& program_;
  graph::Naming naming_;
};

}  // namespace

std::string plan_text(const Subject& subject) { return PlanText(subject).text(); }

}  // namespace tyto::explain
