// The JSON writer.
#include "text/json.hpp"

#include <fmt/format.h>

#include <cmath>

#include "error/fail.hpp"

namespace tyto {
namespace {

/// Length of the valid UTF-8 sequence at the start of the text; 0 if there is none.
std::size_t sequence_length(std::string_view text) {
  const auto byte = [&](std::size_t k) { return static_cast<int>(static_cast<unsigned char>(text[k])); };
  const int first = byte(0);
  const std::size_t length = first < 0x80 ? 1 : first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
  if (length == 0 || text.size() < length) return 0;
  for (std::size_t k = 1; k < length; ++k) {
    if (byte(k) < 0x80 || byte(k) > 0xbf) return 0;
  }
  const bool is_overlong = length > 2 && ((first == 0xe0 && byte(1) < 0xa0) || (first == 0xf0 && byte(1) < 0x90));
  const bool is_outside = length > 2 && ((first == 0xed && byte(1) > 0x9f) || (first == 0xf4 && byte(1) > 0x8f));
  return is_overlong || is_outside ? 0 : length;
}

std::string escaped(char c) {
  switch (c) {
    case '"': return "\\\"";
    case '\\': return "\\\\";
    case '\n': return "\\n";
    case '\t': return "\\t";
    case '\r': return "\\r";
    default: return static_cast<unsigned char>(c) < 0x20 ? fmt::format("\\u{:04x}", static_cast<int>(c)) : std::string(1, c);
  }
}

}  // namespace

std::string json_quoted(std::string_view text) {
  std::string quoted = "\"";
  while (!text.empty()) {
    const std::size_t length = sequence_length(text);
    if (length == 1) {
      quoted += escaped(text[0]);
    } else {
      quoted += length == 0 ? std::string_view("\xef\xbf\xbd") : text.substr(0, length);
    }
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return quoted + '"';
}

std::string json_number(double value) { return std::isfinite(value) ? fmt::format("{}", value) : "null"; }

void JsonWriter::new_line() {
  text_ += '\n';
  text_.append(2 * levels_.size(), ' ');
}

void JsonWriter::begin_value() {
  if (levels_.empty()) {
    TYTO_ASSERT(text_.empty());
    return;
  }
  Level& level = levels_.back();
  const bool is_object = level.closing == '}';
  TYTO_ASSERT(is_object == has_key_);
  has_key_ = false;
  if (is_object) return;
  if (!level.is_empty) text_ += level.layout == Layout::line ? ", " : ",";
  level.is_empty = false;
  if (level.layout == Layout::lines) new_line();
}

JsonWriter& JsonWriter::key(std::string_view name) {
  TYTO_ASSERT(!levels_.empty() && levels_.back().closing == '}' && !has_key_);
  Level& level = levels_.back();
  if (!level.is_empty) text_ += level.layout == Layout::line ? ", " : ",";
  level.is_empty = false;
  if (level.layout == Layout::lines) new_line();
  text_ += json_quoted(name) + ": ";
  has_key_ = true;
  return *this;
}

JsonWriter& JsonWriter::raw(std::string_view json) {
  begin_value();
  const bool is_in_lines = !levels_.empty() && levels_.back().layout == Layout::lines;
  for (const char c : json) {
    if (c == '\n' && is_in_lines) {
      new_line();  // a text inside JSON has no line ends of its own, so this one lies between values
    } else {
      text_ += c;
    }
  }
  return *this;
}

JsonWriter& JsonWriter::begin(char opening, Layout layout) {
  begin_value();
  const bool is_in_line = layout_ == Layout::line || (!levels_.empty() && levels_.back().layout == Layout::line);
  levels_.push_back({.closing = opening == '{' ? '}' : ']', .layout = is_in_line ? Layout::line : layout});
  text_ += opening;
  return *this;
}

JsonWriter& JsonWriter::end(char closing) {
  TYTO_ASSERT(!levels_.empty() && levels_.back().closing == closing && !has_key_);
  const Level level = levels_.back();
  levels_.pop_back();
  if (!level.is_empty && level.layout == Layout::lines) new_line();
  text_ += closing;
  return *this;
}

const std::string& JsonWriter::text() const {
  TYTO_ASSERT(levels_.empty() && !text_.empty());
  return text_;
}

}  // namespace tyto
