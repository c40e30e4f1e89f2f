/// Reading the text form of graphs, line by line; what a line means is in graph/text.hpp.
#include <algorithm>
#include <cctype>
#include <charconv>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include "error/fail.hpp"
#include "graph/build.hpp"
#include "graph/calls.hpp"
#include "graph/text.hpp"

namespace tyto::graph {
namespace {

/// An operand as written: a name (or I, fill, triangle, imaginary) and its labels.
struct Written {
  enum class Kind { node, identity, fill, triangle, imaginary } kind = Kind::node;
  std::string name;
  double value = 0;  // of a fill, on the diagonal of a triangle
  std::vector<std::string> labels;
};

class Parser {
 public:
  explicit Parser(const std::string& text) : text_(text) { graph_.store = std::make_shared<Store>(); }

  Graph graph() {
    while (at_ < text_.size()) {
      skip_spaces();
      if (peek() == '#') {
        while (at_ < text_.size() && peek() != '\n') ++at_;
      } else if (peek() != '\n' && at_ < text_.size()) {
        statement();
        skip_spaces();
        if (at_ < text_.size() && peek() != '\n' && peek() != '#') unexpected("the end of the line");
        if (peek() == '#') continue;
      }
      if (at_ < text_.size()) ++at_, ++line_, line_start_ = at_;
    }
    return std::move(graph_);
  }

 private:
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  void skip_spaces() {
    while (peek() == ' ' || peek() == '\t') ++at_;
  }
  bool accept(const std::string& token) {
    skip_spaces();
    if (text_.compare(at_, token.size(), token) != 0) return false;
    at_ += token.size();
    return true;
  }
  void expect(const std::string& token) {
    if (!accept(token)) unexpected("'" + token + "'");
  }
  Where here() const {
    return {"", line_, static_cast<int>(at_ - line_start_) + 1,
            text_.substr(line_start_, text_.find('\n', line_start_) - line_start_)};
  }
  [[noreturn]] void refuse(Code code, const std::string& what, const std::string& expected = {},
                           const std::string& found = {}) const {
    fail({.code = code, .where = here(), .what = what, .expected = expected, .found = found});
  }
  [[noreturn]] void unexpected(const std::string& expected) const {
    refuse(Code::syntax, "the graph text cannot be read here", expected,
           at_ < text_.size() && peek() != '\n' ? fmt::format("'{}'", peek()) : "the end of the line");
  }
  std::string word() {
    skip_spaces();
    if (peek() == '`') {
      const std::size_t end = text_.find('`', at_ + 1);
      if (end == std::string::npos) unexpected("a closing `");
      std::string name = text_.substr(at_ + 1, end - at_ - 1);
      at_ = end + 1;
      return name;
    }
    const std::size_t start = at_;
    while (std::isalnum(static_cast<unsigned char>(peek())) != 0 || peek() == '_' || peek() == '.') ++at_;
    if (at_ == start) unexpected("a name");
    return text_.substr(start, at_ - start);
  }
  std::string label() {
    skip_spaces();
    const std::size_t start = at_;
    while (std::isalnum(static_cast<unsigned char>(peek())) != 0 || peek() == '_') ++at_;
    if (at_ == start) unexpected("a label");
    while (peek() == '\'') ++at_;
    return text_.substr(start, at_ - start);
  }
  template <class Number>
  Number number() {
    skip_spaces();
    Number value{};
    const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    if (error != std::errc{}) unexpected("a number");
    at_ = static_cast<std::size_t>(end - text_.data());
    return value;
  }
  bool at_number() {
    skip_spaces();
    return std::isdigit(static_cast<unsigned char>(peek())) != 0 || peek() == '.';
  }

