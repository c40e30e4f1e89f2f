#include "language/extents.hpp"
#include <algorithm>
#include <optional>
#include <set>
#include <fmt/format.h>
#include "error/fail.hpp"

namespace tyto::language {

namespace {

/// An extent and who says so.
struct Known {
  std::int64_t extent = 0;
  std::string origin = {};
};

/// Labels and axes in classes that have one extent each.
class Classes {
 public:
  /// The representative of a label or axis; those met earlier represent those met later.
  std::string first(const std::string& member) {
    rank_.try_emplace(member, rank_.size());
    const std::string parent = parent_.try_emplace(member, member).first->second;
    return parent == member ? member : first(parent);
  }
  const std::optional<Known>& known(const std::string& member) { return known_[first(member)]; }
  /// What contradicts the extent, if anything does.
  std::optional<Known> learn(const std::string& member, const Known& known) {
    std::optional<Known>& present = known_[first(member)];
    if (present && present->extent != known.extent) return present;
    if (!present) present = known;
    return {};
  }
  /// Puts two classes together unless their extents contradict each other: then these.
  std::optional<std::pair<Known, Known>> join(const std::string& a, const std::string& b) {
    std::string left = first(a), right = first(b);
    if (left == right) return {};
    if (rank_[right] < rank_[left]) std::swap(left, right);
    const std::optional<Known> of_left = known_[left], of_right = known_[right];
    if (of_left && of_right && of_left->extent != of_right->extent) return std::pair(*known_[first(a)], *known_[first(b)]);
    if (!of_left) known_[left] = of_right;
    parent_[right] = left;
    return {};
  }

 private:
  std::map<std::string, std::string> parent_;
  std::map<std::string, std::size_t> rank_;  // in order of appearance
  std::map<std::string, std::optional<Known>> known_;
};

class Settler {
 public:
  Settler(Objective& objective, const std::vector<Input>& inputs) : objective_(objective) {
    for (const Input& in : inputs)
      for (std::size_t n = 0; n < in.extents.size(); ++n)
        for (const char* part : {"", ".weights"})
          (void)classes_.learn(axis(in.name + part, n), {in.extents[n], fmt::format("mode {} of {}", n, in.name)});
  }

  std::vector<Finding> run() {
    for (const Objective::Definition& d : objective_.definitions) {
      walk(d.value);
      walk(d.name);
    }
    walk(objective_.minimize);
    read_extents();
    for (const auto& [label, first_use] : first_uses_) settle(label, first_use);
    return std::move(findings_);
  }

 private:
  /// Members of classes: labels by name, axes with a colon, which no name has.
  static std::string axis(const std::string& tensor, std::size_t n) { return fmt::format("{}:{}", tensor, n); }

  void walk(const Parsed& text) { walk(text.source, text.tree); }
  void walk(const Source& source, const Node& node) {
    for (const Label& label : node.labels)
      if (seen_.insert(label.name).second) first_uses_.emplace_back(label.name, where(source, label.span));
    if (node.kind == Kind::tensor && node.name != "ones")
      for (std::size_t n = 0; n < node.labels.size(); ++n) {
        const Label& label = node.labels[n];
        const std::string of_tensor = node.name == "identity" ? node.labels[0].name : axis(node.name, n);
        if (const auto contradiction = classes_.join(of_tensor, label.name))
          report(where(source, label.span), label.name, contradiction->second, contradiction->first,
                 "another label for one of them");
      }
    for (const Node& operand : node.operands) walk(source, operand);
  }

  void read_extents() {
    for (const Statement::Extent& e : objective_.statement.extents) {
      const Known given{e.extent, fmt::format("extents.{}", e.label)};
      if (const auto other = classes_.learn(e.label, given)) report(e.where, e.label, *other, given, "removing it");
    }
  }

  void report(const Where& where, const std::string& label, const Known& expected, const Known& found, const std::string& hint) {
    if (!contradicted_.insert(label).second) return;  // once is enough
    findings_.push_back({.code = Code::extent,
                         .where = where,
                         .what = fmt::format("label {} has two extents", label),
                         .expected = fmt::format("{}, of {}", expected.extent, expected.origin),
                         .found = fmt::format("{}, of {}", found.extent, found.origin),
                         .hint = hint});
  }

  void settle(const std::string& label, const Where& first_use) {
    const std::optional<Known>& known = classes_.known(label);
    if (!known) {
      findings_.push_back({.code = Code::missing_key,
                           .where = first_use,
                           .what = fmt::format("the extent of label {} is not known", label),
                           .expected = "a label of data, or an extent",
                           .hint = fmt::format("extents: {{{}: 3}}", label)});
      return;
    }
    // Its class is represented by its first label, so that the names of dimensions are those that people read first.
    const auto at = std::find_if(first_uses_.begin(), first_uses_.end(),
                                 [&](const auto& use) { return classes_.first(use.first) == classes_.first(label); });
    objective_.extents[label] = {at->first, known->extent};
  }

  Objective& objective_;
  Classes classes_;
  std::vector<std::pair<std::string, Where>> first_uses_;
  std::set<std::string> seen_, contradicted_;
  std::vector<Finding> findings_;
};

}  // namespace

std::vector<Finding> settle_extents(Objective& objective, const std::vector<Input>& inputs) {
  return Settler(objective, inputs).run();
}

}  // namespace tyto::language
