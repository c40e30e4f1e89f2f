#include "explain/plan_text.hpp"
#include <algorithm>
#include <cctype>
#include <cmath>
#include <set>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include "error/fail.hpp"
#include "explain/step_formula.hpp"
#include "graph/text.hpp"
#include "text/quantity.hpp"

namespace tyto::explain {

using graph::NodeId;
using program::StepId;

namespace {

/// One line of the table of steps; empty columns are left out at its end.
struct Row {
  std::string formula, mflop = {}, size = {}, kind = {}, times = {};
};
constexpr std::size_t narrowest_formula = 40, widest_formula = 92;

class PlanText {
 public:
  explicit PlanText(const Subject& s) : s_(s), store_(*s.graph->store), program_(*s.plan->program), naming_(*s.graph) {
    name_results();
  }

  std::string text() {
    const std::string top = header();
    for (std::size_t k = 0; k < s_.plan->cycle.size(); ++k)
      if (!s_.plan->cycle[k].computed.empty() && !is_repeated(k)) add_kernel(k);
    add_outside_the_cycle();
    return top + table() + why() +
           "\nlegend  [k] contracted   {r} in every operand and the result   a multiply and an add count two\n" +
           (program_.slabs.empty()
                ? ""
                : "        slabs of 8 i: all of these steps take 8 positions of i, then the next 8; what they share "
                  "is read once\n");
  }

 private:
  /// The result of a block solve carries the name of its unknown.
  void name_results() {
    for (const plan::Evaluated& evaluated : s_.plan->cycle) {
      const plan::Event& event = s_.cycle.empty() ? plan::Event{} : s_.cycle[static_cast<std::size_t>(evaluated.event)];
      if (event.changes < 0 || evaluated.computed.empty()) continue;
      if (const auto* leaf = graph::as<graph::Leaf>(store_[event.changes]))
        naming_.rename(node(evaluated.computed.back()), leaf->name);
    }
  }
  NodeId node(StepId step) const { return s_.plan->step_nodes[static_cast<std::size_t>(step)]; }
  const program::Step& step(StepId id) const { return program_.steps[static_cast<std::size_t>(id)]; }
  std::int64_t result_bytes(StepId id) const {
    const program::Buffer& b = program_.buffers[static_cast<std::size_t>(program::output_of(step(id).operation))];
    return element_count(b.extents) * size_of(b.dtype);
  }
  const std::string& output_name(std::size_t evaluation) const {
    return s_.plan->outputs[static_cast<std::size_t>(s_.plan->cycle[evaluation].output)].name;
  }

  /// An output that a sweep asks for again and again is "A", "A, time 2", "A, time 3", ...
  static std::string without_time(const std::string& name) { return name.substr(0, name.find(", time ")); }
  /// Whether it was shown before: the same output at another time, by the same steps.
  bool is_repeated(std::size_t evaluation) const {
    const plan::Evaluated& e = s_.plan->cycle[evaluation];
    for (std::size_t k = 0; k < evaluation; ++k) {
      const plan::Evaluated& before = s_.plan->cycle[k];
      if (before.computed == e.computed && before.reused == e.reused &&
          without_time(output_name(k)) == without_time(output_name(evaluation)))
        return true;
    }
    return false;
  }
  /// Further evaluations that are not shown because they repeat this one.
  std::string repetitions(std::size_t evaluation) const {
    std::size_t count = 0;
    const plan::Evaluated& e = s_.plan->cycle[evaluation];
    for (std::size_t k = evaluation + 1; k < s_.plan->cycle.size(); ++k) {
      const plan::Evaluated& later = s_.plan->cycle[k];
      count += later.computed == e.computed && later.reused == e.reused &&
               without_time(output_name(k)) == without_time(output_name(evaluation));
    }
    return count == 0 ? "" : fmt::format(" ({} times)", count + 1);
  }

