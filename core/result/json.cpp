// The JSON writer: commas, indentation, escapes.
#include "result/json.hpp"
#include <fmt/format.h>
#include <cmath>

namespace tyto::result {

std::string json_quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    switch (c) {
      case '"': out += "\\\""; break;
      case '\\': out += "\\\\"; break;
      case '\n': out += "\\n"; break;
      case '\t': out += "\\t"; break;
      case '\r': out += "\\r"; break;
      default:
        if (const auto code = static_cast<unsigned char>(c); code < 0x20)
          out += fmt::format("\\u{:04x}", static_cast<int>(code));
        else
          out += c;
    }
  }
  return out + '"';
}

std::string json_number(double value) { return std::isfinite(value) ? fmt::format("{}", value) : "null"; }

void JsonWriter::begin_line() {
  text_ += '\n';
  text_.append(2 * levels_.size(), ' ');
}

void JsonWriter::begin_value() {
  if (after_key_) {
    after_key_ = false;
    return;
  }
  if (levels_.empty()) return;
  Level& level = levels_.back();
  if (!level.empty) text_ += level.on_one_line ? ", " : ",";
  level.empty = false;
  if (!level.on_one_line) begin_line();
}

JsonWriter& JsonWriter::open(char bracket, bool on_one_line) {
  begin_value();
  const bool inherited = !levels_.empty() && levels_.back().on_one_line;
  levels_.push_back({style_ == JsonStyle::one_line || on_one_line || inherited, true});
  text_ += bracket;
  return *this;
}

JsonWriter& JsonWriter::close(char bracket) {
  const Level level = levels_.back();
  levels_.pop_back();
  if (!level.on_one_line && !level.empty) begin_line();
  text_ += bracket;
  return *this;
}

JsonWriter& JsonWriter::open_object() { return open('{', false); }
JsonWriter& JsonWriter::close_object() { return close('}'); }
JsonWriter& JsonWriter::open_array(bool on_one_line) { return open('[', on_one_line); }
JsonWriter& JsonWriter::close_array() { return close(']'); }

JsonWriter& JsonWriter::key(const std::string& name) {
  begin_value();
  text_ += json_quoted(name) + ": ";
  after_key_ = true;
  return *this;
}

JsonWriter& JsonWriter::raw(const std::string& json) {
  begin_value();
  for (const char c : json) {
    if (c == '\n' && style_ == JsonStyle::indented)
      begin_line();  // a line's end is never inside a string, so given text takes on the indentation here
    else
      text_ += c;
  }
  return *this;
}

JsonWriter& JsonWriter::text(const std::string& value) { return raw(json_quoted(value)); }
JsonWriter& JsonWriter::number(double value) { return raw(json_number(value)); }
JsonWriter& JsonWriter::integer(std::int64_t value) { return raw(fmt::format("{}", value)); }
JsonWriter& JsonWriter::null() { return raw("null"); }

}  // namespace tyto::result
