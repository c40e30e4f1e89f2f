/// Expr::text: an expression on one line, "0.5*sum[i,j] (X(i,j) - ...)^2". For people and error messages; graph/text.hpp is the
/// format that parses back.
#include <algorithm>
#include <fmt/format.h>
#include "graph/calls.hpp"
#include "graph/handle.hpp"

namespace tyto::inline v1 {
using namespace graph;
namespace {

constexpr std::size_t longest_text = 400;  // a shared graph written as a tree may be exponentially long
constexpr int deepest = 64;                // and a long sum nests as deeply as it has terms

class Writer {
 public:
  explicit Writer(const Store& store) : store_(store) {}

  std::string text(NodeId id, const Indices& labels) {
    if (written_ > longest_text || depth_ > deepest) {
      written_ += 3;
      return "...";
    }
    ++depth_;
    const std::string result =
        std::visit([&](const auto& operation) { return write(operation, store_[id], labels); }, store_[id].operation);
    --depth_;
    if (store_[id].operands.empty()) written_ += result.size();  // the others are made of these
    return result;
  }

 private:
  static std::string call(const std::string& name, const Indices& labels) {
    return labels.empty() ? name : fmt::format("{}({})", name, graph::listed(labels));
  }
  Index label_of(DimensionId d, const Indices& taken) const {
    // A label over the dimension that nothing around uses.
    Index label(store_.shared_dimension(d), store_(d).name);
    while (std::any_of(taken.begin(), taken.end(), [&](const Index& t) { return t.name() == label.name(); })) label = label.prime();
    return label;
  }