  std::string header() const {
    std::string extents;
    std::set<graph::DimensionId> seen;
    for (const NodeId leaf : s_.plan->leaves)
      for (const graph::DimensionId d : store_[leaf].shape)
        if (seen.insert(d).second) extents += fmt::format("  {}={}", naming_.dimension(d), store_.extent(d));
    std::int64_t largest = 0;
    for (std::size_t k = 0; k < program_.steps.size(); ++k) largest = std::max(largest, result_bytes(static_cast<StepId>(k)));
    std::string text = s_.objective.empty() ? fmt::format("{}   {}{}\n", s_.algorithm, s_.executor, extents)
                                            : fmt::format("{}   minimize {}\n{}{}{}\n", s_.algorithm, s_.objective,
                                                          std::string(s_.algorithm.size() + 3, ' '), s_.executor, extents);
    const std::int64_t shared = s_.plan->cycle_flops, unshared = s_.plan->unshared_flops;
    text +=
        fmt::format("{}: {} Mflop", s_.sweeps > 1 ? fmt::format("{} sweeps", s_.sweeps) : s_.cycle_name, text_of_megaflops(shared));
    if (s_.sweeps > 1) text += fmt::format(", {} a sweep", text_of_megaflops((shared + s_.sweeps / 2) / s_.sweeps));
    if (unshared > 0 && unshared != shared && shared > 0)
      text += fmt::format(" (unshared {}, {:+.1f} %)", text_of_megaflops(unshared),
                          100.0 * static_cast<double>(shared - unshared) / static_cast<double>(unshared));
    text += fmt::format(", exactly {} flop\n", shared);
    text += fmt::format("memory: {} {}, intermediates {}, largest intermediate {}\n", s_.leaves_name,
                        text_of_bytes(s_.plan->leaf_bytes), text_of_bytes(program_.arena_bytes), text_of_bytes(largest));
    if (const std::string source = s_.device->source(); !source.empty()) text += fmt::format("rates: {}\n", source);
    for (const std::string& note : s_.notes) text += note + "\n";
    return text;
  }

  /// The node behind permutations, with the labels moved to its axes.
  NodeId base_of(NodeId id, std::vector<std::string>& labels) const {
    for (;;) {
      const graph::Node& n = store_[id];
      const auto* e = graph::as<graph::Einsum>(n);
      if (e == nullptr || n.operands.size() != 1 || has_step(id)) return id;
      std::vector<std::string> of_operand;
      for (const einsum::Label label : e->subscripts.inputs[0])
        of_operand.push_back(labels[static_cast<std::size_t>(
            std::find(e->subscripts.output.begin(), e->subscripts.output.end(), label) - e->subscripts.output.begin())]);
      labels = std::move(of_operand);
      id = n.operands[0];
    }
  }
  bool has_step(NodeId id) const {
    return std::find(s_.plan->step_nodes.begin(), s_.plan->step_nodes.end(), id) != s_.plan->step_nodes.end();
  }
  std::string operand(NodeId id, std::vector<std::string> labels) const {
    const NodeId base = base_of(id, labels);
    if (graph::is<graph::Identity>(store_[base])) return fmt::format("I({})", fmt::join(labels, ","));
    if (const auto* fill = graph::as<graph::Fill>(store_[base])) return fmt::format("{}({})", fill->value, fmt::join(labels, ","));
    return labels.empty() ? naming_.node(base) : fmt::format("{}({})", naming_.node(base), fmt::join(labels, ","));
  }
  std::string left(NodeId id, const std::vector<std::string>& labels) const {
    return labels.empty() ? naming_.node(id) : fmt::format("{}({})", naming_.node(id), fmt::join(labels, ","));
  }

