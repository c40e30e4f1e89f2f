#include "explain/train_text.hpp"
#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include "explain/step_formula.hpp"
#include "text/quantity.hpp"

namespace tyto::explain {

using program::Program;
using program::Step;

namespace {

/// The label that an axis of a planned contraction is for.
std::size_t label_of(const std::string& axis) { return std::stoul(axis.substr(1)); }

/// A polynomial in the letters of extents: "2 D^3 d^2 w + 4 D^2 w^2".
class Cost {
 public:
  void add(const Step& step, const Program& p, const NamedContraction& names) {
    const auto* contraction = std::get_if<program::Contraction>(&step.operation);
    if (contraction == nullptr || step.flops == 0) return;
    const program::Space space = program::space_of(contraction->inputs, contraction->out, p.buffers);
    std::map<einsum::Label, std::string> name;
    const auto note = [&](const program::Operand& o) {
      for (std::size_t axis = 0; axis < o.labels.size(); ++axis)
        name.try_emplace(o.labels[axis], p.buffers[static_cast<std::size_t>(o.buffer)].labels[axis]);
    };
    note(contraction->out), std::for_each(contraction->inputs.begin(), contraction->inputs.end(), note);
    std::array<int, 3> powers{};
    for (const einsum::Label label : space.labels) {
      const std::size_t kind = letters.find(names.kinds[label_of(name.at(label))]);
      if (space.extent(label) != 1) ++powers[kind];
    }
    terms_[powers] += step.flops / std::max<std::int64_t>(1, space.points());
  }
  std::string text() const {
    std::string all;
    for (auto term = terms_.rbegin(); term != terms_.rend(); ++term) {
      all += fmt::format("{}{}", all.empty() ? "" : " + ", term->second);
      for (std::size_t k = 0; k < letters.size(); ++k)
        if (const int power = term->first[k]; power > 0)
          all += power == 1 ? fmt::format(" {}", letters[k]) : fmt::format(" {}^{}", letters[k], power);
    }
    return all;
  }

 private:
  static constexpr std::string_view letters = "Ddw";
  std::map<std::array<int, 3>, std::int64_t> terms_;
};

/// The steps of a contraction as lines, its labels and operands by name.
class Contraction {
 public:
  Contraction(const NamedContraction& names, const device::Model& device) : names_(names), device_(device), p_(*names.program) {
    for (program::Buffer& b : shown_)
      for (std::string& axis : b.labels) axis = names.labels[label_of(axis)];
    for (const program::StepId id : p_.kernels[0].steps) {
      const program::BufferId out = program::output_of(step(id).operation);
      if (step(id).flops == 0 && is_last(id)) continue;  // moves the result into place
      made_.try_emplace(out, fmt::format("T{}", made_.size() + 1));
    }
    if (!p_.kernels[0].steps.empty()) made_[p_.kernels[0].output] = names.result;
  }

  std::string formula(program::StepId id) const {
    const program::Operation& operation = step(id).operation;
    if (!std::holds_alternative<program::Contraction>(operation) && !is_fused(operation) &&
        !std::holds_alternative<program::Combination>(operation)) {
      std::vector<std::string> inputs;
      for (const program::BufferId input : program::inputs_of(operation)) inputs.push_back(name_of(input));
      const auto* map = std::get_if<program::Map>(&operation);
      return fmt::format("{} = {}({})", name_of(program::output_of(operation)),
                         map != nullptr ? operation::name_of(map->function) : "", fmt::join(inputs, ", "));
    }
    return step_formula(operation, shown_, [this](program::BufferId buffer, const std::vector<std::string>& labels) {
      return labels.empty() ? name_of(buffer) : fmt::format("{}({})", name_of(buffer), fmt::join(labels, ","));
    });
  }
  std::string kernel(program::StepId id) const {
    const std::string chosen = device_.kernel_class(step(id).operation, p_.buffers);
    const auto next = device_.runner_up(step(id).operation, p_.buffers);
    if (!next) return chosen;
    const double times = next->seconds / device_.seconds(step(id).operation, p_.buffers);
    return fmt::format("{}; {} would take {:.{}f} times as long", chosen, next->kernel_class, times, times < 9.95 ? 1 : 0);
  }
  /// "(R theta) H": operands in the order in which they are contracted.
  std::string order() const { return p_.kernels[0].steps.empty() ? "" : order_of(p_.kernels[0].output, true); }
  std::int64_t result_bytes(program::StepId id) const {
    const program::Buffer& b = p_.buffers[static_cast<std::size_t>(program::output_of(step(id).operation))];
    return element_count(b.extents) * size_of(b.dtype);
  }

