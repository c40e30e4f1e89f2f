#include "language/source.hpp"
#include <algorithm>

namespace tyto::language {

namespace {

constexpr std::int64_t widest_quote = 100;  // characters, so that lines of a message stay below 130

/// The line of the text around the span, cut down to what fits.
Span quoted_line(const std::string& text, Span span) {
  const auto size = static_cast<std::int64_t>(text.size());
  const auto is_end = [&](std::int64_t at) { return text[static_cast<std::size_t>(at)] == '\n'; };
  Span line{std::min(span.begin, size), std::min(span.begin, size)};
  while (line.begin > 0 && !is_end(line.begin - 1)) --line.begin;
  while (line.end < size && !is_end(line.end)) ++line.end;
  if (line.end - line.begin <= widest_quote) return line;
  line.begin = std::max(line.begin, std::min(span.begin - widest_quote / 2, line.end - widest_quote));
  line.end = std::min(line.end, line.begin + widest_quote);
  return line;
}

/// Bytes that begin a character of UTF-8.
std::int64_t character_count(const std::string& text) {
  return std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; });
}

}  // namespace

std::string text_of(const Source& source, Span span) {
  return source.text.substr(static_cast<std::size_t>(span.begin), static_cast<std::size_t>(span.end - span.begin));
}

Where where(const Source& source, Span span) {
  const Span line = quoted_line(source.text, span);
  const std::int64_t end = std::max(span.begin, std::min(span.end, line.end));
  const std::int64_t carets = std::max<std::int64_t>(1, character_count(text_of(source, {span.begin, end})));
  Where place{.file = source.file};
  place.quote = text_of(source, line) + "\n" +
                std::string(static_cast<std::size_t>(character_count(text_of(source, {line.begin, span.begin}))), ' ') +
                std::string(static_cast<std::size_t>(carets), '^');
  if (static_cast<std::size_t>(span.begin) < source.positions.size()) {
    const Position& at = source.positions[static_cast<std::size_t>(span.begin)];
    place.line = at.line, place.column = at.column;
  }
  return place;
}

}  // namespace tyto::language