  /// The node whose value a buffer holds; -1 of constants, which are named by their value.
  NodeId node_of(program::BufferId id) const {
    const program::Buffer& buffer = program_.buffers[static_cast<std::size_t>(id)];
    if (buffer.storage == program::Storage::leaf) return s_.plan->leaves[static_cast<std::size_t>(buffer.leaf)];
    const auto made_by = maker(id);
    return std::holds_alternative<program::Identity>(step(made_by).operation) || holds_number(made_by) ? NodeId{-1} : node(made_by);
  }
  StepId maker(program::BufferId id) const {
    const auto made_by = std::find_if(program_.steps.begin(), program_.steps.end(),
                                      [id](const program::Step& s) { return program::output_of(s.operation) == id; });
    TYTO_ASSERT(made_by != program_.steps.end());
    return static_cast<StepId>(made_by - program_.steps.begin());
  }
  bool holds_number(StepId id) const {
    const auto* fill = std::get_if<program::Fill>(&step(id).operation);
    return fill != nullptr && !fill->imaginary;
  }
  /// A buffer with its labels in the order of the node's axes.
  std::string buffer_text(program::BufferId id, const std::vector<std::string>& labels) const {
    const NodeId at = node_of(id);
    std::string name;
    std::vector<std::string> ordered = labels;
    if (at < 0) {
      const auto* fill = std::get_if<program::Fill>(&step(maker(id)).operation);
      name = fill != nullptr ? fmt::format("{}", fill->value) : "I";
    } else {
      const program::Buffer& buffer = program_.buffers[static_cast<std::size_t>(id)];
      name = naming_.node(at) + (buffer.storage != program::Storage::leaf && is_part(maker(id)) ? " partly" : "");
      const std::vector<std::string> axes = naming_.axes(store_[at].shape);
      if (std::is_permutation(axes.begin(), axes.end(), buffer.labels.begin(), buffer.labels.end()))
        for (std::size_t k = 0; k < axes.size(); ++k)
          ordered[k] = labels[static_cast<std::size_t>(std::find(buffer.labels.begin(), buffer.labels.end(), axes[k]) -
                                                       buffer.labels.begin())];
    }
    return ordered.empty() ? name : fmt::format("{}({})", name, fmt::join(ordered, ","));
  }
  /// Whether contractions have taken terms out of the combination.
  bool is_part(StepId id) const {
    const auto* combination = std::get_if<program::Combination>(&step(id).operation);
    const graph::Node& n = store_[node(id)];
    return combination != nullptr && graph::is<graph::Combination>(n) && n.operands.size() != combination->inputs.size();
  }
  std::string formula(StepId id) const {
    if (is_fused(step(id).operation) || is_part(id))
      return step_formula(
          step(id).operation, program_.buffers,
          [this](program::BufferId buffer, const std::vector<std::string>& labels) { return buffer_text(buffer, labels); });
    const NodeId at = node(id);
    const graph::Node& n = store_[at];
    if (const auto* e = graph::as<graph::Einsum>(n)) return einsum_formula(at, n, *e);
    if (const auto* s = graph::as<graph::Solve>(n)) return solve_formula(at, n, *s);
    if (const auto* c = graph::as<graph::Combination>(n)) return combination_formula(at, n, *c);
    return graph::print_node(store_, naming_, at);
  }
  std::string einsum_formula(NodeId at, const graph::Node& n, const graph::Einsum& e) const {
    const std::vector<std::string> names = naming_.labels(n);
    std::vector<std::string> out;
    for (const einsum::Label label : e.subscripts.output) out.push_back(names[static_cast<std::size_t>(label)]);
    std::string text = left(at, out) + " =";
    for (std::size_t k = 0; k < n.operands.size(); ++k) {
      std::vector<std::string> labels;
      for (const einsum::Label label : e.subscripts.inputs[k]) {
        const std::string& name = names[static_cast<std::size_t>(label)];
        const bool in_all = std::all_of(e.subscripts.inputs.begin(), e.subscripts.inputs.end(),
                                        [&](const einsum::Labels& in) { return einsum::contains(in, label); });
        if (!einsum::contains(e.subscripts.output, label)) labels.push_back("[" + name + "]");
        else labels.push_back(n.operands.size() > 1 && in_all ? "{" + name + "}" : name);
      }
      text += " " + operand(n.operands[k], labels);
    }
    return text;
  }
  /// G x = M: the unknown's axes as they lie in memory, the rows contracted.
  std::string solve_formula(NodeId at, const graph::Node& n, const graph::Solve& s) const {
    const graph::Shape& matrix = store_[n.operands[0]].shape;
    graph::Shape all = n.shape;
    all.insert(all.end(), matrix.begin() + s.batch, matrix.begin() + s.batch + s.rows);
    const std::vector<std::string> names = naming_.axes(all);
    const auto columns = static_cast<std::ptrdiff_t>(matrix.size()) - s.batch - s.rows;
    const auto batch_end = names.begin() + s.batch, columns_end = batch_end + columns, rest_end = names.end() - s.rows;
    std::vector<std::string> of_matrix(names.begin(), batch_end), of_right(names.begin(), batch_end);
    for (auto row = rest_end; row != names.end(); ++row)
      of_matrix.push_back("[" + *row + "]"), of_right.push_back("[" + *row + "]");
    of_matrix.insert(of_matrix.end(), batch_end, columns_end);
    of_right.insert(of_right.end(), columns_end, rest_end);
    const char* form = operation::is_linear(s.system) ? "{} = inverse({}) {}" : "{} = nonnegative({}, {})";
    return fmt::format(fmt::runtime(form), left(at, in_memory_order(at, {names.begin(), rest_end})),
                       operand(n.operands[0], of_matrix), operand(n.operands[1], of_right));
  }
  /// Labels of a node whose buffer has its axes in the same order, slowest axis first.
  std::vector<std::string> in_memory_order(NodeId at, const std::vector<std::string>& labels) const {
    const auto made_by = std::find(s_.plan->step_nodes.begin(), s_.plan->step_nodes.end(), at) - s_.plan->step_nodes.begin();
    const Extents& strides =
        program_.buffers[static_cast<std::size_t>(program::output_of(step(static_cast<StepId>(made_by)).operation))].strides;
    std::vector<std::size_t> order(labels.size());
    for (std::size_t k = 0; k < order.size(); ++k) order[k] = k;
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return strides[a] > strides[b]; });
    std::vector<std::string> sorted;
    for (const std::size_t k : order) sorted.push_back(labels[k]);
    return sorted;
  }
  /// Where the result of a step lies otherwise than it is written: the order of its axes in memory.
  std::string layout(StepId id) const {
    const program::Buffer& b = program_.buffers[static_cast<std::size_t>(program::output_of(step(id).operation))];
    std::vector<std::string> written, lies;
    for (const std::string& label : naming_.axes(store_[node(id)].shape))
      if (const auto axis = axis_of(b, label); axis < b.extents.size() && b.extents[axis] != 1) written.push_back(label);
    lies = written;
    std::stable_sort(lies.begin(), lies.end(), [&](const std::string& one, const std::string& other) {
      return b.strides[axis_of(b, one)] > b.strides[axis_of(b, other)];
    });
    const bool says_so = graph::is<graph::Solve>(store_[node(id)]);  // see solve_formula
    return written == lies || says_so ? "" : fmt::format(", in memory ({})", fmt::join(lies, ","));
  }
  static std::size_t axis_of(const program::Buffer& b, const std::string& label) {
    return static_cast<std::size_t>(std::find(b.labels.begin(), b.labels.end(), label) - b.labels.begin());
  }
  std::string combination_formula(NodeId at, const graph::Node& n, const graph::Combination& c) const {
    const std::vector<std::string> labels = naming_.axes(n.shape);
    std::string text = left(at, labels) + " =";
    for (std::size_t k = 0; k < n.operands.size(); ++k) {
      const double size = std::abs(c.coefficients[k]);
      text += c.coefficients[k] < 0 ? " -" : k > 0 ? " +" : "";
      text += (size == 1 ? " " : fmt::format(" {}*", size)) + operand(n.operands[k], labels);
    }
    return text;
  }

