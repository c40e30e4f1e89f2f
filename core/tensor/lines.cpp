// Splitting text into lines and words without copying any.
#include "tensor/lines.hpp"

#include <algorithm>
#include <charconv>
#include <utility>
#include "error/fail.hpp"
#include "tensor/file.hpp"
#include <fmt/format.h>

namespace tyto::tensor {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

constexpr std::size_t longest_quote = 72;

}  // namespace

bool Lines::next() {
  while (!rest_.empty()) {
    const std::size_t end = std::min(rest_.find('\n'), rest_.size());
    line_ = rest_.substr(0, end);
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    ++number_;
    left_ = line_.substr(0, std::min(line_.find('#'), line_.size()));
    if (!at_end()) return true;
  }
  line_ = left_ = {};
  return false;
}

void Lines::require_next(const std::string& expected) {
  if (!next())
    reject(Code::file_truncated, fmt::format("the file ends where {} should follow", expected), {}, {}, "copying the file again");
}

void Lines::skip_blanks() {
  while (!left_.empty() && is_blank(left_.front())) left_.remove_prefix(1);
}

int Lines::column_of(const char* place) const { return static_cast<int>(place - line_.data()) + 1; }

bool Lines::at_end() {
  skip_blanks();
  return left_.empty();
}

std::string_view Lines::word() {
  skip_blanks();
  std::size_t end = 0;
  while (end < left_.size() && !is_blank(left_[end])) ++end;
  const std::string_view result = left_.substr(0, end);
  column_ = column_of(left_.data());
  left_.remove_prefix(end);
  return result;
}

std::int64_t Lines::count_words() const {
  std::int64_t count = 0;
  char before = ' ';
  for (const char c : line_.substr(0, std::min(line_.find('#'), line_.size()))) {
    if (is_blank(before) && !is_blank(c)) ++count;
    before = c;
  }
  return count;
}

std::int64_t Lines::integer(const char* what, const std::string& expected) {
  const std::string_view found = word();
  const char* end = found.data() + found.size();
  std::int64_t value = 0;
  const auto [stop, error] = std::from_chars(found.data(), end, value);
  if (found.empty() || error != std::errc() || stop != end) reject_word(what, expected, found);
  return value;
}

double Lines::real(const char* what, const std::string& expected) {
  const std::string_view found = word();
  const char* end = found.data() + found.size();
  const bool has_plus = found.size() > 1 && found[0] == '+' && found[1] != '-';
  double value = 0;
  const auto [stop, error] = std::from_chars(found.data() + (has_plus ? 1 : 0), end, value);
  // Too small to be told from 0 is 0; too large would be another number.
  if (error == std::errc::result_out_of_range && stop == end && found.find("e-") != std::string_view::npos) return 0;
  if (error == std::errc::result_out_of_range && stop == end)
    reject(Code::overflow, fmt::format("{} is too large", what), "a number below 1.8e308", fmt::format("\"{}\"", found), {},
           column_);
  if (found.empty() || error != std::errc() || stop != end) reject_word(what, expected, found);
  return value;
}

void Lines::require_end(const char* what, const std::string& expected) {
  if (!at_end()) reject_word(what, expected, word());
}

void Lines::reject_word(const char* what, const std::string& expected, std::string_view found) const {
  reject(Code::file_format, fmt::format("{} cannot be read", what), expected,
         found.empty() ? "the end of the line" : fmt::format("\"{}\"", found.substr(0, longest_quote)), {}, column_);
}

void Lines::reject(Code code, std::string what, std::string expected, std::string found, std::string hint, int column) const {
  Finding finding = file_finding(code, file_, std::move(what), std::move(expected), std::move(found), std::move(hint));
  finding.where.line = number_;
  finding.where.column = column;
  std::string_view quote = line_;
  while (!quote.empty() && is_blank(quote.back())) quote.remove_suffix(1);
  finding.where.quote = std::string(quote.substr(0, longest_quote)) + (quote.size() > longest_quote ? "..." : "");
  fail(std::move(finding));
}

}  // namespace tyto::tensor