  static std::string base_of(const std::string& label) { return label.substr(0, label.find('\'')); }
  DimensionId dimension(const std::string& label) const {
    const auto known = dimensions_.find(base_of(label));
    if (known == dimensions_.end())
      refuse(Code::label, fmt::format("label {} has no extent", label),
             fmt::format("{}=EXTENT where it is first used", base_of(label)));
    return known->second;
  }
  Shape shape_of(const std::vector<std::string>& labels) const {
    Shape shape;
    for (const std::string& l : labels) shape.push_back(dimension(l));
    return shape;
  }
  /// "(i=3,j,r=2..8)": labels, which may bring extents.
  std::vector<std::string> labels(const std::string& open, const std::string& close) {
    std::vector<std::string> list = labels_from(open, close);
    if (!closed_) expect(close);
    return list;
  }
  /// The same, up to the closing token or what stands where it is expected; `closed_` says which.
  std::vector<std::string> labels_from(const std::string& open, const std::string& close) {
    std::vector<std::string> list;
    expect(open);
    closed_ = accept(close);
    if (closed_) return list;
    do {
      list.push_back(label());
      if (!accept("=")) continue;
      const auto extent = number<std::int64_t>();
      const bool varies = accept("..");
      const auto capacity = varies ? number<std::int64_t>() : extent;
      if (extent < 0 || capacity < extent || (varies && extent < 1))
        refuse(Code::out_of_range, "an extent is out of range", "0 or more; START..CAPACITY with 1 <= START <= CAPACITY");
      const auto made = std::make_shared<const Dimension>(Dimension{base_of(list.back()), extent, capacity, varies});
      if (!dimensions_.try_emplace(base_of(list.back()), graph_.store->dimension(made)).second)
        refuse(Code::label, fmt::format("label {} has an extent already", list.back()));
    } while (accept(","));
    closed_ = accept(close);
    return list;
  }
  /// "; symmetric i j; orthonormal r)", what is known of a leaf with these labels.
  LeafFacts facts(const std::vector<std::string>& axes) {
    LeafFacts known;
    while (!closed_ && accept(";")) {
      const std::string fact = word();
      if (fact != "symmetric" && fact != "orthonormal")
        refuse(Code::unknown_word, "this is no fact of a tensor", "symmetric, orthonormal", fact);
      std::vector<std::int32_t> named;
      for (skip_spaces(); peek() != ';' && peek() != ')'; skip_spaces()) {
        const std::string name = label();
        const auto at = std::find(axes.begin(), axes.end(), name);
        if (at == axes.end()) refuse(Code::label, fmt::format("a fact names label {}, which the tensor does not have", name));
        named.push_back(static_cast<std::int32_t>(at - axes.begin()));
      }
      for (const std::int32_t axis : named)
        if (fact == "symmetric" && graph_.store->extent(dimension(axes[static_cast<std::size_t>(axis)])) !=
                                       graph_.store->extent(dimension(axes[static_cast<std::size_t>(named[0])])))
          refuse(Code::extent, "symmetric labels have different extents");
      if (fact == "symmetric") known.symmetric.push_back(named);
      else known.orthonormal = named;
    }
    if (!closed_) expect(")");
    return known;
  }