  /// Outputs of later evaluations of the cycle that use a value again, until it is computed anew.
  std::string kept_for(std::size_t evaluation, StepId id) const {
    std::vector<std::string> users;
    const std::size_t n = s_.plan->cycle.size();
    for (std::size_t ahead = 1; ahead < n; ++ahead) {
      const std::size_t at = (evaluation + ahead) % n;
      const plan::Evaluated& later = s_.plan->cycle[at];
      if (std::find(later.computed.begin(), later.computed.end(), id) != later.computed.end()) break;
      const bool uses = !later.computed.empty() && std::find(later.reused.begin(), later.reused.end(), id) != later.reused.end();
      const std::string name = without_time(output_name(at));
      if (uses && std::find(users.begin(), users.end(), name) == users.end()) users.push_back(name);
    }
    return users.empty() ? "" : fmt::format(", kept for {}", fmt::join(users, ", "));
  }
  /// With which others it runs, if it does.
  std::string slabs_of(StepId id) const {
    for (std::size_t k = 0; k < program_.slabs.size(); ++k) {
      const program::Slabs& slabs = program_.slabs[k];
      const auto member = std::find(slabs.steps.begin(), slabs.steps.end(), id);
      if (member == slabs.steps.end()) continue;
      const std::string which = program_.slabs.size() > 1 ? fmt::format(" ({})", k + 1) : "";
      return fmt::format(", slabs of {} {}{}", slabs.block,
                         label_name(id, slabs.labels[static_cast<std::size_t>(member - slabs.steps.begin())]), which);
    }
    return {};
  }
  std::string label_name(StepId id, einsum::Label label) const {
    std::vector<program::Operand> operands;
    const auto collect = [&](const auto& of) { operands = of.inputs; };
    if (const auto* contraction = std::get_if<program::Contraction>(&step(id).operation)) collect(*contraction);
    if (const auto* elementwise = std::get_if<program::Elementwise>(&step(id).operation)) collect(*elementwise);
    for (const program::Operand& operand : operands)
      for (std::size_t axis = 0; axis < operand.labels.size(); ++axis)
        if (operand.labels[axis] == label) return program_.buffers[static_cast<std::size_t>(operand.buffer)].labels[axis];
    return {};
  }
  void add_step(StepId id, const std::string& further = {}, double measured = 0) {
    rows_.push_back({"  " + formula(id), text_of_megaflops(step(id).flops), text_of_bytes(result_bytes(id)),
                     s_.device->kernel_class(step(id).operation, program_.buffers) + layout(id) + slabs_of(id) + further,
                     times_of(id, measured)});
  }
  double predicted(StepId id) const { return s_.device->seconds(step(id).operation, program_.buffers); }
  std::string times_of(StepId id, double measured) const {
    if (s_.measured.empty() || measured <= 0) return {};
    return time_columns(predicted(id), measured, static_cast<double>(step(id).flops));
  }
  /// Microseconds predicted and measured, their ratio, Gflop/s.
  static std::string time_columns(double predicted, double measured, double flops) {
    return fmt::format("{:>10.2f}  {:>10.2f}  {:>6.2f}  {:>7.2f}", 1e6 * predicted, 1e6 * measured, predicted / measured,
                       1e-9 * flops / measured);
  }
  void add_kernel(std::size_t index) {
    const plan::Evaluated& evaluated = s_.plan->cycle[index];
    std::int64_t flops = 0;
    for (const StepId id : evaluated.computed) flops += step(id).flops;
    rows_.push_back({});
    rows_.push_back({fmt::format("{}. {}{}", ++shown_, output_name(index), repetitions(index)), text_of_megaflops(flops)});
    rows_.back().times = kernel_times(index, flops);
    std::string current;
    for (const StepId id : evaluated.reused) current += (current.empty() ? "" : ", ") + naming_.node(node(id));
    if (!current.empty())
      rows_.push_back({"  " + current + (evaluated.reused.size() > 1 ? " are current" : " is current"), "0.00"});
    for (std::size_t k = 0; k < evaluated.computed.size(); ++k)
      add_step(evaluated.computed[k], kept_for(index, evaluated.computed[k]), s_.measured.empty() ? 0 : s_.measured[index][k]);
  }
  std::string kernel_times(std::size_t index, std::int64_t flops) const {
    if (s_.measured.empty()) return {};
    double expected = 0, measured = 0;
    for (const StepId id : s_.plan->cycle[index].computed) expected += predicted(id);
    for (const double seconds : s_.measured[index]) measured += seconds;
    return measured > 0 ? time_columns(expected, measured, static_cast<double>(flops)) : "";
  }
  /// Steps that the cycle does not repeat: constants, and kernels asked for elsewhere.
  void add_outside_the_cycle() {
    std::set<StepId> repeated;
    for (const plan::Evaluated& evaluated : s_.plan->cycle) repeated.insert(evaluated.computed.begin(), evaluated.computed.end());
    bool is_first = true;
    for (std::size_t k = 0; k < program_.steps.size(); ++k) {
      if (repeated.contains(static_cast<StepId>(k))) continue;
      if (is_first) rows_.push_back({}), rows_.push_back({"once"});
      is_first = false;
      add_step(static_cast<StepId>(k));
    }
    fold_alike();
  }
  /// Many steps in a row that differ by numbers only, as those for the values of each site, become the first and the last.
  void fold_alike() {
    constexpr std::size_t few = 5;
    const auto pattern = [](const Row& row) {
      std::string text = row.formula + row.kind;
      text.erase(std::remove_if(text.begin(), text.end(), [](unsigned char c) { return std::isdigit(c) != 0; }), text.end());
      return text;
    };
    std::vector<Row> kept;
    for (std::size_t first = 0; first < rows_.size();) {
      std::size_t end = first + 1;
      while (end < rows_.size() && pattern(rows_[end]) == pattern(rows_[first])) ++end;
      const bool folds = end - first > few && !rows_[first].kind.empty();
      if (folds)
        kept.insert(kept.end(), {rows_[first], Row{fmt::format("  ... {} more like it ...", end - first - 2)}, rows_[end - 1]});
      else
        kept.insert(kept.end(), rows_.begin() + static_cast<std::ptrdiff_t>(first),
                    rows_.begin() + static_cast<std::ptrdiff_t>(end));
      first = end;
    }
    rows_ = std::move(kept);
  }

