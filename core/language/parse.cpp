#include "language/parse.hpp"
#include <algorithm>
#include <iterator>
#include <utility>
#include <fmt/format.h>
#include "error/fail.hpp"
#include "language/token.hpp"

namespace tyto::language {

namespace {

constexpr int deepest = 100;  // levels of parentheses and signs: each takes a part of the stack

class Parser {
 public:
  explicit Parser(const Source& source) : source_(source), tokens_(tokens_of(source)) {}

  Node expression() {
    if (peek().kind == Token::Kind::end)
      refuse("the expression is empty", "a name, a number or '('", "0.5 * norm2(X[i,j] - A[i,r] * B[j,r])");
    Node root = sum();
    if (peek().kind != Token::Kind::end) refuse_rest();
    return root;
  }

  Node left_side() {
    if (peek().kind != Token::Kind::name) refuse("a definition begins with its name", "a name", "model[i,j]: ...");
    const Token name = take();
    Node node{.kind = Kind::tensor, .span = name.span, .name = name.text};
    if (peek().is("[")) labels_of(node);
    if (peek().kind != Token::Kind::end)
      refuse("a definition has a name and labels in brackets", "the end of the name", "model[i,j]: ...");
    return node;
  }

 private:
  const Token& peek() const { return tokens_[at_]; }
  Token take() { return tokens_[at_++]; }
  bool accept(const char* sign) {
    if (!peek().is(sign)) return false;
    ++at_;
    return true;
  }
  std::string found() const {
    return peek().kind == Token::Kind::end ? "the end of the expression" : fmt::format("'{}'", text_of(source_, peek().span));
  }
  [[noreturn]] void refuse(const std::string& what, const std::string& expected, const std::string& hint = {}) const {
    fail({.code = Code::syntax,
          .where = where(source_, peek().span),
          .what = what,
          .expected = expected,
          .found = found(),
          .hint = hint});
  }

  [[noreturn]] void refuse_rest() const {
    if (peek().is(")") || peek().is("]"))
      refuse(fmt::format("a '{}' that nothing opened", peek().text), "an operator or the end", "removing it");
    if (peek().is(","))
      refuse("a comma outside of brackets and of a function's arguments", "an operator or the end",
             "a '.' if it is a decimal comma");
    if (peek().is("[")) refuse("labels belong to a name or stand behind ')'", "an operator or the end", "X[i,j] or (...)[i,j]");
    refuse("two operands without an operator between them", "an operator or the end", "'*' between them");
  }

  void close(const char* sign, const Token& open, const std::string& expected) {
    if (accept(sign)) return;
    const bool is_over = peek().kind == Token::Kind::end;
    fail({.code = Code::syntax,
          .where = where(source_, is_over ? open.span : peek().span),
          .what =
              is_over ? fmt::format("this '{}' is never closed", open.text) : fmt::format("a '{}' or an operator is missing", sign),
          .expected = expected,
          .found = found(),
          .hint = fmt::format("a '{}'", sign)});
  }

  /// Counts levels while it lives.
  class Level {
   public:
    explicit Level(Parser& parser) : parser_(parser) {
      if (++parser_.depth_ > deepest)
        parser_.refuse(fmt::format("more than {} levels of parentheses and signs", deepest), "a flatter expression",
                       "names for its parts under 'define'");
    }
    ~Level() { --parser_.depth_; }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;

   private:
    Parser& parser_;
  };

  /// A node that ends with the token before this one.
  Node whole(Kind kind, std::int64_t begin, std::vector<Node> operands, std::vector<char> is_opposite) const {
    return {.kind = kind,
            .span = {begin, tokens_[at_ - 1].span.end},
            .operands = std::move(operands),
            .is_opposite = std::move(is_opposite)};
  }

  Node sum() {
    const std::int64_t begin = peek().span.begin;
    std::vector<Node> operands{product()};
    std::vector<char> is_opposite{0};
    while (peek().is("+") || peek().is("-")) {
      is_opposite.push_back(take().text == "-" ? 1 : 0);
      operands.push_back(product());
    }
    if (operands.size() == 1) return std::move(operands.front());
    return whole(Kind::sum, begin, std::move(operands), std::move(is_opposite));
  }