  Written operand() {
    Written w;
    skip_spaces();
    const bool is_quoted = peek() == '`';  // then it is no keyword
    w.name = word();
    if (!is_quoted && w.name == "I") w.kind = Written::Kind::identity;
    if (!is_quoted && w.name == "fill") w.kind = Written::Kind::fill;
    if (!is_quoted && w.name == "triangle") w.kind = Written::Kind::triangle;
    if (!is_quoted && w.name == "imaginary") w.kind = Written::Kind::imaginary;
    if (w.kind != Written::Kind::fill && w.kind != Written::Kind::triangle) {
      w.labels = labels("(", ")");
      if (w.kind == Written::Kind::identity && w.labels.size() != 2)
        refuse(Code::shape, "I has two labels", "I(i,i')", fmt::format("{} labels", w.labels.size()));
      return w;
    }
    expect("(");
    const double sign = accept("-") ? -1 : 1;
    w.value = sign * number<double>();
    if (accept(")")) return w;
    --at_;  // labels() wants an opening token; the separator serves as one
    if (!accept(";")) ++at_, expect(";");
    --at_;
    w.labels = labels(";", ")");
    if (w.kind == Written::Kind::triangle && w.labels.size() != 2)
      refuse(Code::shape, "triangle has two labels", "triangle(1; i,i')", fmt::format("{} labels", w.labels.size()));
    return w;
  }
  NodeId node(const Written& w) {
    if (w.kind == Written::Kind::identity)
      return in_line([&] { return identity(*graph_.store, dimension(w.labels[0]), dimension(w.labels[1])); });
    if (w.kind == Written::Kind::fill) return fill(*graph_.store, w.value, shape_of(w.labels));
    if (w.kind == Written::Kind::triangle) return graph_.store->insert_source(Triangle{w.value}, shape_of(w.labels));
    if (w.kind == Written::Kind::imaginary) return graph_.store->insert_source(ImaginaryUnit{}, {});
    const auto known = nodes_.find(w.name);
    if (known == nodes_.end()) refuse(Code::unknown_word, fmt::format("nothing is called {}", w.name));
    const Shape& shape = (*graph_.store)[known->second].shape;
    if (shape.size() != w.labels.size())
      refuse(Code::shape, fmt::format("{} has another order", w.name), fmt::format("{} labels", shape.size()),
             fmt::format("{}", w.labels.size()));
    for (std::size_t axis = 0; axis < shape.size(); ++axis) {
      const auto named = dimensions_.find(base_of(w.labels[axis]));  // labels of a product need no dimension of their name
      if (named != dimensions_.end() && !graph_.store->fits(named->second, shape[axis]))
        refuse(Code::extent, fmt::format("label {} does not fit axis {} of {}", w.labels[axis], axis, w.name),
               described(shape[axis]), described(named->second));
    }
    return known->second;
  }
  std::string described(DimensionId d) const { return fmt::format("{}={}", (*graph_.store)(d).name, graph_.store->extent(d)); }
  template <class Body>
  NodeId in_line(Body&& body) const {
    return with_context(fmt::format("while reading line {} of the graph text", line_), body);
  }
  NodeId inserted(Operation operation, std::vector<NodeId> operands) {
    return in_line([&] { return graph_.store->insert(std::move(operation), std::move(operands)); });
  }
  void define(const std::string& name, NodeId node) {
    if (!nodes_.try_emplace(name, node).second)
      refuse(Code::duplicate_key, fmt::format("{} is there already", name), "a name of its own for each line");
  }
  void check_left(const std::vector<std::string>& left, const std::vector<std::string>& right) const {
    if (left != right)
      refuse(Code::label, "the left side has other labels than the right side gives", fmt::format("({})", fmt::join(right, ",")),
             fmt::format("({})", fmt::join(left, ",")));
  }

  void statement() {
    const bool is_quoted = peek() == '`';
    const std::string first = word();
    if (!is_quoted && first == "output") {
      Output output{word(), -1};
      expect("=");
      const std::string name = word();
      const auto known = nodes_.find(name);
      if (known == nodes_.end()) refuse(Code::unknown_word, fmt::format("nothing is called {}", name));
      output.node = known->second;
      graph_.outputs.push_back(output);
    } else if (!is_quoted && first == "dimension") {
      labels("(", ")");
    } else if (peek() == '(') {
      const std::vector<std::string> left = labels("(", ")");
      expect("=");
      define(first, right_side(left));
    } else {
      leaves(first);
    }
  }

  void leaves(const std::string& first) {
    const bool is_complex = first == "complex";
    const std::string role_name = is_complex ? word() : first;
    for (const Role role : {Role::data, Role::weights, Role::unknown, Role::state, Role::parameter, Role::constant, Role::input}) {
      if (role_name != name_of(role)) continue;
      do {
        const std::string name = word();
        const std::vector<std::string> axes = labels_from("(", ")");
        const LeafFacts known = facts(axes);
        define(name, graph_.store->insert_source(
                         Leaf{name, role, std::make_shared<const char>('\0'), is_complex ? Field::complex : Field::real, known},
                         shape_of(axes)));
        skip_spaces();
      } while (peek() != '\n' && peek() != '#' && at_ < text_.size());
      return;
    }
    refuse(Code::unknown_word, fmt::format("'{}' begins no statement", role_name),
           "data, weights, unknown, state, parameter, constant, input, dimension, output or NAME(labels) =");
  }

