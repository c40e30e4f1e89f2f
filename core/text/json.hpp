#pragma once
/// Writing JSON: escaping, numbers that read back exactly, indentation. It does not read.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tyto {

/// "text" with quotes and escapes; bytes that are no valid UTF-8 become U+FFFD.
std::string json_quoted(std::string_view text);
/// The shortest decimal that reads back as the same double; null for infinities and NaN.
std::string json_number(double value);

/// Builds one JSON text. Calls must form a document: a key before each value in an object, and every begin ended
/// (Error{defect} from text() otherwise).
class JsonWriter {
 public:
  enum class Layout { line, lines };  ///< all in one line (for jsonl), or indented by two
  explicit JsonWriter(Layout layout = Layout::lines) : layout_(layout) {}

  JsonWriter& begin_object(Layout layout = Layout::lines) { return begin('{', layout); }
  JsonWriter& end_object() { return end('}'); }
  JsonWriter& begin_array(Layout layout = Layout::line) { return begin('[', layout); }  ///< Layout::line: all inside it, too
  JsonWriter& end_array() { return end(']'); }
  JsonWriter& key(std::string_view name);

  JsonWriter& value(std::string_view text) { return raw(json_quoted(text)); }
  JsonWriter& value(const char* text) { return value(std::string_view(text)); }
  JsonWriter& value(const std::string& text) { return value(std::string_view(text)); }
  JsonWriter& value(double number) { return raw(json_number(number)); }
  JsonWriter& value(std::int64_t number) { return raw(std::to_string(number)); }
  JsonWriter& value(int number) { return raw(std::to_string(number)); }
  JsonWriter& value(bool flag) { return raw(flag ? "true" : "false"); }
  JsonWriter& null() { return raw("null"); }
  JsonWriter& raw(std::string_view json);  ///< a finished JSON text; its lines take on the indentation here

  /// A list in one line.
  template <class T>
  JsonWriter& value(const std::vector<T>& items) {
    begin_array();
    for (const T& item : items) value(item);
    return end_array();
  }
  /// key(name).value(content)
  template <class T>
  JsonWriter& member(std::string_view name, const T& content) {
    return key(name).value(content);
  }

  /// The finished text, without a newline at its end.
  const std::string& text() const;

 private:
  struct Level {
    char closing = 0;
    Layout layout = Layout::line;
    bool is_empty = true;
  };
  JsonWriter& begin(char opening, Layout);
  JsonWriter& end(char closing);
  void begin_value();
  void new_line();

  Layout layout_;
  std::vector<Level> levels_;
  bool has_key_ = false;
  std::string text_;
};

}  // namespace tyto