  Node product() {
    const std::int64_t begin = peek().span.begin;
    std::vector<Node> factors;
    std::vector<char> is_opposite;
    bool divides = false;
    do {
      divides = !factors.empty() && tokens_[at_ - 1].is("/");
      Node factor = signed_operand();
      if (factor.kind != Kind::product || divides) {
        factors.push_back(std::move(factor));
        is_opposite.push_back(divides ? 1 : 0);
        continue;
      }
      std::move(factor.operands.begin(), factor.operands.end(), std::back_inserter(factors));
      is_opposite.insert(is_opposite.end(), factor.is_opposite.begin(), factor.is_opposite.end());
    } while (accept("*") || accept("/"));
    if (factors.size() == 1 && is_opposite.front() == 0) return std::move(factors.front());
    return whole(Kind::product, begin, std::move(factors), std::move(is_opposite));
  }

  Node signed_operand() {
    const Level level(*this);
    if (accept("+")) return signed_operand();
    if (!peek().is("-")) return power();
    const Token sign = take();
    Node operand = signed_operand();
    Node minus{.kind = Kind::number, .span = sign.span, .number = -1};
    if (operand.kind == Kind::number) {
      operand.number = -operand.number;
      operand.span.begin = sign.span.begin;
      return operand;
    }
    const std::int64_t end = operand.span.end;
    if (operand.kind == Kind::product) {
      operand.operands.insert(operand.operands.begin(), std::move(minus));
      operand.is_opposite.insert(operand.is_opposite.begin(), 0);
    } else {
      operand = {.kind = Kind::product, .operands = {std::move(minus), Node(operand)}, .is_opposite = {0, 0}};
    }
    operand.span = {sign.span.begin, end};
    return operand;
  }

  Node power() {
    const std::int64_t begin = peek().span.begin;
    Node base = operand();
    if (!accept("^")) return base;
    Node exponent = signed_operand();
    return whole(Kind::power, begin, {std::move(base), std::move(exponent)}, {});
  }

  Node operand() {
    if (peek().kind == Token::Kind::number) {
      const Token number = take();
      return {.kind = Kind::number, .span = number.span, .number = number.number};
    }
    if (peek().kind == Token::Kind::name) return named();
    if (peek().is("(")) return parenthesized();
    const bool is_over = peek().kind == Token::Kind::end;
    refuse(is_over ? "the expression ends too early" : "an operand is missing", "a name, a number or '('");
  }

  Node parenthesized() {
    const Token open = take();
    Node inner = sum();
    close(")", open, "')' or an operator");
    if (!peek().is("[")) return inner;
    Node node{.kind = Kind::labelled, .span = open.span, .operands = {std::move(inner)}};
    labels_of(node);
    return node;
  }

  Node named() {
    const Token name = take();
    Node node{.kind = Kind::tensor, .span = name.span, .name = name.text};
    if (peek().is("[")) labels_of(node);
    if (!peek().is("(")) return node;
    const Token open = take();
    node.kind = Kind::call;
    if (peek().is(")")) refuse(fmt::format("{}() has no argument", node.name), "an expression");
    do node.operands.push_back(sum());
    while (accept(","));
    close(")", open, "')', ',' or an operator");
    node.span.end = tokens_[at_ - 1].span.end;
    return node;
  }

  void labels_of(Node& node) {
    const Token open = take();
    node.has_brackets = true;
    while (!peek().is("]")) {
      if (!node.labels.empty() && !accept(",")) {
        if (peek().kind == Token::Kind::name) refuse("labels are separated by commas", "',' or ']'", "a ','");
        close("]", open, "',' or ']'");
      }
      if (peek().kind != Token::Kind::name)
        refuse("a label is missing", "a name such as i",
               peek().kind == Token::Kind::number ? "a label; single entries cannot be named" : "");
      const Token label = take();
      node.labels.push_back({label.text, label.span});
    }
    node.span.end = take().span.end;
  }

  const Source& source_;
  std::vector<Token> tokens_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace

Node parse(const Source& source) { return Parser(source).expression(); }
Node parse_name(const Source& source) { return Parser(source).left_side(); }

}  // namespace tyto::language
