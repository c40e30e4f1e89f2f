#pragma once
/// Words, numbers and signs of the expression language.
#include "language/source.hpp"

namespace tyto::language {

struct Token {
  enum class Kind { name, number, sign, end };
  Kind kind = Kind::end;
  Span span = {};
  std::string text = {};
  double number = 0;

  bool is(const char* sign) const { return kind == Kind::sign && text == sign; }
};

/// The tokens, `end` last. Names are letters, digits and _, not beginning with a digit; one dot may stand within ("X.weights").
/// Throws Error{syntax} at the first character that begins no token.
std::vector<Token> tokens_of(const Source&);

}  // namespace tyto::language