  std::string table() const {
    std::size_t width = narrowest_formula;
    for (const Row& r : rows_) width = std::max(width, std::min(widest_formula, r.formula.size()));
    const bool is_timed = !s_.measured.empty();
    const std::string titles =
        is_timed ? fmt::format("{:>10}  {:>10}  {:>6}  {:>7}  ", "predicted", "measured", "ratio", "Gflop/s") : "";
    std::string text = is_timed ? "\ntimes in microseconds, the median of a few cycles; ratio: predicted / measured\n" : "";
    text += fmt::format("\n{:<{}}  {:>8}  {:>9}  {}{}\n", "", width, "Mflop", "result", titles, "kernel");
    for (const Row& r : rows_) {
      const std::string times = is_timed ? fmt::format("{:<{}}", r.times, titles.size()) : "";
      std::string line = fmt::format("{:<{}}  {:>8}  {:>9}  {}{}", r.formula, width, r.mflop, r.size, times, r.kind);
      line.erase(line.find_last_not_of(' ') + 1);
      text += line + "\n";
    }
    return text;
  }

  /// What the passes did, each thing once with its count, in the order of the passes; then why each class of kernels was chosen.
  std::string why() const {
    std::vector<std::pair<Reason, int>> counted;
    for (const Reason& reason : s_.why) {
      const auto known = std::find_if(counted.begin(), counted.end(),
                                      [&](const auto& c) { return c.first.pass == reason.pass && c.first.text == reason.text; });
      if (known == counted.end()) counted.emplace_back(reason, 1);
      else ++known->second;
    }
    const std::vector<KernelReason> kernels = kernel_reasons();
    std::string text = counted.empty() && kernels.empty() ? "" : "\nwhy\n";
    for (const auto& [reason, count] : counted) text += reason_line(reason.pass, reason.text, count);
    for (const KernelReason& kernel : kernels) text += reason_line(kernel.kernel_class, kernel.text(), kernel.count);
    return text;
  }
  static std::string reason_line(const std::string& what, const std::string& reason, int count) {
    return fmt::format("  {:<22} {}{}\n", what, reason, count > 1 ? fmt::format(" ({} times)", count) : "");
  }