  NodeId right_side(const std::vector<std::string>& left) {
    if (accept("solve+[")) return solve(left, operation::System::semidefinite);
    if (accept("solve_symmetric[")) return solve(left, operation::System::symmetric);
    if (accept("solve_definite[")) return solve(left, operation::System::positive_definite);
    if (accept("solve_nonnegative[")) return solve(left, operation::System::nonnegative);
    if (accept("solve[")) return solve(left, operation::System::general);
    if (accept("inverse[")) return inverse(left);
    if (at_call()) return call(left);
    einsum::Pair pair;
    const bool has_pair = accept_pair(pair);
    const bool negative = !has_pair && accept("-");
    if (!has_pair && (negative || at_number())) return sum(left, negative ? -1 : 1, {});
    const Written first = operand();
    skip_spaces();
    const bool ends = peek() == '\n' || peek() == '\0' || peek() == '#';
    if (!has_pair && first.kind != Written::Kind::node && first.labels == left && ends) return node(first);
    if (!has_pair && accept("^")) {
      const double sign = accept("-") ? -1 : 1;
      const double exponent = sign * number<double>();
      check_left(left, first.labels);
      return inserted(Power{exponent}, {node(first)});
    }
    skip_spaces();
    if (!has_pair && (peek() == '+' || peek() == '-')) return sum(left, 1, {first});
    std::vector<Written> operands{first};
    while (accept("*")) operands.push_back(operand());
    return product(left, operands, pair);
  }

  /// Whether a call begins here: its name is not quoted and is followed by a bracket.
  bool at_call() {
    skip_spaces();
    std::size_t end = at_;
    while (end < text_.size() &&
           (std::isalnum(static_cast<unsigned char>(text_[end])) != 0 || text_[end] == '_' || text_[end] == '.'))
      ++end;
    return end < text_.size() && (text_[end] == '[' || text_[end] == '(') && is_call_name(text_.substr(at_, end - at_));
  }
  /// name[parameters](operand, ...); the labels on the left say which dimensions the result has.
  NodeId call(const std::vector<std::string>& left) {
    Call call{word(), {}};
    if (accept("[")) {
      do call.parameters.push_back(number<std::int64_t>());
      while (accept(","));
      expect("]");
    }
    std::vector<NodeId> operands;
    expect("(");
    do operands.push_back(node(operand()));
    while (accept(","));
    expect(")");
    const Shape result = shape_of(left);
    const std::optional<Operation> operation = from_call(call, result);
    if (!operation) refuse(Code::syntax, fmt::format("{} has other parameters", call.name));
    const NodeId made = inserted(*operation, std::move(operands));
    if (!graph_.store->fits((*graph_.store)[made].shape, result))
      refuse(Code::extent, fmt::format("the result of {} has other extents than the left side", call.name));
    return made;
  }

  bool accept_pair(einsum::Pair& pair) {
    static const std::pair<const char*, einsum::Reduce> reductions[] = {
        {"sum,", einsum::Reduce::sum}, {"min,", einsum::Reduce::min}, {"max,", einsum::Reduce::max}};
    for (const auto& [token, reduce] : reductions) {
      if (!accept(token)) continue;
      pair.reduce = reduce;
      if (accept("sum:")) pair.combine = einsum::Combine::sum;
      else if (!accept("product:")) unexpected("'sum:' or 'product:'");
      return true;
    }
    return false;
  }

  NodeId product(const std::vector<std::string>& left, const std::vector<Written>& operands, einsum::Pair pair) {
    std::map<std::string, einsum::Label> numbers;
    const auto numbered = [&](const std::vector<std::string>& names) {
      einsum::Labels list;
      for (const std::string& name : names)
        list.push_back(numbers.try_emplace(name, static_cast<einsum::Label>(numbers.size())).first->second);
      return list;
    };
    Einsum e{{{}, numbered(left)}, pair};
    std::vector<NodeId> nodes;
    for (const Written& w : operands) nodes.push_back(node(w)), e.subscripts.inputs.push_back(numbered(w.labels));
    return inserted(std::move(e), std::move(nodes));
  }

