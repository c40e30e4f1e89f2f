#include "language/token.hpp"
#include <charconv>
#include <string_view>
#include <fmt/format.h>
#include "error/fail.hpp"

namespace tyto::language {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

/// Signs of other languages and of print, and what they are here.
struct Foreign {
  std::string_view sign, ours;
};
constexpr Foreign foreign_signs[] = {
    {"**", "^"},        {".*", "*"},        {"@", "*, which sums repeated labels"},
    {"\xC2\xB7", "*"},  {"\xC3\x97", "*"},  {"\xE2\x88\x92", "-"},
    {"\xC2\xB2", "^2"}, {"\xC2\xB3", "^3"}, {"\xE2\x80\x93", "-"},
    {"{", "( or ["},    {"}", ") or ]"},    {"=", "the right side alone; names are given under 'define'"},
};

class Reader {
 public:
  explicit Reader(const Source& source) : source_(source), text_(source.text) {}

  std::vector<Token> run() {
    std::vector<Token> tokens;
    do {
      while (at_ < size() && (peek() == ' ' || peek() == '\t' || peek() == '\n' || peek() == '\r')) ++at_;
      const std::int64_t begin = at_;
      Token token = at_ == size() ? Token{} : next();
      token.span = {begin, at_};
      if (token.kind != Token::Kind::number) token.text = text_of(source_, token.span);
      tokens.push_back(std::move(token));
    } while (tokens.back().kind != Token::Kind::end);
    return tokens;
  }

 private:
  std::int64_t size() const { return static_cast<std::int64_t>(text_.size()); }
  char peek(std::int64_t ahead = 0) const { return at_ + ahead < size() ? text_[static_cast<std::size_t>(at_ + ahead)] : '\0'; }

  Token next() {
    if (is_letter(peek())) return name();
    if (is_digit(peek()) || (peek() == '.' && is_digit(peek(1)))) return number();
    const bool is_foreign = text_.compare(static_cast<std::size_t>(at_), 2, "**") == 0;
    if (is_foreign || std::string_view("+-*/^()[],").find(peek()) == std::string_view::npos || peek() == '\0') refuse();
    ++at_;
    return {.kind = Token::Kind::sign};
  }

  Token name() {
    const auto skip = [&] {
      while (is_letter(peek()) || is_digit(peek())) ++at_;
    };
    skip();
    if (peek() == '.' && is_letter(peek(1))) {
      ++at_;
      skip();
    }
    return {.kind = Token::Kind::name};
  }

  Token number() {
    Token token{.kind = Token::Kind::number};
    const char* const start = text_.data() + at_;
    const auto [end, error] = std::from_chars(start, text_.data() + text_.size(), token.number);
    if (error != std::errc{}) {
      const Span span{at_, at_ + (end - start)};
      fail({.code = Code::out_of_range,
            .where = where(source_, span),
            .what = "the number does not fit double precision",
            .found = text_of(source_, span)});
    }
    at_ += end - start;
    return token;
  }

  [[noreturn]] void refuse() const {
    std::int64_t length = 1;  // of the character in UTF-8
    while (at_ + length < size() && (static_cast<unsigned char>(peek(length)) & 0xC0U) == 0x80U) ++length;
    std::string hint = "removing it";
    for (const Foreign& foreign : foreign_signs) {
      if (text_.compare(static_cast<std::size_t>(at_), foreign.sign.size(), foreign.sign) != 0) continue;
      hint = foreign.ours;
      length = static_cast<std::int64_t>(foreign.sign.size());
      break;
    }
    const bool is_control = static_cast<unsigned char>(peek()) < 0x20U || static_cast<unsigned char>(peek()) == 0x7FU;
    const std::string found = is_control ? fmt::format("the byte {:#04x}", static_cast<unsigned char>(peek()))
                                         : fmt::format("'{}'", text_of(source_, {at_, at_ + length}));
    fail({.code = Code::syntax,
          .where = where(source_, {at_, at_ + length}),
          .what = "this sign has no meaning in an expression",
          .expected = "names, numbers, + - * / ^ ( ) [ ] and ,",
          .found = found,
          .hint = hint});
  }

  const Source& source_;
  const std::string& text_;
  std::int64_t at_ = 0;
};

}  // namespace

std::vector<Token> tokens_of(const Source& source) { return Reader(source).run(); }

}  // namespace tyto::language