 private:
  const Step& step(program::StepId id) const { return p_.steps[static_cast<std::size_t>(id)]; }
  bool is_last(program::StepId id) const { return program::output_of(step(id).operation) == p_.kernels[0].output; }
  std::string name_of(program::BufferId id) const {
    const program::Buffer& b = p_.buffers[static_cast<std::size_t>(id)];
    if (b.storage == program::Storage::leaf)
      for (std::size_t k = 0; k < names_.leaves.size(); ++k)
        if (names_.leaves[k] == b.leaf) return names_.operands[k];
    const auto made = made_.find(id);
    return made != made_.end() ? made->second : b.name;
  }
  std::string order_of(program::BufferId id, bool is_outermost) const {
    const auto made =
        std::find_if(p_.steps.begin(), p_.steps.end(), [id](const Step& s) { return program::output_of(s.operation) == id; });
    if (p_.buffers[static_cast<std::size_t>(id)].storage == program::Storage::leaf || made == p_.steps.end()) return name_of(id);
    std::vector<std::string> inputs;
    for (const program::BufferId input : program::inputs_of(made->operation)) inputs.push_back(order_of(input, false));
    const std::string all = fmt::format("{}", fmt::join(inputs, " "));
    return inputs.size() == 1 || is_outermost ? all : "(" + all + ")";
  }

  const NamedContraction& names_;
  const device::Model& device_;
  const Program& p_;
  std::vector<program::Buffer> shown_ = p_.buffers;  ///< with labels as people know them
  std::map<program::BufferId, std::string> made_;
};

/// Steps that change with the last operand, theta, or those that do not.
std::vector<program::StepId> steps_of(const NamedContraction& c, bool with_last) {
  std::vector<program::StepId> steps;
  const Program& p = *c.program;
  for (const program::StepId id : p.kernels[0].steps) {
    const auto& on =
        p.buffers[static_cast<std::size_t>(program::output_of(p.steps[static_cast<std::size_t>(id)].operation))].depends_on;
    if ((std::find(on.begin(), on.end(), c.leaves.back()) != on.end()) == with_last) steps.push_back(id);
  }
  return steps;
}

struct Work {
  std::int64_t flops = 0, bytes = 0;
  void add(const NamedContraction& c, const std::vector<program::StepId>& steps) {
    for (const program::StepId id : steps)
      flops += c.program->steps[static_cast<std::size_t>(id)].flops, bytes += c.program->steps[static_cast<std::size_t>(id)].bytes;
  }
};
Work work_of(const std::vector<NamedContraction>& all) {
  Work work;
  for (const NamedContraction& c : all) work.add(c, c.program->kernels[0].steps);
  return work;
}
Work product_work(const TrainBlock& b) {
  Work work;
  for (const NamedContraction& c : b.products) work.add(c, steps_of(c, true));
  return work;
}
Work prepared_work(const TrainBlock& b) {
  Work work;
  for (const NamedContraction& c : b.products) work.add(c, steps_of(c, false));
  return work;
}
/// Everything for one block, its eigensolver going to its limit.
std::int64_t most_flops(const TrainBlock& b) {
  return work_of(b.messages).flops + work_of(b.overlaps).flops + prepared_work(b).flops + b.most_products * product_work(b).flops +
         work_of(b.directions).flops + split_flops(b);
}

/// "3..18" or "1, 3..5".
std::string ranges(const std::set<std::int64_t>& numbers) {
  std::string text;
  for (auto at = numbers.begin(); at != numbers.end();) {
    auto end = at;
    std::int64_t last = *at;
    while (++end != numbers.end() && *end == last + 1) ++last;
    text += fmt::format("{}{}", text.empty() ? "" : ", ", *at == last ? fmt::format("{}", last) : fmt::format("{}..{}", *at, last));
    at = end;
  }
  return text;
}

/// Blocks whose products, once for a block and each time, are contracted in the same order.
struct Group {
  std::string key;
  const TrainBlock* largest = nullptr;
  std::set<std::int64_t> sites;
  std::int64_t count = 0, least_flops = 0;
};

class TrainText {
 public:
  explicit TrainText(const TrainSubject& s) : s_(s) {}

  std::string text() {
    add_head();
    const TrainSweep& last = s_.sweeps.back();
    const std::vector<Group> groups = grouped(last);
    const Group& main = largest(groups);
    add_details(last, main);
    if (groups.size() > 1) add_others(groups, main);
    if (s_.sweeps.size() > 1) add_first(s_.sweeps.front(), last);
    for (const std::string& note : s_.notes) text_ += note + "\n";
    return text_;
  }