  static std::string times(double ratio) { return ratio < 9.95 ? fmt::format("{:.1f}", ratio) : fmt::format("{:.0f}", ratio); }

  /// Steps of one class of kernels that have the same runner-up, and how many times as long that would take.
  struct KernelReason {
    std::string kernel_class, runner_up;
    double least = 0, most = 0;
    int count = 0;
    std::string text() const {
      const std::string from = times(least), to = times(most);
      return fmt::format("{} would take {} times as long", runner_up, from == to ? from : from + " to " + to);
    }
  };
  /// By class and runner-up, in the order of the steps.
  std::vector<KernelReason> kernel_reasons() const {
    std::vector<KernelReason> reasons;
    for (const program::Step& one : program_.steps) {
      const std::optional<device::Alternative> next = s_.device->runner_up(one.operation, program_.buffers);
      if (!next) continue;
      const std::string chosen = s_.device->kernel_class(one.operation, program_.buffers);
      const double times = next->seconds / s_.device->seconds(one.operation, program_.buffers);
      auto known = std::find_if(reasons.begin(), reasons.end(), [&](const KernelReason& reason) {
        return reason.kernel_class == chosen && reason.runner_up == next->kernel_class;
      });
      if (known == reasons.end()) known = reasons.insert(known, {chosen, next->kernel_class, times, times, 0});
      known->least = std::min(known->least, times), known->most = std::max(known->most, times);
      ++known->count;
    }
    return reasons;
  }

  const Subject& s_;
  const graph::Store& store_;
  const program::Program& program_;
  graph::Naming naming_;
  std::vector<Row> rows_;
  int shown_ = 0;
};

}  // namespace

std::string plan_text(const Subject& subject) { return PlanText(subject).text(); }

}  // namespace tyto::explain