  /// The rest of a combination, after its first sign and, if it was read already, its first operand.
  NodeId sum(const std::vector<std::string>& left, double sign, std::vector<Written> first) {
    Combination c;
    std::vector<NodeId> nodes;
    for (;;) {
      double coefficient = sign;
      if (first.empty()) {
        if (at_number()) {
          coefficient *= number<double>();
          expect("*");
        }
        first.push_back(operand());
      }
      if (first[0].labels != left) refuse(Code::label, "a term of a sum has other labels than the left side");
      c.coefficients.push_back(coefficient);
      nodes.push_back(node(first[0]));
      first.clear();
      if (accept("+")) sign = 1;
      else if (accept("-")) sign = -1;
      else return inserted(std::move(c), std::move(nodes));
    }
  }

  /// How many labels stand before the rows; the rows must follow each other. Without rows, those that the right side has too.
  std::size_t batch_of(const Written& matrix, const std::vector<std::string>& rows, const std::vector<std::string>& others) const {
    const std::vector<std::string>& labels = matrix.labels;
    if (rows.empty()) {
      std::size_t shared = 0;
      while (shared < labels.size() && std::find(others.begin(), others.end(), labels[shared]) != others.end()) ++shared;
      return shared;
    }
    const auto first = std::search(labels.begin(), labels.end(), rows.begin(), rows.end());
    if (first == labels.end())
      refuse(Code::label, "the rows are no neighbouring labels of the matrix", fmt::format("({})", fmt::join(labels, ",")),
             fmt::format("[{}]", fmt::join(rows, ",")));
    return static_cast<std::size_t>(first - labels.begin());
  }

  NodeId inverse(const std::vector<std::string>& left) {
    --at_;
    const std::vector<std::string> rows = labels("[", "]");
    expect("(");
    const Written matrix = operand();
    expect(")");
    check_left(left, matrix.labels);
    const std::size_t batch = batch_of(matrix, rows, matrix.labels);
    return inserted(Inverse{static_cast<std::int32_t>(batch), static_cast<std::int32_t>(rows.size())}, {node(matrix)});
  }

  NodeId solve(const std::vector<std::string>& left, operation::System system) {
    --at_;
    const std::vector<std::string> rows = labels("[", "]");
    expect("(");
    const Written matrix = operand();
    expect(",");
    const Written right = operand();
    expect(")");
    const std::size_t batch = batch_of(matrix, rows, right.labels), leading = batch + rows.size();
    const auto same = [&] {
      return std::equal(right.labels.begin(), right.labels.begin() + static_cast<std::ptrdiff_t>(leading), matrix.labels.begin());
    };
    if (right.labels.size() < leading || !same())
      refuse(
          Code::label, "the right side of a solve begins with the batch and row labels of its matrix",
          fmt::format("({})", fmt::join(matrix.labels.begin(), matrix.labels.begin() + static_cast<std::ptrdiff_t>(leading), ",")),
          fmt::format("({})", fmt::join(right.labels, ",")));
    std::vector<std::string> result(matrix.labels.begin(), matrix.labels.begin() + static_cast<std::ptrdiff_t>(batch));
    result.insert(result.end(), matrix.labels.begin() + static_cast<std::ptrdiff_t>(leading), matrix.labels.end());
    result.insert(result.end(), right.labels.begin() + static_cast<std::ptrdiff_t>(leading), right.labels.end());
    check_left(left, result);
    return inserted(Solve{static_cast<std::int32_t>(batch), static_cast<std::int32_t>(rows.size()), system},
                    {node(matrix), node(right)});
  }

  const std::string& text_;
  std::size_t at_ = 0, line_start_ = 0;
  bool closed_ = false;  ///< the last list of labels ended with its closing token
  int line_ = 1;
  Graph graph_;
  std::map<std::string, NodeId> nodes_;
  std::map<std::string, DimensionId> dimensions_;
};

}  // namespace

Graph parse(const std::string& text) { return Parser(text).graph(); }

}  // namespace tyto::graph