 private:
  template <class... Arguments>
  void line(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    text_ += fmt::format(format, std::forward<Arguments>(arguments)...);
    text_.erase(text_.find_last_not_of(' ') + 1);
    text_ += "\n";
  }

  void add_head() {
    const TrainSweep& last = s_.sweeps.back();
    line("\nsweeps over {}: {} is cut at its cores into {} sites, and {} blocks of {} are solved, there and back", s_.train,
         fmt::join(s_.networks, " + "), s_.sites, last.blocks.size(),
         last.blocks.front().count == 1 ? "one site" : fmt::format("{} sites", last.blocks.front().count));
    line(
        "L, R: what lies to the left and to the right of a block, contracted; theta: the block; D, d, w: bonds of {}, its sites, "
        "other bonds",
        s_.train);
  }

  std::vector<Group> grouped(const TrainSweep& sweep) const {
    std::vector<Group> groups;
    for (const TrainBlock& b : sweep.blocks) {
      std::string key;
      for (const NamedContraction& c : b.products) key += Contraction(c, *s_.device).order() + "; ";
      auto group = std::find_if(groups.begin(), groups.end(), [&](const Group& g) { return g.key == key; });
      if (group == groups.end()) group = groups.insert(groups.end(), {key, &b, {}, 0, product_work(b).flops});
      for (std::int64_t k = 0; k < b.count; ++k) group->sites.insert(b.first + k + 1);
      ++group->count;
      group->least_flops = std::min(group->least_flops, product_work(b).flops);
      if (most_flops(b) > most_flops(*group->largest)) group->largest = &b;
    }
    return groups;
  }
  /// The group that takes the most of a sweep.
  static const Group& largest(const std::vector<Group>& groups) {
    return *std::max_element(groups.begin(), groups.end(), [](const Group& a, const Group& b) {
      return a.count * most_flops(*a.largest) < b.count * most_flops(*b.largest);
    });
  }

  static std::string extents_text(const TrainBlock& b) { return fmt::format("{} numbers", element_count(b.extents)); }

  void add_details(const TrainSweep& sweep, const Group& group) {
    const TrainBlock& b = *group.largest;
    line("\n{}D={}: sites {}, {} of {} blocks; theta is {} ({}{})",
         sweep.sweep > 1 ? fmt::format("from sweep {} on, ", sweep.sweep) : "", sweep.largest_bond, ranges(group.sites),
         group.count, sweep.blocks.size(), fmt::join(b.extents, " x "), extents_text(b), b.is_complex ? ", complex" : "");
    line("{:<{}}  {:>8}  {:>9}  {:>9}  {}", "", width, "Mflop", "moved", "result", "kernel");
    add_contractions("messages, one of each network for each block", b.messages);
    std::size_t prepared = 0;
    for (const NamedContraction& c : b.products) prepared += steps_of(c, false).size();
    if (prepared > 0) add_products("once for a block, without theta", b, false);
    add_products(fmt::format("each product, at most {} for a block", b.most_products), b, true);
    if (b.most_products > 0) add_whether_formed(b, prepared > 0);
    add_contractions("what the eigenvector is to be orthogonal to", b.overlaps);
    if (!b.directions.empty()) add_contractions("directions in which the state may grow, for the noise", b.directions);
    if (b.rows > 0)
      line("{:<{}}  {:>8}", fmt::format("split: {}, {} kept", split_words(b), b.kept), width, text_of_megaflops(split_flops(b)));
    std::int64_t flops = 0;
    for (const TrainBlock& other : sweep.blocks) flops += most_flops(other);
    line("{:<{}}  {:>8}", "a sweep at most", width, text_of_megaflops(flops));
  }
  static std::string split_words(const TrainBlock& b) {
    return b.by_density ? fmt::format("density matrix of order {}{}", b.keeps_left ? b.rows : b.columns,
                                      b.directions.empty() ? "" : ", with noise")
                        : fmt::format("SVD of {} x {}", b.rows, b.columns);
  }