  std::string write(const Leaf& leaf, const Node&, const Indices& labels) { return call(leaf.name, labels); }
  std::string write(const Fill& fill, const Node&, const Indices&) { return fmt::format("{}", fill.value); }
  std::string write(const Identity&, const Node&, const Indices& labels) { return call("I", labels); }
  std::string write(const Einsum& e, const Node& node, const Indices& labels) {
    std::vector<Index> names(static_cast<std::size_t>(einsum::label_count(e.subscripts)));
    std::vector<char> named(names.size(), 0);
    Indices taken = labels, summed;
    for (std::size_t k = 0; k < labels.size(); ++k) {
      names[static_cast<std::size_t>(e.subscripts.output[k])] = labels[k];
      named[static_cast<std::size_t>(e.subscripts.output[k])] = 1;
    }
    std::vector<std::string> factors;
    std::vector<int> powers;
    std::vector<char> composed;  // and so ambiguous under an exponent
    for (std::size_t k = 0; k < node.operands.size(); ++k) {
      Indices of_operand;
      for (std::size_t axis = 0; axis < e.subscripts.inputs[k].size(); ++axis) {
        const auto label = static_cast<std::size_t>(e.subscripts.inputs[k][axis]);
        if (named[label] == 0) {
          names[label] = label_of(store_[node.operands[k]].shape[axis], taken);
          named[label] = 1;
          taken.push_back(names[label]);
          summed.push_back(names[label]);
        }
        of_operand.push_back(names[label]);
      }
      const bool is_again =
          k > 0 && node.operands[k] == node.operands[k - 1] && e.subscripts.inputs[k] == e.subscripts.inputs[k - 1];
      if (is_again) {
        ++powers.back();
        continue;
      }
      const Node& operand = store_[node.operands[k]];
      const std::string factor = text(node.operands[k], of_operand);
      factors.push_back(is_sum(operand) ? "(" + factor + ")" : factor);
      powers.push_back(1);
      composed.push_back(is<Einsum>(operand) || is<Power>(operand) ? 1 : 0);
    }
    std::string product;
    for (std::size_t k = 0; k < factors.size(); ++k) {
      const bool is_open = powers[k] > 1 ? composed[k] != 0 : k + 1 < factors.size() && factors[k].rfind("sum[", 0) == 0;
      product += (k == 0 ? "" : "*") + (is_open ? "(" + factors[k] + ")" : factors[k]) +
                 (powers[k] > 1 ? fmt::format("^{}", powers[k]) : "");
    }
    return summed.empty() ? product : fmt::format("sum[{}] {}", graph::listed(summed), product);
  }
  std::string write(const Combination& c, const Node& node, const Indices& labels) {
    std::string result;
    for (std::size_t k = 0; k < node.operands.size(); ++k) {
      const double value = c.coefficients[k], size = value < 0 ? -value : value;
      result += k == 0 ? (value < 0 ? "-" : "") : (value < 0 ? " - " : " + ");
      if (size != 1) result += fmt::format("{}*", size);
      const std::string term = text(node.operands[k], labels);
      result += is_sum(store_[node.operands[k]]) && (size != 1 || value < 0) ? "(" + term + ")" : term;
    }
    return result;
  }
  /// A sum or a scaled term, which stands in parentheses where something binds tighter.
  static bool is_sum(const Node& node) { return is<Combination>(node); }
  std::string write(const ImaginaryUnit&, const Node&, const Indices&) { return "i"; }
  std::string write(const Triangle&, const Node&, const Indices& labels) { return call("triangle", labels); }
  /// Operands of the shape of the result, under its labels.
  std::string write(const Map& m, const Node& node, const Indices& labels) {
    std::string operands;
    for (const NodeId operand : node.operands) operands += (operands.empty() ? "" : ", ") + text(operand, labels);
    return fmt::format("{}({})", operation::name_of(m.function), operands);
  }
  std::string write(const Softmax& s, const Node& node, const Indices& labels) {
    const Indices over(labels.end() - s.reduced, labels.end());
    return fmt::format("softmax[{}]({})", graph::listed(over), text(node.operands[0], labels));
  }
  std::string write(const LogSumExp& l, const Node& node, const Indices& labels) {
    Indices all = labels;
    const Shape& shape = store_[node.operands[0]].shape;
    for (std::size_t axis = labels.size(); axis < shape.size(); ++axis) all.push_back(label_of(shape[axis], all));
    const Indices over(all.end() - l.reduced, all.end());
    return fmt::format("logsumexp[{}]({})", graph::listed(over), text(node.operands[0], all));
  }
  std::string write(const Slice& s, const Node& node, const Indices& labels) {
    return placed("slice", s.axis, s.first, s.step, node, labels);
  }
  std::string write(const Pad& p, const Node& node, const Indices& labels) {
    return placed("pad", p.axis, p.first, p.step, node, labels);
  }
  std::string placed(const char* name, std::int32_t axis, std::int64_t first, std::int64_t step, const Node& node, Indices labels) {
    Index& moved = labels[static_cast<std::size_t>(axis)];
    const std::string target = moved.name();
    moved = label_of(store_[node.operands[0]].shape[static_cast<std::size_t>(axis)], labels);
    return fmt::format("{}[{}={}+{}{}]({})", name, moved.name(), first, step == 1 ? "" : fmt::format("{}*", step), target,
                       text(node.operands[0], labels));
  }
  /// The rest are functions of whole tensors: operands under labels of their own, those of the result outside.
  template <class Other>
  std::string write(const Other& operation, const Node& node, const Indices& labels) {
    std::string operands;
    for (const NodeId operand : node.operands) {
      Indices own;
      for (const DimensionId d : store_[operand].shape) own.push_back(label_of(d, own));
      operands += (operands.empty() ? "" : ", ") + text(operand, own);
    }
    return call(fmt::format("{}({})", as_call(operation)->name, operands), labels);
  }
  std::string write(const Power& p, const Node& node, const Indices& labels) {
    return fmt::format("({})^{}", text(node.operands[0], labels), p.exponent);
  }
  std::string write(const Inverse&, const Node& node, const Indices& labels) {
    return fmt::format("inverse({})", text(node.operands[0], labels));
  }
  std::string write(const Solve& s, const Node& node, const Indices& labels) {
    const Shape& matrix = store_[node.operands[0]].shape;
    const auto batch_end = labels.begin() + s.batch;
    const auto columns_end = batch_end + static_cast<std::ptrdiff_t>(matrix.size()) - s.batch - s.rows;
    Indices taken = labels, of_matrix(labels.begin(), batch_end), of_right(labels.begin(), batch_end);
    for (std::int32_t k = 0; k < s.rows; ++k) {
      const Index row = label_of(matrix[static_cast<std::size_t>(s.batch + k)], taken);
      taken.push_back(row), of_matrix.push_back(row), of_right.push_back(row);
    }
    of_matrix.insert(of_matrix.end(), batch_end, columns_end);
    of_right.insert(of_right.end(), columns_end, labels.end());
    return fmt::format("{}({}, {})", operation::is_linear(s.system) ? "solve" : "solve_nonnegative",
                       text(node.operands[0], of_matrix), text(node.operands[1], of_right));
  }

  const Store& store_;
  std::size_t written_ = 0;
  int depth_ = 0;
};

}  // namespace

std::string Expr::text() const {
  if (store_) return Writer(*store_).text(id_, shape_);
  if (constant_.imag() == 0) return fmt::format("{}", constant_.real());
  return fmt::format("({}{:+}i)", constant_.real(), constant_.imag());
}

}  // namespace tyto::inline v1