  void add_contractions(const std::string& title, const std::vector<NamedContraction>& all) {
    if (all.empty()) return;
    Cost cost;
    for (const NamedContraction& c : all)
      for (const program::StepId id : c.program->kernels[0].steps)
        cost.add(c.program->steps[static_cast<std::size_t>(id)], *c.program, c);
    add_title(title, cost, work_of(all));
    for (const NamedContraction& c : all) add_steps(c, c.program->kernels[0].steps);
  }
  void add_products(const std::string& title, const TrainBlock& b, bool with_theta) {
    Cost cost;
    for (const NamedContraction& c : b.products)
      for (const program::StepId id : steps_of(c, with_theta))
        cost.add(c.program->steps[static_cast<std::size_t>(id)], *c.program, c);
    add_title(title, cost, with_theta ? product_work(b) : prepared_work(b));
    for (const NamedContraction& c : b.products) add_steps(c, steps_of(c, with_theta));
  }
  void add_title(const std::string& title, const Cost& cost, const Work& work) {
    line("{:<{}}  {:>8}  {:>9}", fmt::format("{}: {} flop", title, cost.text()), width, text_of_megaflops(work.flops),
         text_of_bytes(work.bytes));
  }
  void add_steps(const NamedContraction& c, const std::vector<program::StepId>& steps) {
    const Contraction shown(c, *s_.device);
    for (const program::StepId id : steps) {
      const Step& step = c.program->steps[static_cast<std::size_t>(id)];
      line("  {:<{}}  {:>8}  {:>9}  {:>9}  {}", shown.formula(id), width - 2, text_of_megaflops(step.flops),
           text_of_bytes(step.bytes), text_of_bytes(shown.result_bytes(id)), shown.kernel(id));
    }
  }
  void add_whether_formed(const TrainBlock& b, bool has_prepared) {
    const std::int64_t n = element_count(b.extents), factor = b.is_complex ? 4 : 1;
    line("  {}; as a matrix of order {} a product would take {} Mflop",
         has_prepared ? fmt::format("H is formed in part, which pays for the {} products that are counted on", s_.counted_on)
                      : "H is applied and never formed",
         n, text_of_megaflops(2 * n * n * factor));
  }

  void add_others(const std::vector<Group>& groups, const Group& main) {
    constexpr std::size_t most = 8;
    line("\n{:<{}}  {:>8}", "other blocks, by the order of a product", width, "Mflop");
    std::size_t shown = 0;
    for (const Group& g : groups) {
      if (&g == &main) continue;
      if (++shown > most) continue;
      const std::string least = text_of_megaflops(g.least_flops), flops = text_of_megaflops(product_work(*g.largest).flops);
      line("  {:<{}}  {:>8}", fmt::format("sites {}: {}", ranges(g.sites), g.key.substr(0, g.key.size() - 2)), width - 2,
           least == flops ? flops : least + " to " + flops);
    }
    if (shown > most) line("  and {} more kinds of blocks", shown - most);
  }

  void add_first(const TrainSweep& first, const TrainSweep& last) {
    const std::vector<Group> groups = grouped(first), later = grouped(last);
    const Group& main = largest(groups);
    const TrainBlock& b = *main.largest;
    std::int64_t flops = 0;
    for (const TrainBlock& other : first.blocks) flops += most_flops(other);
    const bool same = main.key == largest(later).key;
    line("\nsweep 1, D={}: {} Mflop a product, {}; {} a sweep at most{}", first.largest_bond,
         text_of_megaflops(product_work(b).flops), same ? "in the same order" : "as " + main.key.substr(0, main.key.size() - 2),
         text_of_megaflops(flops), b.directions.empty() ? "" : fmt::format("; split by {}", split_words(b)));
  }

  static constexpr std::size_t width = 78;
  const TrainSubject& s_;
  std::string text_;
};

}  // namespace

std::int64_t split_flops(const TrainBlock& b) {
  if (b.rows == 0) return 0;
  const std::int64_t factor = b.is_complex ? 4 : 1, small = std::min(b.rows, b.columns);
  if (!b.by_density) return factor * 14 * b.rows * b.columns * small;
  const std::int64_t order = b.keeps_left ? b.rows : b.columns, other = b.rows * b.columns / std::max<std::int64_t>(1, order);
  std::int64_t products = other;  // columns of all that the density matrix is made of
  for (const NamedContraction& c : b.directions) {
    const program::Buffer& open = c.program->buffers[static_cast<std::size_t>(c.program->kernels[0].output)];
    products += element_count(open.extents) / std::max<std::int64_t>(1, order);
  }
  const std::int64_t weights = b.directions.empty() ? 0 : 14 * b.kept * other * std::min(b.kept, other);  // singular values
  return factor * (2 * order * order * products + 9 * order * order * order + 2 * order * other * b.kept + weights);
}

std::string train_text(const TrainSubject& subject) { return TrainText(subject).text(); }

}  // namespace tyto::explain
